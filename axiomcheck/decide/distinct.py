"""Counts the different keys of instances: of one search all of them, of several searches by marks.

A mark is a fixed part of an instance's key. A key is marked by its own bits, whoever drew it, so that the marked ones
of two searches have in common what the searches have in common. All keys of a hundred million instances would take a
gigabyte; their marks stay small, and beyond a limit every other one is left out again, by its bits, whatever the order
in which they came.
"""

from __future__ import annotations

import math

import numpy as np

from axiomcheck.core.counting import counted
from axiomcheck.core.typing import Keys, Mask

MARKED = 6
"""One of 2 to the power of this many keys is marked."""

MARKED_OF_FEW = 2
"""The same, of the keys of a metric that is asked about few instances."""

_MOST = 2**16
_TELLING = 50
"""So many marks at least, before their share of new ones says something."""
_SIGMAS = 4


class Distinct:
    """Collects the different keys of one search; its length is their number.

    Time and memory are linear in the keys.

    They are kept as sorted runs without a key in common, each more than twice as long as the next: a portion is merged
    with the runs that it outgrew, so a key is moved a logarithmic number of times however many portions there are.
    """

    def __init__(self) -> None:
        self._runs: list[Keys] = []

    def __len__(self) -> int:
        return sum(map(len, self._runs))

    def copy(self) -> Distinct:
        """One that goes on by itself."""
        other = Distinct()
        other._runs = list(self._runs)  # the runs themselves are never written to
        return other

    @property
    def keys(self) -> Keys:
        """(n,) all of them, in no order."""
        return np.concatenate([np.zeros(0, dtype=np.uint64), *self._runs])

    def add(self, keys: Keys) -> None:
        """Adds a portion of keys: (B,) of unsigned 64-bit integers, repeated ones allowed."""
        fresh = np.sort(keys)
        fresh = fresh[np.flatnonzero(np.diff(fresh, prepend=~fresh[:1]))]
        for run in self._runs:
            fresh = fresh[~_holds(run, fresh)]
        if not fresh.size:
            return
        while self._runs and len(self._runs[-1]) <= 2 * len(fresh):
            fresh = np.sort(np.concatenate([self._runs.pop(), fresh]), kind="stable")  # which merges sorted parts
        self._runs.append(fresh)

    def new(self, keys: Keys) -> Mask:
        """Return which keys, (B,), are neither among those added so far nor earlier in the portion."""
        first = np.zeros(len(keys), dtype=bool)
        first[np.unique(keys, return_index=True)[1]] = True
        for run in self._runs:
            first &= ~_holds(run, keys)
        return first


def _holds(run: Keys, keys: Keys) -> Mask:
    """(B,) which keys are in a sorted run, which is not empty."""
    at = np.searchsorted(run, keys)
    at[at == len(run)] = 0
    found: Mask = run[at] == keys
    return found


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
        """Return the least number of different instances that there were between them.

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
    """Tell whether marks are those of a metric that is asked about few instances."""
    return marks[:1] == bytes([MARKED_OF_FEW])


def _with_zeros(keys: Keys, bits: int) -> Keys:
    """Those whose first bits, which are mixed best, are 0."""
    found: Keys = keys if bits == 0 else keys[keys >> np.uint64(64 - bits) == 0]
    return found
