"""Read ad hoc judgments (``topic iteration document grade``) or diversity judgments (``topic aspect document grade``).

Both have four columns, and the file does not state its kind. If a document of one topic has judgments under two values
of the second column, the file contains diversity qrels, since an ad hoc file judges a document only once. Otherwise the
file is ad hoc if the second column is constant within each topic (with one aspect, the two kinds are equivalent). In
all other cases the kind is unknown, and the caller has to state it.
"""

from __future__ import annotations

import math
import os
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.packages import not_installed
from axiomcheck.core.printable import counted
from axiomcheck.core.typing import AnyNumbers, Integers, Reals
from axiomcheck.runs.trec.lines import (
    Listener,
    Source,
    first_line,
    malformed,
    name_of,
    number_of,
    read_bytes,
    shown_text,
    source_name,
)
from axiomcheck.runs.trec.rows import Rows, has_names, read_columns, read_rows, rows_of, rows_of_python
from axiomcheck.runs.trec.table import DistinctDocuments, DocumentTable, codes_of, distinct, name_ranks

Kind = Literal["auto", "adhoc", "diversity"]

DATASET = "irds:"
"""Prefix of a source that is an ir_datasets dataset."""

COLUMNS = {"query_id": "topic", "iteration": "iteration or aspect", "doc_id": "document", "grade": "grade"}

Weights = Mapping[bytes, Mapping[bytes, float]]
"""Aspect weights, as nested mappings topic -> aspect -> weight."""

UNJUDGED = -1
NOT_RELEVANT = -2
"""Code for documents that are not among a topic's relevant documents."""

MOST_CELLS = 1 << 27
"""Maximum number of grades (documents times aspects) of one topic, which then take a gigabyte."""

_MOST_GRADE = 10**9


@dataclass(frozen=True, eq=False)
class Qrels:
    """Judgments for many topics, stored in arrays for the whole file.

    An array for one topic is a view of such an array.

    Args:
        documents: Distinct documents, with their table. The table has one line per judgment, with its ``grade`` and its
            ``label``, an index into ``labels``.
        labels: Distinct values of the second column.
        diversity: True if the second column is an aspect.
        weights: Aspect weights; None for uniform weights.
        repeated: Number of lines that repeat an earlier one.

    """

    documents: DistinctDocuments
    labels: Sequence[bytes]
    diversity: bool
    weights: Weights | None = None
    repeated: int = 0

    @property
    def table(self) -> DocumentTable:
        """Table with one line per judgment."""
        return self.documents.table

    @property
    def source(self) -> Source:
        """File or object that the judgments come from, for messages."""
        return self.table.source

    @property
    def topics(self) -> Mapping[bytes, int]:
        """Mapping from a topic's name to its index among the judged topics, in the order of the file."""
        return self.table.topics

    @cached_property
    def highest(self) -> int:
        """Largest grade, or 0 if no grade is positive."""
        return int(self.table.columns["grade"].max(initial=0))

    @cached_property
    def document_topics(self) -> Integers:
        """Index of each document's topic, shape (D,)."""
        return self.table.codes[self.documents.firsts]

    @cached_property
    def largest_grades(self) -> Integers:
        """Largest grade of each document over all aspects, shape (D,)."""
        largest = np.full(len(self.documents.firsts), np.iinfo(np.int32).min, dtype=np.int64)
        np.maximum.at(largest, self.documents.of, self.table.columns["grade"])
        return largest

    @cached_property
    def relevant(self) -> Integers:
        """Indices of the relevant documents, shape (R,), topic by topic, in descending order of names."""
        relevant = np.flatnonzero(self.largest_grades > 0)
        names = name_ranks(self.table.documents[self.documents.firsts[relevant]])
        ordered: Integers = relevant[np.lexsort((-names, self.document_topics[relevant]))]
        return ordered

    @cached_property
    def starts(self) -> Integers:
        """Index at which each topic's relevant documents begin, shape (topics + 1,)."""
        return np.searchsorted(self.document_topics[self.relevant], np.arange(len(self.topics) + 1))

    @cached_property
    def codes(self) -> Integers:
        """Index of each document among the relevant documents of its topic, or `NOT_RELEVANT`, shape (D,)."""
        codes = np.full(len(self.documents.firsts), NOT_RELEVANT)
        codes[self.relevant] = np.arange(len(self.relevant)) - self.starts[self.document_topics[self.relevant]]
        return codes

    @cached_property
    def judged(self) -> Integers:
        """Number of judged documents of each topic, shape (topics,)."""
        return np.bincount(self.document_topics, minlength=len(self.topics))

    @cached_property
    def _labelled_topics(self) -> tuple[Integers, list[bytes], Integers]:
        """Distinct (topic, label) pairs: index of each pair's topic, label of each pair, and index of each line's pair.

        The pairs are sorted by topic and label.
        """
        order = sorted(range(len(self.labels)), key=self.labels.__getitem__)
        place_of = np.empty(len(order), dtype=np.int64)
        place_of[order] = np.arange(len(order))
        numbers = self.table.codes.astype(np.int64) * len(order) + place_of[self.table.columns["label"]]
        pairs, of = np.unique(numbers, return_inverse=True)
        names = [self.labels[order[place]] for place in (pairs % len(order)).tolist()]
        return pairs // len(order), names, of

    def judged_aspects(self) -> dict[bytes, list[bytes]]:
        """Map the name of each topic to the sorted names of its judged aspects."""
        topics, names, _ = self._labelled_topics
        found: dict[bytes, list[bytes]] = {}
        for topic, name in zip(topics.tolist(), names, strict=True):
            found.setdefault(self.table.names[topic], []).append(name)
        return found

    @cached_property
    def _weights(self) -> list[Reals]:
        """Aspect weights of each topic, which sum to 1. Judged aspects come first, sorted by name, then the others."""
        if not self.diversity:
            return [np.ones(1)] * len(self.topics)
        listed = []
        for topic, aspects in self.judged_aspects().items():
            if self.weights is None:
                listed.append(np.full(len(aspects), 1 / len(aspects)))
                continue
            given = self.weights[topic]
            values = np.array([given[aspect] for aspect in [*aspects, *sorted(given.keys() - set(aspects))]])
            values = values / values.max()  # the sum of the given weights may overflow
            listed.append(values / values.sum())
        return listed

    def weights_of(self, place: int) -> Reals:
        """Return the weights of a topic's aspects, shape (m,), which sum to 1. ``place`` is the index of the topic."""
        return self._weights[place]

    @cached_property
    def aspects(self) -> Integers:
        """Number of aspects of each topic, shape (topics,)."""
        return np.array([len(weights) for weights in self._weights])

    @cached_property
    def blocks(self) -> Integers:
        """Index at which each topic's grades begin, shape (topics + 1,).

        Raises:
            InvalidInput: A topic has more than `MOST_CELLS` grades.

        """
        sizes = np.diff(self.starts) * self.aspects
        if len(sizes) and sizes.max() > MOST_CELLS:
            topic = shown_text(self.table.names[sizes.argmax()])
            found = f"topic {topic} has {counted(sizes.max(), 'document-aspect pair')}"
            raise InvalidInput(f"{found}; expected at most {MOST_CELLS:,} grades in one topic")
        return np.append(0, np.cumsum(sizes))

    @cached_property
    def grades(self) -> Integers:
        """Nonnegative grades of the relevant documents: the topics' (P, m) arrays, flattened and concatenated."""
        table, codes = self.table, self.codes[self.documents.of]
        some = (codes >= 0) & (table.columns["grade"] > 0)
        topics, columns = table.codes[some], np.zeros(int(some.sum()), dtype=np.intp)
        if self.diversity:
            pair_topics, _, of = self._labelled_topics
            columns = of[some] - np.searchsorted(pair_topics, topics)
        grades = np.zeros(self.blocks[-1], dtype=np.int64)
        grades[self.blocks[topics] + codes[some] * self.aspects[topics] + columns] = table.columns["grade"][some]
        return grades

    def of_topic(self, values: AnyNumbers, place: int) -> AnyNumbers:
        """Return one topic's part, shape (P, m), of an array with the layout of `grades`."""
        return values[self.blocks[place] : self.blocks[place + 1]].reshape(-1, self.aspects[place])

    def largest(self, by_aspect: bool) -> Integers:
        """Return an array with the layout of `grades` that holds each topic's, or each aspect's, largest grade."""
        groups = topics = np.repeat(np.arange(len(self.topics)), np.diff(self.blocks))
        if by_aspect:
            ends = np.append(0, np.cumsum(self.aspects))
            groups = ends[topics] + (np.arange(len(topics)) - self.blocks[topics]) % self.aspects[topics]
        most = np.zeros(groups.max(initial=-1) + 1, dtype=np.int64)
        np.maximum.at(most, groups, self.grades)
        found: Integers = most[groups]
        return found


def read_qrels(source: Source, kind: Kind = "auto", listen: Listener | None = None) -> Qrels:
    """Read judgments from a file; the lines of a topic need not be adjacent.

    Columns may have names, see `axiomcheck.runs.trec.rows`. ``irds:NAME`` is an ir_datasets dataset, if that package is
    installed. Grades are integers; a negative grade counts as 0, that is, as judged but not relevant.

    Args:
        source: File to read; ``-`` for standard input.
        kind: Meaning of the second column; ``"auto"`` detects it as described in this module's docstring.
        listen: Callback for progress.

    Raises:
        InvalidInput: The file is unreadable, malformed (the message names the line), contradictory, or empty.

    """
    if os.fspath(source).startswith(DATASET):
        return _of_rows(_dataset_rows(source), kind)
    data = read_bytes(source)
    if has_names(first_line(data)):
        return _of_rows(read_rows(source, data), kind)
    return _of_rows(read_columns(source, data, COLUMNS, COLUMNS, listen), kind)


def as_qrels(given: object, kind: Kind = "auto") -> Qrels:
    """Return a `Qrels` unchanged, or read one from a file or an object that `axiomcheck.runs.trec.rows` accepts.

    Raises:
        InvalidInput: The object has none of these forms, a grade is not an integer, or judgments are contradictory.

    """
    if isinstance(given, Qrels):
        return given
    if isinstance(given, (str, os.PathLike)):
        return read_qrels(given, kind)
    return _of_rows(rows_of_python(given, "relevance", "iteration", "qrels"), kind)


def _of_rows(rows: Rows, kind: Kind) -> Qrels:
    if not len(rows.lines):
        raise InvalidInput(f"{source_name(rows.source)} contains no judgments{rows.hint}")
    if rows.layout:
        grades: AnyNumbers = rows.wholes("grade", below=_MOST_GRADE)
    else:
        grades = rows.numbers("relevance")
        wrong = np.flatnonzero((grades != np.floor(grades)) | (np.abs(grades) >= _MOST_GRADE))
        if len(wrong):
            found = f"relevance {grades[wrong[0]]:g}"
            raise rows.refused(int(rows.lines[wrong[0]]), found, "an integer")
    labels: dict[bytes, int] = {}
    seconds = rows.texts("iteration") if "iteration" in rows.columns else [b"0"] * len(grades)
    columns = {"grade": grades.astype(np.int32), "label": codes_of(seconds, labels)}
    return _qrels_of(rows.table(columns), list(labels), kind)


def _dataset_rows(source: Source) -> Rows:
    """Return the judgments of an ir_datasets dataset."""
    name = os.fspath(source).removeprefix(DATASET)
    try:
        import ir_datasets
    except ImportError:
        raise not_installed(source_name(source), "ir_datasets") from None
    try:
        judged = list(ir_datasets.load(name).qrels_iter())
    except KeyError:
        raise InvalidInput(f"{source_name(source)}: ir_datasets has no dataset {name}") from None
    except Exception as error:  # it downloads files, and passes on errors of any type
        raise InvalidInput(f"{source_name(source)}: {type(error).__name__}: {error}") from None
    return rows_of(source, [(number, row._asdict()) for number, row in enumerate(judged, 1)])


def _qrels_of(table: DocumentTable, labels: Sequence[bytes], kind: Kind) -> Qrels:
    """Build `Qrels` of the given or detected kind, and check that no two lines contradict each other.

    Raises:
        InvalidInput: A document has two different grades, or the lines could be of either kind.

    """
    if kind not in get_args(Kind):
        raise InvalidInput(f"kind of qrels {kind!r}: expected {', '.join(get_args(Kind))}")
    documents, seconds, grades = distinct(table), table.columns["label"], table.columns["grade"]
    if kind == "auto":
        if (seconds != seconds[documents.firsts][documents.of]).any():
            kind = "diversity"
        elif (other := np.flatnonzero(seconds != seconds[table.starts[table.codes]])).size:
            raise InvalidInput(
                f"{source_name(table.source)}: topic {table.shown_topic(other[0])} has several values in the second "
                f"column, but no document has more than one of them; choose aspects (diversity) or iterations (adhoc)"
            )
    diversity = kind == "diversity"
    key = documents.of * len(labels) + seconds if diversity else documents.of
    _, first, of = np.unique(key, return_index=True, return_inverse=True)
    wrong = np.flatnonzero(grades != grades[first[of]])
    if len(wrong):
        line = int(wrong[0])
        before = int(first[of[line]])
        under = f" under {shown_text(labels[seconds[line]])}" if diversity else ""
        found = f"document {table.shown_document(line)} of topic {table.shown_topic(line)}{under} has grade "
        found += f"{grades[line]} here, but {grades[before]} on line {table.lines[before]}"
        raise malformed(table.source, int(table.lines[line]), found, "one grade")
    return Qrels(documents, labels, diversity, repeated=len(key) - len(first))


def with_weights(qrels: Qrels, weights: Weights, source: Source) -> Qrels:
    """Return the judgments with aspect weights; a topic's weights are divided by their sum.

    An aspect that has a weight but no judgments also counts as an aspect.

    Raises:
        InvalidInput: The qrels are ad hoc, or a judged aspect has no weight.

    """
    if not qrels.diversity:
        raise InvalidInput(f"{source_name(qrels.source)}: ad hoc qrels have no aspects, so weights do not apply")
    for topic, aspects in qrels.judged_aspects().items():
        for aspect in aspects:
            if aspect not in weights.get(topic, {}):
                raise InvalidInput(
                    f"{source_name(source)}: there is no weight for aspect {shown_text(aspect)} of topic "
                    f"{shown_text(topic)}; expected one for every judged aspect"
                )
    return replace(qrels, weights=weights)


_LEAST_WEIGHT = math.ulp(0.0)


def read_weights(source: Source) -> Weights:
    """Read aspect weights from a file whose lines are ``topic aspect weight``.

    Raises:
        InvalidInput: The file is unreadable or malformed, a weight is not positive, or an aspect has two weights.

    """
    weights: dict[bytes, dict[bytes, float]] = {}
    columns = {name: name for name in ("topic", "aspect", "weight")}
    rows = read_columns(source, read_bytes(source), columns, columns)
    tokens = (rows.texts(name) for name in columns)
    for topic, aspect, token, line in zip(*tokens, rows.lines.tolist(), strict=True):
        value, known = number_of(token), weights.setdefault(topic, {})
        if not value >= _LEAST_WEIGHT:
            raise malformed(source, line, f"weight {shown_text(token)}", "a positive number")
        if aspect in known:
            again = f"a second weight for aspect {shown_text(aspect)} of topic {shown_text(topic)}"
            raise malformed(source, line, again, "one weight per aspect")
        known[aspect] = value
    return weights


def as_weights(given: object) -> Weights:
    """Return aspect weights from a file name, or from nested dicts (topic -> aspect -> weight).

    Raises:
        InvalidInput: The object has neither form, or a weight is not positive.

    """
    if isinstance(given, (str, os.PathLike)):
        return read_weights(given)
    if not isinstance(given, Mapping) or not all(isinstance(aspects, Mapping) for aspects in given.values()):
        wanted = "expected a file name or a dict of topic -> aspect -> weight"
        raise InvalidInput(f"weights is {reprlib.repr(given)}; {wanted}")
    for topic, aspects in given.items():
        if not all(number_of(weight) >= _LEAST_WEIGHT for weight in aspects.values()):
            raise InvalidInput(f"weights of topic {topic!r}: {list(aspects.values())!r}; expected positive numbers")
    return {
        name_of(str(topic)): {name_of(str(aspect)): number_of(weight) for aspect, weight in aspects.items()}
        for topic, aspects in given.items()
    }
