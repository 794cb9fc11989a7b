"""Store the lines of runs and judgments, each about a document of a topic, as arrays, and look up documents.

Memory is needed only for each document's name and a few numbers. Lines about the same document of the same topic,
within a table or in two tables, are found by a key of eight bytes: the topic's index followed by a hash of the name. If
two keys are equal, the names are compared, so that a hash collision has no effect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from axiomcheck.core.typing import Integers, Keys, Mask
from axiomcheck.runs.trec.lines import Source, shown_text
from axiomcheck.runs.trec.tokens import Tokens

ABSENT = -1
"""Index of a document or topic that does not exist."""

Columns = Mapping[str, NDArray[Any]]
"""Columns by name, shape (L,) each."""


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
    documents: Tokens
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
        return shown_text(self.documents[[line]].listed()[0])

    def keys(self, seed: int, places: Integers | None = None, topics: int | None = None) -> Keys:
        """Return an integer key for each line's topic and document, shape (L,); different documents may share a key.

        Args:
            seed: Hash seed.
            places: Index of each topic in another table, shape (topics,), to get keys that can be compared with that
                table's. None to use the indices of this table.
            topics: Number of topics in the other table.

        """
        codes = self.codes if places is None else places[self.codes]
        hashes = self._first_hashes if seed == 0 else self.documents.hashes(seed)
        bits = np.uint64(max(1, ((topics or len(self.topics)) - 1).bit_length()))
        return (codes.astype(np.uint64) << (np.uint64(64) - bits)) | (hashes >> bits)

    @cached_property
    def _first_hashes(self) -> Keys:
        return self.documents.hashes(0)

    @cached_property
    def is_distinct(self) -> bool:
        """True if it is certain that no two lines are about the same document."""
        keys = np.sort(self.keys(0))
        return not (keys[1:] == keys[:-1]).any()


def coded(tokens: Tokens, places: dict[bytes, int]) -> Integers:
    """Return the index of each token in ``places``, shape (L,). Tokens that are not in ``places`` yet are added.

    This is fast if equal tokens are adjacent.
    """
    changes = np.ones(len(tokens), dtype=bool)
    changes[1:] = ~tokens[1:].same(tokens[:-1])
    heads = np.flatnonzero(changes)
    codes = codes_of(tokens[heads].listed(), places)
    return np.repeat(codes, np.diff(heads, append=len(tokens)))


def codes_of(names: Sequence[bytes], places: dict[bytes, int]) -> Integers:
    """Return the index of each name in ``places``, shape (L,). Names that are not in ``places`` yet are added."""
    for name in dict.fromkeys(names):
        places.setdefault(name, len(places))
    return np.fromiter(map(places.__getitem__, names), np.int32, len(names))


def name_ranks(names: Tokens) -> Integers:
    """Return integers, shape (L,), that sort like the names' bytes; equal names have equal integers."""
    listed = names.listed()
    ranks = {name: rank for rank, name in enumerate(sorted({*listed}))}
    return np.array([ranks[name] for name in listed], dtype=np.intp)


@dataclass(frozen=True)
class DistinctDocuments:
    """Distinct (topic, document) pairs of a table, with a lookup by key.

    Args:
        seed: Hash seed, chosen so that no two documents have the same key.
        keys: Keys of the documents, shape (D,), ascending. Documents of one topic are adjacent, and topics are in the
            table's order.
        firsts: First line about each document, shape (D,).
        of: Index of each line's document, shape (L,).

    """

    table: DocumentTable
    seed: int
    keys: Keys
    firsts: Integers
    of: Integers

    @cached_property
    def _some_have(self) -> Mask:
        """Filter for fast lookups: array that is True at the low bits of every key."""
        table = np.zeros(1 << (8 * len(self.keys)).bit_length(), dtype=bool)
        table[self.keys & _low_bits(len(table))] = True
        return table

    def find(self, other: DocumentTable, places: Integers) -> Integers:
        """Look up the document on each line of another table; return its index or `ABSENT`, shape (L,).

        Args:
            other: Table with the documents to look up.
            places: Index of each topic of the other table in this object's table, or `ABSENT`.

        """
        found = np.full(len(other.codes), ABSENT)
        asked = np.flatnonzero(places[other.codes] != ABSENT)
        if not len(self.keys) or not len(asked):
            return found
        keys = other.keys(self.seed, places, len(self.table.topics))[asked]
        # most documents have no judgment, which a small lookup table usually shows
        maybe = self._some_have[keys & _low_bits(len(self._some_have))]
        asked, keys = asked[maybe], keys[maybe]
        near = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        hit = self.keys[near] == keys
        asked, near = asked[hit], near[hit]
        same = other.documents[asked].same(self.table.documents[self.firsts[near]])
        found[asked[same]] = near[same]
        return found


def distinct(table: DocumentTable) -> DistinctDocuments:
    """Find the distinct (topic, document) pairs of a table."""
    seed = 0
    while True:
        keys = table.keys(seed)
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        heads = np.ones(len(keys), dtype=bool)
        heads[1:] = ordered[1:] != ordered[:-1]
        firsts = order[heads]
        number = np.cumsum(heads) - 1
        if table.documents[order].same(table.documents[firsts[number]]).all():
            of = np.empty(len(keys), dtype=np.intp)
            of[order] = number
            return DistinctDocuments(table, seed, ordered[heads], firsts, of)
        seed += 1  # two names have the same key


def _low_bits(size: int) -> np.uint64:
    """Return the bit mask that turns a key into an index into an array of ``size`` entries, a power of two."""
    return np.uint64(size - 1)
