"""Metrics with a known fault: each breaks one axiom by a hair, or satisfies it by one.

A planted metric says which axiom it is about, in which regime, and whether it breaks it there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar

import numpy as np

from axiomcheck.core.domain import Domain, Regime
from axiomcheck.metrics import Metric, Tail
from axiomcheck.numbers.arithmetic import Arithmetic, positive, select, survival, to_fmpq
from axiomcheck.numbers.discount import Discount

Array = Any


@dataclass(frozen=True, eq=False)
class ByRank(Discount):
    """Discount whose value at each rank is given by a function."""

    function: Callable[[int], Fraction]

    def rational(self, rank: int) -> Fraction:
        return self.function(rank)


def except_at(values: Mapping[int, Fraction], otherwise: Fraction = Fraction(1)) -> ByRank:
    """Return a discount of some values by rank, and of one value elsewhere."""
    return ByRank(lambda rank: values.get(rank, otherwise))


def harmonic(bumps: Mapping[int, Fraction]) -> ByRank:
    """Return 1 / i, and so much more at some ranks."""
    return ByRank(lambda rank: Fraction(1, rank) + bumps.get(rank, 0))


HARMONIC = harmonic({})


def bump(rank: int, more: Fraction) -> dict[int, Fraction]:
    """Return what gives rank ``rank + 1`` the discount of ``rank``, and so much more."""
    return {rank + 1: Fraction(1, rank) - Fraction(1, rank + 1) + more}


@cache
def tied(rank: int, more: Fraction = Fraction(0)) -> ByRank:
    """1 / i, but rank ``rank + 1`` has the discount of ``rank``, and so much more."""
    return harmonic(bump(rank, more))


def uneven(first: int, more: Fraction) -> ByRank:
    """1 / i with later ranks lowered: the step down after rank ``first + 2`` is that after ``first``, and ``more``."""

    def step(i: int) -> Fraction:
        return Fraction(1, i) - Fraction(1, i + 1)

    fall = step(first) - step(first + 2) + more
    return ByRank(lambda rank: Fraction(1, rank) - fall * (rank >= first + 3))


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
    harmonic(bump(7, -Fraction(1, 10**9)) | bump(15, -Fraction(1, 10**18))),
)
"""Rank 8 is worth 1e-9 less than rank 7, and rank 16 1e-18 less than rank 15."""


DeepUnevenLast = discounted("deep-uneven-last", "Deep", True, uneven(17, Fraction(1, 10**9)))
"""The step down after rank 19, the last that is searched, is 1e-9 above that after rank 17."""

DeepBarely = discounted("deep-barely", "Deep", False, uneven(7, -Fraction(1, 10**10)))
"""The step down after rank 9 is 1e-10 below that after rank 7."""


DeepThTopIgnored = discounted("deepth-top-ignored", "DeepTh", True, harmonic({1: Fraction(-1)}), cutoff=7)
"""Rank 1 earns nothing, nor does any rank past the cutoff: a tie for every large n."""


class DeepThBarely(Planted):
    """With 7 / (5i + 2) a long block is worth less than 1.4 ln 2 = 0.97 top documents."""

    name, axiom, breaks = "deepth-barely", "DeepTh", False
    discount = ByRank(lambda rank: Fraction(7, 5 * rank + 2))

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
    except_at({1: Fraction(1), 2: Fraction(3, 4)}, Fraction(1, 2)),
    cutoff=4,
)
"""At n = 2 the block is worth the top document exactly, elsewhere less."""

CloseThBarely = discounted(
    "closeth-barely",
    "CloseTh",
    False,
    except_at({1: 1 - Fraction(1, 10**9), 2: Fraction(3, 4)}, Fraction(1, 2)),
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


class AspDivBlindRank(Planted):
    """Rank 13 earns nothing where there are four aspects; a rare one."""

    name, axiom, breaks = "aspdiv-blind-rank", "AspDiv", True
    without_13 = harmonic({13: -Fraction(1, 13)})

    def shown(self, grades: Array, pool: Array) -> Discount:
        return self.without_13 if grades.shape[-1] == 4 else HARMONIC


class AspDivBarely(Planted):
    """All aspects but the last count 1e-6 times their weight."""

    name, axiom, breaks = "aspdiv-barely", "AspDiv", False

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        m = grades.shape[-1]
        factors = table(a, [[Fraction(1) if t == m - 1 else Fraction(1, 10**6) for t in range(m)]])
        return over_aspects(grades * factors, weights)


class Novelty(Planted):
    """Each aspect's gain is halved by every earlier document on it that is remembered."""

    axiom = "Red"
    alpha: ClassVar[Fraction] = Fraction(1, 2)
    forgets: ClassVar[int] = -1
    """An aspect of which no document is remembered, counted from 0."""

    def remembered(self, hits: Array) -> Array:
        return hits & (np.arange(hits.shape[-1]) != self.forgets)

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        kept = survival(select(self.remembered(positive(grades)), a.number(self.alpha)), axis=-2)
        return over_aspects(grades * kept, weights)


RedForgetsNinth = variant(Novelty, "red-forgets-ninth", True, forgets=8)
"""The ninth aspect is never redundant: only patterns have so many."""

RedBarely = variant(Novelty, "red-barely", False, alpha=Fraction(1, 10**6))
"""Redundancy costs a millionth."""


class Cascade(Planted):
    """Each aspect's gain shrinks by what earlier documents satisfied of it."""

    def seen(self, a: Arithmetic, grades: Array) -> Array:
        """(..., n, m): the grades as later documents see them."""
        return grades

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return over_aspects(grades * survival(self.seen(a, grades), axis=-2), weights)


class MRedFifth(Cascade):
    """The fifth document makes what follows on its aspects worth a hundredth more instead of less; a rare one."""

    name, axiom, breaks = "mred-fifth", "MRed", True
    signs = except_at({5: Fraction(-1, 100)})

    def seen(self, a: Arithmetic, grades: Array) -> Array:
        return grades * a.discounts(self.signs, grades.shape[-2])[..., None]


class MRedBarely(Cascade):
    """Earlier documents satisfy a thousandth of what they are worth, the fifth nothing."""

    name, axiom, breaks = "mred-barely", "MRed", False
    share = except_at({5: Fraction(0)}, Fraction(1, 1000))

    def seen(self, a: Arithmetic, grades: Array) -> Array:
        return grades * a.discounts(self.share, grades.shape[-2])[..., None]


class Leaking(Planted):
    """A cascade in which a satisfied aspect still earns a little."""

    axiom = "Sat"

    def leak(self, rank: int, aspect: int, aspects: int) -> Fraction:
        return Fraction(0)

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        n, m = grades.shape[-2:]
        leaks = table(a, [[self.leak(i, t, m) for t in range(1, m + 1)] for i in range(1, n + 1)])
        return over_aspects(grades * (survival(grades, axis=-2) + leaks), weights)


SatLeaksAtFifteen = variant(
    Leaking,
    "sat-leaks-at-15",
    True,
    leak=lambda self, rank, aspect, aspects: Fraction(rank == 15 and aspect == 4, 10**9),
)
"""1e-9 leaks at rank 15, on the fourth aspect; a rare one."""


class SatBarely(Leaking):
    """A thousandth leaks, and each document costs as much as could."""

    name, breaks = "sat-barely", False

    def leak(self, rank: int, aspect: int, aspects: int) -> Fraction:
        return Fraction(1, 1000)

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return super().per_rank(a, grades, weights, pool) - a.number(Fraction(1, 1000))


AspRelRoundsWeights = variant(
    Planted,
    "asprel-rounds-weights",
    True,
    axiom="AspRel",
    per_rank=lambda self, a, grades, weights, pool: over_aspects(grades, rounded_down(weights, 2**27)),
)
"""Weights count in steps of 2**-27: only those of patterns are closer."""

AspRelBarely = variant(
    Planted,
    "asprel-barely",
    False,
    axiom="AspRel",
    per_rank=lambda self, a, grades, weights, pool: over_aspects(
        grades, weights * a.number(Fraction(1, 10**6)) + a.number(Fraction(1))
    ),
)
"""Aspects count 1 plus a millionth of their weight."""


PriRoundsFinely = variant(
    Planted,
    "pri-rounds-finely",
    True,
    axiom="Pri",
    regime=Regime.FINITE,
    per_rank=lambda self, a, grades, weights, pool: over_aspects(rounded_down(grades, 2**20), weights),
)
"""Grades count in steps of 2**-20: only those of patterns are closer."""


CostsHardlyAnything = variant(
    Costly,
    "costs-hardly-anything",
    True,
    regime=Regime.FINITE,
    cost=lambda self, a, grades, pool: a.number(Fraction(min(grades.shape[-2], 8), 10**20)),
)
"""Only the first eight documents cost anything, 1e-20 each."""


PLANTED: tuple[type[Planted], ...] = (
    *(PriFlatAtSeven, PriLastRank, PriBelowFloats, PriFlatWithExtras, PriBarely),
    *(DeepUnevenLast, DeepBarely),
    *(DeepThTopIgnored, DeepThBarely),
    *(CloseThJustMisses, CloseThTies, CloseThBarely),
    *(ConfLastMissFree, ConfBarely),
    *(AspDivBlindRank, AspDivBarely),
    *(RedForgetsNinth, RedBarely),
    *(MRedFifth, MRedBarely),
    *(SatLeaksAtFifteen, SatBarely),
    *(AspRelRoundsWeights, AspRelBarely),
    *(PriRoundsFinely, CostsHardlyAnything),
)
"""In the order of the axioms, and then those that only patterns find."""
