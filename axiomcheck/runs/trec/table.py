"""Store the lines of runs and judgments, each about a document of a topic, as arrays, and look up documents.

Memory is needed only for each document's name and a few numbers.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count, pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from axiomcheck.core.typing import Integers, Mask
from axiomcheck.runs.trec.lines import Source, shown_text

ABSENT = -1
"""Index of a document or topic that does not exist."""

Columns = Mapping[str, NDArray[Any]]
"""Columns by name, shape (L,) each."""

Names: TypeAlias = NDArray[np.object_]
"""Names of documents as bytes, shape (L,)."""


@dataclass(frozen=True, eq=False)
class DocumentTable:
    """Lines of a run or of judgments, each about one document of one topic.

    The lines of one topic are adjacent and in the order of the file.

    Args:
        topics: Index of each topic by name, in the order of the topics' first lines. A topic may have no line.
        codes: Index of each line's topic, shape (L,), non-decreasing.
        documents: Document of each line, shape (L,).
        lines: Number of each line in its file, shape (L,).

    """

    source: Source
    topics: Mapping[bytes, int]
    codes: Integers
    documents: Names
    lines: Integers
    columns: Columns
    comments: int = 0

    def grouped(self) -> DocumentTable:
        """Return the table with the lines of each topic adjacent and in their original order."""
        in_order = (self.codes[1:] >= self.codes[:-1]).all()
        return self if in_order else self.picked(np.argsort(self.codes, kind="stable"))

    @cached_property
    def names(self) -> list[bytes]:
        """Names of the topics."""
        return list(self.topics)

    @cached_property
    def starts(self) -> Integers:
        """Index at which the lines of each topic begin, shape (topics + 1,)."""
        return np.searchsorted(self.codes, np.arange(len(self.topics) + 1))

    def picked(self, chosen: Mask | Integers) -> DocumentTable:
        """Select lines by a mask or by indices; topics without a line are kept."""
        columns = {name: column[chosen] for name, column in self.columns.items()}
        codes, documents, lines = self.codes[chosen], self.documents[chosen], self.lines[chosen]
        return replace(self, codes=codes, documents=documents, lines=lines, columns=columns)

    def shown_topic(self, line: int) -> str:
        """Return a line's topic as text for a message."""
        return shown_text(self.names[self.codes[line]])

    def shown_document(self, line: int) -> str:
        """Return a line's document as text for a message."""
        return shown_text(self.documents[line])

    def listed(self) -> Iterator[list[bytes]]:
        """Yield the documents of each topic, line by line."""
        return (self.documents[start:end].tolist() for start, end in pairwise(self.starts.tolist()))

    @cached_property
    def places(self) -> list[dict[bytes, int]]:
        """Index of each topic's documents among the D distinct documents of all topics, by name.

        The distinct documents of one topic are adjacent, in the order of their first lines.
        """
        numbers = count()
        return [dict(zip(dict.fromkeys(names), numbers, strict=False)) for names in self.listed()]

    @cached_property
    def of(self) -> Integers:
        """Index of each line's document among the distinct documents, shape (L,)."""
        found = [places[name] for places, names in zip(self.places, self.listed(), strict=True) for name in names]
        return np.array(found, dtype=np.intp)

    @cached_property
    def firsts(self) -> Integers:
        """First line about each distinct document, shape (D,)."""
        return np.unique(self.of, return_index=True)[1]

    def find(self, other: DocumentTable, topics: Integers) -> Integers:
        """Look up the document on each line of another table among the distinct documents of this table.

        Args:
            other: Table with the documents to look up.
            topics: Index of each topic of the other table in this table, or `ABSENT`.

        Returns:
            Index of each line's document or `ABSENT`, shape (L,).

        """
        found = array("q")
        for topic, names in zip(topics.tolist(), other.listed(), strict=True):
            places = {} if topic == ABSENT else self.places[topic]
            found.extend([places.get(name, ABSENT) for name in names])
        return np.array(found)


def codes_of(names: Sequence[bytes], places: dict[bytes, int]) -> Integers:
    """Return the index of each name in ``places``, shape (L,). Names that are not in ``places`` yet are added."""
    for name in dict.fromkeys(names):
        places.setdefault(name, len(places))
    return np.fromiter(map(places.__getitem__, names), np.int32, len(names))


def name_ranks(names: Names) -> Integers:
    """Return integers, shape (L,), that sort like the names' bytes; equal names have equal integers."""
    ranks = {name: rank for rank, name in enumerate(sorted({*names}))}
    return np.array([ranks[name] for name in names], dtype=np.intp)
