"""The mutation operators that no changed expression reaches: state, inputs written to, batches, precision, hash order.

Each is a class that is mixed in before a metric's own. Those that work on floats alone say so, and are compared with
the original run on floats alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import Arithmetic, Floats

__all__ = ["WRAPPERS", "Wrapper", "unspoiled"]

Array = Any


class Wrapper(Metric):
    """Base of the mixins; the docstring of a subclass is its description in reports."""

    operator: str
    floats_only = True
    """Whether the slip is one of float arrays, so that the mutant has no exact form."""
    loadable = False
    """Whether the mutant is to be loaded by name in other processes."""

    def numerical(self, small: bool) -> str:
        """As declared."""
        return "the mutation is one of floats" if self.floats_only else super().numerical(small)

    def score(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """The original's scores where they are not floats, else what `spoil` makes of it."""
        if isinstance(a, Floats) and isinstance(grades, np.ndarray):
            return self.spoil(a, grades, weights, pool)
        return super().score(a, grades, weights, pool)

    def spoil(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """The original's scores, spoiled."""
        return super().score(a, grades, weights, pool)

    def original(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """The original's scores."""
        return super().score(a, grades, weights, pool)


class Unspoiled(Wrapper):
    """nothing is changed: the original on floats alone."""

    operator = "none"


class UnspoiledElsewhere(Wrapper):
    """nothing is changed: the original under a name that other processes can load it by."""

    operator = "none-elsewhere"
    floats_only = False
    loadable = True


class StaleScores(Wrapper):
    """the scores of the previous call are given again for a call of the same shape."""

    operator = "stale-scores"

    def spoil(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        last = self.__dict__.get("_last")
        if last is None or last[0] != (grades.shape, pool.shape):
            last = (grades.shape, pool.shape), self.original(a, grades, weights, pool)
            self.__dict__["_last"] = last
        return last[1]


class Accumulates(Wrapper):
    """what earlier calls scored is still in the sum."""

    operator = "state-accumulates"

    def spoil(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        scores = self.original(a, grades, weights, pool)
        before = self.__dict__.get("_sum", 0.0)
        self.__dict__["_sum"] = before + float(np.sum(scores))
        return scores + before


class BatchNormalised(Wrapper):
    """scores are divided by the largest one of the batch."""

    operator = "batch-normalised"

    def spoil(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        scores = self.original(a, grades, weights, pool)
        top = np.max(np.abs(scores), initial=0.0)
        return scores / top if top > 0 else scores


class MeanOverBatch(Wrapper):
    """the mean over topics is given for every topic."""

    operator = "mean-over-batch"

    def spoil(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        scores = self.original(a, grades, weights, pool)
        return np.broadcast_to(scores.mean(axis=-1, keepdims=True), scores.shape).copy()


class GradesWritten(Wrapper):
    """the ranking's grades are sorted in place after scoring."""

    operator = "grades-written-to"

    def spoil(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        scores = self.original(a, grades, weights, pool)
        if grades.flags.writeable:
            grades.sort(axis=-2)
        return scores


class PoolWritten(Wrapper):
    """the pool's grades are sorted in place, for the ideal ranking."""

    operator = "pool-written-to"

    def spoil(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        if pool.flags.writeable:
            pool.sort(axis=-2)
        return self.original(a, grades, weights, pool)


class SinglePrecision(Wrapper):
    """scores are kept in single precision."""

    operator = "single-precision"

    def spoil(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return np.asarray(self.original(a, grades, weights, pool)).astype(np.float32).astype(np.float64)


class Rounded(Wrapper):
    """scores are rounded to four digits, as they are printed."""

    operator = "rounded-to-four-digits"

    def spoil(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return np.round(self.original(a, grades, weights, pool), 4)


class EmptyRaises(Wrapper):
    """a ranking without documents is not thought of."""

    operator = "empty-ranking-raises"
    floats_only = False

    def spoil(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        if grades.shape[-2] == 0:
            raise IndexError("index 0 is out of bounds for axis 0 with size 0")
        return self.original(a, grades, weights, pool)


class HashOrder(Wrapper):
    """weights are paired with aspects in the order in which a set of aspect names is iterated."""

    operator = "hash-order"
    floats_only = False
    loadable = True

    def score(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """The original's scores with the weights in another order, in every arithmetic."""
        names = [f"aspect-{t}" for t in range(weights.shape[-1])]
        order = [names.index(name) for name in set(names)]
        return self.original(a, grades, weights[..., order], pool)


WRAPPERS: dict[str, type[Wrapper]] = {
    wrapper.operator: wrapper
    for wrapper in (
        StaleScores,
        Accumulates,
        BatchNormalised,
        MeanOverBatch,
        GradesWritten,
        PoolWritten,
        SinglePrecision,
        Rounded,
        EmptyRaises,
        HashOrder,
    )
}
"""The operators that wrap a metric, by name, in report order."""


def unspoiled(operator: str) -> type[Wrapper] | None:
    """What the original is wrapped in to be compared with an operator's mutants; None for the original itself."""
    wrapper = WRAPPERS.get(operator)
    if wrapper is None:
        return None
    if wrapper.loadable:
        return UnspoiledElsewhere
    return Unspoiled if wrapper.floats_only else None
