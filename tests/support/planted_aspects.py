"""Planted metrics about the axioms of several aspects, and the list of all."""

from fractions import Fraction
from typing import ClassVar

import numpy as np

from axiomcheck.core.domain import Regime
from axiomcheck.numbers.arithmetic import Arithmetic, positive, select, survival
from axiomcheck.numbers.discount import Discount
from tests.support.planted import (
    HARMONIC,
    ONE_ASPECT,
    Array,
    Constant,
    Costly,
    Hyperbola,
    Planted,
    over_aspects,
    rounded_down,
    table,
    variant,
)


class AspDivBlindRank(Planted):
    """Rank 13 earns nothing where there are four aspects; a rare one."""

    name, axiom, breaks = "aspdiv-blind-rank", "AspDiv", True
    without_13 = Hyperbola(bumps=((13, -Fraction(1, 13)),))

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

    def seen(self, a: Arithmetic, grades: Array) -> Array:
        signs = a.discounts(Constant(except_at=((5, Fraction(-1, 100)),)), grades.shape[-2])
        return grades * signs[..., None]


class MRedBarely(Cascade):
    """Earlier documents satisfy a thousandth of what they are worth, the fifth nothing."""

    name, axiom, breaks = "mred-barely", "MRed", False

    def seen(self, a: Arithmetic, grades: Array) -> Array:
        n = grades.shape[-2]
        share = Constant(Fraction(1, 1000), except_at=((5, Fraction(0)),) if n > 2 else ())
        return grades * a.discounts(share, n)[..., None]


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


SEVERAL_ASPECTS: tuple[type[Planted], ...] = (
    *(AspDivBlindRank, AspDivBarely),
    *(RedForgetsNinth, RedBarely),
    *(MRedFifth, MRedBarely),
    *(SatLeaksAtFifteen, SatBarely),
    *(AspRelRoundsWeights, AspRelBarely),
)
"""In the order of the axioms."""

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


PLANTED = (*ONE_ASPECT, *SEVERAL_ASPECTS, PriRoundsFinely, CostsHardlyAnything)
"""In the order of the axioms, and then those that only patterns find."""
