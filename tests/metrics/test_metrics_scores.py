"""Scores that are no real numbers are errors with a message, whichever way they come in; none is converted."""

import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from axiomcheck import Metric, MetricError, Reading, Regime, Verdict, find_axiom
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.metrics.scores import is_masked, real_score, real_scores
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric
from axiomcheck.trials.subject import Subject
from tests.support.suites import each

UNREAL: dict[str, tuple[Callable[[Any], Any], str]] = {
    "complex": (lambda s: s + 0j, "array of complex128"),
    "masked": (lambda s: np.ma.masked_less(s, 1.0), "masked array"),
    "objects": (lambda s: s.astype(object), "array of object"),
    "half precision": (lambda s: s.astype(np.float16), "float16, whose rounding hides differences"),
}


FEW = Settings(proofs=False, examples=20)


class Whole(Metric):
    """The sum of the grades, made into something else."""

    name = "whole"
    summary = source = ""

    def __init__(self, made: Callable[[Any], Any]) -> None:
        super().__init__()
        self.made = made

    def kernel(self, a: Arithmetic, grades: Any, weights: Any, pool: Any) -> Any:
        return self.made(grades.sum(axis=(-1, -2))) if grades.dtype == np.float64 else grades.sum(axis=(-1, -2))


def _function(made: Callable[[Any], Any]) -> FunctionMetric:
    return FunctionMetric(lambda grades, weights: made(grades.sum(axis=(1, 2))), "whole")


def _numerical(made: Callable[[Any], Any]) -> FunctionMetric:
    """One that cannot be run in exact arithmetic, whatever comes out of it."""
    return FunctionMetric(lambda grades, weights: made(np.cbrt(grades.astype(np.float64)).sum(axis=(1, 2))), "whole")


@pytest.mark.parametrize("way", [Whole, _function, _numerical])
@each("name", list(UNREAL), 3)
def test_arrays_of_what_is_no_real_number_are_errors(way: Callable[[Callable[[Any], Any]], Metric], name: str) -> None:
    made, said = UNREAL[name]
    metric = way(made)
    with pytest.raises(MetricError, match=said):
        metric.evaluate(np.ones((2, 1, 1)), np.ones((2, 1)), np.zeros((2, 1), dtype=np.int64))


@pytest.mark.parametrize("way", [Whole, _function, _numerical])
def test_a_cell_of_such_scores_is_in_error(way: Callable[[Callable[[Any], Any]], Metric]) -> None:
    made, said = UNREAL["complex"]
    (cell,) = run_matrix([way(made)], [find_axiom("Pri")], Reading(Regime.FINITE), FEW).cells
    assert (cell.verdict, said in cell.reason) == (Verdict.ERROR, True)


@pytest.mark.parametrize(
    "score",
    [
        "0.5",
        b"1",
        None,
        1j,
        np.complex128(1),
        Decimal(1),
        [1.0],
        np.array([1.0]),
        np.ma.masked,
        np.float16(1),
        2**53 + 1,
        -(2**60) - 1,
        np.int64(2**53 + 1),
    ],
)
def test_one_score_that_is_no_real_number_is_an_error(score: Any) -> None:
    metric = CallableMetric(lambda topic, ranking: score, "odd")
    with pytest.raises(MetricError, match=r"odd return"):
        metric.evaluate(np.ones((1, 1, 1)), np.ones((1, 1)), np.zeros((1, 1), dtype=np.int64))
    subject = Subject(metric)
    assert not any(scores.usable.any() for scores in subject.score(subject.blocks[:2]))
    assert "odd return" in subject.first_message


@pytest.mark.parametrize(
    ("score", "double"),
    [
        (1, 1.0),
        (-(2**53) - 2, -9007199254740994.0),
        (np.bool_(False), 0.0),
        (np.longdouble(0.5), 0.5),
        (Fraction(1, 4), 0.25),
    ],
)
def test_numbers_of_every_real_kind_are_scores(score: Any, double: float) -> None:
    found = real_score("m", score)
    assert type(found) is float
    assert found == double


@pytest.mark.parametrize("kind", [np.float64, np.int32, np.uint8, np.bool_, np.longdouble])
def test_arrays_of_every_real_kind_are_scores(kind: type) -> None:
    found = real_scores("m", np.array([0, 1], dtype=kind))
    assert found.dtype == np.float64
    assert found.tolist() == [0.0, 1.0]


def test_a_list_is_not_masked_while_another_thread_imports_masked_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy.ma", ModuleType("numpy.ma"))  # empty, as in the middle of its import
    assert not is_masked([0.5])
