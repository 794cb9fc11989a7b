"""Cells of metrics whose arguments about large n, or declarations, are false."""

from collections.abc import Callable
from fractions import Fraction

from axiomcheck import Metric
from axiomcheck.metrics import Tail
from axiomcheck.numbers.discount import Discount
from tests.adversarial import lies_tails as lies
from tests.adversarial.adversarial_table import (
    Blocks,
    Lie,
    Number,
    P,
    Pair,
    Plain,
    Rows,
    held,
    in_both_regimes,
    of,
    summed,
)

TEN_THOUSANDTHS = lies.OneAndRest(Fraction(1, 10**4))
HUNDREDTHS = lies.OneAndRest(Fraction(1, 100))


def one_and(rest: Fraction) -> Plain:
    return summed(lambda i: rest if i else Fraction(1))


def humped(grade: Number) -> Number:
    return grade * (Fraction(5, 4) - grade)


def weighed(ranked: Rows, weights: tuple[Number, ...], pool: object) -> Number:
    score = sum((P**i * sum(row) for i, row in enumerate(ranked)), start=Fraction(0))
    return score if len(set(weights)) == 1 else -score


def rounded(ranked: Rows, weights: object, pool: object) -> Number:
    return round(float(sum(P**i * row[0] for i, row in enumerate(ranked))), 3)


FIVE_EIGHTHS = Pair(of([Fraction(5, 8), Fraction(1)]), (0, 1), (1, 0))
THREE_QUARTERS = Pair(of([Fraction(3, 4), Fraction(1)]), (0, 1), (1, 0))
UNEQUAL = Pair(((Fraction(1, 2),) * 2, (Fraction(1),) * 2), (0,), (1,), (Fraction(1, 3), Fraction(2, 3)))
FINE = Pair(of([Fraction(1, 10**6), Fraction(2, 10**6)]), (0, 1), (1, 0))
NEVER = Blocks((*range(1, 80), 600, 700))

below_ten_thousandths = one_and(Fraction(1, 10**4))
below_hundredths = one_and(Fraction(1, 100))
squares = summed(lambda i: Fraction(1, (i + 1) ** 2))
top_ten = summed(lambda i: P**i if i < 10 else Fraction(10 if i >= 99 else 0))
peaked = summed(gain=lambda r: r + 8 * r * (1 - r) * (r - Fraction(1, 2)))
AT_10000, FROM_100, FROM_99 = Blocks((10_000,)), Blocks((100, 200, 1000)), Blocks((99, 150, 200))


def below(name: str, make: Callable[[], Metric], blocks: Blocks, plain: Plain) -> Lie:
    """A metric that says that the block is never ahead."""
    return held(name, make, "DeepTh", blocks, plain, untrue=(lies.BELOW,))


def tailed(name: str, discount: Discount, *tails: Tail) -> Callable[[], Metric]:
    return lambda: lies.Tailed(name, discount, *tails)


LIES = (
    *in_both_regimes(
        below(
            "tail-below-until-10000", tailed("until", TEN_THOUSANDTHS, lies.below(1)), AT_10000, below_ten_thousandths
        )
    ),
    below(
        "tail-below-kernel",
        lambda: lies.TailedKernel(TEN_THOUSANDTHS, lies.below(1)),
        AT_10000,
        below_ten_thousandths,
    ),
    *in_both_regimes(
        Lie(
            "tail-above-though-never",
            tailed("never", lies.Squares(), lies.above(600)),
            "CloseTh",
            NEVER,
            squares,
            untrue=(lies.ABOVE,),
        )
    ),
    below("tail-changes", tailed("changes", HUNDREDTHS, lies.above(100), lies.below(1)), FROM_100, below_hundredths),
    held(
        "cutoff-false-at-100",
        lambda: lies.metric(cutoff=10)(lies.top_ten),
        "DeepTh",
        FROM_99,
        top_ten,
        untrue=("for n >= 10 the first 10 ranks",),
    ),
    held("binary-function", lambda: lies.says_binary, "Pri", FIVE_EIGHTHS, summed(gain=humped), "finite"),
    held("levels-false", lies.SaysTwoLevels, "Pri", THREE_QUARTERS, peaked, "finite"),
    held("weights-false", lies.SaysNoWeights, "AspDiv", UNEQUAL, weighed, "finite"),
    held("numerical-false", lies.SaysExact, "Pri", FINE, rounded, "finite"),
)
