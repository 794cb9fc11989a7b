"""Lines about documents of topics as columns of arrays: what runs and judgments are made of.

A document costs the bytes of its name and some numbers. Lines about the same document of the same topic, within a table
and between two, are found by a number of eight bytes, the topic's place before a hash of the name; where two numbers
are equal the names are compared, so that no hash decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from axiomcheck.core.typing import Integers, Keys, Mask
from axiomcheck.runs.trec.lines import LineBlock, Listener, Source, blocks, shown_text
from axiomcheck.runs.trec.tokens import Text, Tokens

ABSENT = -1
"""The number of a document, or the place of a topic, that is not there."""

Columns = Mapping[str, NDArray[Any]]
"""Name -> (L,)."""


@dataclass(frozen=True, eq=False)
class DocumentTable:
    """Lines about documents of topics; those of one topic are together, in the order of the file.

    Args:
        topics: name -> its place, in the order of their first lines; some may have no line.
        codes: (L,) the place of each line's topic, not falling.
        documents: (L,) of each line.
        lines: (L,) the number of each line in its file.

    """

    source: Source
    topics: Mapping[bytes, int]
    codes: Integers
    documents: Tokens
    lines: Integers
    columns: Columns
    comments: int = 0

    def grouped(self) -> DocumentTable:
        """Return the table with the lines of each topic together, of lines in any order."""
        in_order = (self.codes[1:] >= self.codes[:-1]).all()
        return self if in_order else self.picked(np.argsort(self.codes, kind="stable"))

    @cached_property
    def names(self) -> list[bytes]:
        """The topics."""
        return list(self.topics)

    @cached_property
    def starts(self) -> Integers:
        """(topics + 1,) where the lines of each topic begin."""
        return np.searchsorted(self.codes, np.arange(len(self.topics) + 1))

    def picked(self, chosen: Mask | Integers) -> DocumentTable:
        """Return some of the lines, of the same topics."""
        columns = {name: column[chosen] for name, column in self.columns.items()}
        codes, documents, lines = self.codes[chosen], self.documents[chosen], self.lines[chosen]
        return replace(self, codes=codes, documents=documents, lines=lines, columns=columns)

    def shown_topic(self, line: int) -> str:
        """Return the topic of a line for a message."""
        return shown_text(self.names[self.codes[line]])

    def shown_document(self, line: int) -> str:
        """Return the document of a line for a message."""
        return shown_text(self.documents[line : line + 1].listed()[0])

    def keys(self, seed: int, places: Integers | None = None, topics: int | None = None) -> Keys:
        """Return a number for the document and topic of each line, (L,); different ones may share it.

        Args:
            seed: of the hash.
            places: (topics,) numbers from 0 in place of the topics' own.
            topics: how many numbers there are.

        """
        codes = self.codes if places is None else places[self.codes]
        bits = np.uint64(max(1, ((topics or len(self.topics)) - 1).bit_length()))
        return (codes.astype(np.uint64) << (np.uint64(64) - bits)) | (self._hashes(seed) >> bits)

    def _hashes(self, seed: int) -> Keys:
        """(L,) of the documents; those of the first seed are kept."""
        return self._first_hashes if seed == 0 else self.documents.hashes(seed)

    @cached_property
    def _first_hashes(self) -> Keys:
        return self.documents.hashes(0)

    @cached_property
    def is_distinct(self) -> bool:
        """True if no two lines are about the same document; in doubt False."""
        keys = np.sort(self.keys(0))
        return not (keys[1:] == keys[:-1]).any()


def read_table(
    source: Source,
    data: bytearray,
    columns: Sequence[str],
    numbers: Callable[[LineBlock], Columns],
    listen: Listener | None = None,
) -> DocumentTable:
    """Read lines of columns, two of which are ``topic`` and ``document``.

    Args:
        source: the file.
        data: its bytes.
        columns: what its columns are called.
        numbers: the columns of numbers of some lines, one or more.
        listen: is told of progress.

    Raises:
        InvalidInput: malformed; the message says the line.

    """
    topics: dict[bytes, int] = {}
    parts: list[tuple[Integers, Integers, Integers, Integers]] = []
    values: list[Columns] = []
    text: Text = np.zeros(0, dtype=np.uint8)
    comments = 0
    for block in blocks(source, data, columns, listen):
        text, comments = block.text, comments + block.comments
        if len(block.lines):
            documents = block.tokens("document")
            # copies, so that the blocks they are views of can go
            places = documents.starts.copy(), documents.lengths.copy()
            parts.append((coded(block.tokens("topic"), topics), *places, block.lines))
            values.append(numbers(block))
    nothing = np.zeros(0, dtype=np.int32)
    codes, starts, lengths, lines = map(np.concatenate, zip(*parts, strict=True)) if parts else [nothing] * 4
    joined = {name: np.concatenate([one[name] for one in values]) for name in (values[0] if values else ())}
    return DocumentTable(source, topics, codes, Tokens(text, starts, lengths), lines, joined, comments).grouped()


def coded(tokens: Tokens, places: dict[bytes, int]) -> Integers:
    """Return the place of each token among the different ones, (L,), to which new ones are added.

    This is quick where equal ones adjoin.
    """
    changes = np.ones(len(tokens), dtype=bool)
    changes[1:] = ~tokens[1:].same(tokens[:-1])
    heads = np.flatnonzero(changes)
    codes = codes_of(tokens[heads].listed(), places)
    return np.repeat(codes, np.diff(heads, append=len(tokens)))


def codes_of(names: Iterable[bytes], places: dict[bytes, int]) -> Integers:
    """Return the place of each name among the different ones, to which new ones are added."""
    return np.array([places.setdefault(name, len(places)) for name in names], dtype=np.int32)


@dataclass(frozen=True)
class DistinctDocuments:
    """The different documents of a table's topics.

    Args:
        seed: of the hashes, by which no two of the documents have one number.
        keys: (D,) these numbers, ascending: documents of one topic are together, topics in the table's order.
        firsts: (D,) the first line about each.
        of: (L,) the number of each line's document.

    """

    table: DocumentTable
    seed: int
    keys: Keys
    firsts: Integers
    of: Integers

    @cached_property
    def _some_have(self) -> Mask:
        """True at the last bits that some key has."""
        table = np.zeros(1 << (8 * len(self.keys)).bit_length(), dtype=bool)
        table[self.keys & _low_bits(len(table))] = True
        return table

    def find(self, other: DocumentTable, places: Integers) -> Integers:
        """Return the document here that each line of another table is about, (L,), or `ABSENT`.

        Args:
            other: the lines.
            places: for each of its topics the place of the same topic here, or `ABSENT`.

        """
        found = np.full(len(other.codes), ABSENT)
        asked = np.flatnonzero(places[other.codes] != ABSENT)
        if not len(self.keys) or not len(asked):
            return found
        keys = other.keys(self.seed, places, len(self.table.topics))[asked]
        # most documents have no judgment, and for them one look at a small table is enough
        maybe = self._some_have[keys & _low_bits(len(self._some_have))]
        asked, keys = asked[maybe], keys[maybe]
        near = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        hit = self.keys[near] == keys
        asked, near = asked[hit], near[hit]
        same = other.documents[asked].same(self.table.documents[self.firsts[near]])
        found[asked[same]] = near[same]
        return found


def distinct(table: DocumentTable) -> DistinctDocuments:
    """Return the different documents of a table's topics."""
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
        seed += 1  # two names of one number


def _low_bits(size: int) -> np.uint64:
    """Return the bits that choose among so many places, a power of two."""
    return np.uint64(size - 1)
