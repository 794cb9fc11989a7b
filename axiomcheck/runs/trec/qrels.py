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

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.packages import not_installed
from axiomcheck.core.typing import Array, Integers, Reals
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
from axiomcheck.runs.trec.store import ABSENT, DistinctDocuments, Gathered, Store, coded, distinct

Kind = Literal["auto", "adhoc", "diversity"]

DATASET = "irds:"
"""The beginning of a source that is a dataset of ir_datasets."""

COLUMNS = ("topic", "iteration or aspect", "document", "grade")

Weights = Mapping[bytes, Mapping[bytes, float]]
"""Topic -> aspect -> weight."""


UNJUDGED = -1
NOT_RELEVANT = -2
"""The codes of documents that no row of a topic's relevant documents stands for."""

MOST_CELLS = 1 << 27
"""Grades of one topic, documents times aspects: a gigabyte."""


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

    def judgments(self, topic: bytes) -> Judgments:
        """Return the judgments of one topic."""
        place = self.store.place(topic)
        columns = self.columns
        names, codes = columns.names(place)
        return Judgments(
            dict(zip(names, codes.tolist(), strict=True)),
            columns.of_topic(columns.grades, place),
            int(columns.judged[place]),
            columns.weights_of(place),
        )

    @cached_property
    def columns(self) -> JudgedColumns:
        """The judgments of all topics."""
        return JudgedColumns(self)

    def weigh(self, weights: Weights) -> None:
        """Give the aspects these weights, which all judged ones have."""
        self.weights = weights
        self.__dict__.pop("columns", None)

    def aspects(self, topic: bytes) -> int:
        """Return the number of aspects of one topic."""
        return int(self.columns.aspects[self.store.place(topic)])

    def judged_aspects(self) -> dict[bytes, set[bytes]]:
        """Return the aspects of each topic that some line is about."""
        _, seconds, _ = self.store.columns
        pairs = np.unique(np.stack([self.store.codes, seconds]), axis=1).T.tolist()
        names, found = list(self.store), dict[bytes, set[bytes]]()
        for topic, label in pairs:
            found.setdefault(names[topic], set()).add(self.labels[label])
        return found

    def settle(self, kind: Kind) -> None:
        """Decide which kind of file this is, and check that no two lines contradict each other.

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


class JudgedColumns:
    """The judgments of all topics, as columns that are cut into topics at the end.

    Documents are looked up, and aspects numbered, for all lines of a file together; a topic's arrays are views.

    Attributes:
        documents: the different ones.
        codes: (D,) of each, its row among its topic's relevant documents, or one of the codes above.
        starts: (topics + 1,) where a topic's relevant documents begin.
        grades: of relevant documents, in descending order of names: (P, m) of every topic, one after the other, flat.
        blocks: (topics + 1,) where each topic's begin.
        largest_grades: (D,) the largest grade over aspects of every document.
        best: (R,) that of every relevant document.
        aspects: (topics,) how many.
        weights: of every topic's aspects, one after the other.
        ends: (topics + 1,) where each topic's weights begin.
        judged: (topics,) how many documents have a judgment.

    """

    def __init__(self, qrels: Qrels) -> None:
        store, documents = qrels.store, qrels.documents
        grades = store.columns[2]
        self.documents = documents
        topics, count = documents.codes, len(store)
        best = np.full(len(topics), np.iinfo(np.int32).min, dtype=np.int64)
        np.maximum.at(best, documents.of, grades)
        self.largest_grades = best
        relevant = np.flatnonzero(best > 0)
        names = store.documents[documents.firsts[relevant]].ranks()
        relevant = relevant[np.lexsort((-names, topics[relevant]))]
        self.starts = np.searchsorted(topics[relevant], np.arange(count + 1))
        row = np.full(len(topics), ABSENT)
        row[relevant] = np.arange(len(relevant))
        self.codes = np.full(len(topics), NOT_RELEVANT)
        self.codes[relevant] = row[relevant] - self.starts[topics[relevant]]
        self.judged = np.bincount(topics, minlength=count)
        columns, self.aspects, self.weights = _aspects(qrels)
        self.ends = np.append(0, np.cumsum(self.aspects))
        self.best = best[relevant]
        sizes = np.diff(self.starts) * self.aspects
        if len(sizes) and sizes.max() > MOST_CELLS:
            topic = shown_text(list(store)[sizes.argmax()])
            most = f"at most {MOST_CELLS:,} grades in one topic"
            raise InvalidInput(
                f"topic {topic} has {counted(sizes.max(), 'pair')} of documents and aspects; expected {most}"
            )
        self.blocks = np.append(0, np.cumsum(sizes))
        self.grades = np.zeros(self.blocks[-1], dtype=np.int64)
        some = (row[documents.of] != ABSENT) & (grades > 0)
        codes = store.codes[some]
        local = self.codes[documents.of[some]]
        self.grades[self.blocks[codes] + local * self.aspects[codes] + columns[some]] = grades[some]

    def of_topic(self, values: Array, place: int) -> Array:
        """Return the values of a topic, (P, m), of values that are one per grade."""
        some: Array = values[self.blocks[place] : self.blocks[place + 1]]
        return some.reshape(-1, self.aspects[place])

    def weights_of(self, place: int) -> Reals:
        """Return the weights of a topic, (m,), which sum to 1."""
        return self.weights[self.ends[place] : self.ends[place + 1]]

    def largest(self, by_aspect: bool) -> Integers:
        """Return for every grade the largest of its topic, or of its aspect in its topic."""
        topics = np.repeat(np.arange(len(self.aspects)), np.diff(self.blocks))
        groups = topics
        if by_aspect:
            groups = self.ends[topics] + (np.arange(len(topics)) - self.blocks[topics]) % self.aspects[topics]
        most = np.zeros(self.ends[-1] if by_aspect else len(self.aspects), dtype=np.int64)
        np.maximum.at(most, groups, self.grades)
        found: Integers = most[groups]
        return found

    def names(self, place: int) -> tuple[list[bytes], Integers]:
        """Return the documents of a topic, and their codes."""
        first, last = np.searchsorted(self.documents.codes, [place, place + 1])
        tokens = self.documents.store.documents[self.documents.firsts[first:last]]
        return tokens.listed(), self.codes[first:last]


def _aspects(qrels: Qrels) -> tuple[Integers, Integers, Reals]:
    """Return the aspect of each line, from 0 in each topic; how many a topic has; their weights, topic after topic."""
    store, labels = qrels.store, qrels.labels
    count, seconds = len(store), store.columns[1]
    if not qrels.diversity:
        return np.zeros(len(seconds), dtype=np.intp), np.ones(count, dtype=np.intp), np.ones(count)
    # in the order of their names, so that nothing depends on the order of a file's lines
    order = sorted(range(len(labels)), key=labels.__getitem__)
    labels, place_of = [labels[label] for label in order], np.empty(len(labels), dtype=np.int64)
    place_of[order] = np.arange(len(labels))
    pairs, of = np.unique(store.codes.astype(np.int64) * len(labels) + place_of[seconds], return_inverse=True)
    topics = pairs // len(labels)
    firsts = np.searchsorted(topics, np.arange(count + 1))
    columns, judged = of - firsts[store.codes], np.diff(firsts)
    if qrels.weights is None:
        return columns, judged, np.repeat(1 / judged, judged)
    listed = []
    for place, topic in enumerate(store):
        mine = [labels[pair % len(labels)] for pair in pairs[firsts[place] : firsts[place + 1]].tolist()]
        some = qrels.weights[topic]
        values = np.array([some[aspect] for aspect in [*mine, *sorted(some.keys() - set(mine))]])
        values = values / values.max()  # the sum of what was given may be too large for a float
        listed.append(values / values.sum())
    return columns, np.array([len(values) for values in listed]), np.concatenate(listed)


def read_qrels(source: Source, kind: Kind = "auto", listen: Listener | None = None) -> Qrels:
    """Read judgments from a file; topics need not be together.

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
        grades, good = block.column(3).wholes()
        reader.check(block, 3, good & (np.abs(grades) < 10**9), "grade", "a whole number")
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
    """Make judgments of Python's lists, one entry of each per line.

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
