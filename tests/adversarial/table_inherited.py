"""Cells of metrics that inherit from the catalogue and change one part."""

from fractions import Fraction

import numpy as np

from axiomcheck import Metric
from axiomcheck.numbers.arithmetic import Floats
from tests.adversarial import lies_folds
from tests.adversarial import lies_inherited as lies
from tests.adversarial.adversarial_table import (
    HALF_AHEAD,
    LARGE,
    RANK_31,
    Blocks,
    Broken,
    Lie,
    Number,
    P,
    Pair,
    Rows,
    block_pair,
    held,
    in_both_regimes,
    summed,
)


def rbp(i: int) -> Fraction:
    """Return what a rank counts, from 0."""
    return (1 - P) * P**i


total = summed(lambda i: Fraction(1))
fifth = summed(lambda i: Fraction(1, 5))
reversed_rbp = summed(lambda i: -rbp(i))
rank_31_twofold = summed(lambda i: rbp(i) if i < 30 else Fraction(2 if i == 30 else 0))
risen = summed(lambda i: rbp(i) if i < 30 else Fraction(2))
rising = summed(lambda i: Fraction(23, 100) * Fraction(5, 4) ** i)
halves = summed(lambda i: Fraction(1, 2**i))


def maximum_over_aspects(ranked: Rows, weights: object, pool: object) -> Number:
    return sum((rbp(i) * max(row) for i, row in enumerate(ranked)), start=Fraction(0))


def asked_twice(metric: Metric) -> tuple[float, float]:
    """The first ranking asked for is the better one; its input is then used for the worse."""
    one = np.ones((1, 1))
    grades = np.array([[[1.0], [0.5]]])
    better = float(metric.score(Floats(), grades, one, grades.copy())[0])
    again = float(metric.score(Floats(), grades, one, grades.copy())[0])
    return better, again


def distributions(metric: Metric) -> tuple[float, float]:
    """DeepTh at n = 68: everyone sees the first 20 ranks, so each distribution is one value."""
    pair = block_pair(68)
    pool = np.array([[[float(g) for g in row] for row in pair.pool]])
    values = []
    for side in (pair.worse, pair.better):
        listed, masses, rest = metric.distribution(Floats(), pool[:, side], np.ones((1, 1)), pool)
        assert np.all(np.asarray(rest) == 0)
        values.append(float((listed * masses).sum()))
    block, top = values
    return block, top


_HEAVIER = Pair(
    ((Fraction(1, 2), Fraction(0)), (Fraction(0), Fraction(1, 2))), (0,), (1,), (Fraction(1, 3), Fraction(2, 3))
)


def large_pools_distribution() -> Metric:
    return lies.LargePoolsOtherDistribution(20, order="dominance")


LIES = (
    Lie("kernel-sum-keeps-tail", lies.SumKeepsTail, "DeepTh", LARGE, total),
    *in_both_regimes(Lie("kernel-sum", lies.SumKernel, "DeepTh", LARGE, total)),
    Lie("score-sum", lies.OwnScore, "DeepTh", LARGE, total),
    Lie("evaluate-negated", lies.OwnEvaluate, "Pri", HALF_AHEAD, reversed_rbp),
    Lie("fold-undoes-discount", lies.OwnFold, "DeepTh", LARGE, fifth),
    Lie("scale-negative", lies.NegativeScale, "DeepTh", LARGE, reversed_rbp),
    Lie("pooling-maximum", lies.PooledByMaximum, "AspRel", _HEAVIER, maximum_over_aspects, regime="finite"),
    Lie("kernel-mixin", lies.KernelByMixin, "DeepTh", LARGE, total),
    held("kernel-behind-metaclass", lies.KernelBehindMetaclass, "Pri", RANK_31, rank_31_twofold),
    held("kernel-getattribute", lies.KernelByGetattribute, "Pri", RANK_31, rank_31_twofold),
    Lie("canonical-rbp", lies.CanonicalRbp, "DeepTh", LARGE, fifth),
    Lie("class-lies", lies.ClassLies, "DeepTh", LARGE, total),
    held("copies-are-honest", lies_folds.CopiesAreHonest, "Pri", RANK_31, risen),
    held("executed-in-the-catalogue", lies.executed_in_the_catalogue, "Pri", RANK_31, rank_31_twofold),
    Lie("values-sly", lies_folds.with_other_values, "DeepTh", LARGE, rising),
    Lie("mixture-halves", lies.FlatMixture, "CloseTh", Blocks(tuple(range(1, 60))), halves),
    Lie("inst-sum", lies.FlatInst, "DeepTh", LARGE, total, untrue=("L(n)/T <= 1/2",)),
    held("large-pools-reversed-distribution", large_pools_distribution, "DeepTh", Broken(distributions)),
    Lie("zeros-its-input", lies.ZerosItsInput, "Pri", Broken(asked_twice)),
)
