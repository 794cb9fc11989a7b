"""Cells of fold metrics that break what folds promise."""

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
    Lie,
    Number,
    P,
    Pair,
    Plain,
    Rows,
    after,
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
BELOW_A_TENMILLIONTH = Pair(of([TINY / 2, TINY]), (0, 1), (1, 0))


NINE_ASPECTS = Pair(((Fraction(1, 2),) * 9, (Fraction(1),) * 9), (0,), (1,))
"""AspDiv with one document."""


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


def turned(i: int) -> Number:
    return P**i if i < 100 else -(P**i)


below_a_tenmillionth = normalised(lambda g, p, m: sum(x >= Fraction(1, 10**7) for x in g))
negated = summed(gain=lambda g: -g)
above_half_zero = summed(gain=lambda g: 0 if g > 0.5 else g)
risen_geometric = discounted_by(lies.RisenGeometric)
risen_on_the_object = discounted_by(lies.risen_on_the_object)
sly_fraction = discounted_by(lambda: Geometric(lies.SlyFraction(77, 100)))


over_45_documents = normalised(lambda g, p, m: relevant(g) * (-1 if p > 45 else 1))
from_nine_aspects = times(lambda m: -1 if m >= 9 else 1)

LIES = (
    held(
        "normaliser-from-tiny",
        lies.CountsFromTiny,
        "Pri",
        BELOW_A_TENMILLIONTH,
        below_a_tenmillionth,
        "finite",
    ),
    *in_both_regimes(
        held("normaliser-negative-over-45", lies.OtherForSomePools, "Pri", LARGE_POOL, over_45_documents),
    ),
    held("normaliser-by-calls", lies.NormaliserOfEveryOtherCall, "Pri", after(2000)),
    *in_both_regimes(
        held("scale-negative-from-nine", lies.NegativeScaleFromNine, "AspDiv", NINE_ASPECTS, from_nine_aspects),
    ),
    Lie("scale-by-caller", lies.ScaleByCaller, "Pri", HALF_AHEAD, times(lambda m: -1)),
    Lie("step-counts-500", lies.counts_its_steps, "Pri", after(130)),
    Lie("step-dtype", folded(lies.SkipsFloats), "Pri", HALF_AHEAD, above_half_zero, "finite"),
    Lie("step-arithmetic", folded(lies.LooksAtArithmetic), "Pri", HALF_AHEAD, negated),
    Lie("step-global", lies.SetsGlobal, "Pri", HALF_AHEAD, negated),
    held("fold-by-calls", lies.OtherFolds, "Pri", after(200)),
    held("step-counts-ranks", folded(lies.CountsRanks), "Pri", RANK_102, summed(turned)),
    Lie("discount-geometric-subclass-deepth", risen_geometric, "DeepTh", LARGE, summed(risen)),
    held("discount-geometric-subclass", risen_geometric, "Pri", RANK_31, summed(risen)),
    held("discount-reciprocal-real", discounted_by(lies.RisenReal), "Pri", RANK_31, summed(risen_reciprocal)),
    held("discount-on-object", risen_on_the_object, "Pri", RANK_31, summed(risen_79)),
    Lie("discount-sly-fraction", sly_fraction, "Pri", HALF_AHEAD, summed(lambda i: Fraction(5, 4) ** i)),
)
