"""Rankings of one aspect in padded arrays, and sums of the contributions of their ranks."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TypeAlias

import numpy as np

from axiomcheck.core.typing import Array, Integers, Mask, Reals


class Rankings:
    """B rankings of one aspect, each for its own topic, padded with grade 0.

    Args:
        grades: (B, n) grades in [0, 1] in rank order; 0 beyond the end of a ranking.
        lengths: (B,) numbers of ranked documents.
        pool: (B, P) grades of all judged documents; 0 beyond the last one.
        judged: (B,) numbers of judged documents.
        levels: Highest judgment, an integer. A judgment is a grade times this number.

    """

    def __init__(self, grades: Reals, lengths: Integers, pool: Reals, judged: Integers, levels: int) -> None:
        self.grades, self.lengths, self.pool, self.judged, self.levels = grades, lengths, pool, judged, levels
        self.ranks = np.arange(1, grades.shape[1] + 1, dtype=np.float64)
        self._sums: dict[Contribution, Reals] = {}
        self._first: dict[int, Rankings] = {}
        # quotients of sums, with a mask of the undefined ones, and the definition for which they were last computed
        self.asked: object = None
        self.quotients: tuple[Reals, Mask]

    @cached_property
    def relevant(self) -> Array:
        """(B,) numbers R of relevant documents, which are the judged documents with a grade above 0."""
        return (self.pool > 0).sum(axis=1).astype(np.float64)

    @cached_property
    def ideal(self) -> Rankings:
        """Rankings of all judged documents in descending order of grades."""
        return Rankings(-np.sort(-self.pool, axis=1), self.judged, self.pool, self.judged, self.levels)

    @cached_property
    def reordered(self) -> Rankings:
        """Rankings of the retrieved documents in descending order of grades."""
        return Rankings(-np.sort(-self.grades, axis=1), self.lengths, self.pool, self.judged, self.levels)

    def first(self, cutoff: int) -> Rankings:
        """Return the rankings cut after the rank `cutoff`."""
        if cutoff not in self._first:
            lengths = np.minimum(self.lengths, cutoff)
            self._first[cutoff] = Rankings(self.grades[:, :cutoff], lengths, self.pool, self.judged, self.levels)
        return self._first[cutoff]

    def rows(self, index: Array) -> Rankings:
        """Select rankings by an index array, mask or slice."""
        return Rankings(self.grades[index], self.lengths[index], self.pool[index], self.judged[index], self.levels)

    def totals(self, amounts: Contribution, ends: Integers | int | None) -> Reals:
        """Return the (B,) sums of contributions.

        Args:
            amounts: Contribution of each rank.
            ends: Last rank of the sum, for all rankings or for each ranking; None for all ranks.

        """
        if amounts not in self._sums:
            start = np.zeros((len(self.grades), 1))
            self._sums[amounts] = np.concatenate([start, np.cumsum(amounts(self), axis=1)], axis=1)
        sums = self._sums[amounts]
        last = sums.shape[1] - 1
        if ends is None or isinstance(ends, int):
            total: Reals = sums[:, last if ends is None else min(ends, last)]
        else:
            total = np.take_along_axis(sums, np.minimum(ends, last)[:, None], axis=1)[:, 0]
        return total


Contribution: TypeAlias = Callable[[Rankings], Array]
"""Function of rankings that returns the (B, n) contributions of the ranks, which are 0 for documents of grade 0."""
