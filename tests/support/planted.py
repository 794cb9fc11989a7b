"""Metrics with a known fault: each breaks one axiom by a hair, or satisfies it by one.

A planted metric says which axiom it is about, in which regime, and whether it breaks it there. `PLANTED` holds them
all, `BLIND_SPOTS` those whose fault the search cannot see.
"""

from __future__ import annotations

from fractions import Fraction

from axiomcheck.core.domain import Regime
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.numbers.discount import Discount
from tests.support import planted_aspects, planted_one_aspect
from tests.support.planted_aspects import AspRelRoundsWeights, Novelty
from tests.support.planted_base import HARMONIC, Array, Planted, discounted, over_aspects, rounded_down, tied
from tests.support.planted_one_aspect import Costly

# ---------------------------------------------------------------------------------------------------- blind spots


BlindRankFortyFive = discounted("blind-rank-45", "Pri", True, tied(45))
"""Ranks 45 and 46 are worth the same: past the longest rankings that are searched."""


class BlindGrades(Planted):
    """Grades count in steps of 2**-20: no sampled grades are closer."""

    name, axiom, breaks, regime = "blind-grades", "Pri", True, Regime.FINITE

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return over_aspects(rounded_down(grades, 2**20), weights)


class BlindWeights(AspRelRoundsWeights):
    """Weights count in steps of 2**-27: no sampled weights are closer."""

    name, axiom, breaks = "blind-weights", "AspRel", True
    steps = 2**27


class BlindNinthAspect(Novelty):
    """The ninth aspect is never redundant."""

    name, breaks, forgets = "blind-ninth-aspect", True, 8


class BlindExtras(Planted):
    """Ranks 2 and 3 are worth the same where forty judged documents are not retrieved."""

    name, axiom, breaks = "blind-extras", "Pri", True

    def shown(self, grades: Array, pool: Array) -> Discount:
        return tied(2) if pool.shape[-2] - grades.shape[-2] == 40 else HARMONIC


class BlindCost(Costly):
    """Only the first eight documents cost anything, 1e-20 each."""

    name, breaks, regime = "blind-cost", True, Regime.FINITE

    def cost(self, a: Arithmetic, grades: Array, pool: Array) -> Array:
        return a.number(Fraction(min(grades.shape[-2], 8), 10**20))


PLANTED = (*planted_one_aspect.PLANTED, *planted_aspects.PLANTED)
"""In the order of the axioms."""

BLIND_SPOTS: tuple[type[Planted], ...] = (
    BlindRankFortyFive,
    BlindGrades,
    BlindWeights,
    BlindNinthAspect,
    BlindExtras,
    BlindCost,
)
"""Faults outside what the search tries, or below what it can tell."""
