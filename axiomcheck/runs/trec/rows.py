"""Read rows of named values from files and from Python objects that ir_measures accepts.

Files have a fixed number of columns, as in TREC's formats, or named columns: JSON Lines, or tables with a header, as
PyTerrier writes them. Python objects are a dict of dicts (topic -> document -> value), an iterable of named tuples, or
a DataFrame. Columns are named as in ir_measures, PyTerrier, BEIR or MS MARCO.
"""

from __future__ import annotations

import csv
import io
import json
import re
import reprlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted
from axiomcheck.core.typing import Integers, Mask, Reals
from axiomcheck.runs.trec.lines import Listener, Source, malformed, name_of, number_of, shown_text, source_name
from axiomcheck.runs.trec.table import Columns, DocumentTable, coded, codes_of
from axiomcheck.runs.trec.tokens import PAD, Text, Tokens

BLOCK = 1 << 20
"""Number of bytes that are split into columns at a time."""

_CSV_VALUES = {4: "relevance", 6: "score"}
"""Third column of a CSV file of judgments or of a run, keyed by the number of columns in TREC files."""

_SWAPPED = {
    (4, 6): "; a file with 6 columns is a run, so use --run RUN, not --qrels",
    (6, 4): "; a file with 4 columns contains judgments, so use --qrels JUDGMENTS, not --run",
}
"""Hints, keyed by the expected and the actual number of columns."""

_ENDS = re.compile(r"\r\n|\n|\r")
_BLANKS = re.compile(r"[ \t]+")
"""Separators of columns; other white space is part of names, as in TREC's files."""

COLUMNS: dict[str, tuple[str, ...]] = {
    "query_id": ("query_id", "qid", "query-id", "topic"),
    "doc_id": ("doc_id", "docno", "docid", "corpus-id", "pid"),
    "score": ("score",),
    "rank": ("rank",),
    "relevance": ("relevance", "label", "rel", "grade"),
    "iteration": ("iteration", "aspect", "subtopic_id", "subtopic"),
}
"""Possible names of each wanted column, in order of priority."""


def column_of(names: Iterable[object], wanted: str) -> str | None:
    """Return the name of the column for a kind of value, such as ``relevance``, or None if there is no such column."""
    there = set(names)
    if wanted == "relevance" and {"corpus-id", "score"} <= there:  # judgments of BEIR; else "score" means a run
        return "score"
    return next((name for name in COLUMNS[wanted] if name in there), None)


@dataclass(frozen=True)
class Rows:
    """Rows of a file or Python object.

    Args:
        names: Original names of all columns.
        columns: Values, one per row, of the known columns that exist. Keys are those of `COLUMNS`, or those of a fixed
            layout, whose values are `Tokens`.
        lines: Number of each row's line in the file, or of the row in the object, from 1.
        unit: Word for what `lines` counts: ``line`` or ``row``.
        comments: Number of skipped comment lines.
        topics: Names of all topics, including those without a row.
        layout: Names of the columns of a fixed layout, separated by blanks; empty for named columns.

    """

    source: Source
    names: Sequence[str]
    columns: Mapping[str, Sequence[object] | Tokens]
    lines: Integers
    unit: str = "line"
    comments: int = 0
    topics: Sequence[object] = ()
    layout: str = ""

    @property
    def hint(self) -> str:
        """End of a message about a file without rows: the expected columns of a fixed layout, else an empty string."""
        return f"; expected lines of {self.layout}" if self.layout else ""

    def refused(self, line: int, found: str, expected: str) -> InvalidInput:
        """Return an InvalidInput about the row with number ``line``."""
        return malformed(self.source, line, found, expected, self.unit)

    def texts(self, wanted: str) -> list[bytes]:
        """Return a column of topic or document names as bytes; an integer becomes its decimal digits.

        Raises:
            InvalidInput: There is no such column, or a value is not a name or has several lines. The message names the
                row.

        """
        values = self._values(wanted)
        return values.listed() if isinstance(values, Tokens) else self._names(wanted, values, self.lines)

    def numbers(self, wanted: str, finite: bool = True) -> Reals:
        """Return a column as numbers; text is parsed.

        Raises:
            InvalidInput: There is no such column, or a value is not a number or not finite. The message names the row.

        """
        values = self._values(wanted)
        if isinstance(values, Tokens):
            out = values.numbers()
        else:
            out = np.array([_number(value) for value in map(_unwrapped, values)], dtype=np.float64)
        expected = "a finite number" if finite else "a number"
        self._check(wanted, np.isfinite(out) if finite else ~np.isnan(out), expected)
        return out

    def wholes(self, wanted: str, expected: str = "an integer", below: int = 10**15) -> Integers:
        """Return a column of a fixed layout as integers.

        Raises:
            InvalidInput: A value is not an integer, or its absolute value is not below ``below``. The message names the
                line.

        """
        tokens = self._values(wanted)
        assert isinstance(tokens, Tokens)
        values, good = tokens.wholes()
        self._check(wanted, good & (np.abs(values) < below), expected)
        return values

    def _check(self, wanted: str, good: Mask, expected: str) -> None:
        if not good.all():
            row = int(np.argmin(good))
            values = self.columns[wanted]
            text = shown_text(values[[row]].listed()[0]) if isinstance(values, Tokens) else reprlib.repr(values[row])
            raise self.refused(int(self.lines[row]), f"{wanted} {text}", expected)

    def table(self, columns: Columns, more_topics: Sequence[object] = ()) -> DocumentTable:
        """Convert the rows to a table with the given numeric columns; ``more_topics`` may name topics without rows."""
        topics: dict[bytes, int] = {}
        of_rows = self._values("query_id")
        codes = coded(of_rows, topics) if isinstance(of_rows, Tokens) else codes_of(self.texts("query_id"), topics)
        codes_of(self._names("topic", more_topics, range(1, len(more_topics) + 1)), topics)
        names = self._values("doc_id")
        documents = names if isinstance(names, Tokens) else Tokens.of(self.texts("doc_id"))
        return DocumentTable(self.source, topics, codes, documents, self.lines, columns, self.comments).grouped()

    def _values(self, wanted: str) -> Sequence[object] | Tokens:
        if wanted not in self.columns:
            names = " or ".join(COLUMNS[wanted])
            raise InvalidInput(
                f"{source_name(self.source)} has no column {names}; its columns are {', '.join(self.names)}"
            )
        return self.columns[wanted]

    def _names(self, wanted: str, values: Sequence[object], lines: Iterable[int]) -> list[bytes]:
        out = []
        for line, value in zip(lines, map(_unwrapped, values), strict=True):
            text = value.strip(" \t\r\n") if isinstance(value, str) else str(value) if type(value) is int else ""
            if not text or "\n" in text:
                raise self.refused(line, f"{wanted} {value!r}", "a one-line string")
            out.append(name_of(text))
        return out


def _unwrapped(value: object) -> object:
    """Convert a NumPy scalar to a Python number; return other values unchanged."""
    return value.item() if isinstance(value, np.generic) else value


def _number(value: object) -> float:
    """Convert a value to a float, or to NaN if it is not a finite number. Floats are returned unchanged."""
    return value if isinstance(value, float) else number_of(value)


def read_columns(
    source: Source,
    data: bytes,
    layout: Mapping[str, str],
    needed: Collection[str],
    listen: Listener | None = None,
) -> Rows:
    """Read lines with a fixed number of columns, separated by white space.

    Blank lines are skipped, and lines that begin with ``#`` are comments.

    Args:
        source: File, for messages.
        data: Bytes of the file.
        layout: Name of each column for messages, by its key in the result.
        needed: Keys of the columns to return.
        listen: Callback for progress.

    Raises:
        InvalidInput: A line has the wrong number of columns. The message names the line.

    """
    titles, width = " ".join(layout.values()), len(layout)
    names = [name for name in layout if name in needed]
    chosen = [list(layout).index(name) for name in names]
    text = np.frombuffer(data.removesuffix(b"\n") + b"\n" + bytes(PAD), dtype=np.uint8)
    parts, comments, begin, first = [], 0, 0, 1
    while begin < len(text) - PAD:
        end = data.rfind(b"\n", begin, begin + BLOCK) + 1 or data.find(b"\n", begin) + 1 or len(text) - PAD
        letters = text[begin:end]
        starts, stops = _tokens(letters)
        ends = np.flatnonzero(letters == ord("\n"))
        lines = np.arange(first, first + len(ends), dtype=np.int32)
        of = np.searchsorted(ends, starts)
        counts = np.bincount(of, minlength=len(ends))
        heads = np.zeros(len(ends), dtype=np.uint8)  # first byte of each line that is not blank
        heads[of[::-1]] = letters[starts[::-1]]
        is_comment = heads == ord("#")
        kept = ~is_comment & (counts > 0)
        if (wrong := np.flatnonzero(kept & (counts != width))).size:
            row = letters[starts[of == wrong[0]][0] : ends[wrong[0]]].tobytes().split()
            found = counted(len(row), "column")
            raise malformed(source, int(lines[wrong[0]]), found, f"{width}: {titles}{_hint(row, width)}")
        comments += int(is_comment.sum())
        places = np.flatnonzero(kept[of]).reshape(-1, width)[:, chosen].T
        parts.append((starts[places] + begin, (stops - starts)[places].astype(np.int32), lines[kept]))
        begin, first = end, first + len(ends)
        if listen is not None:
            listen(source_name(source), first - 1)
    starts, lengths, lines = (np.concatenate(part, axis=-1) for part in zip(*parts, strict=True))
    # copies, so that a column does not keep the others in memory
    columns = {
        name: Tokens(text, *(one.copy() for one in each)) for name, *each in zip(names, starts, lengths, strict=True)
    }
    return Rows(source, list(layout), columns, lines, comments=comments, layout=titles)


def _tokens(letters: Text) -> tuple[Integers, Integers]:
    """Return the starts and ends of the tokens in a text, which is split at white space as by `bytes.split`."""
    space = (letters - np.uint8(9) < 5) | (letters == 32)
    edges = np.flatnonzero(np.diff(space, prepend=True))
    return edges[::2], edges[1::2]


def _hint(row: Sequence[bytes], width: int) -> str:
    """Return a hint if a line with the wrong number of columns looks like CSV, or like a run instead of judgments."""
    value = _CSV_VALUES.get(width)
    if value and len(row) < width and b"".join(row).count(b",") > 1:
        return f", separated by spaces; a CSV file needs a header such as query_id,doc_id,{value}"
    return _SWAPPED.get((width, len(row)), "")


def has_names(head: bytes) -> bool:
    """Return True if the first line of a file names columns, in a header or as JSON keys."""
    text = _ENDS.split(head.decode("utf-8", errors="replace").lstrip("\ufeff \t\r\n"))[0]
    if re.match(r"\{\s*[\"}]", text):
        return True
    mark = _delimiter(text)
    cells = _BLANKS.split(text.strip()) if mark == " " else text.split(mark)
    names = [cell.strip().strip('"') for cell in cells]
    return column_of(names, "query_id") is not None and column_of(names, "doc_id") is not None


def read_rows(source: Source, data: bytes) -> Rows:
    """Read the rows of a file.

    Raises:
        InvalidInput: The file is not text, a line is not a JSON object, or a line has more or fewer values than the
            header. The message names the line.

    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{source_name(source)}: byte {error.start} is not UTF-8; expected UTF-8 text") from None
    lines = _ENDS.split(text)
    begun = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    rows = list(_objects(source, text) if begun.lstrip().startswith("{") else _cells(source, text, begun))
    return rows_of(source, rows, sum(line.startswith("#") for line in lines))


def rows_of(source: Source, rows: Sequence[tuple[int, Mapping[str, object]]], comments: int = 0) -> Rows:
    """Convert pairs of a row number and a dict of values by column name to `Rows`.

    Raises:
        InvalidInput: A row lacks a wanted value that other rows have. The message names the row.

    """
    names = list(dict.fromkeys(name for _, row in rows for name in row))
    columns = {}
    for wanted in COLUMNS:
        if (name := column_of(names, wanted)) is not None:
            for number, row in rows:
                if name not in row:
                    raise malformed(source, number, f"no {name}", "one on every line")
            columns[wanted] = [row[name] for _, row in rows]
    return Rows(source, names, columns, np.array([number for number, _ in rows], dtype=np.int32), comments=comments)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Convert the pairs of a JSON object to a dict (`object_pairs_hook`).

    Raises:
        InvalidInput: The object has two values under one name.

    """
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        raise InvalidInput(f"two values for {next(name for name in row if names.count(name) > 1)!r}")
    return row


def _objects(source: Source, text: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            row = json.loads(line, object_pairs_hook=_once)
        except InvalidInput as error:
            raise malformed(source, number, str(error), "each name once") from None
        except (ValueError, RecursionError):
            raise malformed(source, number, "invalid JSON", "one JSON object per line") from None
        if not isinstance(row, dict):
            raise malformed(source, number, "JSON that is not an object", "one JSON object per line")
        yield number, row


def _cells(source: Source, text: str, header: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    names: list[str] = []
    for number, cells in _split(source, text, _delimiter(header)):
        if not any(cell.strip() for cell in cells) or cells[0].startswith("#"):
            continue
        if not names:
            names = [cell.strip() for cell in cells]
        elif len(cells) != len(names):
            raise malformed(source, number, f"{counted(len(cells), 'value')}", f"{len(names)}: {' '.join(names)}")
        else:
            yield number, dict(zip(names, cells, strict=True))


def _split(source: Source, text: str, mark: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each line and its cells. Quotes have a special meaning only in comma-separated lines."""
    if mark != ",":
        for number, line in enumerate(_ENDS.split(text), 1):
            yield number, _BLANKS.split(line.strip(" \t")) if mark == " " else line.split(mark)
        return
    most = csv.field_size_limit(len(text) + 1)
    try:
        reader = csv.reader(io.StringIO(text, newline=None), skipinitialspace=True, strict=True)
        for cells in reader:
            if any("\n" in cell for cell in cells):
                raise malformed(
                    source, reader.line_num, "a value that spans several lines", "a closing quote before its end"
                )
            yield reader.line_num, cells
    except csv.Error as error:
        raise malformed(source, reader.line_num, str(error), "values between commas") from None
    finally:
        csv.field_size_limit(most)


def _delimiter(header: str) -> str:
    return next((mark for mark in "\t," if mark in header), " ")


def rows_of_python(given: object, value: str, extra: str, what: str) -> Rows:
    """Return the rows of a Python object.

    Args:
        given: Dict of dicts, iterable of named tuples, or DataFrame.
        value: Key in `COLUMNS` of the values that a dict of dicts holds.
        extra: Key in `COLUMNS` of an optional column.
        what: Name of the object in messages, such as ``run``.

    Raises:
        InvalidInput: The object has none of these forms.

    """
    wanted, topics = ("query_id", "doc_id", value), list[object]()
    columns: dict[str, list[Any]]
    if isinstance(given, Mapping):
        for topic, inner in given.items():
            if not isinstance(inner, Mapping):
                raise InvalidInput(f"{what}: topic {topic!r} is {type(inner).__name__}; expected a dict of documents")
        topics = list(given)
        pairs = [(topic, document, number) for topic, inner in given.items() for document, number in inner.items()]
        columns = {name: [row[place] for row in pairs] for place, name in enumerate(wanted)}
    elif hasattr(given, "itertuples"):
        frame: Any = given
        there = list(frame.columns)
        if len(set(there)) < len(there):
            raise InvalidInput(f"{what} has two columns with the same name: {', '.join(map(str, there))}")
        names = {name: column_of(there, name) for name in (*wanted, extra)}
        columns = {name: frame[own].tolist() for name, own in names.items() if own is not None}
        return Rows(what, list(map(str, there)), columns, np.arange(1, len(frame) + 1), "row")
    elif isinstance(given, Iterable):
        rows = list(given)
        try:
            columns = {name: [getattr(row, name) for row in rows] for name in wanted}
        except AttributeError as error:
            raise InvalidInput(f"{what}: {error}; expected named tuples of {', '.join(wanted)}") from None
        if rows and all(hasattr(row, extra) for row in rows):
            columns[extra] = [getattr(row, extra) for row in rows]
    else:
        raise InvalidInput(
            f"{what} is of type {type(given).__name__}; expected a file name, a dict of dicts, named tuples or a "
            f"DataFrame"
        )
    return Rows(what, list(columns), columns, np.arange(1, len(columns[value]) + 1), "row", topics=topics)
