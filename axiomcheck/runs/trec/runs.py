"""Read runs, the documents that a system retrieved (``topic Q0 document rank score tag``), and break ties."""

from __future__ import annotations

import os
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import AnyNumbers, Integers
from axiomcheck.runs.trec.lines import (
    Listener,
    Source,
    first_line,
    malformed,
    read_bytes,
    source_name,
    text_of,
)
from axiomcheck.runs.trec.rows import Rows, has_names, read_columns, read_rows, rows_of_python
from axiomcheck.runs.trec.table import DocumentTable, distinct, name_ranks

COLUMNS = {"query_id": "topic", "Q0": "Q0", "doc_id": "document", "rank": "rank", "score": "score", "tag": "tag"}
RANKED = {"query_id": "topic", "doc_id": "document", "rank": "rank"}

_RANKS = (
    "ranks 1, 2, 3 and so on for every topic. If these are ranks with gaps, use --ties ndeval. "
    'If they are scores, add the first line "query_id doc_id score"'
)
"""Expected form of a third column that may be ranks or scores."""

Ties = Literal[
    "trec_eval",
    "trec_eval-9",
    "trec_eval-10",
    "ndeval",
    "ndeval-traditional",
    "pyndeval",
    "gdeval",
    "msmarco",
    "score",
    "file",
]

TIES: dict[str, str] = {
    "trec_eval": "as trec_eval-9",
    "trec_eval-9": "by score in single precision, largest first; ties in descending order of document names "
    "(trec_eval up to 9.0.8, pytrec_eval)",
    "trec_eval-10": "by score in double precision; ties in descending order of document names",
    "ndeval": "by the rank column, the default of ndeval; a repeated rank is an error",
    "ndeval-traditional": "as trec_eval-10 (ndeval -traditional)",
    "pyndeval": "by score in double precision; ties in ascending order of document names (pyndeval; in ir_measures "
    "also Judged, msmarco, and compat)",
    "gdeval": "as trec_eval-10 (gdeval.pl)",
    "msmarco": "by the rank column, 1, 2, 3 and so on; a repeated or missing rank is an error (ms_marco_eval.py)",
    "score": "by score in double precision; ties in the order of the lines",
    "file": "in the order of the lines, regardless of scores (cwl-eval)",
}
"""Tie-breaking rules, with a description of each rule's order. Names are compared byte by byte."""

BY_RANK = ("ndeval", "msmarco")
"""Rules that need the rank column."""

_SINGLE = ("trec_eval", "trec_eval-9")


@dataclass(frozen=True, eq=False)
class Run:
    """Documents that a system retrieved, topic by topic.

    Args:
        table: One line per retrieved document, in the order of the file, with its ``score`` and, if requested, its
            ``rank``.
        tag: Last column of the first line.

    """

    table: DocumentTable
    name: str
    tag: str = ""

    @property
    def source(self) -> Source:
        """File or object that the run comes from, for messages."""
        return self.table.source

    @property
    def topics(self) -> Mapping[bytes, int]:
        """Mapping from a topic's name to its index among the run's topics."""
        return self.table.topics

    def check_documents(self, topics: Container[bytes]) -> None:
        """Check that no document was retrieved twice for any of the given topics.

        Raises:
            InvalidInput: A document was retrieved twice. The message names the line.

        """
        table = self.table
        if table.is_distinct:
            return
        found = distinct(table)
        first = found.firsts[found.of]
        asked = np.array([topic in topics for topic in table.topics])
        again = np.flatnonzero((first != np.arange(len(first))) & asked[table.codes])
        if len(again):
            line, before = int(again[0]), table.lines[first[again[0]]]
            text = f"document {table.shown_document(line)} of topic {table.shown_topic(line)} is listed again"
            text += f", after line {before}"
            raise malformed(self.source, int(table.lines[line]), text, "every document once per topic")


def read_run(source: Source, ranks: bool = False, listen: Listener | None = None) -> Run:
    """Read a run from a file; the lines of a topic need not be adjacent.

    Lines have TREC's format, or the format of MS MARCO (``topic document rank``). In the latter, the first ranks get
    the largest scores. Columns may also have names, see `axiomcheck.runs.trec.rows`.

    Args:
        source: File to read; ``-`` for standard input.
        ranks: True to read the rank column; otherwise it is ignored and may hold anything.
        listen: Callback for progress.

    Raises:
        InvalidInput: The file is unreadable, malformed (the message names the line), or empty.

    """
    data = read_bytes(source)
    head = first_line(data)
    if has_names(head):
        return _of_rows(read_rows(source, data), ranks)
    layout = RANKED if len(head.split()) == len(RANKED) else COLUMNS
    needed = {"query_id", "doc_id", "score", *(["rank"] if ranks else [])} if layout is COLUMNS else RANKED
    run = _of_rows(read_columns(source, data, layout, needed, listen), ranks)
    if layout is COLUMNS:
        return replace(run, tag=text_of(head.split()[-1]))
    if not ranks:  # rules by rank pass ranks=True, and check the ranks
        _check_first_ranks(run.table, _RANKS)
    return run


def as_run(given: object, ranks: bool = False) -> Run:
    """Return a `Run` unchanged, or read one from a file or an object that `axiomcheck.runs.trec.rows` accepts.

    Args:
        given: Run, file name, or object.
        ranks: True to read the documents' ranks.

    Raises:
        InvalidInput: The object has none of these forms, or a score is not a number.

    """
    if isinstance(given, Run):
        return given
    if isinstance(given, (str, os.PathLike)):
        return read_run(given, ranks)
    return _of_rows(rows_of_python(given, "score", "rank", "run"), ranks, finite=False)


def _of_rows(rows: Rows, ranks: bool, finite: bool = True) -> Run:
    """Create a run from rows.

    If `finite` is False, scores may be infinite, since infinite scores also order documents.
    """
    if not len(rows.lines) and not rows.topics:
        raise InvalidInput(f"{source_name(rows.source)} contains no retrieved documents{rows.hint}")
    columns: dict[str, AnyNumbers] = {}
    if "rank" in rows.columns and (ranks or "score" not in rows.columns):
        expected = "an integer" if ranks else _RANKS
        columns["rank"] = rows.wholes("rank", expected) if rows.layout else rows.numbers("rank")
    if "score" in rows.columns or not columns:
        columns["score"] = rows.numbers("score", finite)
    else:
        columns["score"] = -columns["rank"].astype(np.float64)
    return Run(rows.table(columns, rows.topics), source_name(rows.source))


def with_names(runs: Sequence[Run]) -> list[Run]:
    """Return runs with the names that reports show: their tags if possible, else their file names, else their paths.

    Tags and file names are used only if every run has one and all of them are different.
    """
    files = [Path(run.name).name if run.source != "-" else run.name for run in runs]
    for names in ([run.tag for run in runs], files):
        if all(names) and len(set(names)) == len(names):
            return [replace(run, name=name) for run, name in zip(runs, names, strict=True)]
    return list(runs)


def several_runs(given: object, ranks: bool) -> list[Run] | dict[str, Run] | None:
    """Convert an object to several runs with the names that reports show, or return None if it is a single run.

    Args:
        given: List, or dict whose keys are names, of objects that `as_run` accepts. (A dict of dicts, topic -> document
            -> score, is one run, and so is a list of named tuples.)
        ranks: True to read the documents' ranks.

    Raises:
        InvalidInput: An object is not a run, see `as_run`. The message names it.

    """
    if isinstance(given, Mapping) and any(_is_run(run) for run in given.values()):
        return {str(name): replace(_named(run, str(name), ranks), name=str(name)) for name, run in given.items()}
    if isinstance(given, (list, tuple)) and given and all(_is_run(run) or isinstance(run, Mapping) for run in given):
        runs = [_named(run, f"run {number}", ranks) for number, run in enumerate(given, 1)]
        return [replace(run, name=f"run {n}") if run.name == "run" else run for n, run in enumerate(runs, 1)]
    return None


def _is_run(given: object) -> bool:
    """Return True if an object is a whole run: a file name, a DataFrame, or a dict of dicts."""
    if isinstance(given, Mapping):
        return any(isinstance(inner, Mapping) for inner in given.values())
    return isinstance(given, (str, os.PathLike, Run)) or hasattr(given, "itertuples")


def _named(given: object, name: str, ranks: bool) -> Run:
    try:
        return as_run(given, ranks)
    except InvalidInput as error:
        if isinstance(given, (str, os.PathLike)):
            raise
        raise InvalidInput(f"{name}: {str(error).removeprefix('run: ')}") from None


def ranked_lines(run: Run, topics: Container[bytes], ties: Ties) -> tuple[DocumentTable, Integers]:
    """Return a run's lines for some topics, and the indices of the lines in rank order, topic by topic.

    The rule ``trec_eval`` compares in single precision, as trec_eval does up to version 9.0.8. Version 10 compares in
    double precision.

    Args:
        run: Run whose lines are ordered.
        topics: Topics to return. The table names all topics of the run, but has lines only for these.
        ties: Tie-breaking rule.

    Raises:
        InvalidInput: A document was retrieved twice, or the ranks do not fit the rule. The message names the line.

    """
    run.check_documents(topics)
    asked = np.array([topic in topics for topic in run.topics], dtype=bool)
    table = run.table if asked.all() else run.table.picked(asked[run.table.codes])
    if ties == "file":
        return table, np.arange(len(table.codes))
    return table, _by_rank(table, ties, run.name) if ties in BY_RANK else _by_score(table, ties)


def _by_score(table: DocumentTable, ties: Ties) -> Integers:
    codes, scores = table.codes, table.columns["score"]
    if ties in _SINGLE:
        with np.errstate(over="ignore"):  # scores beyond single precision become infinite
            scores = scores.astype(np.float32)
    placed: Integers = np.arange(len(codes))
    same_topic = codes[1:] == codes[:-1]
    if ((scores[:-1] > scores[1:]) | ~same_topic).all():
        return placed
    if not ((scores[:-1] >= scores[1:]) | ~same_topic).all():
        placed = np.lexsort((-scores, codes))
    best_first = scores[placed]
    begins = np.ones(len(codes), dtype=bool)
    begins[1:] = (best_first[1:] != best_first[:-1]) | ~same_topic
    tied = ~begins
    tied[:-1] |= ~begins[1:]
    if ties != "score" and tied.any():
        among = placed[tied]
        names = name_ranks(table.documents[among])
        placed[tied] = among[np.lexsort((names if ties == "pyndeval" else -names, np.cumsum(begins)[tied]))]
    return placed


def _by_rank(table: DocumentTable, ties: Ties, name: str) -> Integers:
    if "rank" not in table.columns:
        raise InvalidInput(f"{name} has no ranks, but the tie rule {ties} needs the rank column")
    ranks = table.columns["rank"]
    placed = np.lexsort((ranks, table.codes))
    in_order = ranks[placed]
    again = np.flatnonzero((in_order[1:] == in_order[:-1]) & (table.codes[1:] == table.codes[:-1]))
    if len(again):
        line, before = int(placed[again[0] + 1]), table.lines[placed[again[0]]]
        text = f"rank {ranks[line]} of topic {table.shown_topic(line)} is used again, after line {before}"
        raise malformed(table.source, int(table.lines[line]), text, "every rank once per topic")
    if ties == "msmarco":  # its script places documents by rank: a missing rank is a gap
        _check_first_ranks(table, "ranks 1, 2, 3 and so on")
    return placed


def _check_first_ranks(table: DocumentTable, expected: str) -> None:
    """Check that the ranks of every topic with n documents are 1, 2, ..., n, in any order of lines.

    Raises:
        InvalidInput: A topic lacks one of these ranks. The message names the line.

    """
    ranks: AnyNumbers = table.columns["rank"]
    placed = np.lexsort((ranks, table.codes))
    wanted = np.arange(1, len(ranks) + 1) - table.starts[table.codes]
    if (gaps := np.flatnonzero(ranks[placed] != wanted)).size:
        line = int(placed[gaps[0]])
        text = f"rank {ranks[line]:.0f} of topic {table.shown_topic(line)}, which has no rank {wanted[gaps[0]]}"
        raise malformed(table.source, int(table.lines[line]), text, expected)
