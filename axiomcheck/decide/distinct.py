"""Count distinct instances. Counts are exact within one search and estimated across several searches.

Instances are identified by 64-bit keys. The keys of a hundred million instances would take a gigabyte, so only a sample
is kept across searches: the marked keys. A key is marked if it begins with enough zero bits, in whichever search it
occurs. The marks of two searches therefore overlap as much as the searches do. If there are too many marks, one more
zero bit is required, which drops about half of them, regardless of their order.
"""

from __future__ import annotations

import math

import numpy as np

from axiomcheck.core.printable import counted
from axiomcheck.core.typing import Keys, Mask

MARKED = 6
"""Number of leading zero bits of a marked key. One in 2**MARKED keys is marked."""

MARKED_OF_FEW = 2
"""Number of leading zero bits of a marked key for a metric that is tested on few instances."""

_MOST = 2**16
_TELLING = 50
"""Smallest number of marks from which the share of new keys can be estimated."""
_SIGMAS = 4


class Distinct:
    """Set of the distinct keys in one search. Its length is the number of distinct keys.

    Memory is linear in the number of keys, and time is nearly linear.

    The keys are stored in disjoint sorted arrays (runs), each more than twice as long as the next. New keys are merged
    with all runs of at most twice their number, so each key is moved a logarithmic number of times.
    """

    def __init__(self) -> None:
        self._runs: list[Keys] = []

    def __len__(self) -> int:
        return sum(map(len, self._runs))

    def copy(self) -> Distinct:
        """Return an independent copy."""
        other = Distinct()
        other._runs = list(self._runs)  # the arrays of runs never change
        return other

    @property
    def keys(self) -> Keys:
        """All keys, (n,), in no particular order."""
        return np.concatenate([np.zeros(0, dtype=np.uint64), *self._runs])

    def add(self, keys: Keys) -> None:
        """Add (B,) keys, some of which may be equal."""
        fresh = np.sort(keys)
        fresh = fresh[np.flatnonzero(np.diff(fresh, prepend=~fresh[:1]))]
        for run in self._runs:
            fresh = fresh[~_holds(run, fresh)]
        if not fresh.size:
            return
        while self._runs and len(self._runs[-1]) <= 2 * len(fresh):
            fresh = np.sort(np.concatenate([self._runs.pop(), fresh]), kind="stable")  # stable: merges sorted arrays
        self._runs.append(fresh)

    def new(self, keys: Keys) -> Mask:
        """Return a (B,) mask of the keys that were not added before and do not occur earlier in ``keys``."""
        first = np.zeros(len(keys), dtype=bool)
        first[np.unique(keys, return_index=True)[1]] = True
        for run in self._runs:
            first &= ~_holds(run, keys)
        return first


def _holds(run: Keys, keys: Keys) -> Mask:
    """Return a (B,) mask of the keys that occur in ``run``, a sorted array with at least one key."""
    at = np.searchsorted(run, keys)
    at[at == len(run)] = 0
    found: Mask = run[at] == keys
    return found


class Marks:
    """Set of the marked keys from several searches, in bounded memory, to estimate how many instances are distinct."""

    def __init__(self) -> None:
        self._keys: Keys = np.zeros(0, dtype=np.uint64)
        self._bits = 0

    def add(self, marked: bytes) -> float:
        """Add the marks of another search, and return the estimated share of keys that are new.

        Args:
            marked: Marked keys, in the format of `marked`.

        """
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
        """Lower bound on the number of distinct instances in all searches together.

        If k of D distinct keys are marked, each with probability q, then k / q estimates D. The bound is this estimate
        minus four standard deviations.
        """
        marked = len(self._keys)
        return max(0, int((marked - _SIGMAS * math.sqrt(marked)) * 2**self._bits))


def marked(keys: Keys, bits: int = MARKED) -> bytes:
    """Pack the keys with ``bits`` leading zero bits: one byte for ``bits``, then the sorted keys, 8 bytes each."""
    return bytes([bits]) + np.sort(_with_zeros(keys, bits)).astype("<u8").tobytes()


def check_marks(marks: bytes) -> None:
    """Check that bytes have the format of `marked`.

    Raises:
        ValueError: The bytes have a different format.

    """
    if marks and (len(marks) % 8 != 1 or marks[0] not in (MARKED, MARKED_OF_FEW)):
        raise ValueError(
            f"marks has {counted(len(marks), 'byte')} and begins with {marks[0]}; expected {MARKED} or "
            f"{MARKED_OF_FEW}, followed by eight bytes per mark"
        )


def belong_to_few(marks: bytes) -> bool:
    """Return True if the marks have the sampling rate used for metrics that are tested on few instances."""
    return marks[:1] == bytes([MARKED_OF_FEW])


def _with_zeros(keys: Keys, bits: int) -> Keys:
    """Select the keys with ``bits`` leading zero bits. Leading bits are used because the hash mixes them best."""
    found: Keys = keys if bits == 0 else keys[keys >> np.uint64(64 - bits) == 0]
    return found
