"""A metric of which smaller scores are better, and one that says what it should agree with."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiomcheck import InvalidInput, Reading, Regime, Verdict, find_axiom
from axiomcheck.checks.contract import run_contract
from axiomcheck.checks.metric import _examine
from axiomcheck.decide.search import Settings
from axiomcheck.engine.cells import decide
from axiomcheck.engine.tasks import Task
from axiomcheck.metrics.base import Claims
from axiomcheck.sources.function_metrics import FunctionMetric, metric
from axiomcheck.sources.resolve import resolve

Array = Any


def missed(grades: Array, weights: Array) -> Array:
    """Sum what a document without relevance costs at each rank."""
    return ((1 - grades[..., 0]) * 0.5 ** np.arange(1, grades.shape[1] + 1)).sum(axis=1) + 0.5 ** grades.shape[1]


def test_lower_is_better_where_that_is_declared() -> None:
    made = metric(name="made", single_aspect=True, orientation="lower")(missed)
    task = Task(find_axiom("Pri"), (made,), Reading(Regime.FINITE), Settings(examples=30, proofs=False))
    [cell] = decide(task, lambda share: None)
    assert cell.verdict is Verdict.HELD, cell.reason


def test_the_range_is_that_of_the_scores_as_they_are_returned() -> None:
    declared: dict[str, Any] = {"name": "made", "single_aspect": True, "low": 0, "monotone": True}
    made = metric(orientation="lower", high=1, **declared)(missed)
    assert made.claims == Claims(-1, 0, monotone=True)
    outcomes = {one.check: one.status for one in run_contract(made, checks=["in-range", "monotone"])}
    assert set(outcomes.values()) == {"passed"}
    for wrong, check in (({"orientation": "lower", "high": 0.5}, "in-range"), ({"high": 1}, "monotone")):
        [outcome] = run_contract(metric(**declared, **wrong)(missed), checks=[check])
        assert outcome.status == "failed"


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ({"orientation": "down"}, "metric: orientation is 'down'; expected one of 'higher', 'lower'"),
        ({"single_aspect": "false"}, "metric: single_aspect is 'false'; expected True or False"),
        ({"monotone": 1, "name": "dcg"}, "metric dcg: monotone is 1; expected True or False"),
        ({"orientation": "lower", "high": 1, "ideal": True}, "ideal needs low"),
    ],
)
def test_declarations_that_cannot_be_are_errors(declared: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        metric(**declared)


def half(grades: Array, weights: Array) -> Array:
    return grades[:, :, 0] @ 0.5 ** np.arange(1, grades.shape[1] + 1)


@pytest.mark.parametrize(
    ("declared", "named", "status"),
    [
        ("RBP(p=0.6)", None, "failed"),
        ("RBP(p=0.6)", "RBP(p=0.5)", "passed"),
        (None, None, "not-applicable"),
    ],
)
def test_a_declared_reference_is_asked_about_and_can_be_overruled(
    declared: str | None, named: str | None, status: str
) -> None:
    tried = _examine(metric(name="half", single_aspect=True, reference=declared)(half), 0, named, checks=["reference"])
    [outcome] = tried.contract
    assert (outcome.status, (named or declared or "") in outcome.reason) == (status, True)


def test_a_reference_is_declared_in_a_table_too_and_has_to_be_there(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("def half(grades, weights):\n    return grades.sum(axis=(1, 2))\n")
    table = '[declared."own.py:half"]\nreference = "RBP"\norientation = "lower"\n'
    (tmp_path / "axiomcheck.toml").write_text(table)
    made = resolve(f"{file}:half")
    assert isinstance(made, FunctionMetric)
    assert (made.reference, made.lower) == ("RBP", True)
    (tmp_path / "axiomcheck.toml").write_text(table.replace("RBP", "RPB"))
    with pytest.raises(InvalidInput, match="RPB"):
        _examine(resolve(f"{file}:half"), 0, None)
