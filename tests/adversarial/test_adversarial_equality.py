"""Who is asked answers: equality, names and caches never lend one metric's cells to another."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from axiomcheck import Cell, InvalidInput, Metric, Reading, Regime, Verdict, as_metric, find_axiom, parse
from axiomcheck.engine.run import run_matrix
from tests.adversarial import lies_functions
from tests.adversarial.adversarial_table import GREEN, SETTINGS, decide
from tests.adversarial.lies_inherited import ByRatio, EqualToAll, WithBonus
from tests.support.suites import each

ORDERS = ("as they are", "turned round")
each_order = each("order", ORDERS, 2)


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


def turned(metrics: list[Any], order: str) -> list[Any]:
    return metrics[::-1] if order == ORDERS[1] else metrics


def assert_of(bonus: int, cell: Cell) -> None:
    """DeepTh of `WithBonus`: at 0 the top is always ahead, at 1 the block is from n = 2 on."""
    assert (cell.verdict in GREEN) == (bonus == 0), (bonus, cell.verdict, cell.reason)
    assert not cell.reason.startswith("internal disagreement")


@each_order
def test_objects_that_differ_in_an_undeclared_attribute_are_told_apart(order: str) -> None:
    cls = fresh(WithBonus)
    for of in turned([cls(0), cls(1)], order):
        found = cells([of], "DeepTh")
        assert_of(of.bonus, found[0])


@each_order
def test_an_object_that_is_changed_between_runs_is_asked_again(order: str) -> None:
    of = fresh(WithBonus)(0)
    for bonus in turned([0, 1], order):
        of.bonus = bonus
        found = cells([of], "DeepTh")
        assert_of(bonus, found[0])


@each_order
def test_a_function_whose_environment_changed_is_asked_again(order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of = as_metric(lies_functions.by_environment, "by-environment")
    for sign in turned(["1", "-1"], order):
        monkeypatch.setenv("PATIENT_SIGN", sign)
        pri, deepth = (cells([of], axiom) for axiom in ("Pri", "DeepTh"))
        assert deepth is not None
        assert (pri[0].verdict in GREEN) == (sign == "1"), (sign, pri[0].verdict)
        # with p = 4/5 the block is ahead at n = 2 to 5 and the top from 6 on; negated it is the other way round
        assert (deepth[0].verdict is Verdict.HELD) == (sign == "1"), (sign, deepth[0].verdict, deepth[0].reason)


@each_order
def test_discounts_that_say_that_they_are_equal_are_told_apart(order: str) -> None:
    metrics = turned([ByRatio(f"falls-{order}", Fraction(1, 2)), ByRatio(f"rises-{order}", Fraction(3, 2))], order)
    for of in metrics:
        found = cells([of], "Pri", "finite")
        assert found is not None
        wanted = GREEN if of.base < 1 else (Verdict.REFUTED, Verdict.ERROR)
        assert found[0].verdict in wanted, (of.base, found[0].verdict, found[0].reason)
        assert "internal disagreement" not in found[0].reason


@each_order
@pytest.mark.parametrize("together", [True, False])
def test_a_metric_that_says_that_it_is_equal_to_the_catalogues_is_told_apart(order: str, together: bool) -> None:
    # a p of each test's own: what is cached of one is not of the next
    p = Fraction(70 + 2 * ORDERS.index(order) + together, 100)
    honest, lying = parse(f"RBP(p={float(p)})"), EqualToAll(p=p)
    metrics = turned([honest, lying], order)
    for asked in [metrics] if together else [[of] for of in metrics]:
        for of, cell in zip(asked, cells(asked, "DeepTh") or [], strict=True):
            if of is honest:
                assert cell.verdict is Verdict.PROVED, cell.reason
            else:
                assert cell.verdict not in GREEN, cell.reason


@each_order
def test_two_metrics_of_one_name_are_refused_in_one_run_and_told_apart_in_two(order: str) -> None:
    rising = as_metric(lies_functions.counting(0), "mine")  # negated throughout
    falling = as_metric(lies_functions.patient, "mine")
    metrics: list[Metric] = turned([falling, rising], order)
    assert cells(metrics, "Pri") is None
    for of in metrics:
        found = cells([of], "Pri")
        assert (found[0].verdict in GREEN) == (of is falling)


def test_a_metric_is_as_it_was_after_a_run() -> None:
    of = fresh(WithBonus)(0)
    before = dict(vars(of)), of.name, of.canonical
    outcome = decide(lambda: of, "DeepTh", "stated")
    assert outcome.cell is not None
    assert (dict(vars(of)), of.name, of.canonical) == before
