"""A fold declared in one class of a user's own file: start, step, discount, normaliser, cost, parameters.

Where a metric of the catalogue says which fold it is scored by, a declared fold *is* one: its class says what state
there is before rank 1 and what one document earns. Nothing in there says which arithmetic it runs in, so the same lines
are scored in floats and run on symbols in proofs.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from axiomcheck.core.counting import counted
from axiomcheck.core.domain import exact
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.typing import Array
from axiomcheck.metrics.base import FoldMetric
from axiomcheck.metrics.fold import Fold, State, check_size
from axiomcheck.metrics.parameters import Base, Parameter, Real
from axiomcheck.numbers.arithmetic import Arithmetic, descending, positive
from axiomcheck.numbers.discount import Discount

_TAKEN = ("k", "rc")
"""Names that regions have for the cutoff and the grade of relevant documents."""


class DeclaredFold(FoldMetric):
    """Base of a user's own fold: ``class MyMetric(DeclaredFold)``, made as ``MyMetric(cutoff, p=0.9)``.

    The score is that of `FoldMetric`. Parameters are listed in ``declared``, such as ``(Real("p", 0.8),)``; their
    values are ``self.values["p"]``: in `start` and `step` numbers of the grades' arithmetic, elsewhere exact ones.
    `scale` and `cost` are as `FoldMetric` has them. ``normaliser = ideal`` or ``normaliser = number_relevant`` divides
    each aspect's total.
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
                    f"{cls.__name__}: a parameter is called {name!r}; expected a word as of a variable, each another "
                    f"one, not ending in _, and none of {', '.join(_TAKEN)}"
                )

    @abstractmethod
    def discount(self) -> Discount:
        """Return what a rank is worth: `Constant`, `Geometric`, `Reciprocal`, `InverseLog`."""

    def start(self) -> State:
        """The state before rank 1: a tuple of numbers, empty where nothing goes from rank to rank."""
        return ()

    @abstractmethod
    def step(self, state: State, r: Array) -> tuple[Array, State]:
        """Return what one document earns, before the discount, and the state after it.

        Args:
            state: as `start` or an earlier `step` left it.
            r: the document's grades (...), in [0, 1], each of another aspect or ranking.

        """

    def fold(self) -> Fold:
        """The fold that the class declares."""
        discount = self.discount()
        if not isinstance(discount, Discount):
            raise MetricError(
                f"{type(self).__name__}: discount returned {type(discount).__name__}; expected Geometric(...), "
                "Reciprocal(), InverseLog(...) or Constant()"
            )
        return _AsDeclared(self, discount)

    def among(self, a: Arithmetic) -> DeclaredFold:
        """The metric with its parameters as numbers of an arithmetic; symbols stay what they are."""
        numeric = (p.name for p in self.declared if isinstance(p, Real | Base) and self.values[p.name] is not None)
        placed = self.at({name: a.number(self.values[name]) for name in numeric}) if self.declared else self
        assert isinstance(placed, DeclaredFold)
        return placed


@dataclass(frozen=True)
class _AsDeclared(Fold):
    """A declared fold as the fold that it is.

    Args:
        metric: that declares it.
        discount: by rank.

    """

    metric: DeclaredFold
    discount: Discount

    def start(self, a: Arithmetic) -> State:
        """Run as declared; whole numbers, decimals and fractions are exact."""
        declared = self.metric.among(a).start()
        if not isinstance(declared, tuple):
            raise self._refused(f"start returned {type(declared).__name__}; expected a tuple of numbers, such as (1,)")
        return tuple(
            a.number(exact(x, "start")) if isinstance(x, int | float | str | Fraction) else x for x in declared
        )

    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        """Run as declared."""
        found = self.metric.among(a).step(state, r)
        if not (isinstance(found, tuple) and len(found) == 2 and isinstance(found[1], tuple)):
            raise self._refused(
                "step did not return (gain, state), the state a tuple; return gain, () where nothing goes on"
            )
        if len(found[1]) != len(state):
            raise self._refused(
                f"step returned a state of {counted(len(found[1]), 'number')} after one of {len(state)}"
            )
        check_size(found[1], self.metric)
        return found

    def _refused(self, why: str) -> MetricError:
        return MetricError(f"{type(self.metric).__name__}: {why}")


def ideal(metric: FoldMetric, a: Arithmetic, pool: Array) -> Array:
    """The normaliser of nDCG: what the fold earns on the pool's grades in descending order, cut at the cutoff.

    Args:
        metric: whose fold and cutoff it is.
        a: the arithmetic.
        pool: (..., P, m).

    Returns:
        (..., m).

    """
    best = descending(pool.swapaxes(-1, -2)).swapaxes(-1, -2)
    return metric.fold().total(a, best[..., : metric.cutoff, :])


def number_relevant(metric: FoldMetric, a: Arithmetic, pool: Array) -> Array:
    """The normaliser of average precision: the number of relevant documents, (..., P, m) -> (..., m)."""
    return a.integers(positive(pool).sum(axis=-2))
