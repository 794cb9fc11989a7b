"""Marks of instances: a fixed part of their keys, by which several searches tell how many they had between them.

A key is marked by its own bits, whoever drew it, so that the marked ones of two searches have in common what the
searches have in common. All keys of a hundred million instances would take a gigabyte; their marks stay small, and
beyond a limit every other one is left out again, by its bits, whatever the order in which they came.
"""

from __future__ import annotations

import math

import numpy as np

from axiomcheck.core.counting import counted
from axiomcheck.core.typing import Keys

MARKED = 6
"""Of 2 to the power of this many keys, one is marked."""

MARKED_OF_FEW = 2
"""The same, of the keys of a metric that is asked about few instances."""

_MOST = 2**16
_TELLING = 50
"""So many marks at least, before their share of new ones says something."""
_SIGMAS = 4


class Marks:
    """The marked ones among the keys of some searches, in bounded memory."""

    def __init__(self) -> None:
        self._keys: Keys = np.zeros(0, dtype=np.uint64)
        self._bits = 0

    def add(self, marked: bytes) -> float:
        """Adds what `marked` gave of another search; what share of it is new, as far as marks tell."""
        if not marked:
            return 0.0
        self._leave_out(max(self._bits, marked[0]))
        keys = _with_zeros(np.frombuffer(marked, dtype="<u8", offset=1).astype(np.uint64), self._bits)
        before = len(self._keys)
        self._keys = np.union1d(self._keys, keys)
        new = (len(self._keys) - before) / len(keys) if len(keys) >= _TELLING else 1.0
        while len(self._keys) > _MOST:
            self._leave_out(self._bits + 1)
        return new

    def _leave_out(self, bits: int) -> None:
        if bits > self._bits:
            self._bits, self._keys = bits, _with_zeros(self._keys, bits)

    @property
    def at_least(self) -> int:
        """How many different instances there were between them, at least.

        Of D different keys each is marked with probability q; k of them are. D is k / q, less four standard deviations
        of that estimate.
        """
        marked = len(self._keys)
        return max(0, int((marked - _SIGMAS * math.sqrt(marked)) * 2**self._bits))


def marked(keys: Keys, bits: int = MARKED) -> bytes:
    """The marked ones among keys: how many bits mark them in one byte, then 8 bytes each, the least first."""
    return bytes([bits]) + np.sort(_with_zeros(keys, bits)).astype("<u8").tobytes()


def check_marks(marks: bytes) -> None:
    """Checks that `marked` could have given some bytes.

    Raises:
        ValueError: it could not.

    """
    if marks and (len(marks) % 8 != 1 or marks[0] not in (MARKED, MARKED_OF_FEW)):
        raise ValueError(f"{counted(len(marks), 'byte')} of marks; expected one, and eight for each mark")


def of_few(marks: bytes) -> bool:
    """Whether marks are those of a metric that is asked about few instances."""
    return marks[:1] == bytes([MARKED_OF_FEW])


def _with_zeros(keys: Keys, bits: int) -> Keys:
    """Those whose first bits, which are mixed best, are 0."""
    found: Keys = keys if bits == 0 else keys[keys >> np.uint64(64 - bits) == 0]
    return found
