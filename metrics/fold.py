"""Folds over ranks, in which a document's gain depends on a state that earlier documents determine.

Most metrics in the catalogue score one aspect at a time, in rank order. The document at rank i earns a gain that
depends on its grade and on a small state, such as the probability that the user is still reading or the number of
relevant documents so far. The gain is multiplied by the discount D_i, and the state is updated. Both the scores of
batches and the proofs for rankings of every length use this definition. A proof shows that a property holds before
rank 1, and that each further document preserves it.

The total of aspect t is sum_i D_i gain(state_i, r_i). `axiomcheck.metrics.base.FoldMetric` combines totals into a
score.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from axiomcheck.core.errors import MetricError
from axiomcheck.core.own_code import is_own_class
from axiomcheck.core.packages import flint
from axiomcheck.core.typing import Array
from axiomcheck.numbers.arithmetic import Arithmetic, Balls, Floats, Rationals, Symbols, below, positive, select
from axiomcheck.numbers.discount import Discount
from axiomcheck.numbers.series import Series

State = tuple[Any, ...]
"""State of a fold. Its components are numbers, or arrays with the shape of the grades at one rank."""


_MOST_BITS = 50_000
"""Largest size in bits of a number in the state, about a thousand times the size of a float. A number whose size
doubles at every rank exceeds it near rank 15, and would soon fill the memory."""

TOO_LONG = f"longer than {_MOST_BITS:,} binary digits, which is too long for exact arithmetic"


def _check_size(fold: Fold, state: State) -> None:
    """Check that the exact numbers in a fold's state have not grown too long to compute with.

    Raises:
        MetricError: A number is too long.

    """
    for value in state:
        for part in value.terms.values() if isinstance(value, Series) else (value,):
            if isinstance(part, np.ndarray) and part.dtype != object:
                continue
            for number in np.asarray(part, dtype=object).reshape(-1):
                if type(number) is flint.fmpq and number.height_bits() > _MOST_BITS:
                    raise MetricError(
                        f"has a fold, {type(fold).__name__}, that makes a number in its state {TOO_LONG}; let the "
                        f"number grow by only a few digits per rank, as in left * (1 - r)"
                    )


class Fold(ABC):
    """Base class for folds, which score one aspect of a ranking document by document."""

    discount: Discount

    @abstractmethod
    def start(self, a: Arithmetic) -> State:
        """Return the state before rank 1."""

    @abstractmethod
    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        """Return the undiscounted gain of one document, and the state after it.

        Args:
            a: Arithmetic of the grades.
            state: State from `start` or from the previous `step`.
            r: Grades of the document in [0, 1], (...).

        """

    def total(self, a: Arithmetic, grades: Array) -> Array:
        """Return the sum of the discounted gains: grades (..., n, m) in rank order -> (..., m)."""
        n = grades.shape[-2]
        if n == 0:
            return a.integers(np.zeros((*grades.shape[:-2], grades.shape[-1]), dtype=np.int64))
        discounts = a.discounts(self.discount, n)
        state = self.start(a)
        if not state:  # folds without a state compute all ranks at once
            return (self.step(a, state, grades)[0] * discounts[:, None]).sum(axis=-2)
        plain = type(a) in _ELEMENTWISE and not {"start", "step"} & vars(self).keys()
        code = tuple(getattr(f, "__code__", f) for f in (type(self).start, type(self).step))
        at_once = _AT_ONCE.get(code) if plain else None
        gains = at_once(self, a, grades) if at_once else None
        if gains is not None:
            return _in_order(gains, discounts)
        total: Array = 0
        checked = not is_own_class(type(self))
        for i in range(n):
            gain, state = self.step(a, state, grades[..., i, :])
            if checked:
                _check_size(self, state)
            total = gain * discounts[i] + total if i else gain * discounts[i]
        return total


def _hits(a: Arithmetic, r: Array) -> Array:
    return a.integers(positive(r))


@dataclass(frozen=True)
class Additive(Fold):
    """Fold in which every document earns its grade, whatever the earlier documents.

    Args:
        discount: Discount by rank.
        binary: True if every positive grade counts as 1.

    """

    discount: Discount
    binary: bool = False

    def start(self, a: Arithmetic) -> State:
        """Return an empty state, since earlier documents have no effect."""
        return ()

    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        """Return the grade, or 1 for a positive grade if ``binary`` is set, and an empty state."""
        return (_hits(a, r) if self.binary else r), ()


@dataclass(frozen=True)
class Cascade(Fold):
    """Fold for a user whom a document of grade r satisfies with probability r, and who then stops.

    The state is the probability that the user reaches the rank.

    Args:
        discount: Discount by rank.
        binary: True if every document with a positive grade satisfies the user with certainty.

    """

    discount: Discount
    binary: bool = False

    def start(self, a: Arithmetic) -> State:
        """Return the initial state 1, since every user looks at rank 1."""
        return (a.number(Fraction(1)),)

    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        """Return the probability that this document satisfies the user, and the probability that she goes on."""
        (reached,) = state
        satisfied = _hits(a, r) if self.binary else r
        return reached * satisfied, (reached * (1 - satisfied),)


@dataclass(frozen=True)
class Novelty(Fold):
    """Fold with gain r (1 - alpha)^c, where c is the number of earlier documents on the aspect.

    The state is (1 - alpha)^c.

    Args:
        discount: Discount by rank.
        alpha: Share of the gain that each earlier document removes, in [0, 1].

    """

    discount: Discount
    alpha: Any

    def start(self, a: Arithmetic) -> State:
        """Return the initial state 1, since no document is redundant at rank 1."""
        return (a.number(Fraction(1)),)

    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        """Return the gain r (1 - alpha)^c, and the state (1 - alpha)^c with c counting this document too."""
        (kept,) = state
        return kept * r, (kept * (1 - select(positive(r), a.number(self.alpha))),)


_SUM_ROUNDING = 1e-12
"""Generous tolerance for rounding, as a share of a sum of grades."""


@dataclass(frozen=True)
class Filling(Fold):
    """Fold like `Novelty`, except that documents earn nothing once the aspect is full.

    An aspect is full when the sum of the grades so far reaches ``level``. The state is that of `Novelty`, and this sum.

    Args:
        discount: Discount by rank.
        alpha: Share of the gain that each earlier document removes, in [0, 1].
        level: Sum of grades that fills the aspect, > 0.
        strict: True if the sum must exceed the level to fill the aspect.

    """

    discount: Discount
    alpha: Any
    level: Any
    strict: bool = False

    def start(self, a: Arithmetic) -> State:
        """Return the initial state (1, 0), since no document is redundant and the aspect is empty."""
        return (a.number(Fraction(1)), a.number(Fraction(0)))

    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        """Return the gain of `Novelty`, or 0 if the aspect is full, and the new state."""
        kept, so_far = state
        level = self.limit(a)
        has_room = np.logical_not(positive(so_far - level)) if self.strict else below(so_far, level)
        gain = select(has_room, kept * r)
        return gain, (kept * (1 - select(positive(r), a.number(self.alpha))), so_far + r)

    def limit(self, a: Arithmetic) -> Any:
        """Return the level as a number in an arithmetic; in floats, with a tolerance for rounding of the sum."""
        level = a.number(self.level)
        if isinstance(a, Floats):
            level *= 1 + _SUM_ROUNDING if self.strict else 1 - _SUM_ROUNDING
        return level


@dataclass(frozen=True)
class HitCount(Fold):
    """Fold in which a relevant document earns the number of relevant documents so far, including itself.

    With the discount 1 / i, the total is the sum of the precision at the ranks of relevant documents, as in AP.

    Args:
        discount: Discount by rank.

    """

    discount: Discount

    def start(self, a: Arithmetic) -> State:
        """Return the initial state 0, the number of relevant documents so far."""
        return (a.number(Fraction(0)),)

    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        """Return the gain and the new number of relevant documents. The gain is this number, or 0 if r is 0."""
        (before,) = state
        hit = _hits(a, r)
        return hit * (before + hit), (before + hit,)


# ------------------------------------------------------------------------------------------ all ranks at once
#
# Vectorised versions of the steps above, with one array operation for all ranks instead of one per rank. They do the
# same operations in the same order, so they give the same doubles, rationals and balls. They return None for a series
# that does not have the form that the search uses. Such a series is computed step by step.


def _novelty_gains(fold: Novelty | Filling, a: Arithmetic, grades: Array) -> Array | None:
    if isinstance(grades, Series) and not _as_searched(grades):
        return None
    one = a.number(Fraction(1))
    return _before(np.multiply, np.where(positive(grades), 1 - a.number(fold.alpha), one), one) * grades


def _filling_gains(fold: Filling, a: Arithmetic, grades: Array) -> Array | None:
    gains = _novelty_gains(fold, a, grades)
    if isinstance(grades, Series):  # no sum of infinitesimal grades reaches a level
        return gains
    so_far, level = _before(np.add, grades, a.number(Fraction(0))), fold.limit(a)
    return select(so_far <= level if fold.strict else so_far < level, gains)


def _cascade_gains(fold: Cascade, a: Arithmetic, grades: Array) -> Array | None:
    satisfied = _hits(a, grades) if fold.binary else grades
    if not isinstance(satisfied, Series):
        return _before(np.multiply, 1 - satisfied, a.number(Fraction(1))) * satisfied
    if not _as_searched(satisfied):
        return None
    # reached = 1 - eps (sum of the grades above) + ...; the gain's terms beyond order 2 are dropped
    r, n = satisfied.terms[1], satisfied.shape[-2]
    later = {2: -(_before(np.add, r, 0.0) * r)} if n > 1 else {}
    return Series({1: r, **later}, satisfied.keep, satisfied.dropped or n > 2)


def _hit_count_gains(fold: HitCount, a: Arithmetic, grades: Array) -> Array:
    del fold
    hits = _hits(a, grades)
    return hits * (_before(np.add, hits, a.number(Fraction(0))) + hits)


def _code_of(kind: type[Fold]) -> tuple[Any, Any]:
    """Return the code objects of `start` and `step` of a fold class, the key of its vectorised version."""
    return kind.start.__code__, kind.step.__code__


_ELEMENTWISE = (Floats, Rationals, Balls, Symbols)
_AT_ONCE: dict[Any, Callable[[Any, Arithmetic, Array], Array | None]] = {
    _code_of(Novelty): _novelty_gains,
    _code_of(Filling): _filling_gains,
    _code_of(Cascade): _cascade_gains,
    _code_of(HitCount): _hit_count_gains,
}
"""Vectorised versions, keyed by code objects, so that a class that overrides `start` or `step` never uses them."""


def _as_searched(grades: Series) -> bool:
    """Return True if a series has the form that the search uses: only a float term of order 1, truncated at order 2."""
    return grades.terms.keys() == {1} and grades.keep == 2 and not grades.is_exact


def _before(add: np.ufunc, x: Array, start: Any) -> Array:
    """Accumulate x (..., n, m) over the earlier ranks with a ufunc, such as np.add; rank 1 gets ``start``."""
    out = np.empty_like(x)
    ranks, before = np.moveaxis(x, -2, 0), np.moveaxis(out, -2, 0)
    before[0] = start
    for i in range(1, len(ranks)):
        add(before[i - 1], ranks[i - 1], before[i])
    return out


def _in_order(gains: Array, discounts: Array) -> Array:
    """Return the discounted sum of gains (..., n, m) -> (..., m).

    Ranks are added in order, so that the rounding does not depend on the memory layout.
    """
    if isinstance(gains, Series):
        return gains.map(lambda c: _in_order(c, discounts))
    ranks = np.moveaxis(gains * discounts[:, None], -2, 0)
    total = ranks[0].copy(order="K")
    for i in range(1, len(ranks)):
        np.add(total, ranks[i], total)
    return total
