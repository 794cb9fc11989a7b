"""Judgments and runs in files whose columns have names: JSON Lines, and tables with a header, as PyTerrier writes them.

What a column is called is what ir_measures, PyTerrier, BEIR or MS MARCO call it.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from math import isnan, nan
from typing import IO, Any

import numpy as np

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Reals
from axiomcheck.runs.trec.lines import Source, malformed, name_of, source_name
from axiomcheck.runs.trec.tokens import Tokens

MOST = 1.7976931348623157e308
"""The largest finite float."""

_ENDS = re.compile(r"\r\n|\n|\r")
_BLANKS = re.compile(r"[ \t]+")
"""The separators of lines and columns; other white space is part of names, as in TREC's files."""

COLUMNS: dict[str, tuple[str, ...]] = {
    "query_id": ("query_id", "qid", "query-id", "topic"),
    "doc_id": ("doc_id", "docno", "docid", "corpus-id", "pid"),
    "score": ("score",),
    "rank": ("rank",),
    "relevance": ("relevance", "label", "rel", "grade"),
    "iteration": ("iteration", "aspect", "subtopic_id", "subtopic"),
}
"""The wanted column -> the names that it may have, the first that is there."""


def column_of(names: Iterable[Any], wanted: str) -> str | None:
    """The name of a column; None where there is none."""
    there = set(names)
    if wanted == "relevance" and {"corpus-id", "score"} <= there:  # judgments of BEIR; elsewhere it would be a run
        return "score"
    return next((name for name in COLUMNS[wanted] if name in there), None)


def has_names(head: bytes) -> bool:
    """Return True if the first line of a file names columns, once or on every line."""
    text = re.split(r"[\r\n]", head.decode("utf-8", errors="replace").lstrip("\ufeff \t\r\n"))[0]
    if re.match(r"\{\s*[\"}]", text):
        return True
    names = _cells(text)
    return column_of(names, "query_id") is not None and column_of(names, "doc_id") is not None


def read_rows(source: Source, stream: IO[bytes]) -> NamedRows:
    """The rows of a file.

    Raises:
        InvalidInput: no text, a line that is no JSON object, or has more or fewer values than the header; says where.

    """
    try:
        text = stream.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{source_name(source)}: no UTF-8 at byte {error.start}") from None
    begun = next((line for line in _ENDS.split(text) if line.strip() and not line.startswith("#")), "")
    rows = list(_objects(source, text) if begun.lstrip().startswith("{") else _table(source, text, begun))
    return NamedRows(source, rows, sum(line.startswith("#") for line in _ENDS.split(text)))


def _objects(source: Source, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise malformed(source, number, "no JSON", "one JSON object per line") from None
        if not isinstance(row, dict):
            raise malformed(source, number, "JSON, and no object", "one JSON object per line")
        yield number, row


def _table(source: Source, text: str, header: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    names: list[str] = []
    for number, cells in _lines(source, text, _delimiter(header)):
        if not any(cell.strip() for cell in cells) or cells[0].startswith("#"):
            continue
        if not names:
            names = [cell.strip() for cell in cells]
        elif len(cells) != len(names):
            raise malformed(source, number, f"{counted(len(cells), 'value')}", f"{len(names)}: {' '.join(names)}")
        else:
            yield number, dict(zip(names, cells, strict=True))


def _lines(source: Source, text: str, mark: str) -> Iterator[tuple[int, list[str]]]:
    """The number of each line and its cells. Quotes are quotes between commas, and characters like others elsewhere."""
    if mark != ",":
        for number, line in enumerate(_ENDS.split(text), 1):
            yield number, _BLANKS.split(line.strip(" \t")) if mark == " " else line.split(mark)
        return
    most = csv.field_size_limit(len(text) + 1)
    try:
        reader = csv.reader(io.StringIO(text, newline=None), skipinitialspace=True, strict=True)
        for cells in reader:
            if any("\n" in cell for cell in cells):
                raise malformed(source, reader.line_num, "a value of several lines", "a closing quote before its end")
            yield reader.line_num, cells
    except csv.Error as error:
        raise malformed(source, reader.line_num, str(error), "values between commas") from None
    finally:
        csv.field_size_limit(most)


def _cells(header: str) -> list[str]:
    mark = _delimiter(header)
    if mark != ",":
        return [cell.strip() for cell in (_BLANKS.split(header.strip()) if mark == " " else header.split(mark))]
    return [cell.strip().strip('"') for cell in header.split(mark)]


def _delimiter(header: str) -> str:
    return next((mark for mark in "\t," if mark in header), " ")


class NamedRows:
    """NamedRows of a file, by the columns that are wanted.

    Args:
        source: for messages.
        rows: the number of each line, and its values by name.
        comments: how many lines were passed over.

    """

    def __init__(self, source: Source, rows: list[tuple[int, Mapping[str, Any]]], comments: int = 0) -> None:
        self.comments = comments
        self._source, self._rows = source, rows
        self._names = dict.fromkeys(name for _, row in rows for name in row)
        self.lines = np.array([number for number, _ in rows], dtype=np.int32)

    def has(self, wanted: str) -> bool:
        """Return True if there is such a column."""
        return column_of(self._names, wanted) is not None

    def texts(self, wanted: str) -> list[bytes]:
        """Names, of which whole numbers are their digits.

        Raises:
            InvalidInput: no such column; a value that is missing, no name, or of several lines; says where.

        """
        out = []
        for number, value in self._values(wanted):
            text = value if isinstance(value, str) else str(value) if type(value) is int else ""
            text = text.strip(" \t\r\n")
            if not text or "\n" in text:
                raise malformed(self._source, number, f"{wanted} {value!r}", "a text of one line")
            out.append(name_of(text))
        return out

    def numbers(self, wanted: str) -> Reals:
        """Numbers, which may be written as texts.

        Raises:
            InvalidInput: no such column; a value that is no finite number; says where.

        """
        out = []
        for number, value in self._values(wanted):
            if isinstance(value, str):
                found = float(Tokens.of([value.strip().encode()]).numbers()[0])
            else:
                found = float(value) if type(value) in (int, float) and abs(value) <= MOST else nan
            if isnan(found):
                raise malformed(self._source, number, f"{wanted} {value!r}", "a finite number")
            out.append(found)
        return np.array(out, dtype=np.float64)

    def _values(self, wanted: str) -> Iterator[tuple[int, Any]]:
        name = column_of(self._names, wanted)
        if name is None:
            there = ", ".join(map(str, self._names))
            raise InvalidInput(f"{source_name(self._source)}: no column {' or '.join(COLUMNS[wanted])} among {there}")
        for number, row in self._rows:
            if name not in row:
                raise malformed(self._source, number, f"no {name}", "one on every line")
            yield number, row[name]
