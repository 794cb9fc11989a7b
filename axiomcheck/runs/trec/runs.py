"""Runs: what a system retrieved (``topic Q0 document rank score tag``), and the rules that order tied documents."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Literal, get_args

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.runs.trec.lines import Block, Listener, Source, blocks, malformed, shown_text, source_name
from axiomcheck.runs.trec.store import Store

COLUMNS = ("topic", "Q0", "document", "rank", "score", "tag")

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
    "metric",
]

TIES: dict[str, str] = {
    "trec_eval": "as trec_eval-9",
    "trec_eval-9": "by score in single precision, the larger first; equal ones by document name, the last first "
    "(trec_eval up to 9.0.8, pytrec_eval)",
    "trec_eval-10": "by score in double precision; equal ones by document name, the last first",
    "ndeval": "by the rank column, as ndeval does unless told otherwise; a rank given twice is an error",
    "ndeval-traditional": "as trec_eval-10 (ndeval -traditional)",
    "pyndeval": "by score in double precision; equal ones by document name, the first first (pyndeval; of ir_measures "
    "also Judged, msmarco, and compat)",
    "gdeval": "as trec_eval-10 (gdeval.pl)",
    "msmarco": "by the rank column, 1, 2, 3 and so on; a rank given twice or left out is an error (ms_marco_eval.py)",
    "score": "by score in double precision; equal ones in the order of the lines",
    "file": "in the order of the lines, whatever the scores say (cwl-eval)",
    "metric": "as trec_eval-9; a metric with a rule of its own for equal scores (INST averages their gains) applies it "
    "to scores that are equal in single precision, too",
}
"""Rule -> how it orders the documents of a topic. Names are compared byte by byte."""

BY_RANK = ("ndeval", "msmarco")
"""The rules that need the rank column."""

_SINGLE = ("trec_eval", "trec_eval-9", "metric")


@dataclass(frozen=True)
class Retrieved:
    """What a run retrieved for one topic, in the order of the file.

    Args:
        documents: distinct names.
        scores: (n,)
        ranks: (n,) or None.
        lines: (n,)

    """

    documents: list[bytes]
    scores: Reals
    ranks: Reals | None
    lines: Integers


@dataclass
class Run:
    """A run, by topic in the order of the file.

    Args:
        source: for messages.
        name: for reports.
        store: the lines by topic, with the scores and, where they were asked for, the ranks.
        tag: the last column of the first line.

    """

    source: Source
    name: str
    store: Store = field(default_factory=Store)
    tag: str = ""

    def retrieved(self, topic: bytes) -> Retrieved:
        """What was retrieved for one topic.

        Raises:
            InvalidInput: a document retrieved twice; the message says the line.

        """
        lines = self.store.lines(topic)
        numbers, scores, *ranks = lines.columns
        found = Retrieved(lines.documents, scores, ranks[0] if ranks else None, numbers)
        if len(set(found.documents)) != len(found.documents):
            self._say_duplicate(topic, found)
        return found

    def _say_duplicate(self, topic: bytes, found: Retrieved) -> None:
        seen: dict[bytes, int] = {}
        for document, line in zip(found.documents, found.lines, strict=True):
            if document in seen:
                text = (
                    f"document {shown_text(document)} of topic {shown_text(topic)} again, after line {seen[document]}"
                )
                raise malformed(self.source, line, text, "every document once per topic")
            seen[document] = line


def read_run(source: Source, ranks: bool = False, listen: Listener | None = None) -> Run:
    """A run from a file; topics need not be together.

    Args:
        source: the file.
        ranks: whether the rank column is wanted; else it may hold anything.
        listen: is told of progress.

    Raises:
        InvalidInput: unreadable, malformed (the message says the line), or empty.

    """
    run = Run(source, source_name(source))
    for block in blocks(source, COLUMNS, listen):
        if not run.store:
            run.tag = block.tokens[5].decode("utf-8", errors="replace")
        columns = (block.lines, _scores(source, block))
        run.store.add(block.column(0), block.column(2), (*columns, _ranks(source, block)) if ranks else columns)
    if not run.store:
        raise InvalidInput(f"{source_name(source)}: nothing retrieved in it; expected lines of {' '.join(COLUMNS)}")
    return run


def _scores(source: Source, block: Block) -> Reals:
    marks = block.column(4)
    if not any(b"_" in mark for mark in marks):  # which Python takes for digits, and TREC's tools do not
        try:
            scores = np.array(list(map(float, marks)))
        except ValueError:
            pass
        else:
            if np.isfinite(scores).all():
                return scores
    for mark, line in zip(marks, block.lines, strict=True):
        try:
            good = b"_" not in mark and isfinite(float(mark))
        except ValueError:
            good = False
        if not good:
            raise malformed(source, line, f"score {shown_text(mark)}", "a finite number")
    raise AssertionError("unreachable")  # pragma: no cover


def _ranks(source: Source, block: Block) -> Reals:
    marks = block.column(3)
    for mark, line in zip(marks, block.lines, strict=True):
        if not (mark.removeprefix(b"-").isdigit() and len(mark) <= 18):
            raise malformed(source, line, f"rank {shown_text(mark)}", "a whole number")
    return np.fromiter(map(int, marks), np.int64, len(marks))


def compared(found: Retrieved, ties: Ties) -> Retrieved:
    """The same with the scores as a rule compares them, so that what it takes for equal is equal to everyone.

    Single precision of ``trec_eval`` is that of its versions up to 9.0.8; version 10 compares in double precision.
    """
    if ties not in _SINGLE:
        return found
    with np.errstate(over="ignore"):  # what is larger than single precision goes is infinite there
        return replace(found, scores=found.scores.astype(np.float32))


def order(found: Retrieved, ties: Ties, run: Run, topic: bytes) -> Integers:
    """The positions of a topic's documents in rank order, by a rule of `TIES`: (n,).

    Args:
        found: with scores as the rule compares them (see `compared`).
        ties: the rule.
        run: for messages, as the next.
        topic: its name.

    Raises:
        InvalidInput: the ranks are needed and missing, or one is there twice.

    """
    n = len(found.documents)
    if ties == "file":
        return np.arange(n)
    if ties in BY_RANK:
        return _by_rank(found, ties, run, topic)
    scores = found.scores
    if n == 0 or (scores[:-1] > scores[1:]).all():
        return np.arange(n)
    placed = np.argsort(-scores, kind="stable")
    ordered = scores[placed]
    same = ordered[:-1] == ordered[1:]
    tied = np.zeros(n, dtype=bool)
    tied[:-1] |= same
    tied[1:] |= same
    if ties != "score" and tied.any():
        names = found.documents
        among = np.array(sorted(placed[tied].tolist(), key=names.__getitem__, reverse=ties != "pyndeval"))
        placed[tied] = among[np.argsort(-scores[among], kind="stable")]
    return placed


def _by_rank(found: Retrieved, ties: Ties, run: Run, topic: bytes) -> Integers:
    if found.ranks is None:
        raise InvalidInput(f"{run.name}: no ranks; the tie rule {ties} goes by the rank column")
    placed = np.argsort(found.ranks, kind="stable")
    ranks = found.ranks[placed]
    again = np.flatnonzero(ranks[1:] == ranks[:-1])
    if len(again):
        position, before = int(placed[again[0] + 1]), int(placed[again[0]])
        text = f"rank {found.ranks[position]} of topic {shown_text(topic)} again, after line {found.lines[before]}"
        raise malformed(run.source, found.lines[position], text, "every rank once per topic")
    # MS MARCO's script puts a document at the place that its rank says, so that a rank left out is an empty place
    if ties == "msmarco" and (gaps := np.flatnonzero(ranks != np.arange(1, len(ranks) + 1))).size:
        position, wanted = int(placed[gaps[0]]), int(gaps[0]) + 1
        text = f"rank {found.ranks[position]} of topic {shown_text(topic)}, which has none of rank {wanted}"
        raise malformed(run.source, found.lines[position], text, "ranks 1, 2, 3 and so on")
    return placed


def check_ties(ties: str) -> None:
    """Checks the name of a rule.

    Raises:
        InvalidInput: no such rule.

    """
    if ties not in get_args(Ties):
        raise InvalidInput(f"ties {ties!r}: expected one of {', '.join(get_args(Ties))}")
