"""Metrics with a known fault: each breaks one axiom by a hair, or satisfies it by one.

A planted metric says which axiom it is about, in which regime, and whether it breaks it there. `PLANTED` holds them
all, `BLIND_SPOTS` those whose fault the search cannot see.
"""

from __future__ import annotations

from fractions import Fraction

from axiomcheck.core.domain import Regime
from tests.support import planted_aspects, planted_one_aspect
from tests.support.planted_aspects import AspRelRoundsWeights, Novelty
from tests.support.planted_base import HARMONIC, Planted, discounted, over_aspects, rounded_down, tied, variant
from tests.support.planted_one_aspect import Costly

BlindRankFortyFive = discounted("blind-rank-45", "Pri", True, tied(45))
"""Ranks 45 and 46 are worth the same: past the longest rankings that are searched."""

BlindGrades = variant(
    Planted,
    "blind-grades",
    True,
    axiom="Pri",
    regime=Regime.FINITE,
    per_rank=lambda self, a, grades, weights, pool: over_aspects(rounded_down(grades, 2**34), weights),
)
"""Grades count in steps of 2**-34: no grades that are tried are closer."""

PriRoundsFinely = variant(
    BlindGrades,
    "pri-rounds-finely",
    True,
    per_rank=lambda self, a, grades, weights, pool: over_aspects(rounded_down(grades, 2**20), weights),
)
"""Grades count in steps of 2**-20: only those of patterns are closer."""

BlindWeights = variant(AspRelRoundsWeights, "blind-weights", True, axiom="AspRel", steps=2**40)
"""Weights count in steps of 2**-40: no weights that are tried are closer."""

AspRelRoundsMostFinely = variant(AspRelRoundsWeights, "asprel-rounds-most-finely", True, axiom="AspRel", steps=2**27)
"""Weights count in steps of 2**-27: only those of patterns are closer."""

BlindThirteenthAspect = variant(Novelty, "blind-thirteenth-aspect", True, forgets=12)
"""The thirteenth aspect is never redundant."""

RedForgetsNinth = variant(Novelty, "red-forgets-ninth", True, forgets=8)
"""The ninth aspect is never redundant: only patterns have so many."""

BlindExtras = variant(
    Planted,
    "blind-extras",
    True,
    axiom="Pri",
    shown=lambda self, grades, pool: tied(2) if pool.shape[-2] - grades.shape[-2] == 40 else HARMONIC,
)
"""Ranks 2 and 3 are worth the same where forty judged documents are not retrieved."""

CostsHardlyAnything = variant(
    Costly,
    "costs-hardly-anything",
    True,
    regime=Regime.FINITE,
    cost=lambda self, a, grades, pool: a.number(Fraction(min(grades.shape[-2], 8), 10**20)),
)
"""Only the first eight documents cost anything, 1e-20 each."""


PLANTED = (
    *planted_one_aspect.PLANTED,
    *planted_aspects.PLANTED,
    *(PriRoundsFinely, CostsHardlyAnything, RedForgetsNinth, AspRelRoundsMostFinely),
)
"""In the order of the axioms, and then those that only patterns find."""

BLIND_SPOTS: tuple[type[Planted], ...] = (
    BlindRankFortyFive,
    BlindGrades,
    BlindWeights,
    BlindThirteenthAspect,
    BlindExtras,
)
"""Faults outside what the search tries, or below what it can tell."""
