"""What mutated source calls as `_m`: the slips that are more than a changed token."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from axiomcheck.metrics import Fold, Metric
from axiomcheck.metrics.fold import State
from axiomcheck.numbers.arithmetic import Arithmetic, divide, largest, positive
from axiomcheck.numbers.discount import InverseLog, Reciprocal
from axiomcheck.numbers.series import Series

__all__ = ["Runtime"]

Array = Any


class Runtime:
    """One per mutant, so that what one remembers does not reach another."""

    InverseLog = InverseLog
    Reciprocal = Reciprocal
    TWO = Fraction(2)
    positive = staticmethod(positive)
    largest = staticmethod(largest)

    def __init__(self) -> None:
        self._remembered: dict[Any, Array] = {}
        self._inside = False

    def inclusive(self, fold: Fold, a: Arithmetic, state: State, r: Array, place: int, gain: Array) -> Array:
        """What a document earns where one component of the state is already the one after it.

        Called from within the step of the fold, which is asked twice more and then gives the plain gain.
        """
        if self._inside:
            return gain
        self._inside = True
        try:
            after = fold.step(a, state, r)[1]
            return fold.step(a, (*state[:place], after[place], *state[place + 1 :]), r)[0]
        finally:
            self._inside = False

    @staticmethod
    def not_positive(x: Array) -> Array:
        """Where x <= 0; also of single numbers, which have no `~`."""
        return np.logical_not(positive(x))

    @staticmethod
    def ranks_from_zero(n: int) -> Array:
        """0, 0, 1, 2, ...: the indices of n discounts with the first one twice."""
        return np.maximum(np.arange(n) - 1, 0)

    @staticmethod
    def divide_or_one(numerator: Array, denominator: Array) -> Array:
        """As `axiomcheck.numbers.arithmetic.divide`, with 0/0 = 1."""
        if isinstance(denominator, Series):
            _, d = denominator.monomial()
        else:
            d = np.asarray(denominator)
        return divide(numerator, denominator) + (fmpq(1) if d.dtype == object else 1.0) * (d == 0)

    def remembered(self, value: Array) -> Array:
        """What was seen the first time that something of this shape and kind came along."""
        if isinstance(value, Series):
            key: Any = ("series", value.shape, value.is_exact, tuple(sorted(value.terms)))
        else:
            array = np.asarray(value)
            kind = {type(x).__module__ for x in array.reshape(-1)} if array.dtype == object else array.dtype
            key = (array.shape, str(kind))
        return self._remembered.setdefault(key, value)

    @staticmethod
    def uniform(weights: Array) -> Array:
        """1/m for every aspect."""
        return (weights * 0 + 1) / weights.shape[-1]

    @staticmethod
    def clipped(x: Array) -> Array:
        """min(x, 1/2); grades that are small in eps stay as they are."""
        if isinstance(x, Series):
            return x
        half: Any = fmpq(1, 2) if x.dtype == object else 0.5
        return np.where(x > half, half, x)

    @staticmethod
    def without_last(x: Array, axis: int) -> Array:
        """x with zeros in the last place of its last axis, or of the one before (axis -2)."""
        kept = np.arange(x.shape[axis]) < x.shape[axis] - 1
        if axis == -2:
            kept = kept[:, None]
        if isinstance(x, Series):
            return x.map(lambda c: Runtime._kept(c, kept))
        return Runtime._kept(x, kept)

    @staticmethod
    def _kept(x: Array, kept: Array) -> Array:
        zero: Any = fmpq(0) if x.dtype == object else x.dtype.type(0)
        return np.where(kept, x, zero)

    @staticmethod
    def shifted(cutoff: int | None, step: int) -> int | None:
        """The cutoff plus a step, where there is one."""
        return None if cutoff is None else cutoff + step

    @staticmethod
    def default_of(metric: Metric, name: str) -> Any:
        """The default of a declared parameter."""
        parameter = next(p for p in metric.declared if p.name == name)
        return parameter.parse(parameter.default)
