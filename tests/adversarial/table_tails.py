"""Cells of metrics whose arguments about large n, or declarations, are false."""

from __future__ import annotations

from fractions import Fraction

from tests.adversarial import lies_tails as lies
from tests.adversarial.adversarial_table import Lie
from tests.adversarial.adversarial_truth import Blocks, Number, Pair, Plain, Rows, of
from tests.adversarial.table_folds import by_rank
from tests.adversarial.table_inherited import HALF_AHEAD

TEN_THOUSANDTHS = lies.OneAndRest(Fraction(1, 10**4))
HUNDREDTHS = lies.OneAndRest(Fraction(1, 100))
P = Fraction(4, 5)


def one_and(rest: Fraction) -> Plain:
    return by_rank(lambda i: Fraction(1) if i == 0 else rest)


def top_ten(ranked: Rows, weights: object, pool: object) -> Number:
    return sum((P**i * row[0] for i, row in enumerate(ranked[:10])), start=Fraction(0)) + 10 * sum(
        (row[0] for row in ranked[99:]), start=Fraction(0)
    )


def humped(base: Number) -> Plain:
    def plain(ranked: Rows, weights: object, pool: object) -> Number:
        return sum((base**i * r * (Fraction(5, 4) - r) for i, (r,) in enumerate(ranked)), start=Fraction(0))

    return plain


def humped_squares(ranked: Rows, weights: object, pool: object) -> Number:
    return sum((r * (Fraction(5, 4) - r) / (i + 1) ** 2 for i, (r,) in enumerate(ranked)), start=Fraction(0))


def peaked(ranked: Rows, weights: object, pool: object) -> Number:
    gains = [r + 8 * r * (1 - r) * (r - Fraction(1, 2)) for (r,) in ranked]
    return sum((P**i * g for i, g in enumerate(gains)), start=Fraction(0))


def weighed(ranked: Rows, weights: tuple[Number, ...], pool: object) -> Number:
    score = sum((P**i * sum(row) for i, row in enumerate(ranked)), start=Fraction(0))
    return score if len(set(weights)) == 1 else -score


def rounded(ranked: Rows, weights: object, pool: object) -> Number:
    return round(float(sum(P**i * row[0] for i, row in enumerate(ranked))), 3)


def minus_total(ranked: Rows, weights: object, pool: object) -> Number:
    return -sum((row[0] for row in ranked), start=Fraction(0))


FIVE_EIGHTHS = Pair(of([Fraction(5, 8), Fraction(1)]), (0, 1), (1, 0))
THREE_QUARTERS = Pair(of([Fraction(3, 4), Fraction(1)]), (0, 1), (1, 0))
UNEQUAL = Pair(((Fraction(1, 2),) * 2, (Fraction(1),) * 2), (0,), (1,), (Fraction(1, 3), Fraction(2, 3)))
FINE = Pair(of([Fraction(1, 10**6), Fraction(2, 10**6)]), (0, 1), (1, 0))
NEVER = Blocks((*range(1, 80), 600, 700))

LIES = (
    Lie(
        "tail-below-until-10000",
        lambda: lies.Tailed("tail-below-until-10000", TEN_THOUSANDTHS, lies.below(1)),
        "DeepTh",
        Blocks((10_000,)),
        one_and(Fraction(1, 10**4)),
        held=True,
        untrue=(lies.BELOW,),
    ),
    Lie(
        "tail-below-until-10000-finite",
        lambda: lies.Tailed("tail-below-until-10000-finite", TEN_THOUSANDTHS, lies.below(1)),
        "DeepTh",
        Blocks((10_000,)),
        one_and(Fraction(1, 10**4)),
        regime="finite",
        held=True,
        untrue=(lies.BELOW,),
    ),
    Lie(
        "tail-below-kernel",
        lambda: lies.TailedKernel(TEN_THOUSANDTHS, lies.below(1)),
        "DeepTh",
        Blocks((10_000,)),
        one_and(Fraction(1, 10**4)),
        held=True,
        untrue=(lies.BELOW,),
    ),
    Lie(
        "tail-below-from-a-million",
        lambda: lies.Tailed("tail-below-from-a-million", HUNDREDTHS, lies.below(10**6)),
        "DeepTh",
        Blocks((100, 200, 1000)),
        one_and(Fraction(1, 100)),
        held=True,
        untrue=(lies.BELOW,),
    ),
    Lie(
        "tail-above-though-never",
        lambda: lies.Tailed("tail-above-though-never", lies.Squares(), lies.above(600)),
        "CloseTh",
        NEVER,
        by_rank(lambda i: Fraction(1, (i + 1) ** 2)),
        untrue=(lies.ABOVE,),
    ),
    Lie(
        "tail-above-though-never-finite",
        lambda: lies.Tailed("tail-above-though-never-finite", lies.Squares(), lies.above(600)),
        "CloseTh",
        NEVER,
        by_rank(lambda i: Fraction(1, (i + 1) ** 2)),
        regime="finite",
        untrue=(lies.ABOVE,),
    ),
    Lie(
        "tail-above-kernel",
        lambda: lies.TailedKernel(lies.Squares(), lies.above(600)),
        "CloseTh",
        NEVER,
        by_rank(lambda i: Fraction(1, (i + 1) ** 2)),
        untrue=(lies.ABOVE,),
    ),
    Lie(
        "tail-above-from-three",
        lambda: lies.Tailed("tail-above-from-three", lies.Squares(), lies.above(3)),
        "CloseTh",
        NEVER,
        by_rank(lambda i: Fraction(1, (i + 1) ** 2)),
        untrue=(lies.ABOVE,),
    ),
    Lie(
        "tail-changes",
        lambda: lies.Tailed("tail-changes", HUNDREDTHS, lies.above(100), lies.below(1)),
        "DeepTh",
        Blocks((100, 200, 1000)),
        one_and(Fraction(1, 100)),
        held=True,
        untrue=(lies.BELOW,),
    ),
    Lie(
        "cutoff-false-at-100",
        lambda: lies.metric(cutoff=10)(lies.top_ten),
        "DeepTh",
        Blocks((99, 150, 200)),
        top_ten,
        held=True,
        untrue=("for n >= 10 the first 10 ranks",),
    ),
    Lie(
        "cutoff-false-at-100-finite",
        lambda: lies.metric(cutoff=10)(lies.top_ten),
        "DeepTh",
        Blocks((99, 150, 200)),
        top_ten,
        regime="finite",
        held=True,
        untrue=("for n >= 10 the first 10 ranks",),
    ),
    Lie("binary-function", lambda: lies.says_binary, "Pri", FIVE_EIGHTHS, humped(P), regime="finite", held=True),
    Lie("binary-fold", lies.SaysBinary, "Pri", FIVE_EIGHTHS, humped_squares, regime="finite", held=True),
    Lie("levels-false", lies.SaysTwoLevels, "Pri", THREE_QUARTERS, peaked, regime="finite", held=True),
    Lie("weights-false", lies.SaysNoWeights, "AspDiv", UNEQUAL, weighed, regime="finite", held=True),
    Lie("numerical-false", lies.SaysExact, "Pri", FINE, rounded, regime="finite", held=True),
    Lie("numerical-changes", lies.SaysFloatsOnceAsked, "Pri", HALF_AHEAD, minus_total, regime="finite"),
)
