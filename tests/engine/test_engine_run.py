"""Runs: the outcome depends on metric, axiom, reading and settings alone, and a budget of time is kept and told."""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import cache
from operator import truediv
from pathlib import Path
from threading import Event as Signal
from typing import Any

import numpy as np
import pytest
from msgspec import structs

from axiomcheck import Metric, Reading, Regime, Verdict, find_axiom, parse
from axiomcheck.axioms import AXIOMS, PairAxiom
from axiomcheck.core.errors import InvalidInput, OverLimit
from axiomcheck.core.verdict import Failure
from axiomcheck.decide.search import Settings
from axiomcheck.engine import queue
from axiomcheck.engine.blocks import Block
from axiomcheck.engine.budget import FEWEST, Budget, cut_short
from axiomcheck.engine.cells import Task, decide
from axiomcheck.engine.events import CellDecided, CellSoFar, Event, Progress, Said
from axiomcheck.engine.external import Measured, as_asked, decide_by_name, too_long
from axiomcheck.engine.places import Machine, _can_be_sent
from axiomcheck.engine.run import run_matrix
from axiomcheck.engine.tasks import Deadline, External, Found, Key
from axiomcheck.numbers.arithmetic import Arithmetic, Floats
from axiomcheck.processes.limits import Limits
from axiomcheck.records.cells import Cell, failed
from axiomcheck.replay.cells import check_cell
from axiomcheck.sources.function_metrics import CallableMetric
from axiomcheck.sources.resolve import resolve
from tests.support.scalar import PAIR_AXIOMS
from tests.support.suites import each, quality

SMALL = Settings(proofs=False, examples=300, exhaustive=False)


Spoil = Callable[[Arithmetic, Any, Any], Any]


class Failing(Metric):
    """The sum of weighted grades, but something is wrong with it."""

    summary = source = ""

    def __init__(self, name: str) -> None:
        self.name = name  # type: ignore[misc]
        super().__init__()

    def kernel(self, a: Arithmetic, grades: Any, weights: Any, pool: Any) -> Any:
        score = (grades * weights[..., None, :]).sum(axis=-1).sum(axis=-1)
        return FAILING[self.name][0](a, score, grades)


def raises(error: Exception) -> Any:
    raise error


def raises_late(a: Arithmetic, score: Any, grades: Any) -> Any:
    """Fails on long rankings only, which come after the enumerated ones."""
    length = grades.shape[-2]
    return raises(RuntimeError("too long for me")) if length > 15 else score - a.number(Fraction(length, 100))


DRAWS = np.random.default_rng(0)
FAILING: dict[str, tuple[Spoil, str]] = {
    "raises": (lambda a, score, grades: raises(KeyError("no such thing")), "KeyError: 'no such thing'"),
    "raises-late": (raises_late, "RuntimeError: too long for me"),
    "not-a-number": (lambda a, score, grades: score * float("nan"), "nan"),
    "too-many-scores": (lambda a, score, grades: grades.sum(axis=-1), "shape"),
    "changes-its-mind": (lambda a, score, grades: score * DRAWS.random(), "called again"),
    "raises-exactly": (
        lambda a, score, grades: score if isinstance(a, Floats) else raises(ArithmeticError("floats only")),
        "floats only",
    ),
    "floats-exactly": (
        lambda a, score, grades: score if isinstance(a, Floats) else np.zeros(np.shape(score)) + 0.5,
        "float",
    ),
}
"""The change of a score, and a part of the reason of the cell."""


@each("axiom", ["Pri", "DeepTh"], 2)
def test_failing_metrics_fail_alone(axiom: str) -> None:
    """The cell of each is an error that says why; others come out as they do without them."""
    asked, reading = [AXIOMS[axiom]], Reading(Regime.FINITE)
    failing = [Failing("raises")] if axiom.endswith("Th") else list(map(Failing, FAILING))
    first, *broken, last = run_matrix([parse("RBP"), *failing, parse("RR")], asked, reading, SMALL).cells
    assert (first, last) == run_matrix([parse("RBP"), parse("RR")], asked, reading, SMALL).cells
    for metric, cell in zip(failing, broken, strict=True):
        assert (cell.verdict, cell.witness) == (Verdict.ERROR, None), cell
        assert FAILING[metric.name][1] in cell.reason


@pytest.mark.parametrize(
    ("name", "axiom", "verdict"),
    [
        ("P@1", "Pri", Verdict.NOT_APPLICABLE),
        ("P@2", "Pri", Verdict.REFUTED),
        ("RBU@1", "Conf", Verdict.NOT_APPLICABLE),
        ("RBU@1", "Red", Verdict.NOT_APPLICABLE),
        ("ERR(aggregate=max)@20", "Red", Verdict.REFUTED),
    ],
)
def test_cells_without_instances_say_so(name: str, axiom: str, verdict: Verdict) -> None:
    cell = run_matrix([parse(name)], [AXIOMS[axiom]], settings=SMALL).cells[0]
    assert cell.verdict is verdict, cell.reason
    if verdict is Verdict.NOT_APPLICABLE:
        assert cell.witness is None
        assert "cutoff" in cell.reason or "aspect" in cell.reason


@pytest.mark.parametrize("axiom", PAIR_AXIOMS, ids=repr)
def test_without_instances_nothing_is_held(axiom: PairAxiom) -> None:
    settings = Settings(proofs=False, examples=0, exhaustive=False)
    for cell in run_matrix([parse("RBU@20")], [axiom], settings=settings).cells:
        assert cell.verdict in (Verdict.UNDECIDED, Verdict.NOT_APPLICABLE)
        assert "vacuous" in cell.reason or cell.verdict is Verdict.NOT_APPLICABLE


@each("jobs", [1, 2], 2)
def test_every_cell_is_an_event_and_only_failing_metrics_are_in_error(jobs: int) -> None:
    events: list[Event] = []
    axioms = [AXIOMS["Pri"], AXIOMS["DeepTh"]]
    asked = [parse("RBP"), parse("RR"), CallableMetric(truediv, "raises")]  # whose function a worker can import
    ledger = run_matrix(asked, axioms, settings=SMALL, machine=Machine(jobs), listen=events.append)
    assert ["TypeError" in cell.reason for cell in ledger.cells] == [False] * 4 + [True] * 2
    assert [cell.verdict is Verdict.ERROR for cell in ledger.cells] == [False] * 4 + [True] * 2
    cells = [event.cell for event in events if isinstance(event, CellDecided)]
    assert sorted(cells, key=repr) == sorted(ledger.cells, key=repr)
    shares = [event.share for event in events if isinstance(event, Progress)]
    assert all(0 <= share <= 1 for share in shares)
    assert shares == sorted(shares)
    assert shares[-1] == 1


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
    assert pairs.few
    assert pairs.instances < 2_000
    assert cut_short(cells["Pri"])
    assert any("a call" in event.text for event in heard if isinstance(event, Said))
    assert sorted(e.cell.axiom for e in heard if isinstance(e, CellDecided)) == ["Pri", "Red"]


def test_a_budget_is_advised_where_the_instances_of_a_cell_need_more_than_the_timeout() -> None:
    advice = "; the instances of a cell need more than 150 s, but the timeout is 120 s: use --budget, such as --budget"
    assert too_long(Measured(0.0025, None), 30_000, 120.0) == f"{advice} 2m"
    assert too_long(Measured(0.0025, 2_000), 30_000, 120.0) == ""
    assert too_long(Measured(0.0025, None), 30_000, None) == ""


def test_a_slow_metric_without_a_budget_has_a_first_answer_for_every_axiom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    axioms = [find_axiom(axiom) for axiom in ("Pri", "Red")]

    def decided(listen: Any) -> list[Cell]:
        found = run_matrix([External(name)], axioms, FINITE, Settings(examples=20), listen=listen).cells
        return [replace(cell, seconds=0.0, proof_seconds=0.0, check_seconds=0.0) for cell in found]

    name, heard = slow_metric(tmp_path, 0.0015), list[Any]()
    cells = decided(heard.append)
    answers = [type(event) for event in heard if isinstance(event, CellSoFar | CellDecided)]
    assert answers == [CellSoFar] * 2 + [CellDecided] * 2
    assert not any(cell.few for cell in cells)
    monkeypatch.setattr(queue, "_SLOW", 1.0)
    assert cells == decided(lambda event: None)


def test_a_metric_that_cannot_be_tried_in_time_says_so_once(tmp_path: Path) -> None:
    machine = Machine(1, Limits(1.0, 2048))
    axioms = [find_axiom(axiom) for axiom in ("Pri", "Deep", "Red")]
    name = slow_metric(tmp_path, 0.05)
    cells = run_matrix([External(name)], axioms, FINITE, Settings(), machine=machine).cells
    assert {(cell.verdict, cell.failure) for cell in cells} == {(Verdict.ERROR, Failure.LIMIT)}
    assert {cell.reason for cell in cells} == {"ran past the limit of 1 s (--timeout) when it was loaded and tried"}


@quality
def test_no_time_is_no_verdict(tmp_path: Path) -> None:
    cell = within(0.6, slow_metric(tmp_path, 0.2), "Red")["Red"]
    assert (cell.verdict, cell.failure) == (Verdict.ERROR, Failure.LIMIT)
    assert "0.6 s" in cell.reason
    assert cut_short(cell)


def test_quick_metrics_have_the_cells_of_a_run_without_a_budget() -> None:
    axioms = [find_axiom("Conf"), find_axiom("DeepTh")]
    settings = Settings(examples=50)
    metrics = [parse("RBP")]
    limited = run_matrix(metrics, axioms, FINITE, settings, budget=Deadline.starting_now(300))
    assert limited.cells == run_matrix(metrics, axioms, FINITE, settings).cells
    assert not any(map(cut_short, limited.cells))


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("quick") / "quick.py"
    file.write_text(QUICK, encoding="utf-8")
    return f"{file}:gain"


def few_cell(name: str, axiom: str, few: int) -> Cell:
    sent = decide_by_name(name, axiom, FINITE, Settings(proofs=False), 0, few)
    return as_asked(sent, name, axiom, FINITE)


def test_few_instances_are_the_same_each_time_and_a_replay_knows_how_many(quick: str) -> None:
    replayed = find_axiom("Pri"), resolve(quick), FINITE, Settings(proofs=False)
    cell = few_cell(quick, "Pri", 40)
    assert cell == few_cell(quick, "Pri", 40)
    assert cell.instances < 200
    check_cell(cell, *replayed)


def test_a_witness_of_few_instances_is_not_called_minimal(quick: str) -> None:
    cell = few_cell(quick, "Red", 1_000)
    assert cell.verdict is Verdict.REFUTED
    assert cell.pairs.exhausted
    assert getattr(cell.witness, "minimal", "") is None


def test_examples_bound_the_enumeration_of_metrics_called_once_per_ranking() -> None:
    calls, examples = [], 60

    def gain(topic: Any, ranking: Any) -> float:
        calls.append(1)
        return sum(sum(topic.pool[d]) / k for k, d in enumerate(ranking, start=1))

    metric = CallableMetric(gain, "gain")
    (cell,) = decide(Task(find_axiom("Pri"), (metric,), FINITE, Settings(examples=examples, proofs=False)), print)
    assert cell.pairs.exhausted
    assert all(2 * group.instances <= examples for group in cell.pairs.exhausted)
    assert len(calls) < 300 + 10 * examples
    check_cell(cell, find_axiom("Pri"), metric, FINITE, Settings(examples=examples, proofs=False))


# The sizes of blocks, with a clock that stands still


class Still(Deadline):
    def left_for_work(self) -> float:
        return self.seconds


KEY: Key = ("it", "Pri", FINITE)


@cache
def decided() -> Cell:
    return run_matrix([parse("RBP")], [find_axiom("Pri")], FINITE, Settings(examples=50, proofs=False)).cells[0]


class Shared(Budget):
    """The budget of two processes, which stands still, and one cell of a metric in it, among others."""

    def __init__(self, seconds: float, examples: int = 2_000, call: float = 0.01) -> None:
        super().__init__(Still(seconds, 0.0), Settings(examples=examples), 2, 60.0)
        self.measured["it"] = Measured(call, None)
        self.answer: Cell | None = None
        self.number = 0

    def next(self, peers: int = 2) -> Block | None:
        return self.block(KEY, self.answer, self.number > 0, peers)

    def took(self, seconds: float, verdict: Verdict = Verdict.HELD, peers: int = 2) -> int | None:
        """Have the next block end with a verdict, and return how many instances it had; None for all."""
        block = self.next(peers)
        task = Task(find_axiom("Pri"), (External("it"),), FINITE, Settings(), self.number, block.few, block.seconds)
        cell = replace(decided(), metric="it", verdict=verdict)
        cell = failed(cell, OverLimit("slow")) if verdict is Verdict.ERROR else cell
        counts = self.counts(Found(task, cell, seconds))
        assert counts is (verdict is Verdict.HELD)
        self.answer = self.answer if verdict is Verdict.ERROR else cell
        self.number += counts
        return block.few


def test_a_cell_begins_with_few_and_then_has_all_at_once_or_more_as_time_allows() -> None:
    quick = Shared(50, call=1e-6)
    assert [quick.took(1.0), quick.took(2.0)] == [FEWEST, None]
    assert not quick.has_more(KEY)
    slow = Shared(50)
    assert slow.took(2.0) == FEWEST
    more = slow.took(30.0)
    assert more == int((0.75 * 50 - 2.0) / (10 * 0.01 + 5e-5))
    assert slow.has_more(KEY)
    assert slow.took(30.0) == int((0.75 * 50 - 2.0) / ((30.0 - 2.0) / more))


def test_thresholds_of_few_are_few_and_decided_again_in_a_replay(tmp_path: Path) -> None:
    name = slow_metric(tmp_path, 0.0)
    replayed = find_axiom("DeepTh"), resolve(name), FINITE, Settings(proofs=False)
    cell = few_cell(name, "DeepTh", 3)
    assert cell.few
    assert cell.instances == 3
    check_cell(cell, *replayed)
    more = structs.replace(cell.evidence, few=4)  # type: ignore[type-var]
    with pytest.raises(InvalidInput, match="decided again"):
        check_cell(replace(cell, evidence=more), *replayed)


def test_a_block_that_came_to_nothing_is_tried_with_more_time_and_not_for_ever() -> None:
    unanswered = Shared(4)
    seconds = []
    while (block := unanswered.next(16)) is not None:
        seconds.append(block.seconds)
        unanswered.took(block.seconds or 0, Verdict.ERROR, 16)
    assert seconds == [2.0, 4.0]
    assert "slow" in str(unanswered.no_answer(KEY))
    held, sizes = Shared(50), []
    held.took(2.0)
    while held.next() is not None:
        sizes.append(held.took(50.0, Verdict.ERROR) or 0)
    assert sizes == sorted(set(sizes), reverse=True)
    assert len(sizes) > 2


@pytest.mark.parametrize(("verdict", "goes_on"), [(Verdict.UNDECIDED, True), (Verdict.REFUTED, False)])
def test_what_few_instances_leave_undecided_is_asked_of_more_and_what_they_refute_of_all(
    verdict: Verdict, goes_on: bool
) -> None:
    quick, slow = Shared(50, call=1e-6), Shared(50)
    for made in (quick, slow):
        made.took(1.0, verdict)
    assert quick.took(1.0) is None
    assert (slow.next() is not None) is goes_on


class Meeting:
    """Object that is pickled as 0 once an event has come, or after a time without it."""

    def __init__(self, comes: Signal, awaits: Signal) -> None:
        self.comes, self.awaits = comes, awaits

    def __reduce__(self) -> tuple[Any, ...]:
        self.comes.set()
        self.awaits.wait(0.5)
        return int, ()


def test_threads_that_ask_what_can_be_sent_leave_the_program_as_it_was() -> None:
    program, first_in, second_in, first_out = sys.modules["__main__"], Signal(), Signal(), Signal()
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(_can_be_sent, Meeting(first_in, second_in))
        first.add_done_callback(lambda _: first_out.set())
        first_in.wait()
        second = threads.submit(_can_be_sent, Meeting(second_in, first_out))
        assert first.result()
        assert second.result()
    now, sys.modules["__main__"] = sys.modules["__main__"], program
    assert now is program
