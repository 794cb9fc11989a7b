"""Judgments and rankings of all topics at once, by columns, cut into topics at the end.

Documents are looked up, and aspects numbered, for all lines of a file together; a topic's arrays are views.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Array, Integers, Mask, Reals
from axiomcheck.runs.trec.distinct import ABSENT, DistinctDocuments
from axiomcheck.runs.trec.lines import shown_text
from axiomcheck.runs.trec.store import Store

UNJUDGED = -1
NOT_RELEVANT = -2
"""The codes of documents that no row of a topic's relevant documents stands for."""

MOST_CELLS = 1 << 27
"""Grades of one topic, documents times aspects: a gigabyte."""


class JudgedColumns:
    """The judgments of all topics.

    Args:
        store: the lines, with the number of the line, the number of the aspect's label, and the grade.
        labels: of the aspects.
        diversity: whether there are aspects; else all labels are one.
        given: topic -> aspect -> weight, above 0, of all judged aspects and maybe of others; None is uniform weights.

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

    def __init__(
        self,
        store: Store,
        labels: Sequence[bytes],
        diversity: bool,
        given: Mapping[bytes, Mapping[bytes, float]] | None,
        documents: DistinctDocuments,
    ) -> None:
        _, seconds, grades = store.columns
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
        columns, self.aspects, self.weights = _aspects(store, seconds, labels, given if diversity else None, diversity)
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
        """(P, m) of a topic, of values that are one per grade."""
        some: Array = values[self.blocks[place] : self.blocks[place + 1]]
        return some.reshape(-1, self.aspects[place])

    def weights_of(self, place: int) -> Reals:
        """(m,) of a topic, summing to 1."""
        return self.weights[self.ends[place] : self.ends[place + 1]]

    def largest(self, by_aspect: bool) -> Integers:
        """For every grade the largest of its topic, or of its aspect in its topic."""
        topics = np.repeat(np.arange(len(self.aspects)), np.diff(self.blocks))
        groups = topics
        if by_aspect:
            groups = self.ends[topics] + (np.arange(len(topics)) - self.blocks[topics]) % self.aspects[topics]
        most = np.zeros(self.ends[-1] if by_aspect else len(self.aspects), dtype=np.int64)
        np.maximum.at(most, groups, self.grades)
        found: Integers = most[groups]
        return found

    def names(self, place: int) -> tuple[list[bytes], Integers]:
        """The documents of a topic, and their codes."""
        first, last = np.searchsorted(self.documents.codes, [place, place + 1])
        tokens = self.documents.store.documents[self.documents.firsts[first:last]]
        return tokens.listed(), self.codes[first:last]


def _aspects(
    store: Store,
    seconds: Integers,
    labels: Sequence[bytes],
    given: Mapping[bytes, Mapping[bytes, float]] | None,
    diversity: bool,
) -> tuple[Integers, Integers, Reals]:
    """(L,) the aspect of each line, from 0 in each topic; how many a topic has; their weights, topic after topic."""
    count = len(store)
    if not diversity:
        return np.zeros(len(seconds), dtype=np.intp), np.ones(count, dtype=np.intp), np.ones(count)
    # in the order of their names, so that nothing depends on the order of a file's lines
    order = sorted(range(len(labels)), key=labels.__getitem__)
    labels, place_of = [labels[label] for label in order], np.empty(len(labels), dtype=np.int64)
    place_of[order] = np.arange(len(labels))
    pairs, of = np.unique(store.codes.astype(np.int64) * len(labels) + place_of[seconds], return_inverse=True)
    topics = pairs // len(labels)
    firsts = np.searchsorted(topics, np.arange(count + 1))
    columns, judged = of - firsts[store.codes], np.diff(firsts)
    if given is None:
        return columns, judged, np.repeat(1 / judged, judged)
    listed = []
    for place, topic in enumerate(store):
        mine = [labels[pair % len(labels)] for pair in pairs[firsts[place] : firsts[place + 1]].tolist()]
        some = given[topic]
        values = np.array([some[aspect] for aspect in [*mine, *sorted(some.keys() - set(mine))]])
        values = values / values.max()  # the sum of what was given may be too large for a float
        listed.append(values / values.sum())
    return columns, np.array([len(values) for values in listed]), np.concatenate(listed)


class Cut:
    """Some lines of a ranking, found for all topics together and cut by topic.

    Args:
        chosen: (L,) which lines, in rank order, topic after topic.
        bounds: (topics + 1,) where each topic's lines begin.

    """

    def __init__(self, chosen: Mask, bounds: Integers) -> None:
        self.lines = np.flatnonzero(chosen)
        self._bounds = np.searchsorted(self.lines, bounds)
        self.positions = self.lines - np.repeat(bounds[:-1], np.diff(self._bounds))

    def by_topic(self, values: Array) -> list[Array]:
        """Values of the lines, topic by topic."""
        ends = self._bounds.tolist()
        return [values[begin:end] for begin, end in itertools.pairwise(ends)]
