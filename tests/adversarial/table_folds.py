"""Cells of fold metrics that break what folds promise."""

import struct
from collections.abc import Callable
from fractions import Fraction

from axiomcheck import Metric
from axiomcheck.metrics.fold import Additive
from axiomcheck.numbers.discount import Geometric
from tests.adversarial import lies_folds as lies
from tests.adversarial.adversarial_table import (
    HALF_AHEAD,
    LARGE,
    RANK_31,
    ZERO_APPENDED,
    Blocks,
    Lie,
    Number,
    P,
    Pair,
    Plain,
    Rows,
    after,
    batch,
    held,
    in_both_regimes,
    of,
    per_aspect,
    summed,
    swapped,
)

TINY = Fraction(1, 10**8)

LARGE_POOL = Pair(of([Fraction(1, 2), Fraction(1)] + [Fraction(0)] * 44), (0, 1), (1, 0))
_DEEP = tuple(range(102))
RANK_102 = Pair(of([Fraction(1, 2)] * 101 + [Fraction(1)]), _DEEP, swapped(_DEEP, 100, 101))
"""Pri between ranks 101 and 102, which count less than nothing, and the first of them least."""
MANY_RELEVANT = Pair(of([Fraction(1, 2), Fraction(1)] + [Fraction(1)] * 40), (0, 1), (1, 0))
TENTHS = Pair(of([Fraction(1, 20), Fraction(1, 10)]), (0, 1), (1, 0))
BELOW_A_TENMILLIONTH = Pair(of([TINY / 2, TINY]), (0, 1), (1, 0))


def aspects(m: int) -> Pair:
    """AspDiv with one document, on m aspects."""
    return Pair(((Fraction(1, 2),) * m, (Fraction(1),) * m), (0,), (1,))


def normalised(by: Callable[[list[Number], int, int], Number]) -> Plain:
    """`by` gets an aspect's grades of the pool, the pool's size and the number of aspects; 0 / 0 and x / 0 are 0."""

    def plain(ranked: Rows, weights: tuple[Number, ...], pool: Rows) -> Number:  # type: ignore[misc]
        score: Number = Fraction(0)
        for t, gain in enumerate(per_aspect(ranked, weights)):
            divisor = by([row[t] for row in pool], len(pool), len(weights))
            score += gain / divisor if divisor else Fraction(0)
        return score

    return plain


def relevant(grades: list[Number]) -> int:
    return sum(g > 0 for g in grades)


def times(factor: Callable[[int], int]) -> Plain:
    """Return a factor by the number of aspects, times the usual sum."""
    return lambda ranked, weights, pool: factor(len(weights)) * sum(per_aspect(ranked, weights), start=Fraction(0))


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
negative_over_40 = normalised(lambda g, p, m: relevant(g) * (81 - 2 * relevant(g)))
negated = summed(gain=lambda g: -g)
above_half_zero = summed(gain=lambda g: 0 if g > 0.5 else g)
in_a_band = summed(gain=lambda g: 0 if 0.1234 < g < 0.1235 else g)
IN_A_BAND = Pair(of([Fraction(1, 10), Fraction(12345, 100000) - Fraction(1, 10**6)]), (0, 1), (1, 0))
TENTHS_REPLACED = Pair(((Fraction(1, 20),), (Fraction(1, 10),)), (0,), (1,))
risen_geometric = discounted_by(lies.RisenGeometric)
risen_reciprocals = discounted_by(lies.RisenReciprocal)
risen_on_the_object = discounted_by(lies.risen_on_the_object)
sly_fraction = discounted_by(lambda: Geometric(lies.SlyFraction(77, 100)))


def of_pools(name: str, factor: Callable[[int], int], pair: Pair, like: str = "") -> Lie:
    """Return Pri of a normaliser that the number of documents decides."""
    plain = normalised(lambda g, p, m: relevant(g) * factor(p))
    return held(name, lambda: lies.OtherForSomePools(factor), "Pri", pair, plain, like=like)


def of_aspects(name: str, most: int, other: int, like: str = "") -> Lie:
    """Return AspDiv of a scale that is another from so many aspects on."""
    plain = times(lambda m: other if m >= most else 1)
    return held(name, lambda: lies.OtherScaleFrom(most, other), "AspDiv", aspects(most), plain, like=like)


def counts_from(least: Fraction) -> Callable[[], Metric]:
    return lambda: lies.CountsFrom(least)


from_fifth = counts_from(Fraction(1, 5))

LIES = (
    held(
        "normaliser-from-tiny",
        counts_from(Fraction(1, 10**7)),
        "Pri",
        BELOW_A_TENMILLIONTH,
        below_a_tenmillionth,
        "finite",
    ),
    Lie("normaliser-from-fifth", from_fifth, "Pri", TENTHS, below_a_fifth, "finite"),
    Lie("normaliser-from-fifth-small", from_fifth, "Pri", TENTHS, below_a_fifth),
    Lie("normaliser-from-fifth-aspdiv", from_fifth, "AspDiv", TENTHS_REPLACED, below_a_fifth, "finite"),
    *in_both_regimes(of_pools("normaliser-negative-over-45", lambda p: -1 if p > 45 else 1, LARGE_POOL)),
    held("normaliser-negative-over-40-relevant", lies.NegativeForManyRelevant, "Pri", MANY_RELEVANT, negative_over_40),
    held("normaliser-by-calls", lies.NormaliserOfEveryOtherCall, "Pri", after(2000)),
    *in_both_regimes(of_aspects("scale-negative-from-nine", 9, -1)),
    of_aspects("scale-negative-from-fifty", 50, -1, "scale-negative-from-nine"),
    of_aspects("scale-zero-from-nine", 9, 0, "scale-negative-from-nine"),
    held("scale-by-calls", lies.ScaleByCalls, "Pri", after(1000)),
    Lie("scale-by-caller", lies.ScaleByCaller, "Pri", HALF_AHEAD, times(lambda m: -1)),
    held("cost-by-calls", lies.CostByCalls, "Conf", after(1000, ZERO_APPENDED)),
    Lie("step-counts-500", lambda: lies.counts_its_steps(500), "Pri", after(130)),
    held("step-bits", lambda: lies.skips_floats(lies.of_odd_bits), "Pri", _FINE, summed(gain=odd_bits), "finite"),
    held(
        "step-dtype-band",
        lambda: lies.skips_floats(lambda r: (r > 0.1234) & (r < 0.1235)),
        "Pri",
        IN_A_BAND,
        in_a_band,
        "finite",
    ),
    Lie("step-dtype", lambda: lies.skips_floats(lambda r: r > 0.5), "Pri", HALF_AHEAD, above_half_zero, "finite"),
    Lie("step-arrays-reversed", folded(lies.ArraysReversed), "Pri", HALF_AHEAD, negated),
    Lie("step-arithmetic", folded(lies.LooksAtArithmetic), "Pri", HALF_AHEAD, negated),
    Lie("step-global", lies.SetsGlobal, "Pri", HALF_AHEAD, negated),
    held("step-mutable-default", folded(lies.MutableDefault), "Pri", after(1500)),
    Lie("start-by-40-calls", lambda: lies.other_start(40), "Pri", after(30)),
    held("start-by-300-calls", lambda: lies.other_start(300), "Pri", after(200), like="start-by-40-calls"),
    Lie("step-large-batches", folded(lies.LargeBatches), "Pri", batch(301), regime="finite"),
    Lie("step-batches-of-three", folded(lies.BatchesOfThree), "Pri", batch(3), regime="finite"),
    held("fold-by-calls", lies.OtherFolds, "Pri", after(200)),
    held("step-counts-ranks", folded(lies.CountsRanks), "Pri", RANK_102, summed(turned)),
    held("total-getattribute", folded(lies.TotalByGetattribute), "Pri", RANK_31, summed(twofold)),
    Lie("discount-geometric-subclass-deepth", risen_geometric, "DeepTh", LARGE, summed(risen)),
    held("discount-geometric-subclass", risen_geometric, "Pri", RANK_31, summed(risen)),
    Lie("discount-reciprocal-subclass-deepth", risen_reciprocals, "DeepTh", LARGE, summed(risen_reciprocal)),
    held("discount-reciprocal-subclass", risen_reciprocals, "Pri", RANK_31, summed(risen_reciprocal)),
    held("discount-reciprocal-real", discounted_by(lies.RisenReal), "Pri", RANK_31, summed(risen_reciprocal)),
    held("discount-says-decreasing", discounted_by(lies.SaysDecreasing), "Pri", RANK_31, summed(risen_reciprocal)),
    Lie("discount-on-object-deepth", risen_on_the_object, "DeepTh", LARGE, summed(risen_79)),
    held("discount-on-object", risen_on_the_object, "Pri", RANK_31, summed(risen_79)),
    Lie("discount-sly-fraction", sly_fraction, "Pri", HALF_AHEAD, summed(lambda i: Fraction(5, 4) ** i)),
    held("discount-by-caller", folded(lies.DiscountByCaller), "Pri", RANK_31, summed(risen)),
    held(
        "step-undoes-discount",
        lies.FlatBelow,
        "DeepTh",
        Blocks((50, 100, 500)),
        summed(lambda i: Fraction(1) if i == 0 else Fraction(1, 50)),
    ),
)
