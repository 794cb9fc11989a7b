"""The lines of a run or of judgments by topic, as columns: a document costs the bytes of its name and some numbers.

Lines of one topic are together, in the order of the file; where they are not in the file, they are sorted once. Lines
about the same document of the same topic, within a file and between two, are found by a number of eight bytes, the
topic's place before a hash of the name; where two numbers are equal the names are compared, so that no hash decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from axiomcheck.core.typing import Array, Integers, Mask
from axiomcheck.runs.trec.lines import LineBlock, LineReader
from axiomcheck.runs.trec.tokens import Tokens

ABSENT = -1
"""The number of a document, or the place of a topic, that is not there."""


class Store:
    """Topic -> lines; topics are in the order of their first lines.

    Args:
        topics: different names.
        codes: (L,) of each line, the place of its topic among them.
        documents: of each line.
        columns: (L,) each.

    """

    def __init__(self, topics: Sequence[bytes], codes: Integers, documents: Tokens, columns: tuple[Array, ...]) -> None:
        self._places = {topic: place for place, topic in enumerate(topics)}
        if (codes[1:] < codes[:-1]).any():
            order = np.argsort(codes, kind="stable")
            codes, documents, columns = codes[order], documents[order], tuple(column[order] for column in columns)
        self.codes, self.documents, self.columns = codes, documents, columns
        self.starts = np.searchsorted(codes, np.arange(len(topics) + 1))
        """(topics + 1,) where the lines of each topic begin."""
        self._hashed: tuple[int, Array] | None = None

    @classmethod
    def of(
        cls, topics: Sequence[bytes], documents: Sequence[bytes], columns: tuple[Array, ...], more: Sequence[bytes] = ()
    ) -> Store:
        """Lines from Python.

        Args:
            topics: of each line.
            documents: of each line.
            columns: (L,) each.
            more: topics that may have no line.

        """
        names = list(dict.fromkeys([*topics, *more]))
        places = dict(zip(names, range(len(names)), strict=True))
        codes = np.fromiter(map(places.__getitem__, topics), np.int32, len(topics))
        return cls(names, codes, Tokens.of(documents), columns)

    def __contains__(self, topic: object) -> bool:
        return topic in self._places

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def place(self, topic: bytes) -> int:
        """Return the place of a topic among all."""
        return self._places[topic]

    def among(self, chosen: Mask) -> Store:
        """Some of the lines, of the same topics."""
        columns = tuple(column[chosen] for column in self.columns)
        return Store(list(self), self.codes[chosen], self.documents[chosen], columns)

    def hashes(self, seed: int) -> Array:
        """(L,) of the documents; those of the last seed asked for are kept."""
        if self._hashed is None or self._hashed[0] != seed:
            self._hashed = seed, self.documents.hashes(seed)
        return self._hashed[1]


@dataclass(frozen=True)
class DistinctDocuments:
    """The different documents of a store's topics.

    Args:
        store: the lines.
        seed: of the hashes, by which no two of the documents have one number.
        keys: (D,) these numbers, ascending: documents of one topic are together, topics in the store's order.
        firsts: (D,) the first line about each.
        of: (L,) the number of each line's document.

    """

    store: Store
    seed: int
    keys: Array
    firsts: Integers
    of: Integers

    @property
    def codes(self) -> Integers:
        """(D,) the place of each document's topic."""
        return self.store.codes[self.firsts]

    @cached_property
    def _some_have(self) -> Mask:
        """True at the last bits that some key has."""
        table = np.zeros(1 << (8 * len(self.keys)).bit_length(), dtype=bool)
        table[self.keys & _low_bits(len(table))] = True
        return table

    def find(self, other: Store, places: Integers) -> Integers:
        """Return the document here that each line of another store is about, or `ABSENT`.

        Args:
            other: the lines.
            places: for each of its topics the place of the same topic here, or `ABSENT`.

        Returns:
            (L,)

        """
        codes = places[other.codes]
        found = np.full(len(codes), ABSENT)
        asked = np.flatnonzero(codes != ABSENT)
        if not len(self.keys) or not len(asked):
            return found
        keys = _keys(codes[asked], other.hashes(self.seed)[asked], len(self.store))
        # most documents have no judgment, and for them one look at a small table is enough
        maybe = self._some_have[keys & _low_bits(len(self._some_have))]
        asked, keys = asked[maybe], keys[maybe]
        near = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        hit = self.keys[near] == keys
        asked, near = asked[hit], near[hit]
        same = other.documents[asked].same(self.store.documents[self.firsts[near]])
        found[asked[same]] = near[same]
        return found


def distinct(store: Store) -> DistinctDocuments:
    """Return the different documents of a store's topics."""
    seed = 0
    while True:
        keys = _keys(store.codes, store.hashes(seed), len(store))
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        heads = np.ones(len(keys), dtype=bool)
        heads[1:] = ordered[1:] != ordered[:-1]
        firsts = order[heads]
        number = np.cumsum(heads) - 1
        if store.documents[order].same(store.documents[firsts[number]]).all():
            of = np.empty(len(keys), dtype=np.intp)
            of[order] = number
            return DistinctDocuments(store, seed, ordered[heads], firsts, of)
        seed += 1  # two names of one number


def is_distinct(store: Store) -> bool:
    """Return True if no two lines are about the same document; in doubt False."""
    keys = np.sort(_keys(store.codes, store.hashes(0), len(store)))
    return not (keys[1:] == keys[:-1]).any()


def _low_bits(size: int) -> np.uint64:
    """The bits that choose among so many places, a power of two."""
    return np.uint64(size - 1)


def _keys(codes: Integers, hashes: Array, topics: int) -> Array:
    bits = np.uint64(max(1, (topics - 1).bit_length()))
    return (codes.astype(np.uint64) << (np.uint64(64) - bits)) | (hashes >> bits)


class Gathered:
    """Lines of a file, gathered block by block for a store.

    Args:
        reader: of the file.
        topic: the number of the topics' column.
        document: the number of the documents' column.

    """

    def __init__(self, reader: LineReader, topic: int, document: int) -> None:
        self._reader, self._topic, self._document = reader, topic, document
        self._places: dict[bytes, int] = {}
        self._codes: list[Integers] = []
        self._starts: list[Integers] = []
        self._lengths: list[Integers] = []
        self._columns: list[tuple[Array, ...]] = []

    def add(self, block: LineBlock, columns: tuple[Array, ...]) -> None:
        """Adds a block.

        Args:
            block: of the reader.
            columns: (L,) each; the same number of columns every time.

        """
        topics, documents = block.column(self._topic), block.column(self._document)
        self._codes.append(coded(topics, self._places))
        # copies, so that the blocks they are views of can go
        self._starts.append(documents.starts.copy())
        self._lengths.append(documents.lengths.copy())
        self._columns.append((block.lines, *columns))

    def store(self) -> Store:
        """The store of all that was added."""
        if not self._codes:
            nothing = np.zeros(0, dtype=np.int32)
            return Store((), nothing, Tokens(self._reader.text, nothing, nothing), ())
        documents = Tokens(self._reader.text, np.concatenate(self._starts), np.concatenate(self._lengths))
        columns = tuple(np.concatenate(parts) for parts in zip(*self._columns, strict=True))
        return Store(list(self._places), np.concatenate(self._codes), documents, columns)


def coded(tokens: Tokens, places: dict[bytes, int]) -> Integers:
    """(L,) the place of each token among the different ones, new ones among them; quick where equal ones adjoin."""
    changes = np.ones(len(tokens), dtype=bool)
    changes[1:] = ~tokens[1:].same(tokens[:-1])
    heads = np.flatnonzero(changes)
    codes = np.array([places.setdefault(token, len(places)) for token in tokens[heads].listed()], dtype=np.int32)
    return np.repeat(codes, np.diff(heads, append=len(tokens)))
