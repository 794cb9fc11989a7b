"""The lines of a run or of judgments by topic, packed: a document costs the bytes of its name and of its numbers.

Files whose topics are together give one packed piece per topic and block; where topics are interleaved, each block is
sorted by topic first, and small pieces are merged as they come.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from axiomcheck.core.typing import Array

_SEPARATOR = b"\n"
_MOST = 16
"""Pieces of a topic before they are merged."""


@dataclass(frozen=True)
class _Piece:
    count: int
    documents: bytes
    columns: tuple[Array, ...]


@dataclass(frozen=True)
class Lines:
    """The lines of one topic, in the order of the file.

    Args:
        documents: their names.
        columns: (L,) each: the numbers of the line in the file first, then what the store was given.

    """

    documents: list[bytes]
    columns: tuple[Array, ...]


class Store:
    """Topic -> lines; topics are in the order of their first lines."""

    def __init__(self) -> None:
        self._pieces: dict[bytes, list[_Piece]] = {}

    def __contains__(self, topic: bytes) -> bool:
        return topic in self._pieces

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._pieces)

    def __len__(self) -> int:
        return len(self._pieces)

    def add(self, topics: Sequence[bytes], documents: Sequence[bytes], columns: tuple[Array, ...]) -> None:
        """Adds some lines.

        Args:
            topics: one per line.
            documents: one per line; names without line ends.
            columns: (L,) each; the same number of columns every time.

        """
        runs = [(topic, len(list(group))) for topic, group in groupby(topics)]
        if len(runs) > 2 * len({topic for topic, _ in runs}):
            first = {topic: number for number, topic in enumerate(dict.fromkeys(topics))}
            order = sorted(range(len(topics)), key=lambda line: first[topics[line]])
            topics, documents = [topics[i] for i in order], [documents[i] for i in order]
            columns = tuple(column[order] for column in columns)
            runs = [(topic, len(list(group))) for topic, group in groupby(topics)]
        start = 0
        for topic, count in runs:
            end = start + count
            names = _SEPARATOR.join(documents[start:end])
            pieces = self._pieces.setdefault(topic, [])
            pieces.append(_Piece(count, names, tuple(column[start:end] for column in columns)))
            if len(pieces) == _MOST:
                pieces[:] = [_merged(pieces)]
            start = end

    def add_empty(self, topic: bytes, columns: int) -> None:
        """Makes a topic known that may have no line, once all lines were added."""
        self._pieces.setdefault(topic, [_Piece(0, b"", tuple(np.zeros(0, dtype=np.int64) for _ in range(columns)))])

    def lines(self, topic: bytes) -> Lines:
        """The lines of one topic."""
        piece = _merged(self._pieces[topic])
        return Lines(piece.documents.split(_SEPARATOR) if piece.count else [], piece.columns)


def _merged(pieces: list[_Piece]) -> _Piece:
    if len(pieces) == 1:
        return pieces[0]
    return _Piece(
        sum(piece.count for piece in pieces),
        _SEPARATOR.join([piece.documents for piece in pieces]),
        # copies, so that the blocks they are views of can go
        tuple(np.concatenate(parts) for parts in zip(*(piece.columns for piece in pieces), strict=True)),
    )
