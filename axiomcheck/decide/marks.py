"""Marks of instances: a fixed part of their keys, by which several searches tell how many they had between them.

A key is marked by its own bits, whoever drew it, so that the marked ones of two searches have in common what the
searches have in common. All keys of a hundred million instances would take a gigabyte; their marks stay small, and
beyond a limit every other one is left out again, by its bits, whatever the order in which they came.
"""

from __future__ import annotations

import math

import numpy as np

from axiomcheck.core.typing import Keys

MARKED = 6
"""Of 2 to the power of this many keys, one is marked."""

_MOST = 2**18
_SIGMAS = 4


class Marks:
    """The marked ones among the keys of some searches, in bounded memory."""

    def __init__(self) -> None:
        self._keys: Keys = np.zeros(0, dtype=np.uint64)
        self._bits = MARKED

    def add(self, marked: bytes) -> None:
        """Adds what `marked` gave of another search."""
        keys: Keys = np.frombuffer(marked, dtype="<u8").astype(np.uint64)
        self._keys = np.union1d(self._keys, _with_zeros(keys, self._bits))
        while len(self._keys) > _MOST:
            self._bits += 1
            self._keys = _with_zeros(self._keys, self._bits)

    @property
    def at_least(self) -> int:
        """How many different instances there were between them, at least.

        Of D different keys each is marked with probability q; k of them are. D is k / q, less four standard deviations
        of that estimate.
        """
        marked = len(self._keys)
        return max(0, int((marked - _SIGMAS * math.sqrt(marked)) * 2**self._bits))


def marked(keys: Keys) -> bytes:
    """The marked ones among keys: 8 bytes each, the least first."""
    return np.sort(_with_zeros(keys, MARKED)).astype("<u8").tobytes()


def _with_zeros(keys: Keys, bits: int) -> Keys:
    """Those whose first bits, which are mixed best, are 0."""
    found: Keys = keys[keys >> np.uint64(64 - bits) == 0]
    return found
