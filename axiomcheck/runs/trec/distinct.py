"""Which lines are about the same document of the same topic, within a file and between two.

Documents are sorted by a number of eight bytes, the topic's place before a hash of the name; where two numbers are
equal the names are compared, so that no hash decides anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from axiomcheck.core.typing import Array, Integers, Mask
from axiomcheck.runs.trec.store import Store

ABSENT = -1


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
        """Whether there are keys of some last bits."""
        table = np.zeros(1 << (8 * len(self.keys)).bit_length(), dtype=bool)
        table[self.keys & _low_bits(len(table))] = True
        return table

    def find(self, other: Store, places: Integers) -> Integers:
        """The document here that each line of another store is about, or `ABSENT`.

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
    """The different documents of a store's topics."""
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
    """Whether no two lines are about the same document; in doubt it is not."""
    keys = np.sort(_keys(store.codes, store.hashes(0), len(store)))
    return not (keys[1:] == keys[:-1]).any()


def _low_bits(size: int) -> np.uint64:
    """The bits that choose among so many places, a power of two."""
    return np.uint64(size - 1)


def _keys(codes: Integers, hashes: Array, topics: int) -> Array:
    bits = np.uint64(max(1, (topics - 1).bit_length()))
    return (codes.astype(np.uint64) << (np.uint64(64) - bits)) | (hashes >> bits)
