"""Metrics with a known fault: each breaks one axiom by a hair, or satisfies it by one.

A planted metric says which axiom it is about, in which regime, and whether it breaks it there. Here are those about
axioms of one aspect; `planted_aspects` has the others, and lists all.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar

import numpy as np

from axiomcheck.core.domain import Domain, Regime
from axiomcheck.metrics import Metric, Tail
from axiomcheck.numbers.arithmetic import Arithmetic, positive, to_fmpq
from axiomcheck.numbers.discount import Discount

Array = Any


@dataclass(frozen=True, eq=False)
class Hyperbola(Discount):
    """``scale / (scale - 1 + i)``: 1 at rank 1, 1 / i where scale is 1, slower where it is larger.

    Args:
        scale: above 0.
        bumps: (rank, number) pairs; the number is added to the discount of that rank.
        falls_from: the discounts from this rank on are lower by ``fall``.
        fall: by how much.
    """

    scale: Fraction = Fraction(1)
    bumps: tuple[tuple[int, Fraction], ...] = ()
    falls_from: int = 1
    fall: Fraction = Fraction(0)

    def rational(self, rank: int) -> Fraction:
        return _of_rank(self, rank)


@cache
def _of_rank(discount: Hyperbola, rank: int) -> Fraction:
    scale, bumps = discount.scale, dict(discount.bumps)
    value = scale / (scale - 1 + rank) + bumps.get(rank, 0)
    return value - discount.fall if rank >= discount.falls_from else value


@dataclass(frozen=True)
class Constant(Discount):
    value: Fraction = Fraction(1)
    except_at: tuple[tuple[int, Fraction], ...] = ()

    def rational(self, rank: int) -> Fraction:
        return dict(self.except_at).get(rank, self.value)


HARMONIC = Hyperbola()


@cache
def tied(rank: int, more: Fraction = Fraction(0)) -> Hyperbola:
    """1 / i, but rank ``rank + 1`` has the discount of ``rank``, and so much more."""
    return Hyperbola(bumps=((rank + 1, Fraction(1, rank) - Fraction(1, rank + 1) + more),))


def uneven(first: int, more: Fraction) -> Hyperbola:
    """1 / i with later ranks lowered: the step down after rank ``first + 2`` is that after ``first``, and ``more``."""

    def step(i: int) -> Fraction:
        return Fraction(1, i) - Fraction(1, i + 1)

    return Hyperbola(falls_from=first + 3, fall=step(first) - step(first + 2) + more)


def over_aspects(gains: Array, weights: Array) -> Array:
    """sum_t w g: (..., n, m) -> (..., n)."""
    return (gains * weights[..., None, :]).sum(axis=-1)


def table(a: Arithmetic, values: list[list[Fraction]]) -> Array:
    """Constants as an array of the arithmetic."""
    numbers = [[a.number(v) for v in row] for row in values]
    exact = not isinstance(numbers[0][0], float)
    out = np.empty((len(values), len(values[0])), dtype=object if exact else np.float64)
    out[...] = numbers
    return out


def rounded_down(x: Array, steps: int) -> Array:
    """x as a multiple of 1 / steps (a power of two), rounded down; not for series."""
    if x.dtype != object:
        return np.floor(x * steps) / steps
    out = np.empty(x.shape, dtype=object)
    out.reshape(-1)[:] = [to_fmpq(Fraction(int((v * steps).floor()), steps)) for v in x.reshape(-1)]
    return out


class Planted(Metric):
    """Base of the planted metrics: the discounted sum of sum_t w r, until a subclass changes something.

    ``axiom`` is what it is about, ``breaks`` whether it breaks it in ``regime`` and ``domain``.
    """

    summary = "planted"
    source = "planted"
    axiom: ClassVar[str]
    breaks: ClassVar[bool]
    regime: ClassVar[Regime] = Regime.STATED
    domain: ClassVar[Domain] = Domain.GRADED
    discount: ClassVar[Discount] = HARMONIC

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return (self.per_rank(a, grades, weights, pool) * a.discounts(self.shown(grades, pool), grades.shape[-2])).sum(
            axis=-1
        )

    def shown(self, grades: Array, pool: Array) -> Discount:
        """The discount, where it depends on sizes."""
        return self.discount

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """(..., n): what each rank earns before its discount."""
        return over_aspects(grades, weights)


def variant(base: type[Planted], name: str, breaks: bool, **changed: Any) -> Any:
    """Return a planted metric that differs from another in what is given: attributes, and functions for methods."""
    return type(name, (base,), {"name": name, "breaks": breaks, **changed})


def discounted(name: str, axiom: str, breaks: bool, discount: Discount, cutoff: int | None = None) -> Any:
    """Return a planted metric that differs from the others in its discount, and in its cutoff, alone."""
    return variant(Planted, name, breaks, axiom=axiom, discount=discount, default_cutoff=cutoff)


PriFlatAtSeven = discounted("pri-flat-at-7", "Pri", True, tied(7))
"""Ranks 7 and 8 are worth the same."""


PriLastRank = discounted("pri-last-rank", "Pri", True, tied(19, Fraction(1, 10**11)))
"""The deepest pair of neighbours that is searched, 1e-11 the wrong way round; a rare one."""

PriBelowFloats = discounted("pri-below-floats", "Pri", True, tied(7, Fraction(1, 10**18)))
"""Rank 8 is worth 1e-18 more than rank 7: no double shows it."""

PriFlatWithExtras = variant(
    Planted,
    "pri-flat-with-extras",
    True,
    axiom="Pri",
    shown=lambda self, grades, pool: tied(7) if pool.shape[-2] - grades.shape[-2] == 3 else HARMONIC,
)
"""Ranks 7 and 8 are worth the same where the pool holds exactly three documents besides."""

PriBarely = discounted(
    "pri-barely",
    "Pri",
    False,
    Hyperbola(bumps=(*tied(7, -Fraction(1, 10**9)).bumps, *tied(15, -Fraction(1, 10**18)).bumps)),
)
"""Rank 8 is worth 1e-9 less than rank 7, and rank 16 1e-18 less than rank 15."""


DeepUnevenLast = discounted("deep-uneven-last", "Deep", True, uneven(17, Fraction(1, 10**9)))
"""The step down after rank 19, the last that is searched, is 1e-9 above that after rank 17."""

DeepBarely = discounted("deep-barely", "Deep", False, uneven(7, -Fraction(1, 10**10)))
"""The step down after rank 9 is 1e-10 below that after rank 7."""


DeepThTopIgnored = discounted("deepth-top-ignored", "DeepTh", True, Hyperbola(bumps=((1, Fraction(-1)),)), cutoff=7)
"""Rank 1 earns nothing, nor does any rank past the cutoff: a tie for every large n."""


class DeepThBarely(Planted):
    """With 7 / (5i + 2) a long block is worth less than 1.4 ln 2 = 0.97 top documents."""

    name, axiom, breaks = "deepth-barely", "DeepTh", False
    discount = Hyperbola(Fraction(7, 5))

    def tail(self) -> Tail:
        return Tail(
            "below",
            1,
            lambda n: 1.4 * float(np.log(2)),
            "L(n)/T = sum_{j=1..n} 7 / (5n + 5j + 2) < 1.4 ln((10n + 2) / (5n + 2)) < 1.4 ln 2 < 1",
        )


CloseThJustMisses = variant(DeepThBarely, "closeth-just-misses", True, axiom="CloseTh")
"""The block comes up to 0.97 of the top document."""

CloseThTies = discounted(
    "closeth-ties",
    "CloseTh",
    True,
    Constant(Fraction(1, 2), except_at=((1, Fraction(1)), (2, Fraction(3, 4)))),
    cutoff=4,
)
"""At n = 2 the block is worth the top document exactly, elsewhere less."""

CloseThBarely = discounted(
    "closeth-barely",
    "CloseTh",
    False,
    Constant(Fraction(1, 2), except_at=((1, Fraction(1) - Fraction(1, 10**9)), (2, Fraction(3, 4)))),
    cutoff=4,
)
"""At n = 2 the block is worth 1e-9 more than the top document."""


class Costly(Planted):
    """The discounted sum less a cost that depends on the ranking's length and grades."""

    axiom = "Conf"

    def cost(self, a: Arithmetic, grades: Array, pool: Array) -> Array:
        raise NotImplementedError

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return super().kernel(a, grades, weights, pool) - self.cost(a, grades, pool)


class ConfLastMissFree(Costly):
    """After nineteen relevant documents, the first miss, at the deepest rank searched, is free; a rare one."""

    name, breaks = "conf-last-miss-free", True
    full = 19

    def cost(self, a: Arithmetic, grades: Array, pool: Array) -> Array:
        hits = positive(grades)[..., 0]
        n = grades.shape[-2]
        misses = n - hits.sum(axis=-1)
        free = hits[..., : self.full].all(axis=-1) & (n > self.full) & (misses > 0)
        return a.integers(misses - free) * a.number(Fraction(1, 100))


ConfBarely = variant(
    Costly, "conf-barely", False, cost=lambda self, a, grades, pool: a.number(Fraction(grades.shape[-2], 10**9))
)
"""Every document costs 1e-9."""


ONE_ASPECT: tuple[type[Planted], ...] = (
    *(PriFlatAtSeven, PriLastRank, PriBelowFloats, PriFlatWithExtras, PriBarely),
    *(DeepUnevenLast, DeepBarely),
    *(DeepThTopIgnored, DeepThBarely),
    *(CloseThJustMisses, CloseThTies, CloseThBarely),
    *(ConfLastMissFree, ConfBarely),
)
"""Those about axioms of one aspect, in the order of the axioms."""
