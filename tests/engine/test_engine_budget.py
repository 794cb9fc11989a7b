"""Runs with a budget of time: answers in time, none that time alone made, and what was tried said."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from axiomcheck.axioms import find_axiom
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.core.errors import InvalidInput, OverLimit
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.engine.blocks import Block
from axiomcheck.engine.budget import FEWEST, Budget, cut_short
from axiomcheck.engine.cells import Task, cell_of, decide
from axiomcheck.engine.events import CellDecided, Said
from axiomcheck.engine.external import Measured, as_asked, decide_by_name
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import run_matrix
from axiomcheck.engine.tasks import Deadline, External, Found, Key
from axiomcheck.metrics import parse
from axiomcheck.records.cells import Cell, failed
from axiomcheck.records.evidence import PairEvidence
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
    cells = within(8, slow_metric(tmp_path, 0.002), "Pri", "Red", listen=heard.append)
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


# The sizes of blocks, with a clock that stands still


class Still(Deadline):
    """Has some seconds left."""

    def left_for_work(self) -> float:
        """Return all of them."""
        return self.seconds


KEY: Key = ("it", "Pri", FINITE)


def budget(seconds: float, examples: int = 2_000, call: float = 0.01) -> Budget:
    """Return the budget of two processes, for a metric that takes so long for a ranking."""
    made = Budget(Still(seconds, 0.0), Settings(examples=examples), 2, 60.0)
    made.measured["it"] = Measured(call, None)
    return made


def took(made: Budget, block: Block | None, verdict: Verdict, seconds: float, number: int = 0) -> bool:
    """Tell a budget how a block of a cell ended, and return whether it counts."""
    assert block is not None
    metric, axiom = parse("RBP"), find_axiom("Pri")
    task = Task(axiom, (metric,), FINITE, Settings(examples=block.examples), number, block.few, block.seconds)
    cell = cell_of(metric, axiom, verdict, evidence=decided_pairs())
    cell = failed(cell, OverLimit("slow")) if verdict is Verdict.ERROR else cell
    return made.counts(Found(task, replace(cell, metric="it"), seconds))


@cache
def decided_pairs() -> PairEvidence:
    (cell,) = run_matrix([parse("RBP")], [find_axiom("Pri")], FINITE, Settings(examples=50, proofs=False)).cells
    assert cell.pairs is not None
    return cell.pairs


def test_a_cell_begins_with_what_its_metric_can_do_and_goes_on_as_time_allows() -> None:
    for seconds, call, few in ((1, 0.01, FEWEST), (50, 0.01, 170), (50, 1e-6, None)):
        first = budget(seconds, call=call).block(KEY, True, 2)
        assert first is not None
        assert first.few == few
    made = budget(50)
    assert took(made, made.block(KEY, True, 2), Verdict.HELD, 20)
    later = made.block(KEY, False, 2)
    assert later is not None
    assert later.few == int(0.75 * 50 / (20 / 170))
    assert took(made, later, Verdict.HELD, 20, 1)
    assert made.has_more(KEY)


def test_without_time_for_a_block_that_tells_more_there_is_none() -> None:
    made = budget(10)
    assert took(made, made.block(KEY, True, 1), Verdict.HELD, 40)
    assert made.block(KEY, False, 1) is None


def test_a_block_that_came_to_nothing_is_tried_with_less_and_not_for_ever() -> None:
    made = budget(50)
    sizes = []
    while (block := made.block(KEY, True, 2)) is not None:
        sizes.append(block.few)
        assert len(sizes) < 10
        assert not took(made, block, Verdict.ERROR, 50)
    assert sizes == [170, FEWEST]
    assert "slow" in str(made.no_answer(KEY))


def test_what_few_instances_leave_undecided_is_asked_of_more() -> None:
    made = budget(50)
    assert not took(made, made.block(KEY, True, 20), Verdict.UNDECIDED, 2)
    again = made.block(KEY, True, 2)
    assert again is not None
    assert again.few is not None
    assert again.few >= 2 * FEWEST


def test_a_deadline_is_shared() -> None:
    whole = Deadline.starting_now(3_600)
    part = whole.part(0.5)
    assert part.seconds == 3_600
    assert (whole.left(), part.left()) == pytest.approx((3_600, 1_800), abs=60)
    assert part.part(0).left() == 0
