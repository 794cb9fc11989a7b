"""Cells of lying metrics: changed parts of the catalogue, arguments and declarations, and no functions."""

from collections.abc import Callable
from typing import Any

from axiomcheck import as_metric
from tests.adversarial import lies_functions, lies_inherited, lies_tails
from tests.adversarial.adversarial_table import Lie, Size, held

RANK_31, RANK_102 = Size(31), Size(102)


INHERITED = (
    Lie("kernel-sum", lies_inherited.SumKernel, "DeepTh"),
    Lie("evaluate-negated", lies_inherited.OwnEvaluate, "Pri"),
    Lie("fold-undoes-discount", lies_inherited.OwnFold, "DeepTh"),
    Lie("pooling-maximum", lies_inherited.PooledByMaximum, "AspRel", regime="finite"),
    held("kernel-getattribute", lies_inherited.KernelByGetattribute, "Pri", RANK_31),
    Lie("class-lies", lies_inherited.ClassLies, "DeepTh"),
    Lie("mixture-halves", lies_inherited.FlatMixture, "CloseTh"),
    Lie("zeros-its-input", lies_inherited.ZerosItsInput, "Pri"),
)


TAILS = (
    held(
        "tail-below-until-10000",
        lambda: lies_tails.Tailed("until", lies_tails.OneAndRest(), lies_tails.below(1)),
        "DeepTh",
        untrue=(lies_tails.BELOW,),
    ),
    Lie(
        "tail-above-though-never",
        lambda: lies_tails.Tailed("never", lies_tails.Squares(), lies_tails.above(600)),
        "CloseTh",
        untrue=(lies_tails.ABOVE,),
    ),
    held(
        "cutoff-false-at-100",
        lambda: lies_tails.metric(cutoff=10)(lies_tails.top_ten),
        "DeepTh",
        untrue=("for n >= 10 the first 10 ranks",),
    ),
    held("binary-function", lambda: lies_tails.says_binary, "Pri", regime="finite"),
    held("levels-false", lies_tails.says_two_levels, "Pri", regime="finite"),
    held("weights-false", lies_tails.says_no_weights, "AspDiv", Size(1, aspects=2), "finite"),
    held("numerical-false", lies_tails.SaysExact, "Pri", regime="finite"),
)


def function(name: str, make: Callable[[], Any], held: bool = False) -> Lie:
    return Lie(name, lambda: as_metric(make(), name), "Pri", regime="finite", held=held)


FUNCTIONS = (
    function("calls-10", lambda: lies_functions.counting(10)),
    function("one-double", lambda: lies_functions.one_double, held=True),
)
