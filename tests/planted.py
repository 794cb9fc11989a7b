"""Metrics with a known fault: each breaks one axiom by a hair, or satisfies it by one.

A planted metric says which axiom it is about, in which regime, whether it breaks it there, and how many sampled
instances the search needs to see it. `PLANTED` holds them all, `BLIND_SPOTS` those whose fault the search cannot see.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from axiomcheck.core.domain import Domain, Regime
from axiomcheck.decide.search import Settings
from axiomcheck.metrics import Metric, Tail
from axiomcheck.numbers.arithmetic import Arithmetic, below, divide, earlier_total, positive, select, survival, to_fmpq
from axiomcheck.numbers.discount import Discount

Array = Any

DEFAULT_BUDGET = Settings().examples
RARE_BUDGET = 30_000
USUAL_BUDGET = 8_000


@dataclass(frozen=True)
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
        value = self.scale / (self.scale - 1 + rank) + dict(self.bumps).get(rank, 0)
        return value - self.fall if rank >= self.falls_from else value

    def real(self, rank: int) -> float:
        return float(self.rational(rank))


@dataclass(frozen=True)
class Constant(Discount):
    """One number at every rank, but at a few.

    Args:
        value: the number.
        except_at: (rank, number) pairs.
    """

    value: Fraction = Fraction(1)
    except_at: tuple[tuple[int, Fraction], ...] = ()

    def rational(self, rank: int) -> Fraction:
        return dict(self.except_at).get(rank, self.value)

    def real(self, rank: int) -> float:
        return float(self.rational(rank))


HARMONIC = Hyperbola()


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
    budget: ClassVar[int] = USUAL_BUDGET
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


# ------------------------------------------------------------------------------------------------------------ Pri


class PriFlatAtSeven(Planted):
    """Ranks 7 and 8 are worth the same."""

    name, axiom, breaks = "pri-flat-at-7", "Pri", True
    discount = tied(7)


class PriSwappedDeep(Planted):
    """Rank 16 is worth 1e-6 more than rank 15."""

    name, axiom, breaks = "pri-swapped-deep", "Pri", True
    discount = tied(15, Fraction(1, 10**6))


class PriLastRank(Planted):
    """The deepest pair of neighbours that is searched, 1e-11 the wrong way round; a rare one."""

    name, axiom, breaks = "pri-last-rank", "Pri", True
    discount = tied(19, Fraction(1, 10**11))
    budget = RARE_BUDGET


class PriBelowFloats(Planted):
    """Rank 8 is worth 1e-18 more than rank 7: no double shows it."""

    name, axiom, breaks = "pri-below-floats", "Pri", True
    discount = tied(7, Fraction(1, 10**18))


class PriFlatWithExtras(Planted):
    """Ranks 7 and 8 are worth the same where the pool holds exactly three documents besides."""

    name, axiom, breaks = "pri-flat-with-extras", "Pri", True

    def shown(self, grades: Array, pool: Array) -> Discount:
        return tied(7) if pool.shape[-2] - grades.shape[-2] == 3 else HARMONIC


class PriRoundsGrades(Planted):
    """Grades count in steps of 2**-12."""

    name, axiom, breaks, regime = "pri-rounds-grades", "Pri", True, Regime.FINITE

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return over_aspects(rounded_down(grades, 2**12), weights)


class PriBarely(Planted):
    """Rank 8 is worth 1e-9 less than rank 7, and rank 16 1e-18 less than rank 15."""

    name, axiom, breaks = "pri-barely", "Pri", False
    discount = Hyperbola(bumps=(*tied(7, -Fraction(1, 10**9)).bumps, *tied(15, -Fraction(1, 10**18)).bumps))


# ----------------------------------------------------------------------------------------------------------- Deep


class DeepUneven(Planted):
    """The step down after rank 9 is that after rank 7."""

    name, axiom, breaks = "deep-uneven", "Deep", True
    discount = uneven(7, Fraction(0))


class DeepUnevenDeep(Planted):
    """The step down after rank 14 is 1e-10 above that after rank 12."""

    name, axiom, breaks = "deep-uneven-deep", "Deep", True
    discount = uneven(12, Fraction(1, 10**10))


class DeepUnevenLast(Planted):
    """The step down after rank 19, the last that is searched, is 1e-9 above that after rank 17."""

    name, axiom, breaks = "deep-uneven-last", "Deep", True
    discount = uneven(17, Fraction(1, 10**9))


class DeepBelowFloats(Planted):
    """The step down after rank 14 is 1e-20 above that after rank 12."""

    name, axiom, breaks = "deep-below-floats", "Deep", True
    discount = uneven(12, Fraction(1, 10**20))


class DeepBarely(Planted):
    """The step down after rank 9 is 1e-10 below that after rank 7."""

    name, axiom, breaks = "deep-barely", "Deep", False
    discount = uneven(7, -Fraction(1, 10**10))


# --------------------------------------------------------------------------------------------- DeepTh and CloseTh


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


class DeepThTopIgnored(Planted):
    """Rank 1 earns nothing, nor does any rank past the cutoff: a tie for every large n."""

    name, axiom, breaks = "deepth-top-ignored", "DeepTh", True
    default_cutoff = 7
    discount = Hyperbola(bumps=((1, Fraction(-1)),))


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


class DeepThBeforeTheCutoff(Planted):
    """The block is ahead up to n = 10, but not where the cutoff hides most of it."""

    name, axiom, breaks = "deepth-before-the-cutoff", "DeepTh", False
    default_cutoff = 11
    discount = Hyperbola(Fraction(9))


class CloseThJustMisses(DeepThBarely):
    """The block comes up to 0.97 of the top document."""

    name, axiom, breaks = "closeth-just-misses", "CloseTh", True


class CloseThTies(Planted):
    """At n = 2 the block is worth the top document exactly, elsewhere less."""

    name, axiom, breaks = "closeth-ties", "CloseTh", True
    default_cutoff = 4
    discount = Constant(Fraction(1, 2), except_at=((1, Fraction(1)), (2, Fraction(3, 4))))


class CloseThCascade(Planted):
    """A cascade over 1.4 / (i + 0.4): certain documents stop it, others come up to 0.97 of the top document."""

    name, axiom, breaks, regime = "closeth-cascade", "CloseTh", True, Regime.FINITE
    discount = Hyperbola(Fraction(7, 5))
    tail = DeepThBarely.tail

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return over_aspects(grades * survival(grades, axis=-2), weights)


class CloseThBarely(Planted):
    """At n = 2 the block is worth 1e-9 more than the top document."""

    name, axiom, breaks = "closeth-barely", "CloseTh", False
    default_cutoff = 4
    discount = Constant(Fraction(1, 2), except_at=((1, Fraction(1) - Fraction(1, 10**9)), (2, Fraction(3, 4))))


class CloseThSlow(DeepThSlow):
    """The block is ahead from n = 28 on at the latest."""

    name, axiom, breaks = "closeth-slow", "CloseTh", False


# ----------------------------------------------------------------------------------------------------------- Conf


class Costly(Planted):
    """The discounted sum less a cost that depends on the ranking's length and grades."""

    axiom = "Conf"

    def cost(self, a: Arithmetic, grades: Array, pool: Array) -> Array:
        """The cost of the ranking, (...)."""
        raise NotImplementedError

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return super().kernel(a, grades, weights, pool) - self.cost(a, grades, pool)


class ConfEightAtMost(Costly):
    """Only the first eight documents cost anything."""

    name, breaks = "conf-eight-at-most", True

    def cost(self, a: Arithmetic, grades: Array, pool: Array) -> Array:
        return a.number(Fraction(min(grades.shape[-2], 8), 10**6))


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


class ConfLastMissFree(ConfFirstMissFree):
    """After nineteen relevant documents, the first miss, at the deepest rank searched, is free; a rare one."""

    name, breaks = "conf-last-miss-free", True
    full = 19


class ConfEmptyTopic(Costly):
    """No cost on topics without a relevant document."""

    name, breaks = "conf-empty-topic", True

    def cost(self, a: Arithmetic, grades: Array, pool: Array) -> Array:
        total = a.integers(positive(pool).any(axis=-2).any(axis=-1) * grades.shape[-2])
        return divide(total, a.integers(np.asarray(100)))


class ConfBarely(Costly):
    """Every document costs 1e-9."""

    name, breaks = "conf-barely", False

    def cost(self, a: Arithmetic, grades: Array, pool: Array) -> Array:
        return a.number(Fraction(grades.shape[-2], 10**9))


# --------------------------------------------------------------------------------------------------------- AspDiv


class AspDivBlindRank(Planted):
    """Rank 13 earns nothing where there are four aspects; a rare one."""

    name, axiom, breaks = "aspdiv-blind-rank", "AspDiv", True
    budget = DEFAULT_BUDGET

    def shown(self, grades: Array, pool: Array) -> Discount:
        return Hyperbola(bumps=((13, -Fraction(1, 13)),)) if grades.shape[-1] == 4 else HARMONIC


class AspDivCapped(Planted):
    """No document earns more than 1000 times what the first one does, if that earns anything."""

    name, axiom, breaks = "aspdiv-capped", "AspDiv", True

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        gains = over_aspects(grades, weights)
        cap = gains[..., :1] * a.number(Fraction(1000))
        cap = cap + 0 * gains
        over = positive(gains - cap) & positive(cap)
        return select(over, cap) + select(~over, gains)


class AspDivPenalty(Planted):
    """The fourth aspect counts -1e-3 times its weight."""

    name, axiom, breaks = "aspdiv-penalty", "AspDiv", True

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        m = grades.shape[-1]
        factors = table(a, [[Fraction(-1, 1000) if t == 3 else Fraction(1) for t in range(m)]])
        return over_aspects(grades * factors, weights)


class AspDivBarely(Planted):
    """All aspects but the last count 1e-6 times their weight."""

    name, axiom, breaks = "aspdiv-barely", "AspDiv", False

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        m = grades.shape[-1]
        factors = table(a, [[Fraction(1) if t == m - 1 else Fraction(1, 10**6) for t in range(m)]])
        return over_aspects(grades * factors, weights)


# ------------------------------------------------------------------------------------------------------------ Red


class Novelty(Planted):
    """Each aspect's gain is halved by every earlier document on it that is remembered."""

    axiom = "Red"
    alpha: ClassVar[Fraction] = Fraction(1, 2)

    def remembered(self, hits: Array) -> Array:
        """(..., n, m): which documents count as earlier ones later on."""
        return hits

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        kept = survival(select(self.remembered(positive(grades)), a.number(self.alpha)), axis=-2)
        return over_aspects(grades * kept, weights)


class RedForgetsFourth(Novelty):
    """Of four aspects, the last is never redundant."""

    name, breaks = "red-forgets-fourth", True

    def remembered(self, hits: Array) -> Array:
        return hits & (np.arange(hits.shape[-1]) != 3)


class RedForgetsThird(Novelty):
    """Of exactly three aspects, the last is never redundant."""

    name, breaks = "red-forgets-third", True

    def remembered(self, hits: Array) -> Array:
        return hits & (np.arange(hits.shape[-1]) != 2) if hits.shape[-1] == 3 else hits


class RedWindow(Novelty):
    """Only the previous five documents are remembered."""

    name, breaks = "red-window-5", True
    window: ClassVar[int] = 5

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        hits = a.integers(positive(grades)) * a.number(self.alpha)
        kept = [
            (1 - hits[..., max(0, i - self.window) : i, :]).prod(axis=-2) + 0 * hits[..., i, :]
            for i in range(grades.shape[-2])
        ]
        return over_aspects(grades * np.stack(kept, axis=-2), weights)


class RedLongWindow(RedWindow):
    """Only the previous twelve documents are remembered."""

    name, breaks = "red-window-12", True
    window = 12


class RedSixAtMost(Novelty):
    """The seventh document on an aspect is as good as the sixth."""

    name, breaks = "red-six-at-most", True
    budget = DEFAULT_BUDGET

    def remembered(self, hits: Array) -> Array:
        return hits & (earlier_total(hits.astype(np.int64), axis=-2) < 6)


class RedBarely(Novelty):
    """Redundancy costs a millionth."""

    name, breaks = "red-barely", False
    alpha = Fraction(1, 10**6)


# ----------------------------------------------------------------------------------------------------------- MRed


class Cascade(Planted):
    """Each aspect's gain shrinks by what earlier documents satisfied of it."""

    def seen(self, a: Arithmetic, grades: Array) -> Array:
        """(..., n, m): the grades as later documents see them."""
        return grades

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return over_aspects(grades * survival(self.seen(a, grades), axis=-2), weights)


class MRedFifth(Cascade):
    """The fifth document makes what follows on its aspects worth a little more instead of less."""

    name, axiom, breaks = "mred-fifth", "MRed", True
    share: ClassVar[Fraction] = Fraction(-1, 10)

    def seen(self, a: Arithmetic, grades: Array) -> Array:
        signs = a.discounts(Constant(except_at=((5, self.share),)), grades.shape[-2])
        return grades * signs[..., None]


class MRedFifthSlightly(MRedFifth):
    """As above, by a hundredth; a rare one."""

    name, axiom, breaks = "mred-fifth-slightly", "MRed", True
    share = Fraction(-1, 100)
    budget = RARE_BUDGET


class MRedOverlooksFaint(Cascade):
    """Grades up to 2**-8 are not seen."""

    name, axiom, breaks, regime = "mred-overlooks-faint", "MRed", True, Regime.FINITE

    def seen(self, a: Arithmetic, grades: Array) -> Array:
        return select(~below(grades, a.number(Fraction(1, 2**8))), grades)


class MRedRounds(Cascade):
    """Later documents see grades in steps of 2**-12."""

    name, axiom, breaks, regime = "mred-rounds", "MRed", True, Regime.FINITE

    def seen(self, a: Arithmetic, grades: Array) -> Array:
        return rounded_down(grades, 2**12)


class MRedBarely(Cascade):
    """Earlier documents satisfy a thousandth of what they are worth, the fifth nothing."""

    name, axiom, breaks = "mred-barely", "MRed", False

    def seen(self, a: Arithmetic, grades: Array) -> Array:
        n = grades.shape[-2]
        share = Constant(Fraction(1, 1000), except_at=((5, Fraction(0)),) if n > 2 else ())
        return grades * a.discounts(share, n)[..., None]


# ------------------------------------------------------------------------------------------------------------ Sat


class Leaking(Planted):
    """A cascade in which a satisfied aspect still earns a little."""

    axiom = "Sat"

    def leak(self, rank: int, aspect: int, aspects: int) -> Fraction:
        """What leaks at a rank and aspect, both counted from 1."""
        return Fraction(0)

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        n, m = grades.shape[-2:]
        leaks = table(a, [[self.leak(i, t, m) for t in range(1, m + 1)] for i in range(1, n + 1)])
        return over_aspects(grades * (survival(grades, axis=-2) + leaks), weights)


class SatLeaksDeep(Leaking):
    """A thousandth leaks after rank 6."""

    name, breaks = "sat-leaks-deep", True

    def leak(self, rank: int, aspect: int, aspects: int) -> Fraction:
        return Fraction(rank > 6, 1000)


class SatLeaksThird(Leaking):
    """A millionth leaks on the third of three aspects."""

    name, breaks = "sat-leaks-third", True

    def leak(self, rank: int, aspect: int, aspects: int) -> Fraction:
        return Fraction(aspect == 3 == aspects, 10**6)


class SatLeaksAtFifteen(Leaking):
    """1e-9 leaks at rank 15, on the fourth aspect; a rare one."""

    name, breaks = "sat-leaks-at-15", True
    budget = DEFAULT_BUDGET

    def leak(self, rank: int, aspect: int, aspects: int) -> Fraction:
        return Fraction(rank == 15 and aspect == 4, 10**9)


class SatLeaksBelowFloats(Leaking):
    """1e-18 leaks after rank 6: no double shows it."""

    name, breaks = "sat-leaks-below-floats", True

    def leak(self, rank: int, aspect: int, aspects: int) -> Fraction:
        return Fraction(rank > 6, 10**18)


class SatBarely(Leaking):
    """A thousandth leaks, and each document costs as much as could."""

    name, breaks = "sat-barely", False

    def leak(self, rank: int, aspect: int, aspects: int) -> Fraction:
        return Fraction(1, 1000)

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return super().per_rank(a, grades, weights, pool) - a.number(Fraction(1, 1000))


# --------------------------------------------------------------------------------------------------------- AspRel


class AspRelRoundsWeights(Planted):
    """Weights count in steps of 1/50."""

    name, axiom, breaks = "asprel-rounds-weights", "AspRel", True
    steps: ClassVar[int] = 50

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return over_aspects(grades, rounded_down(weights, self.steps))


class AspRelRoundsFinely(AspRelRoundsWeights):
    """Weights count in steps of 2**-11."""

    name, axiom, breaks = "asprel-rounds-finely", "AspRel", True
    steps = 2**11


class AspRelUnweightedDeep(Planted):
    """After rank 15 every aspect weighs the same where there are four; a rare one."""

    name, axiom, breaks = "asprel-unweighted-deep", "AspRel", True
    budget = DEFAULT_BUDGET

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        n, m = grades.shape[-2:]
        if m != 4:
            return over_aspects(grades, weights)
        deep = table(a, [[Fraction(i >= 15)] for i in range(n)])[:, 0]
        return over_aspects(grades, weights) * (1 - deep) + grades.sum(axis=-1) * deep


class AspRelCapped(Planted):
    """Weights above 2/5 count as 2/5."""

    name, axiom, breaks = "asprel-capped", "AspRel", True

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        cap = a.number(Fraction(2, 5))
        return over_aspects(grades, np.where(weights > cap, cap + 0 * weights, weights))


class AspRelBarely(Planted):
    """Aspects count 1 plus a millionth of their weight."""

    name, axiom, breaks = "asprel-barely", "AspRel", False

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return over_aspects(grades, weights * a.number(Fraction(1, 10**6)) + a.number(Fraction(1)))


# ---------------------------------------------------------------------------------------------------- blind spots


class BlindRankTwentyFive(Planted):
    """Ranks 25 and 26 are worth the same: past the longest rankings that are searched."""

    name, axiom, breaks = "blind-rank-25", "Pri", True
    discount = tied(25)


class BlindGrades(Planted):
    """Grades count in steps of 2**-20: no sampled grades are closer."""

    name, axiom, breaks, regime = "blind-grades", "Pri", True, Regime.FINITE

    def per_rank(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return over_aspects(rounded_down(grades, 2**20), weights)


class BlindWeights(AspRelRoundsWeights):
    """Weights count in steps of 1/100000: no sampled weights are closer."""

    name, axiom, breaks = "blind-weights", "AspRel", True
    steps = 100_000


class BlindFifthAspect(Novelty):
    """The fifth aspect is never redundant."""

    name, breaks = "blind-fifth-aspect", True

    def remembered(self, hits: Array) -> Array:
        return hits & (np.arange(hits.shape[-1]) != 4)


class BlindExtras(Planted):
    """Ranks 2 and 3 are worth the same where ten judged documents are not retrieved."""

    name, axiom, breaks = "blind-extras", "Pri", True

    def shown(self, grades: Array, pool: Array) -> Discount:
        return tied(2) if pool.shape[-2] - grades.shape[-2] == 10 else HARMONIC


class BlindCost(Costly):
    """Only the first eight documents cost anything, 1e-20 each."""

    name, breaks, regime = "blind-cost", True, Regime.FINITE

    def cost(self, a: Arithmetic, grades: Array, pool: Array) -> Array:
        return a.number(Fraction(min(grades.shape[-2], 8), 10**20))


PLANTED: tuple[type[Planted], ...] = (
    *(PriFlatAtSeven, PriSwappedDeep, PriLastRank, PriBelowFloats, PriFlatWithExtras, PriRoundsGrades, PriBarely),
    *(DeepUneven, DeepUnevenDeep, DeepUnevenLast, DeepBelowFloats, DeepBarely),
    *(DeepThSlow, DeepThTopIgnored, DeepThBarely, DeepThBeforeTheCutoff),
    *(CloseThJustMisses, CloseThTies, CloseThCascade, CloseThBarely, CloseThSlow),
    *(ConfEightAtMost, ConfFirstMissFree, ConfLastMissFree, ConfEmptyTopic, ConfBarely),
    *(AspDivBlindRank, AspDivCapped, AspDivPenalty, AspDivBarely),
    *(RedForgetsFourth, RedForgetsThird, RedWindow, RedLongWindow, RedSixAtMost, RedBarely),
    *(MRedFifth, MRedFifthSlightly, MRedOverlooksFaint, MRedRounds, MRedBarely),
    *(SatLeaksDeep, SatLeaksThird, SatLeaksAtFifteen, SatLeaksBelowFloats, SatBarely),
    *(AspRelRoundsWeights, AspRelRoundsFinely, AspRelUnweightedDeep, AspRelCapped, AspRelBarely),
)
"""In the order of the axioms."""

BLIND_SPOTS: tuple[type[Planted], ...] = (
    BlindRankTwentyFive,
    BlindGrades,
    BlindWeights,
    BlindFifthAspect,
    BlindExtras,
    BlindCost,
)
"""Faults outside what the search tries, or below what it can tell."""
