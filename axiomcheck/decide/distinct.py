"""Counting the different ones among keys that come in portions, in time and memory linear in the keys."""

from __future__ import annotations

import numpy as np

from axiomcheck.core.typing import Keys, Mask


class Distinct:
    """The different ones among the keys added so far; its length is their number.

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
