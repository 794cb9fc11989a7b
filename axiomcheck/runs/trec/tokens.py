"""Compare and parse the tokens of a text in bulk; a token is stored as its start and length.

Tokens are processed eight bytes at a time, as unsigned integers padded with zeros.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from axiomcheck.core.typing import Integers, Keys, Mask, Reals
from axiomcheck.runs.trec.lines import number_of

Text: TypeAlias = NDArray[np.uint8]
"""Bytes of a file."""

PAD = 8
"""Number of padding bytes after a text, so that the last token can also be read eight bytes at a time."""

_ONES = np.array([(1 << 8 * k) - 1 for k in range(9)], dtype=np.uint64)
_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], dtype=np.uint64)
_TENS = np.array([float(10**k) for k in range(23)])
_SHORT = 15
"""Number of digits that a float always holds exactly. Division by a power of ten up to 10^22 then rounds only once."""
_WIDE = 24
"""Maximum length of tokens that are parsed as numbers in bulk."""


@dataclass(frozen=True)
class Tokens:
    """Sequence of tokens of a text, stored as arrays of starts and lengths.

    Args:
        text: Bytes of the text with padding, shape (bytes + PAD,), uint8.
        starts: Start of each token, shape (L,).
        lengths: Length of each token in bytes, shape (L,).

    """

    text: Text
    starts: Integers
    lengths: Integers

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, chosen: Mask | Integers | slice | list[int]) -> Tokens:
        return Tokens(self.text, self.starts[chosen], self.lengths[chosen])

    @classmethod
    def of(cls, tokens: Sequence[bytes]) -> Tokens:
        """Create tokens from bytes objects, which may contain any byte."""
        lengths = np.fromiter(map(len, tokens), np.int32, len(tokens))
        starts = np.cumsum(lengths, dtype=np.int64) - lengths
        return cls(np.frombuffer(b"".join(tokens) + bytes(PAD), dtype=np.uint8), starts, lengths)

    def listed(self) -> list[bytes]:
        """Return the tokens as bytes objects."""
        if not len(self):
            return []
        first, last = int(self.starts.min()), int((self.starts + self.lengths).max())
        text = self.text[first:last].tobytes()
        return [
            text[start : start + length]
            for start, length in zip((self.starts - first).tolist(), self.lengths.tolist(), strict=True)
        ]

    def _words(self) -> Iterator[tuple[Integers | slice, Keys]]:
        """Yield, for each offset 0, 8, 16, ..., the tokens longer than the offset and their next eight bytes.

        Bytes past a token's end are 0.
        """
        words = np.ndarray((len(self.text) - PAD + 1,), "<u8", self.text.data, 0, (1,))
        for begin in range(0, int(self.lengths.max(initial=0)), 8):
            which = np.flatnonzero(self.lengths > begin) if begin else slice(None)
            yield which, words[self.starts[which] + begin] & _ONES[np.minimum(self.lengths[which] - begin, 8)]

    def hashes(self, seed: int = 0) -> Keys:
        """Return hashes, shape (L,) uint64, which are equal for equal tokens."""
        found = (self.lengths.astype(np.uint64) + np.uint64(seed)) * _FACTORS[1]
        for which, word in self._words():
            mixed = (found[which] ^ word) * _FACTORS[0]
            found[which] = mixed ^ (mixed >> np.uint64(29))
        hashes: Keys = found * _FACTORS[1]
        return hashes

    def same(self, other: Tokens) -> Mask:
        """Return a mask, shape (L,), that is True where the tokens of both objects are equal."""
        same: Mask = self.lengths == other.lengths
        near = np.flatnonzero(same)
        for (which, mine), (_, theirs) in zip(self[near]._words(), other[near]._words(), strict=True):
            same[near[which][mine != theirs]] = False
        return same

    def numbers(self) -> Reals:
        """Parse the tokens as Python floats, shape (L,).

        The result is NaN for tokens that are not finite numbers or that contain an underscore.
        """
        value, plain, _ = self._decimals()
        odd = np.flatnonzero(~plain)
        if len(odd):
            value[odd] = [number_of(token) for token in self[odd].listed()]
        return value

    def wholes(self) -> tuple[Integers, Mask]:
        """Return the tokens as integers, shape (L,) int64, and a mask of those that are integers; the others become 0.

        An integer has an optional sign and at most 15 digits.
        """
        value, plain, digits = self._decimals()
        signed = self.lengths > 0
        signed &= np.isin(self.text[np.minimum(self.starts, len(self.text) - 1)], [ord("-"), ord("+")])
        good = plain & (digits + signed == self.lengths)
        return np.where(good, value, 0).astype(np.int64), good

    def _decimals(self) -> tuple[Reals, Mask, Integers]:
        """Return the values of short decimal tokens, a mask of these tokens, and their digit counts.

        A short decimal token has a few digits, and optionally a sign and a point.
        """
        count = len(self)
        lanes = max(1, min(int(self.lengths.max(initial=0)), _WIDE))
        letters = np.zeros((lanes, count), dtype=np.uint8)
        for (which, word), lane in zip(self._words(), range(0, lanes, 8), strict=False):
            letters[lane : lane + 8, which] = word.view(np.uint8).reshape(-1, 8).T[: lanes - lane]
        negative = letters[0] == ord("-")
        signed = negative | (letters[0] == ord("+"))
        value, digits = np.zeros(count), np.zeros(count, dtype=np.int8)
        after, points = np.zeros(count, dtype=np.int8), np.zeros(count, dtype=np.int8)
        plain = self.lengths <= lanes
        for lane, letter in enumerate(letters):
            digit = letter - np.uint8(48)
            is_digit, is_point = digit <= 9, letter == ord(".")
            np.copyto(value, value * 10 + digit, where=is_digit)
            digits += is_digit
            after += is_digit & (points > 0)
            points += is_point
            known = is_digit | is_point | (lane >= self.lengths)
            plain &= (known | signed) if lane == 0 else known
        value /= _TENS[np.minimum(after, _SHORT)]
        np.negative(value, out=value, where=negative)
        plain &= (digits > 0) & (digits <= _SHORT) & (points <= 1)
        return value, plain, digits
