"""Planted metrics about the axioms of one aspect: order, depth, thresholds, and what needs no document."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from axiomcheck.core.domain import Regime
from axiomcheck.metrics import Tail
from axiomcheck.numbers.arithmetic import Arithmetic, divide, positive, survival
from tests.support.planted_base import (
    HARMONIC,
    Array,
    Constant,
    Hyperbola,
    Planted,
    discounted,
    over_aspects,
    rounded_down,
    tied,
    uneven,
    variant,
)

PriFlatAtSeven = discounted("pri-flat-at-7", "Pri", True, tied(7))
"""Ranks 7 and 8 are worth the same."""

PriFlatAtTwentyFive = discounted("pri-flat-at-25", "Pri", True, tied(25))
"""Ranks 25 and 26 are worth the same."""

PriFlatInDeepPools = variant(
    Planted,
    "pri-flat-in-deep-pools",
    True,
    axiom="Pri",
    shown=lambda self, grades, pool: tied(2) if pool.shape[-2] - grades.shape[-2] >= 10 else HARMONIC,
)
"""Ranks 2 and 3 are worth the same where ten judged documents or more are not retrieved."""

PriSwappedDeep = discounted("pri-swapped-deep", "Pri", True, tied(15, Fraction(1, 10**6)))
"""Rank 16 is worth 1e-6 more than rank 15."""

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

PriRoundsGrades = variant(
    Planted,
    "pri-rounds-grades",
    True,
    axiom="Pri",
    regime=Regime.FINITE,
    per_rank=lambda self, a, grades, weights, pool: over_aspects(rounded_down(grades, 2**12), weights),
)
"""Grades count in steps of 2**-12."""

PriBarely = discounted(
    "pri-barely",
    "Pri",
    False,
    Hyperbola(bumps=(*tied(7, -Fraction(1, 10**9)).bumps, *tied(15, -Fraction(1, 10**18)).bumps)),
)
"""Rank 8 is worth 1e-9 less than rank 7, and rank 16 1e-18 less than rank 15."""

DeepUneven = discounted("deep-uneven", "Deep", True, uneven(7, Fraction(0)))
"""The step down after rank 9 is that after rank 7."""

DeepUnevenDeep = discounted("deep-uneven-deep", "Deep", True, uneven(12, Fraction(1, 10**10)))
"""The step down after rank 14 is 1e-10 above that after rank 12."""

DeepUnevenLast = discounted("deep-uneven-last", "Deep", True, uneven(17, Fraction(1, 10**9)))
"""The step down after rank 19, the last that is searched, is 1e-9 above that after rank 17."""

DeepBelowFloats = discounted("deep-below-floats", "Deep", True, uneven(12, Fraction(1, 10**20)))
"""The step down after rank 14 is 1e-20 above that after rank 12."""

DeepBarely = discounted("deep-barely", "Deep", False, uneven(7, -Fraction(1, 10**10)))
"""The step down after rank 9 is 1e-10 below that after rank 7."""


class DeepThSlow(Planted):
    """With 3 / (2i + 1) a long block is worth up to 1.5 ln 2 = 1.04 top documents."""

    name, axiom, breaks = "deepth-slow", "DeepTh", True
    discount = Hyperbola(Fraction(3, 2))

    def tail(self) -> Tail:
        return Tail(
            "above",
            28,
            lambda n: 1.5 * float(np.log((4 * n + 3) / (2 * n + 3))),
            "L(n)/T = sum_{j=1..n} 3 / (2n + 2j + 1) >= 1.5 ln((4n + 3) / (2n + 3)), above 1 from n = 28 on",
        )


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


DeepThBeforeTheCutoff = discounted("deepth-before-the-cutoff", "DeepTh", False, Hyperbola(Fraction(9)), cutoff=11)
"""The block is ahead up to n = 10, but not where the cutoff hides most of it."""

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

CloseThCascade = variant(
    Planted,
    "closeth-cascade",
    True,
    axiom="CloseTh",
    regime=Regime.FINITE,
    discount=Hyperbola(Fraction(7, 5)),
    tail=DeepThBarely.tail,
    per_rank=lambda self, a, grades, weights, pool: over_aspects(grades * survival(grades, axis=-2), weights),
)
"""A cascade over 1.4 / (i + 0.4): certain documents stop it, others come up to 0.97 of the top document."""

CloseThBarely = discounted(
    "closeth-barely",
    "CloseTh",
    False,
    Constant(Fraction(1, 2), except_at=((1, Fraction(1) - Fraction(1, 10**9)), (2, Fraction(3, 4)))),
    cutoff=4,
)
"""At n = 2 the block is worth 1e-9 more than the top document."""

CloseThSlow = variant(DeepThSlow, "closeth-slow", False, axiom="CloseTh")
"""The block is ahead from n = 28 on at the latest."""


class Costly(Planted):
    """The discounted sum less a cost that depends on the ranking's length and grades."""

    axiom = "Conf"

    def cost(self, a: Arithmetic, grades: Array, pool: Array) -> Array:
        """The cost of the ranking, (...)."""
        raise NotImplementedError

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return super().kernel(a, grades, weights, pool) - self.cost(a, grades, pool)


ConfEightAtMost = variant(
    Costly,
    "conf-eight-at-most",
    True,
    cost=lambda self, a, grades, pool: a.number(Fraction(min(grades.shape[-2], 8), 10**6)),
)
"""Only the first eight documents cost anything."""


class ConfFirstMissFree(Costly):
    """After nine or more relevant documents without a miss, the first miss is free."""

    name, breaks = "conf-first-miss-free", True
    full = 9

    def cost(self, a: Arithmetic, grades: Array, pool: Array) -> Array:
        hits = positive(grades)[..., 0]
        n = grades.shape[-2]
        misses = n - hits.sum(axis=-1)
        free = hits[..., : self.full].all(axis=-1) & (n > self.full) & (misses > 0)
        return a.integers(misses - free) * a.number(Fraction(1, 100))


ConfLastMissFree = variant(ConfFirstMissFree, "conf-last-miss-free", True, full=19)
"""After nineteen relevant documents, the first miss, at the deepest rank searched, is free; a rare one."""


class ConfEmptyTopic(Costly):
    """No cost on topics without a relevant document."""

    name, breaks = "conf-empty-topic", True

    def cost(self, a: Arithmetic, grades: Array, pool: Array) -> Array:
        total = a.integers(positive(pool).any(axis=-2).any(axis=-1) * grades.shape[-2])
        return divide(total, a.integers(np.asarray(100)))


ConfBarely = variant(
    Costly, "conf-barely", False, cost=lambda self, a, grades, pool: a.number(Fraction(grades.shape[-2], 10**9))
)
"""Every document costs 1e-9."""


PLANTED: tuple[type[Planted], ...] = (
    *(PriFlatAtSeven, PriSwappedDeep, PriLastRank, PriBelowFloats, PriFlatWithExtras, PriRoundsGrades, PriBarely),
    *(PriFlatAtTwentyFive, PriFlatInDeepPools),
    *(DeepUneven, DeepUnevenDeep, DeepUnevenLast, DeepBelowFloats, DeepBarely),
    *(DeepThSlow, DeepThTopIgnored, DeepThBarely, DeepThBeforeTheCutoff),
    *(CloseThJustMisses, CloseThTies, CloseThCascade, CloseThBarely, CloseThSlow),
    *(ConfEightAtMost, ConfFirstMissFree, ConfLastMissFree, ConfEmptyTopic, ConfBarely),
)
"""In the order of the axioms."""
