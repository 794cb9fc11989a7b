"""Metrics with a known fault: each breaks one axiom by a hair, or satisfies it by one.

A planted metric says which axiom it is about, in which regime, and whether it breaks it there. `PLANTED` holds them
all, `BLIND_SPOTS` those whose fault the search cannot see.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from axiomcheck.core.domain import Regime
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.numbers.discount import Discount
from tests.support.planted_aspects import (
    AspDivBarely,
    AspDivBlindRank,
    AspDivCapped,
    AspDivPenalty,
    AspRelBarely,
    AspRelCapped,
    AspRelRoundsFinely,
    AspRelRoundsVeryFinely,
    AspRelRoundsWeights,
    AspRelUnweightedDeep,
    MRedBarely,
    MRedFifth,
    MRedFifthSlightly,
    MRedOverlooksFaint,
    MRedRounds,
    Novelty,
    RedBarely,
    RedForgetsFifth,
    RedForgetsFourth,
    RedForgetsThird,
    RedLongWindow,
    RedSixAtMost,
    RedWindow,
    SatBarely,
    SatLeaksAtFifteen,
    SatLeaksBelowFloats,
    SatLeaksDeep,
    SatLeaksThird,
)
from tests.support.planted_base import HARMONIC, Array, Planted, over_aspects, rounded_down, tied
from tests.support.planted_one_aspect import (
    CloseThBarely,
    CloseThCascade,
    CloseThJustMisses,
    CloseThSlow,
    CloseThTies,
    ConfBarely,
    ConfEightAtMost,
    ConfEmptyTopic,
    ConfFirstMissFree,
    ConfLastMissFree,
    Costly,
    DeepBarely,
    DeepBelowFloats,
    DeepThBarely,
    DeepThBeforeTheCutoff,
    DeepThSlow,
    DeepThTopIgnored,
    DeepUneven,
    DeepUnevenDeep,
    DeepUnevenLast,
    PriBarely,
    PriBelowFloats,
    PriFlatAtSeven,
    PriFlatAtTwentyFive,
    PriFlatInDeepPools,
    PriFlatWithExtras,
    PriLastRank,
    PriRoundsGrades,
    PriSwappedDeep,
)

# ---------------------------------------------------------------------------------------------------- blind spots


class BlindRankFortyFive(Planted):
    """Ranks 45 and 46 are worth the same: past the longest rankings that are searched."""

    name, axiom, breaks = "blind-rank-45", "Pri", True
    discount = tied(45)


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

    name, breaks = "blind-ninth-aspect", True

    def remembered(self, hits: Array) -> Array:
        return hits & (np.arange(hits.shape[-1]) != 8)


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


PLANTED: tuple[type[Planted], ...] = (
    *(PriFlatAtSeven, PriSwappedDeep, PriLastRank, PriBelowFloats, PriFlatWithExtras, PriRoundsGrades, PriBarely),
    *(PriFlatAtTwentyFive, PriFlatInDeepPools),
    *(DeepUneven, DeepUnevenDeep, DeepUnevenLast, DeepBelowFloats, DeepBarely),
    *(DeepThSlow, DeepThTopIgnored, DeepThBarely, DeepThBeforeTheCutoff),
    *(CloseThJustMisses, CloseThTies, CloseThCascade, CloseThBarely, CloseThSlow),
    *(ConfEightAtMost, ConfFirstMissFree, ConfLastMissFree, ConfEmptyTopic, ConfBarely),
    *(AspDivBlindRank, AspDivCapped, AspDivPenalty, AspDivBarely),
    *(RedForgetsFifth, RedForgetsFourth, RedForgetsThird, RedWindow, RedLongWindow, RedSixAtMost, RedBarely),
    *(MRedFifth, MRedFifthSlightly, MRedOverlooksFaint, MRedRounds, MRedBarely),
    *(SatLeaksDeep, SatLeaksThird, SatLeaksAtFifteen, SatLeaksBelowFloats, SatBarely),
    *(
        AspRelRoundsWeights,
        AspRelRoundsFinely,
        AspRelRoundsVeryFinely,
        AspRelUnweightedDeep,
        AspRelCapped,
        AspRelBarely,
    ),
)
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
