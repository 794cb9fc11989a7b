"""Base class for metrics that users define as a fold over ranks.

A metric in the catalogue returns its fold, whereas a declared fold is both the metric and the fold. Its class defines
the state before rank 1, the gain of one document, the discount, and optionally a normaliser, a cost and parameters. The
code does not depend on the arithmetic, so the same lines give scores in floats and run on symbols in proofs.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from axiomcheck.core.domain import exact
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.printable import counted
from axiomcheck.core.typing import Array
from axiomcheck.metrics.base import FoldMetric
from axiomcheck.metrics.fold import Fold, State, check_size
from axiomcheck.metrics.parameters import Base, Parameter, Real
from axiomcheck.numbers.arithmetic import Arithmetic, descending, positive
from axiomcheck.numbers.discount import Discount

_TAKEN = ("k", "rc")
"""Reserved names, which denote the cutoff and the grade of relevant documents in parameter regions."""


class DeclaredFold(FoldMetric):
    """Base class for metrics that users declare as folds, as in ``class MyMetric(DeclaredFold)``.

    An instance is created by ``MyMetric(cutoff, p=0.9)``. The score is defined as in `FoldMetric`, as are `scale` and
    `cost`. Parameters are declared as in ``declared = (Real("p", 0.8),)`` and read as ``self.values["p"]``. In `start`
    and `step`, their values are in the arithmetic of the grades; elsewhere, they are exact numbers. ``normaliser =
    ideal`` or ``normaliser = number_relevant`` divides each aspect's total.
    """

    summary = "brought by the user"
    source = ""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "normalised" not in vars(cls):
            cls.normalised = cls.normaliser is not FoldMetric.normaliser
        if not (isinstance(cls.declared, tuple) and all(isinstance(p, Parameter) for p in cls.declared)):
            raise InvalidInput(f"{cls.__name__}: declared is {cls.declared!r}; expected a tuple of parameters")
        names = [parameter.name for parameter in cls.declared]
        for name in names:
            if not name.isidentifier() or name.endswith("_") or name in _TAKEN or names.count(name) > 1:
                raise InvalidInput(
                    f"{cls.__name__}: a parameter is called {name!r}; expected a unique Python identifier that does "
                    f"not end in _ and is none of {', '.join(_TAKEN)}"
                )

    @abstractmethod
    def discount(self) -> Discount:
        """Return the discount by rank, which is a `Constant`, `Geometric`, `Reciprocal` or `InverseLog`."""

    def start(self) -> State:
        """Return the state before rank 1 as a tuple of numbers, which is empty if the fold has no state."""
        return ()

    @abstractmethod
    def step(self, state: State, r: Array) -> tuple[Array, State]:
        """Return the undiscounted gain of one document, and the state after it.

        Args:
            state: State from `start` or from the previous `step`.
            r: Grades of the document in [0, 1], (...), one per aspect or ranking.

        """

    def fold(self) -> Fold:
        """Return the fold that the class declares."""
        discount = self.discount()
        if not isinstance(discount, Discount):
            raise MetricError(
                f"{type(self).__name__}: discount returned {type(discount).__name__}; expected Geometric(...), "
                "Reciprocal(), InverseLog(...) or Constant()"
            )
        return _AsDeclared(self, discount)

    def among(self, a: Arithmetic) -> DeclaredFold:
        """Return a copy of the metric with its parameters converted to the number type of an arithmetic."""
        numeric = (p.name for p in self.declared if isinstance(p, Real | Base) and self.values[p.name] is not None)
        placed = self.at({name: a.number(self.values[name]) for name in numeric}) if self.declared else self
        assert isinstance(placed, DeclaredFold)
        return placed


@dataclass(frozen=True)
class _AsDeclared(Fold):
    """Adapter that lets a `DeclaredFold`, whose methods do not take an arithmetic, be used as a `Fold`.

    Args:
        metric: Metric that declares the fold.
        discount: Discount by rank.

    """

    metric: DeclaredFold
    discount: Discount

    def start(self, a: Arithmetic) -> State:
        """Return the declared state, with integers, floats and fractions converted to exact numbers."""
        declared = self.metric.among(a).start()
        if not isinstance(declared, tuple):
            raise self._refused(f"start returned {type(declared).__name__}; expected a tuple of numbers, such as (1,)")
        return tuple(
            a.number(exact(x, "start")) if isinstance(x, int | float | str | Fraction) else x for x in declared
        )

    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        """Return the declared gain and the new state, after checking their form and the size of the numbers."""
        found = self.metric.among(a).step(state, r)
        if not (isinstance(found, tuple) and len(found) == 2 and isinstance(found[1], tuple)):
            raise self._refused(
                "step did not return (gain, state) with a tuple as state; without a state, return gain, ()"
            )
        if len(found[1]) != len(state):
            raise self._refused(
                f"step returned a state of {counted(len(found[1]), 'number')}; expected {len(state)}, as before"
            )
        check_size(found[1], self.metric)
        return found

    def _refused(self, why: str) -> MetricError:
        return MetricError(f"{type(self.metric).__name__}: {why}")


def ideal(metric: FoldMetric, a: Arithmetic, pool: Array) -> Array:
    """Return the fold's total on the pool sorted by descending grade, up to the cutoff, as a normaliser like nDCG's.

    Args:
        metric: Metric with the fold and the cutoff.
        a: Arithmetic of the grades.
        pool: (..., P, m) grades.

    Returns:
        Normalisers, (..., m).

    """
    best = descending(pool.swapaxes(-1, -2)).swapaxes(-1, -2)
    return metric.fold().total(a, best[..., : metric.cutoff, :])


def number_relevant(metric: FoldMetric, a: Arithmetic, pool: Array) -> Array:
    """Return the number of relevant documents per aspect, as a normaliser like AP's: (..., P, m) -> (..., m)."""
    return a.integers(positive(pool).sum(axis=-2))
