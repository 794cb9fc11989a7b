"""Relevance judgments: ad hoc qrels (``topic iteration document grade``) and diversity qrels (``topic aspect ...``).

Both have four columns, and nothing in the file says which it is. A document with judgments under two values of the
second column in one topic makes it diversity qrels, for an ad hoc file judges a document once. Where no document has,
the file is ad hoc, provided that the second column is the same throughout each topic (with one aspect the two mean the
same); else it is not known and has to be said.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.extras import not_installed
from axiomcheck.core.typing import Array, Integers, Reals
from axiomcheck.runs.trec.distinct import DistinctDocuments, distinct
from axiomcheck.runs.trec.judged import JudgedColumns
from axiomcheck.runs.trec.lines import (
    LineReader,
    Listener,
    Source,
    first_line,
    malformed,
    opened,
    shown_text,
    source_name,
)
from axiomcheck.runs.trec.rows import NamedRows, has_names, read_rows
from axiomcheck.runs.trec.store import Gathered, Store, coded

Kind = Literal["auto", "adhoc", "diversity"]

DATASET = "irds:"
"""What a source begins with that is a dataset of ir_datasets."""

COLUMNS = ("topic", "iteration or aspect", "document", "grade")

Weights = Mapping[bytes, Mapping[bytes, float]]
"""Topic -> aspect -> weight."""


@dataclass(frozen=True)
class Judgments:
    """The judgments of one topic.

    Args:
        code: document -> its row of ``relevant``, or `NOT_RELEVANT`.
        relevant: (P, m) grades above 0 or 0, of the documents that have one above 0, in descending order of names.
        judged: how many documents have a judgment.
        weights: (m,), summing to 1.

    """

    code: dict[bytes, int]
    relevant: Array
    judged: int
    weights: Array


@dataclass
class Qrels:
    """Judgments of many topics, by topic in the order of the file.

    Args:
        source: for messages.
        store: the lines by topic, with the numbers of the second column's values in `labels`, and the grades.
        labels: the values of the second column.
        diversity: whether the second column is an aspect.
        weights: of aspects; None is uniform weights.
        highest: the largest grade, at least 0.
        repeated: how many lines say again what an earlier one said.
        comments: how many lines of the file are comments.

    """

    source: Source
    store: Store = field(default_factory=lambda: Store.of((), (), ()))
    labels: list[bytes] = field(default_factory=list)
    diversity: bool = False
    weights: Weights | None = None
    highest: int = 0
    repeated: int = 0
    comments: int = 0
    _columns: tuple[Weights | None, JudgedColumns] | None = field(default=None, repr=False, compare=False)

    def judgments(self, topic: bytes) -> Judgments:
        """The judgments of one topic."""
        place = self.store.place(topic)
        columns = self.columns
        names, codes = columns.names(place)
        return Judgments(
            dict(zip(names, codes.tolist(), strict=True)),
            columns.of_topic(columns.grades, place),
            int(columns.judged[place]),
            columns.weights_of(place),
        )

    @property
    def columns(self) -> JudgedColumns:
        """The judgments of all topics."""
        if self._columns is None or self._columns[0] is not self.weights:
            made = JudgedColumns(self.store, self.labels, self.diversity, self.weights, self.documents)
            self._columns = self.weights, made
        return self._columns[1]

    def aspects(self, topic: bytes) -> int:
        """The number of aspects of one topic."""
        return int(self.columns.aspects[self.store.place(topic)])

    def judged_aspects(self) -> dict[bytes, set[bytes]]:
        """The aspects of each topic that some line is about."""
        _, seconds, _ = self.store.columns
        pairs = np.unique(np.stack([self.store.codes, seconds]), axis=1).T.tolist()
        names, found = list(self.store), dict[bytes, set[bytes]]()
        for topic, label in pairs:
            found.setdefault(names[topic], set()).add(self.labels[label])
        return found

    def settle(self, kind: Kind) -> None:
        """Decides which kind of file this is, and checks that no two lines contradict each other.

        Raises:
            InvalidInput: a document judged twice, differently; a file that could be either kind.

        """
        if kind not in get_args(Kind):
            raise InvalidInput(f"kind of qrels {kind!r}: expected {', '.join(get_args(Kind))}")
        store = self.store
        _, seconds, _ = store.columns
        if kind == "auto":
            starts = store.starts[:-1]
            several = np.flatnonzero(np.minimum.reduceat(seconds, starts) != np.maximum.reduceat(seconds, starts))
            first = seconds[self.documents.firsts][self.documents.of]
            if (seconds != first).any():
                kind = "diversity"
            elif len(several):
                topic = list(store)[several[0]]
                raise InvalidInput(
                    f"{source_name(self.source)}: topic {shown_text(topic)} has several values in the second column "
                    "and no document under two of them; say whether they are aspects (diversity) or iterations (adhoc)"
                )
        self.diversity = kind == "diversity"
        self._check()

    @cached_property
    def documents(self) -> DistinctDocuments:
        """The different documents of every topic."""
        return distinct(self.store)

    def _check(self) -> None:
        lines, seconds, grades = self.store.columns
        documents = self.documents.of
        if len(self.documents.firsts) == len(documents):
            return
        key = documents * len(self.labels) + seconds if self.diversity else documents
        _, first, of = np.unique(key, return_index=True, return_inverse=True)
        self.repeated = len(key) - len(first)
        if not self.repeated:
            return
        wrong = np.flatnonzero(grades != grades[first[of]])
        if len(wrong):
            position, before = int(wrong[0]), int(first[of[wrong[0]]])
            (document,) = self.store.documents[wrong[:1]].listed()
            topic = list(self.store)[self.store.codes[position]]
            under = f" under {shown_text(self.labels[seconds[position]])}" if self.diversity else ""
            found = f"document {shown_text(document)} of topic {shown_text(topic)}{under} has grade "
            found += f"{grades[position]} here and {grades[before]} in line {lines[before]}"
            raise malformed(self.source, int(lines[position]), found, "one grade")


def read_qrels(source: Source, kind: Kind = "auto", listen: Listener | None = None) -> Qrels:
    """Judgments from a file; topics need not be together.

    Columns may have names, see `axiomcheck.runs.trec.rows`; ``irds:NAME`` is a dataset of ir_datasets, where that is
    installed. Grades are whole numbers; one below 0 counts as 0, judged and not relevant.

    Args:
        source: the file.
        kind: what the second column is; ``"auto"`` finds out, see the module.
        listen: is told of progress.

    Raises:
        InvalidInput: unreadable, malformed (the message says the line), contradicting itself, or empty.

    """
    if os.fspath(source).startswith(DATASET):
        return _from_dataset(source, kind)
    with opened(source) as bytes_read:
        head, stream = first_line(bytes_read)
        if has_names(head):
            return _from_rows(source, read_rows(source, stream), kind)
        return _from_lines(source, LineReader(source, COLUMNS, listen=listen, stream=stream), kind)


def _from_rows(source: Source, rows: NamedRows, kind: Kind) -> Qrels:
    if not len(rows.lines):
        raise InvalidInput(f"{source_name(source)}: no judgments in it")
    grades = rows.numbers("relevance")
    wrong = np.flatnonzero((grades != np.floor(grades)) | (np.abs(grades) >= 10**9))
    if len(wrong):
        raise malformed(source, int(rows.lines[wrong[0]]), f"grade {grades[wrong[0]]:g}", "a whole number")
    topics, documents = rows.texts("query_id"), rows.texts("doc_id")
    seconds = rows.texts("iteration") if rows.has("iteration") else None
    qrels = made_qrels(source, rows.lines, topics, documents, seconds, grades, kind)
    qrels.comments = rows.comments
    return qrels


def _from_dataset(source: Source, kind: Kind) -> Qrels:
    """The judgments of a dataset of ir_datasets."""
    name = os.fspath(source).removeprefix(DATASET)
    try:
        import ir_datasets
    except ImportError:
        raise not_installed(source_name(source), "ir_datasets") from None
    try:
        dataset = ir_datasets.load(name)
        judged = list(dataset.qrels_iter())
    except KeyError:
        raise InvalidInput(f"{source_name(source)}: ir_datasets has no dataset {name}") from None
    except Exception as error:  # it downloads, and tells of what goes wrong as it comes
        raise InvalidInput(f"{source_name(source)}: {type(error).__name__}: {error}") from None
    rows = [(number, row._asdict()) for number, row in enumerate(judged, 1)]
    return _from_rows(source, NamedRows(source, rows), kind)


def _from_lines(source: Source, reader: LineReader, kind: Kind) -> Qrels:
    qrels = Qrels(source)
    gathered, labels = Gathered(reader, 0, 2), dict[bytes, int]()
    for block in reader:
        marks = block.column(3)
        grades, good = marks.wholes()
        good &= np.abs(grades) < 10**9
        if not good.all():
            wrong = np.flatnonzero(~good)[:1]
            mark = shown_text(marks[wrong].listed()[0])
            raise malformed(source, int(block.lines[wrong[0]]), f"grade {mark}", "a whole number")
        qrels.highest = max(qrels.highest, int(grades.max()))
        gathered.add(block, (coded(block.column(1), labels), grades.astype(np.int32)))
    qrels.store, qrels.labels, qrels.comments = gathered.store(), list(labels), reader.comments
    if not qrels.store:
        raise InvalidInput(f"{source_name(source)}: no judgments in it; expected lines of {' '.join(COLUMNS)}")
    qrels.settle(kind)
    return qrels


def made_qrels(
    source: Source,
    lines: Integers,
    topics: Sequence[bytes],
    documents: Sequence[bytes],
    seconds: Sequence[bytes] | None,
    grades: Reals,
    kind: Kind,
) -> Qrels:
    """Judgments from Python, one of each per line.

    Args:
        source: for messages.
        lines: their numbers.
        topics: their topics.
        documents: their documents.
        seconds: their aspects or iterations; None is one for all.
        grades: whole numbers.
        kind: what the seconds are.

    Raises:
        InvalidInput: contradictions, or judgments that could be of either kind.

    """
    labels = seconds if seconds is not None else [b"0"] * len(topics)
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    columns = np.array([numbers[label] for label in labels], dtype=np.int32)
    store = Store.of(topics, documents, (lines, columns, grades.astype(np.int32)))
    qrels = Qrels(source, store, list(numbers), highest=max(0, int(grades.max())))
    qrels.settle(kind)
    return qrels


def read_weights(source: Source) -> Weights:
    """Weights of aspects from a file of lines ``topic aspect weight``.

    Raises:
        InvalidInput: unreadable, malformed, a weight that is not above 0, an aspect with two.

    """
    weights: dict[bytes, dict[bytes, float]] = {}
    for block in LineReader(source, ("topic", "aspect", "weight")):
        columns = [block.column(number).listed() for number in range(3)]
        for topic, aspect, mark, line in zip(*columns, block.lines.tolist(), strict=True):
            try:
                weight = float(mark) if b"_" not in mark else 0.0
            except ValueError:
                weight = 0.0
            if not 0 < weight < float("inf"):
                raise malformed(source, line, f"weight {shown_text(mark)}", "a number above 0")
            if aspect in weights.setdefault(topic, {}):
                found = f"a second weight of aspect {shown_text(aspect)} of topic {shown_text(topic)}"
                raise malformed(source, line, found, "one")
            weights[topic][aspect] = weight
    return weights


def attach_weights(qrels: Qrels, weights: Weights, source: Source) -> None:
    """Gives the aspects of qrels their weights; a topic's sum to 1 after division by their sum.

    An aspect that has a weight and no judgments is an aspect all the same.

    Raises:
        InvalidInput: ad hoc qrels; a judged aspect without a weight.

    """
    if not qrels.diversity:
        raise InvalidInput(f"{source_name(qrels.source)}: ad hoc qrels have no aspects that weights could be given to")
    for topic, aspects in qrels.judged_aspects().items():
        for aspect in sorted(aspects - weights.get(topic, {}).keys()):
            raise InvalidInput(
                f"{source_name(source)}: no weight of aspect {shown_text(aspect)} of topic {shown_text(topic)}; "
                "expected one for every judged aspect"
            )
    qrels.weights = weights
