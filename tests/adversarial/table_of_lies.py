"""Cells of lying metrics: changed parts of the catalogue, folds, arguments and declarations, and no functions."""

import threading
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from axiomcheck import Metric, as_metric
from axiomcheck.metrics import Tail
from axiomcheck.metrics.fold import Additive
from axiomcheck.numbers.arithmetic import Floats
from axiomcheck.numbers.discount import Discount
from tests.adversarial import lies_folds, lies_functions, lies_inherited, lies_tails
from tests.adversarial.adversarial_table import (
    HALF_AHEAD,
    LARGE,
    ONE_DOUBLE,
    RANK_31,
    Blocks,
    Broken,
    Lie,
    Pair,
    after,
    block_pair,
    floats,
    held,
    in_threes,
    of,
    swapped,
)

# ------------------------------------------------------------ inherited


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
    return lies_inherited.LargePoolsOtherDistribution(20, order="dominance")


INHERITED = (
    Lie("kernel-sum", lies_inherited.SumKernel, "DeepTh", LARGE),
    Lie("score-sum", lies_inherited.OwnScore, "DeepTh", LARGE),
    Lie("evaluate-negated", lies_inherited.OwnEvaluate, "Pri", HALF_AHEAD),
    Lie("fold-undoes-discount", lies_inherited.OwnFold, "DeepTh", LARGE),
    Lie("pooling-maximum", lies_inherited.PooledByMaximum, "AspRel", _HEAVIER, regime="finite"),
    held("kernel-behind-metaclass", lies_inherited.KernelBehindMetaclass, "Pri", RANK_31),
    held("kernel-getattribute", lies_inherited.KernelByGetattribute, "Pri", RANK_31),
    Lie("canonical-rbp", lies_inherited.CanonicalRbp, "DeepTh", LARGE),
    Lie("class-lies", lies_inherited.ClassLies, "DeepTh", LARGE),
    held("copies-are-honest", lies_folds.CopiesAreHonest, "Pri", RANK_31),
    held("executed-in-the-catalogue", lies_inherited.executed_in_the_catalogue, "Pri", RANK_31),
    Lie("values-sly", lies_folds.with_other_values, "DeepTh", LARGE),
    Lie("mixture-halves", lies_inherited.FlatMixture, "CloseTh", Blocks(tuple(range(1, 60)))),
    held("large-pools-reversed-distribution", large_pools_distribution, "DeepTh", Broken(distributions)),
    Lie("zeros-its-input", lies_inherited.ZerosItsInput, "Pri", Broken(asked_twice)),
)

# ------------------------------------------------------------ folds

TINY = Fraction(1, 10**8)

LARGE_POOL = Pair(of([Fraction(1, 2), Fraction(1)] + [Fraction(0)] * 44), (0, 1), (1, 0))
_DEEP = tuple(range(102))
RANK_102 = Pair(of([Fraction(1, 2)] * 101 + [Fraction(1)]), _DEEP, swapped(_DEEP, 100, 101))
"""Pri between ranks 101 and 102, which count less than nothing, and the first of them least."""
BELOW_A_TENMILLIONTH = Pair(of([TINY / 2, TINY]), (0, 1), (1, 0))


NINE_ASPECTS = Pair(((Fraction(1, 2),) * 9, (Fraction(1),) * 9), (0,), (1,))
"""AspDiv with one document."""


def folded(kind: type[lies_folds.Plain]) -> Callable[[], Metric]:
    return lambda: lies_folds.Folded(kind())


def discounted_by(make: Callable[[], object]) -> Callable[[], Metric]:
    return lambda: lies_folds.Folded(Additive(make()))  # type: ignore[arg-type]


risen_on_the_object = discounted_by(lies_folds.risen_on_the_object)


FOLDS = (
    held("normaliser-from-tiny", lies_folds.CountsFromTiny, "Pri", BELOW_A_TENMILLIONTH, "finite"),
    held("normaliser-negative-over-45", lies_folds.OtherForSomePools, "Pri", LARGE_POOL, "finite"),
    held("scale-negative-from-nine", lies_folds.NegativeScaleFromNine, "AspDiv", NINE_ASPECTS),
    Lie("step-counts-500", lies_folds.counts_its_steps, "Pri", after(130)),
    Lie("step-arithmetic", folded(lies_folds.LooksAtArithmetic), "Pri", HALF_AHEAD),
    Lie("step-global", lies_folds.SetsGlobal, "Pri", HALF_AHEAD),
    held("fold-by-calls", lies_folds.OtherFolds, "Pri", after(200)),
    held("step-counts-ranks", folded(lies_folds.CountsRanks), "Pri", RANK_102),
    held("discount-reciprocal-real", discounted_by(lies_folds.RisenReal), "Pri", RANK_31),
    held("discount-on-object", risen_on_the_object, "Pri", RANK_31),
)

# ------------------------------------------------------------ tails

TEN_THOUSANDTHS = lies_tails.OneAndRest(Fraction(1, 10**4))
HUNDREDTHS = lies_tails.OneAndRest(Fraction(1, 100))

FIVE_EIGHTHS = Pair(of([Fraction(5, 8), Fraction(1)]), (0, 1), (1, 0))
THREE_QUARTERS = Pair(of([Fraction(3, 4), Fraction(1)]), (0, 1), (1, 0))
UNEQUAL = Pair(((Fraction(1, 2),) * 2, (Fraction(1),) * 2), (0,), (1,), (Fraction(1, 3), Fraction(2, 3)))
FINE = Pair(of([Fraction(1, 10**6), Fraction(2, 10**6)]), (0, 1), (1, 0))
NEVER = Blocks((*range(1, 80), 600, 700))

AFTER_10000, FROM_100, FROM_99 = Blocks((10_001,)), Blocks((100, 200, 1000)), Blocks((99, 150, 200))


def below(name: str, make: Callable[[], Metric], blocks: Blocks) -> Lie:
    """A metric that says that the block is never ahead."""
    return held(name, make, "DeepTh", blocks, untrue=(lies_tails.BELOW,))


def tailed(name: str, discount: Discount, *tails: Tail) -> Callable[[], Metric]:
    return lambda: lies_tails.Tailed(name, discount, *tails)


TAILS = (
    below("tail-below-until-10000", tailed("until", TEN_THOUSANDTHS, lies_tails.below(1)), AFTER_10000),
    Lie(
        "tail-above-though-never",
        tailed("never", lies_tails.Squares(), lies_tails.above(600)),
        "CloseTh",
        NEVER,
        untrue=(lies_tails.ABOVE,),
    ),
    below("tail-changes", tailed("changes", HUNDREDTHS, lies_tails.above(100), lies_tails.below(1)), FROM_100),
    held(
        "cutoff-false-at-100",
        lambda: lies_tails.metric(cutoff=10)(lies_tails.top_ten),
        "DeepTh",
        FROM_99,
        untrue=("for n >= 10 the first 10 ranks",),
    ),
    held("binary-function", lambda: lies_tails.says_binary, "Pri", FIVE_EIGHTHS, "finite"),
    held("levels-false", lies_tails.says_two_levels, "Pri", THREE_QUARTERS, "finite"),
    held("weights-false", lies_tails.says_no_weights, "AspDiv", UNEQUAL, "finite"),
    held("numerical-false", lies_tails.SaysExact, "Pri", FINE, "finite"),
)

# ------------------------------------------------------------ functions


def in_a_thread(metric: Metric) -> tuple[float, float]:
    found: list[tuple[float, float]] = []
    thread = threading.Thread(target=lambda: found.append(floats(metric, HALF_AHEAD)))
    thread.start()
    thread.join()
    return found[0]


def function(id_: str, make: Callable[[], Any], truth: Any, held: bool = False) -> Lie:
    return Lie(id_, lambda: as_metric(make(), id_), "Pri", truth, "finite", held)


FUNCTIONS = (
    function("calls-10", lambda: lies_functions.counting(10), after(11)),
    function("calls-1000", lambda: lies_functions.counting(1000), after(1001), held=True),
    function("batches-of-3", lambda: lies_functions.batches_of(3), Broken(in_threes)),
    function("one-double", lambda: lies_functions.one_double, ONE_DOUBLE, held=True),
    function("thread", lambda: lies_functions.by_thread, Broken(in_a_thread), held=True),
)
