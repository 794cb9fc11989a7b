"""Count distinct instances. Counts are exact within one search and estimated across several searches.

Instances are identified by 64-bit keys. The keys of a hundred million instances would take a gigabyte, so only a sample
is kept across searches: the marked keys, which begin with a certain number of zero bits. Whether a key is marked does
not depend on the search, so the marks of two searches overlap as much as the searches do. If there are too many marks,
one more zero bit is required, which drops about half of them.
"""

from __future__ import annotations

import math

import numpy as np

from axiomcheck.core.printable import counted
from axiomcheck.core.typing import Keys, Mask

MARKED = 6
"""Number of leading zero bits of a marked key. One in 2**MARKED keys is marked."""

MARKED_OF_FEW = 2
"""Number of leading zero bits of a marked key if a slow metric or axiom is tested on fewer instances."""

_MOST = 2**16
_TELLING = 50
"""Smallest number of marks for an estimate of the share of new keys."""
_SIGMAS = 4


class Distinct:
    """Set of the keys in one search; ``len()`` returns the number of distinct keys.

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
        """Add (B,) keys, which may contain duplicates."""
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
        """Return a (B,) mask of the keys that are not in the set and do not occur earlier in ``keys``."""
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
    """Set of marked keys from several searches, from which the number of distinct instances is estimated."""

    def __init__(self) -> None:
        self._keys: Keys = np.zeros(0, dtype=np.uint64)
        self._bits = 0

    def add(self, marked: bytes) -> float:
        """Add the marks of another search, and return the estimated share of its keys that are new.

        The result is 0 if there are no marks, and 1 if there are too few marks for an estimate.

        Args:
            marked: Marked keys as packed by the function `marked`, or empty.

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
    """Pack the keys that have ``bits`` leading zero bits into bytes.

    The first byte is ``bits``. The sorted keys follow, each in eight bytes, little-endian.
    """
    return bytes([bits]) + np.sort(_with_zeros(keys, bits)).astype("<u8").tobytes()


def check_marks(marks: bytes) -> None:
    """Check that bytes are empty or have the format that `marked` returns.

    Raises:
        ValueError: The bytes have a different format.

    """
    if marks and (len(marks) % 8 != 1 or marks[0] not in (MARKED, MARKED_OF_FEW)):
        raise ValueError(
            f"marks has {counted(len(marks), 'byte')}, the first of which is {marks[0]}; expected a first byte of "
            f"{MARKED} or {MARKED_OF_FEW}, and then eight bytes per mark"
        )


def belong_to_few(marks: bytes) -> bool:
    """Return True if the marks were sampled at the rate for slow metrics and axioms, `MARKED_OF_FEW`."""
    return marks[:1] == bytes([MARKED_OF_FEW])


def _with_zeros(keys: Keys, bits: int) -> Keys:
    """Return the keys that begin with ``bits`` zero bits. Leading bits are used because the hash mixes them best."""
    found: Keys = keys if bits == 0 else keys[keys >> np.uint64(64 - bits) == 0]
    return found
