"""Runs with a budget of time: answers in time, none that time alone made, and what was tried said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from axiomcheck.axioms import find_axiom
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.engine.budget import FEWEST, Effort, _Growing, cut_short
from axiomcheck.engine.cells import Task, cell_of, decide
from axiomcheck.engine.events import CellDecided, Said
from axiomcheck.engine.external import decide_by_name
from axiomcheck.engine.places import Machine
from axiomcheck.engine.received import as_asked
from axiomcheck.engine.run import run_matrix
from axiomcheck.engine.tasks import Deadline, External, Question
from axiomcheck.metrics import parse
from axiomcheck.records.cells import Cell
from axiomcheck.replay.cells import check_cell
from axiomcheck.sources.function_metrics import CallableMetric
from axiomcheck.sources.resolve import resolve
from tests.support.suites import each, quality

SLOW = """
import time

def gain(topic, ranking):
    time.sleep({seconds})
    return sum(sum(topic.pool[d]) / k for k, d in enumerate(ranking, start=1))
"""
QUICK = """
import numpy as np

def gain(grades, weights):
    return (grades * weights[:, None]).sum(axis=2) @ (1.0 / np.arange(1, grades.shape[1] + 1))
"""
FINITE = Reading(Regime.FINITE)


def slow_metric(directory: Path, seconds: float) -> str:
    (directory / "slow.py").write_text(SLOW.format(seconds=seconds), encoding="utf-8")
    return f"{directory / 'slow.py'}:gain"


def within(seconds: float, name: str, *axioms: str, listen: Any = lambda event: None) -> dict[str, Cell]:
    chosen = [find_axiom(axiom) for axiom in axioms]
    budget = Deadline.starting_now(seconds)
    ledger = run_matrix(
        [External(name)], chosen, FINITE, Settings(), machine=Machine(len(axioms)), listen=listen, budget=budget
    )
    assert ledger.settings.budget == seconds
    return {cell.axiom: cell for cell in ledger.cells}


def test_a_slow_metric_has_answers_in_time(tmp_path: Path) -> None:
    heard: list[Any] = []
    cells = within(4, slow_metric(tmp_path, 0.002), "Pri", "Red", listen=heard.append)
    assert (cells["Red"].verdict, cells["Pri"].verdict) == (Verdict.REFUTED, Verdict.HELD)
    pairs = cells["Pri"].pairs
    assert pairs is not None
    assert pairs.few
    assert pairs.instances < 2_000
    assert cut_short(cells["Pri"])
    assert any("a call" in event.text for event in heard if isinstance(event, Said))
    assert sorted(e.cell.axiom for e in heard if isinstance(e, CellDecided)) == ["Pri", "Red"]


@quality
@each(("seconds", "asleep"), [(0.6, 0.2), (1.6, 0.5)], 2)
def test_no_time_is_no_verdict(seconds: float, asleep: float, tmp_path: Path) -> None:
    cell = within(seconds, slow_metric(tmp_path, asleep), "Red")["Red"]
    assert (cell.verdict, cell.failure) == (Verdict.ERROR, Failure.LIMIT)
    assert f"{seconds:g} s" in cell.reason
    assert cut_short(cell)


def test_quick_metrics_have_the_cells_of_a_run_without_a_budget() -> None:
    axioms = [find_axiom("Conf"), find_axiom("DeepTh")]
    settings = Settings(examples=500)
    metrics = [parse("RBP")]
    limited = run_matrix(metrics, axioms, FINITE, settings, budget=Deadline.starting_now(300))
    assert limited.cells == run_matrix(metrics, axioms, FINITE, settings).cells
    assert not any(map(cut_short, limited.cells))


def test_an_object_has_no_name_to_be_found_by() -> None:
    metric = CallableMetric(lambda topic, ranking: 1.0, "lam")
    with pytest.raises(InvalidInput, match="by name"):
        run_matrix([metric], [find_axiom("Pri")], budget=Deadline.starting_now(5))


def test_a_missing_file_is_reported_at_once() -> None:
    with pytest.raises(InvalidInput, match="there is no file"):
        within(5, "nowhere.py:it", "Pri")


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the name of a metric of a file that is quick."""
    file = tmp_path_factory.mktemp("quick") / "quick.py"
    file.write_text(QUICK, encoding="utf-8")
    return f"{file}:gain"


def few_cell(name: str, axiom: str, few: int) -> Cell:
    sent = decide_by_name(name, axiom, FINITE, Settings(proofs=False), 0, few)
    return as_asked(sent, name, axiom, FINITE)


@each("axiom", ["Pri", "AspDiv"], 2)
def test_few_instances_are_the_same_each_time_and_a_replay_knows_how_many(axiom: str, quick: str) -> None:
    replayed = find_axiom(axiom), resolve(quick), FINITE, Settings(proofs=False)
    cell = few_cell(quick, axiom, 40)
    assert cell == few_cell(quick, axiom, 40)
    assert cell.instances < 200
    check_cell(cell, *replayed)


def test_a_witness_of_few_instances_is_not_called_minimal(quick: str) -> None:
    cell = few_cell(quick, "Red", 1_000)
    assert cell.verdict is Verdict.REFUTED
    assert cell.pairs is not None
    assert cell.pairs.exhausted
    assert getattr(cell.witness, "minimal", "") is None


@pytest.mark.parametrize("examples", [20, 200])
def test_examples_bound_the_enumeration_of_metrics_called_once_per_ranking(examples: int) -> None:
    calls = []

    def gain(topic: Any, ranking: Any) -> float:
        calls.append(1)
        return sum(sum(topic.pool[d]) / k for k, d in enumerate(ranking, start=1))

    metric = CallableMetric(gain, "gain")
    (cell,) = decide(Task(find_axiom("Pri"), (metric,), FINITE, Settings(examples=examples, proofs=False)), print)
    assert cell.pairs is not None
    assert all(2 * group.instances <= examples for group in cell.pairs.exhausted)
    assert len(calls) < 300 + 10 * examples
    check_cell(cell, find_axiom("Pri"), metric, FINITE, Settings(examples=examples, proofs=False))


# The order of work, without a clock


def one_open(verdict: Verdict | None = None, full: int = 2_000, at_once: bool = False) -> _Growing:
    one = _Growing(Question(External("it"), find_axiom("Pri"), FINITE), full, at_once)
    if verdict is not None:
        take(one, Effort(FEWEST), verdict, 1.0)
    return one


def take(one: _Growing, effort: Effort, verdict: Verdict, seconds: float) -> None:
    one.begin(effort, 60.0)
    one.take(cell_of(parse("RBP"), find_axiom("Pri"), verdict, seconds=0.5), seconds)


def test_a_cell_begins_with_few_and_goes_on_as_time_allows() -> None:
    assert one_open().effort(5, proofs=False) == Effort(FEWEST)
    assert one_open(full=10).effort(5, proofs=False) == Effort(None)
    held = one_open(Verdict.HELD)
    more = held.effort(10, proofs=False)
    assert more is not None
    assert more.few is not None
    assert 10 * FEWEST < more.few < 15 * FEWEST  # half a second for 15, besides half a second for none
    assert held.effort(1, proofs=False) is None
    assert held.effort(10_000, proofs=False) == Effort(None)


def test_proofs_come_when_every_instance_was_tried() -> None:
    held = one_open(Verdict.HELD)
    take(held, Effort(None), Verdict.HELD, 3.0)
    assert held.effort(100, proofs=False) is None
    assert held.effort(100, proofs=True) == Effort(None, True)
    held.begin(Effort(None, True), 100)
    held.ran_out()
    assert held.effort(100, proofs=True) is None


def test_a_search_that_ran_out_is_tried_with_less_and_not_for_ever() -> None:
    held = one_open(Verdict.HELD)
    tried = []
    while (effort := held.effort(1_000, proofs=False)) is not None:
        tried.append(effort.few or held.full)
        assert len(tried) < 10
        held.begin(effort, 1_000)
        held.ran_out()
    assert tried == sorted(set(tried), reverse=True)
    assert len(tried) > 2
    unanswered = one_open()
    unanswered.begin(Effort(FEWEST), 4.0)
    unanswered.ran_out()
    assert unanswered.effort(5, proofs=False) is None
    assert unanswered.effort(7, proofs=False) == Effort(FEWEST)


def test_a_counterexample_is_not_lost_to_a_search_that_missed_it() -> None:
    refuted = one_open(Verdict.REFUTED)
    take(refuted, Effort(300), Verdict.HELD, 3.0)
    assert refuted.answer is not None
    assert refuted.answer.verdict is Verdict.REFUTED
    take(refuted, Effort(900), Verdict.ERROR, 3.0)
    assert refuted.answer.verdict is Verdict.ERROR  # scores the same rankings otherwise: no counterexample counts


def test_a_deadline_is_shared() -> None:
    whole = Deadline.starting_now(3_600)
    part = whole.part(0.5)
    assert part.seconds == 3_600
    assert (whole.left(), part.left()) == pytest.approx((3_600, 1_800), abs=60)
    assert part.part(0).left() == 0
