"""Runs: what a system retrieved (``topic Q0 document rank score tag``), and the rules that order tied documents."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.runs.trec.lines import (
    LineReader,
    Listener,
    Source,
    first_line,
    malformed,
    opened,
    shown_text,
    source_name,
    text_of,
)
from axiomcheck.runs.trec.rows import NamedRows, has_names, read_rows
from axiomcheck.runs.trec.store import Gathered, Store, distinct, is_distinct
from axiomcheck.runs.trec.tokens import Tokens

COLUMNS = ("topic", "Q0", "document", "rank", "score", "tag")
RANKED = ("topic", "document", "rank")

_RANKS = (
    "ranks 1, 2, 3 and so on for every topic. If these are ranks with gaps, --ties ndeval goes by them. "
    'If they are scores, a first line "query_id doc_id score" says so'
)
"""The expected form of a third column that may be ranks or scores."""

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


@dataclass
class Run:
    """A run, by topic in the order of the file.

    Args:
        source: for messages.
        name: for reports.
        store: the lines by topic, with the scores and, where they were asked for, the ranks.
        tag: the last column of the first line.
        other_tag: that of another line where it is another; empty where all are the same.
        comments: how many lines of the file are comments.

    """

    source: Source
    name: str
    store: Store = field(default_factory=lambda: Store.of((), (), ()))
    tag: str = ""
    other_tag: str = ""
    comments: int = 0

    def check_documents(self, topics: Container[bytes]) -> None:
        """Checks that no document was retrieved twice for some topics.

        Raises:
            InvalidInput: one was; the message says the line.

        """
        store = self.store
        if is_distinct(store):
            return
        found = distinct(store)
        first = found.firsts[found.of]
        asked = np.array([topic in topics for topic in store])
        again = np.flatnonzero((first != np.arange(len(first))) & asked[store.codes])
        if len(again):
            line, before = int(again[0]), int(first[again[0]])
            document, numbers = store.documents[again[:1]].listed()[0], store.columns[0]
            text = (
                f"document {shown_text(document)} of topic {_topic_of(store, line)} again, after line {numbers[before]}"
            )
            raise malformed(self.source, int(numbers[line]), text, "every document once per topic")


def read_run(source: Source, ranks: bool = False, listen: Listener | None = None) -> Run:
    """A run from a file; topics need not be together.

    Lines are those of TREC, or of MS MARCO (``topic document rank``), where the first ranks have the largest scores; or
    columns have names, see `axiomcheck.runs.trec.rows`.

    Args:
        source: the file.
        ranks: whether the rank column is wanted; else it may hold anything.
        listen: is told of progress.

    Raises:
        InvalidInput: unreadable, malformed (the message says the line), or empty.

    """
    with opened(source) as bytes_read:
        head, stream = first_line(bytes_read)
        if has_names(head):
            return _from_rows(source, read_rows(source, stream), ranks)
        return _from_lines(source, LineReader(source, COLUMNS, RANKED, listen=listen, stream=stream), ranks)


def _from_rows(source: Source, rows: NamedRows, ranks: bool) -> Run:
    if not len(rows.lines):
        raise InvalidInput(f"{source_name(source)}: nothing retrieved in it")
    places = rows.numbers("rank") if rows.has("rank") and (ranks or not rows.has("score")) else None
    scores = -places if places is not None and not rows.has("score") else rows.numbers("score")
    columns = (rows.lines, scores) if places is None or not ranks else (rows.lines, scores, places)
    store = Store.of(rows.texts("query_id"), rows.texts("doc_id"), columns)
    return Run(source, source_name(source), store, comments=rows.comments)


def _from_lines(source: Source, reader: LineReader, ranks: bool) -> Run:
    gathered: Gathered | None = None
    run = Run(source, source_name(source))
    for block in reader:
        layout = reader.columns
        if gathered is None:
            gathered = Gathered(reader, layout.index("topic"), layout.index("document"))
            run.tag = _text(block.column(5)[:1]) if layout == COLUMNS else ""
        if layout == COLUMNS and not run.other_tag:
            run.other_tag = _other_tag(block.column(5), run.tag)
        columns: list[Integers | Reals] = []
        if ranks or layout == RANKED:
            rank = layout.index("rank")
            places, good = block.column(rank).wholes()
            reader.check(block, rank, good, "rank", "a whole number" if ranks else _RANKS)
            columns = [-places.astype(np.float64), places]
        if layout == COLUMNS:
            scores = block.column(4).numbers()
            reader.check(block, 4, ~np.isnan(scores), "score", "a finite number")
            columns[:1] = [scores]
        gathered.add(block, tuple(columns) if ranks else (columns[0],))
    if gathered is None:
        raise InvalidInput(f"{source_name(source)}: nothing retrieved in it; expected lines of {' '.join(COLUMNS)}")
    run.store, run.comments = gathered.store(), reader.comments
    if layout == RANKED and not ranks:  # what goes by ranks says so by its name, and checks them
        _check_first_ranks(run.store, -run.store.columns[1], source, _RANKS)
    return run


def _text(one: Tokens) -> str:
    return text_of(one.listed()[0])


def _other_tag(tags: Tokens, tag: str) -> str:
    """The first tag that is another than one; empty where there is none."""
    first = _text(tags[:1])
    if first != tag:
        return first
    others = np.flatnonzero(~tags.same(tags[np.zeros(len(tags), dtype=np.intp)]))
    return _text(tags[others[:1]]) if len(others) else ""


def compared_scores(scores: Reals, ties: Ties) -> Reals:
    """Scores as a rule compares them.

    Single precision of ``trec_eval`` is that of its versions up to 9.0.8; version 10 compares in double precision.
    """
    if ties not in _SINGLE:
        return scores
    with np.errstate(over="ignore"):  # what is larger than single precision goes is infinite there
        return scores.astype(np.float32)


def ranked_lines(run: Run, topics: Container[bytes], ties: Ties) -> tuple[Store, Reals, Integers]:
    """The lines of a run about some topics, their scores as a rule compares them, and the lines in rank order.

    Args:
        run: the run.
        topics: the topics; all of the run's are in the store, others without lines.
        ties: how documents are ordered.

    Raises:
        InvalidInput: a document retrieved twice, ranks that the rule cannot go by; the message says the line.

    """
    run.check_documents(topics)
    asked = np.array([topic in topics for topic in run.store], dtype=bool)
    store = run.store if asked.all() else run.store.among(asked[run.store.codes])
    scores = compared_scores(store.columns[1], ties)
    return store, scores, ordered(store, scores, ties, run)


def ordered(store: Store, scores: Reals, ties: Ties, run: Run) -> Integers:
    """The lines of a store in rank order, topic after topic, by a rule of `TIES`: (L,).

    Args:
        store: the lines.
        scores: (L,) as the rule compares them (see `compared_scores`).
        ties: the rule.
        run: for messages.

    Raises:
        InvalidInput: the ranks are needed and missing, or one is there twice or left out.

    """
    codes = store.codes
    if ties == "file":
        return np.arange(len(codes))
    if ties in BY_RANK:
        return _by_rank(store, ties, run)
    same_topic = codes[1:] == codes[:-1]
    if ((scores[:-1] > scores[1:]) | ~same_topic).all():
        return np.arange(len(codes))
    in_order = ((scores[:-1] >= scores[1:]) | ~same_topic).all()
    placed = np.arange(len(codes)) if in_order else np.lexsort((-scores, codes))
    best_first = scores[placed]
    begins = np.ones(len(codes), dtype=bool)
    begins[1:] = (best_first[1:] != best_first[:-1]) | ~same_topic
    tied = ~begins
    tied[:-1] |= ~begins[1:]
    if ties != "score" and tied.any():
        among = placed[tied]
        names = store.documents[among].ranks()
        names = names if ties == "pyndeval" else -names
        placed[tied] = among[np.lexsort((names, np.cumsum(begins)[tied]))]
    return placed


def _by_rank(store: Store, ties: Ties, run: Run) -> Integers:
    if len(store.columns) < 3:
        raise InvalidInput(f"{run.name}: no ranks; the tie rule {ties} goes by the rank column")
    numbers, _, ranks = store.columns
    placed = np.lexsort((ranks, store.codes))
    in_order = ranks[placed]
    again = np.flatnonzero((in_order[1:] == in_order[:-1]) & (store.codes[1:] == store.codes[:-1]))
    if len(again):
        position, before = int(placed[again[0] + 1]), int(placed[again[0]])
        text = f"rank {ranks[position]} of topic {_topic_of(store, position)} again, after line {numbers[before]}"
        raise malformed(run.source, int(numbers[position]), text, "every rank once per topic")
    if (
        ties == "msmarco"
    ):  # its script puts a document at the place that its rank says: a rank left out is an empty place
        _check_first_ranks(store, ranks, run.source, "ranks 1, 2, 3 and so on")
    return placed


def _check_first_ranks(store: Store, ranks: Integers | Reals, source: Source, expected: str) -> None:
    """Check that the ranks of every topic are 1, 2, 3 and so on.

    Raises:
        InvalidInput: they are not; the message says the line.

    """
    placed = np.lexsort((ranks, store.codes))
    wanted = np.arange(1, len(ranks) + 1) - store.starts[store.codes]
    if (gaps := np.flatnonzero(ranks[placed] != wanted)).size:
        position = int(placed[gaps[0]])
        topic = _topic_of(store, position)
        text = f"rank {ranks[position]:.0f} of topic {topic}, which has none of rank {wanted[gaps[0]]}"
        raise malformed(source, int(store.columns[0][position]), text, expected)


def _topic_of(store: Store, line: int) -> str:
    return shown_text(list(store)[store.codes[line]])
