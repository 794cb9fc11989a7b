"""Who is asked answers: equality, names and caches never lend one metric's cells to another."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from axiomcheck import Cell, InvalidInput, Metric, Reading, Regime, Verdict, as_metric, find_axiom, parse
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from tests.adversarial import lies_functions
from tests.adversarial.adversarial_table import GREEN
from tests.adversarial.lies_inherited import ByRatio, EqualToAll, WithBonus

SETTINGS = Settings(examples=50, exhaustive=False)


def fresh(cls: type[Any]) -> type[Any]:
    """A class of its own for a test, so that no cache knows its objects."""
    return type(cls.__name__, (cls,), {})


def cells(metrics: Sequence[Metric], axiom: str, regime: str = "stated") -> list[Cell] | None:
    """One cell per metric in the order asked, or None where they were refused with a sentence."""
    try:
        ledger = run_matrix(metrics, [find_axiom(axiom)], Reading(Regime(regime)), SETTINGS)
    except InvalidInput:
        return None
    assert len(ledger.cells) == len(metrics)
    return list(ledger.cells)


def assert_of(bonus: int, cell: Cell) -> None:
    """DeepTh of `WithBonus`: at 0 the top is always ahead, at 1 the block is from n = 2 on."""
    assert (cell.verdict in GREEN) == (bonus == 0), (bonus, cell.verdict, cell.reason)
    assert not cell.reason.startswith("internal disagreement")


def test_an_object_that_is_changed_between_runs_is_asked_again() -> None:
    of = fresh(WithBonus)(0)
    before = dict(vars(of)), of.name, of.canonical
    found = cells([of], "DeepTh")
    assert (dict(vars(of)), of.name, of.canonical) == before
    assert_of(0, found[0])
    of.bonus = 1
    found = cells([of], "DeepTh")
    assert_of(1, found[0])


def test_a_function_whose_environment_changed_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    of = as_metric(lies_functions.by_environment, "by-environment")
    for sign in ("1", "-1"):
        monkeypatch.setenv("PATIENT_SIGN", sign)
        found = cells([of], "Pri")
        assert (found[0].verdict in GREEN) == (sign == "1"), (sign, found[0].verdict)


def test_discounts_that_say_that_they_are_equal_are_told_apart() -> None:
    for of in (ByRatio("falls", Fraction(1, 2)), ByRatio("rises", Fraction(3, 2))):
        found = cells([of], "Pri", "finite")
        wanted = GREEN if of.base < 1 else (Verdict.REFUTED, Verdict.ERROR)
        assert found[0].verdict in wanted, (of.base, found[0].verdict, found[0].reason)
        assert "internal disagreement" not in found[0].reason


def test_a_metric_that_says_that_it_is_equal_to_the_catalogues_is_told_apart() -> None:
    honest, lying = cells([parse("RBP(p=0.7)"), EqualToAll(p=Fraction(7, 10))], "DeepTh") or []
    assert honest.verdict is Verdict.PROVED, honest.reason
    assert lying.verdict not in GREEN, lying.reason


def test_two_metrics_of_one_name_are_refused_in_one_run_and_told_apart_in_two() -> None:
    rising = as_metric(lies_functions.counting(0), "mine")  # negated throughout
    falling = as_metric(lies_functions.patient, "mine")
    metrics: list[Metric] = [falling, rising]
    assert cells(metrics, "Pri") is None
    for of in metrics:
        found = cells([of], "Pri")
        assert (found[0].verdict in GREEN) == (of is falling)
