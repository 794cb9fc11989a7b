"""Cells of fold metrics that break what folds promise."""

from __future__ import annotations

import struct
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from axiomcheck import Metric
from axiomcheck.metrics.fold import Additive
from axiomcheck.numbers.discount import Geometric
from tests.adversarial import lies_folds as lies
from tests.adversarial.adversarial_table import Broken, Lie, floats, held, in_both_regimes
from tests.adversarial.adversarial_truth import Blocks, Number, Pair, Plain, Rows, of, swapped
from tests.adversarial.table_inherited import HALF_AHEAD, LARGE, RANK_31, ZERO_APPENDED

P = lies.P
TINY = Fraction(1, 10**8)

LARGE_POOL = Pair(of([Fraction(1, 2), Fraction(1)] + [Fraction(0)] * 44), (0, 1), (1, 0))
POOL_OF_47 = Pair(of([Fraction(1, 2), Fraction(1)] + [Fraction(0)] * 45), (0, 1), (1, 0))
_DEEP = tuple(range(102))
RANK_102 = Pair(of([Fraction(1, 2)] * 101 + [Fraction(1)]), _DEEP, swapped(_DEEP, 100, 101))
"""Pri between ranks 101 and 102, which count less than nothing, and the first of them least."""
MANY_RELEVANT = Pair(of([Fraction(1, 2), Fraction(1)] + [Fraction(1)] * 40), (0, 1), (1, 0))
TENTHS = Pair(of([Fraction(1, 20), Fraction(1, 10)]), (0, 1), (1, 0))
BELOW_A_TENMILLIONTH = Pair(of([TINY / 2, TINY]), (0, 1), (1, 0))


def aspects(m: int) -> Pair:
    """AspDiv with one document, on m aspects."""
    return Pair(((Fraction(1, 2),) * m, (Fraction(1),) * m), (0,), (1,))


def patient(ranked: Rows, weights: tuple[Number, ...], discount: Callable[[int], Number] | None = None) -> list[Number]:
    """Per aspect: w(t) times the discounted sum; ranks from 0."""
    by = discount or (lambda i: P**i)
    return [w * sum((by(i) * row[t] for i, row in enumerate(ranked)), start=Fraction(0)) for t, w in enumerate(weights)]


def normalised(by: Callable[[list[Number], int, int], Number]) -> Plain:
    """`by` gets an aspect's grades of the pool, the pool's size and the number of aspects; 0 / 0 and x / 0 are 0."""

    def plain(ranked: Rows, weights: tuple[Number, ...], pool: Rows) -> Number:  # type: ignore[misc]
        score: Number = Fraction(0)
        for t, gain in enumerate(patient(ranked, weights)):
            divisor = by([row[t] for row in pool], len(pool), len(weights))
            score += gain / divisor if divisor else Fraction(0)
        return score

    return plain


def relevant(grades: list[Number]) -> int:
    return sum(g > 0 for g in grades)


def times(factor: Callable[[int], int]) -> Plain:
    """A factor by the number of aspects."""

    def plain(ranked: Rows, weights: tuple[Number, ...], pool: Rows) -> Number:  # type: ignore[misc]
        return factor(len(weights)) * sum(patient(ranked, weights), start=Fraction(0))

    return plain


def by_grade(gain: Callable[[Number], Number]) -> Plain:
    def plain(ranked: Rows, weights: tuple[Number, ...], pool: Rows) -> Number:  # type: ignore[misc]
        return sum(patient([[gain(g) for g in row] for row in ranked], weights), start=Fraction(0))

    return plain


def by_rank(discount: Callable[[int], Number]) -> Plain:
    def plain(ranked: Rows, weights: tuple[Number, ...], pool: Rows) -> Number:  # type: ignore[misc]
        return sum(patient(ranked, weights, discount), start=Fraction(0))

    return plain


def after(calls: int, pair: Pair = HALF_AHEAD) -> Broken:
    """A pair after so many calls: what is counted is then past its limit."""

    def show(metric: Metric) -> tuple[float, float]:
        for _ in range(calls):
            floats(metric, pair)
        return floats(metric, pair)

    return Broken(show)


def in_a_batch_of(size: int) -> Broken:
    def show(metric: Metric) -> tuple[float, float]:
        pool = np.repeat(np.array([[[0.5], [1.0]]]), size, axis=0)
        worse, better = (np.repeat(np.array([side]), size, axis=0) for side in ((0, 1), (1, 0)))
        scores = [metric.evaluate(pool.copy(), np.ones((size, 1)), order)[0] for order in (worse, better)]
        return float(scores[0]), float(scores[1])

    return Broken(show)


def folded(kind: type[lies.Plain]) -> Callable[[], Metric]:
    return lambda: lies.Folded(kind())


def discounted_by(make: Callable[[], object]) -> Callable[[], Metric]:
    return lambda: lies.Folded(Additive(make()))  # type: ignore[arg-type]


def risen(i: int) -> Number:
    return Fraction(2) if i >= 30 else P**i


def risen_79(i: int) -> Number:
    return Fraction(2) if i >= 30 else Fraction(79, 100) ** i


def risen_reciprocal(i: int) -> Number:
    return Fraction(2) if i >= 30 else Fraction(1, i + 1)


def twofold(i: int) -> Number:
    return P**i if i < 30 else Fraction(2 if i == 30 else 0)


def turned(i: int) -> Number:
    return P**i if i < 100 else -(P**i)


def odd_bits(g: Number) -> Number:
    (bits,) = struct.unpack("<q", struct.pack("<d", float(g)))
    return Fraction(0) if bits % 2 and g < 2**-12 else g


_BITS = next(g for g in (Fraction(k / 10**7) for k in range(1001, 2000)) if odd_bits(g) == 0)
_FINE = Pair(of([_BITS / 2**3, _BITS]), (0, 1), (1, 0))

below_a_tenmillionth = normalised(lambda g, p, m: sum(x >= Fraction(1, 10**7) for x in g))
below_a_fifth = normalised(lambda g, p, m: sum(x >= Fraction(1, 5) for x in g))
negative_over_45 = normalised(lambda g, p, m: relevant(g) * (-1 if p > 45 else 1))
zero_over_45 = normalised(lambda g, p, m: relevant(g) * (p <= 45))
zero_at_47 = normalised(lambda g, p, m: relevant(g) * (p % 47 > 0))
negative_over_40 = normalised(lambda g, p, m: relevant(g) * (81 - 2 * relevant(g)))
negative_from_nine = times(lambda m: -1 if m >= 9 else 1)
negated = by_grade(lambda g: -g)
in_a_band = by_grade(lambda g: 0 if 0.1234 < g < 0.1235 else g)
IN_A_BAND = Pair(of([Fraction(1, 10), Fraction(12345, 100000) - Fraction(1, 10**6)]), (0, 1), (1, 0))
TENTHS_REPLACED = Pair(((Fraction(1, 20),), (Fraction(1, 10),)), (0,), (1,))
risen_geometric = discounted_by(lies.RisenGeometric)
risen_reciprocals = discounted_by(lies.RisenReciprocal)
risen_on_the_object = discounted_by(lies.risen_on_the_object)
sly_fraction = discounted_by(lambda: Geometric(lies.SlyFraction(77, 100)))

LIES = (
    held("normaliser-from-tiny", lies.CountsFromTiny, "Pri", BELOW_A_TENMILLIONTH, below_a_tenmillionth, "finite"),
    Lie("normaliser-from-fifth", lies.CountsFromFifth, "Pri", TENTHS, below_a_fifth, "finite"),
    Lie("normaliser-from-fifth-small", lies.CountsFromFifth, "Pri", TENTHS, below_a_fifth),
    Lie("normaliser-from-fifth-aspdiv", lies.CountsFromFifth, "AspDiv", TENTHS_REPLACED, below_a_fifth, "finite"),
    *in_both_regimes(
        held("normaliser-negative-over-45", lies.NegativeForLargePools, "Pri", LARGE_POOL, negative_over_45)
    ),
    held("normaliser-zero-over-45", lies.ZeroForLargePools, "Pri", LARGE_POOL, zero_over_45),
    held("normaliser-zero-at-47", lies.ZeroForSomePools, "Pri", POOL_OF_47, zero_at_47),
    held("normaliser-negative-over-40-relevant", lies.NegativeForManyRelevant, "Pri", MANY_RELEVANT, negative_over_40),
    held("normaliser-by-calls", lies.NormaliserOfEveryOtherCall, "Pri", after(2000)),
    *in_both_regimes(
        held("scale-negative-from-nine", lies.NegativeScaleFromNine, "AspDiv", aspects(9), negative_from_nine)
    ),
    held(
        "scale-negative-from-fifty",
        lambda: lies.NegativeScaleFrom(50),
        "AspDiv",
        aspects(50),
        times(lambda m: -1 if m >= 50 else 1),
    ),
    held("scale-zero-from-nine", lies.ZeroScaleFromNine, "AspDiv", aspects(9), times(lambda m: int(m < 9))),
    held("scale-by-calls", lies.ScaleByCalls, "Pri", after(1000)),
    Lie("scale-by-caller", lies.ScaleByCaller, "Pri", HALF_AHEAD, times(lambda m: -1)),
    held("cost-by-calls", lies.CostByCalls, "Conf", after(1000, ZERO_APPENDED)),
    held("step-counts-5000", lambda: lies.counts_its_steps(5000), "Pri", after(1300)),
    Lie("step-counts-500", lambda: lies.counts_its_steps(500), "Pri", after(130)),
    held("step-bits", folded(lies.LooksAtBits), "Pri", _FINE, by_grade(odd_bits), "finite"),
    held("step-dtype-band", folded(lies.BranchesOnDtype), "Pri", IN_A_BAND, in_a_band, "finite"),
    Lie(
        "step-dtype",
        folded(lies.BranchesOnDtypeBroadly),
        "Pri",
        HALF_AHEAD,
        by_grade(lambda g: 0 if g > 0.5 else g),
        "finite",
    ),
    held(
        "step-one-float",
        folded(lies.OneFloat),
        "Pri",
        Pair(of([0.1, 0.123456789]), (0, 1), (1, 0)),
        by_grade(lambda g: 0.0 if g == 0.123456789 else g),
        "finite",
    ),
    Lie("step-arrays-reversed", folded(lies.ArraysReversed), "Pri", HALF_AHEAD, negated),
    Lie("step-arithmetic", folded(lies.LooksAtArithmetic), "Pri", HALF_AHEAD, negated),
    Lie("step-global", lies.SetsGlobal, "Pri", HALF_AHEAD, negated),
    held("step-mutable-default", folded(lies.MutableDefault), "Pri", after(1500)),
    held("start-by-300-calls", lambda: lies.other_start(300), "Pri", after(200)),
    Lie("start-by-40-calls", lambda: lies.other_start(40), "Pri", after(30)),
    Lie("step-large-batches", folded(lies.LargeBatches), "Pri", in_a_batch_of(301), regime="finite"),
    Lie("step-batches-of-three", folded(lies.BatchesOfThree), "Pri", in_a_batch_of(3), regime="finite"),
    held("fold-by-calls", lies.OtherFolds, "Pri", after(200)),
    held("step-counts-ranks", folded(lies.CountsRanks), "Pri", RANK_102, by_rank(turned)),
    held("total-getattribute", folded(lies.TotalByGetattribute), "Pri", RANK_31, by_rank(twofold)),
    Lie("discount-geometric-subclass-deepth", risen_geometric, "DeepTh", LARGE, by_rank(risen)),
    held("discount-geometric-subclass", risen_geometric, "Pri", RANK_31, by_rank(risen)),
    Lie("discount-reciprocal-subclass-deepth", risen_reciprocals, "DeepTh", LARGE, by_rank(risen_reciprocal)),
    held("discount-reciprocal-subclass", risen_reciprocals, "Pri", RANK_31, by_rank(risen_reciprocal)),
    held("discount-reciprocal-real", discounted_by(lies.RisenReal), "Pri", RANK_31, by_rank(risen_reciprocal)),
    held("discount-says-decreasing", discounted_by(lies.SaysDecreasing), "Pri", RANK_31, by_rank(risen_reciprocal)),
    Lie("discount-on-object-deepth", risen_on_the_object, "DeepTh", LARGE, by_rank(risen_79)),
    held("discount-on-object", risen_on_the_object, "Pri", RANK_31, by_rank(risen_79)),
    Lie("discount-sly-fraction", sly_fraction, "Pri", HALF_AHEAD, by_rank(lambda i: Fraction(5, 4) ** i)),
    held("discount-by-caller", folded(lies.DiscountByCaller), "Pri", RANK_31, by_rank(risen)),
    held(
        "step-undoes-discount",
        lies.FlatBelow,
        "DeepTh",
        Blocks((50, 100, 500)),
        by_rank(lambda i: Fraction(1) if i == 0 else Fraction(1, 50)),
    ),
)
