"""Campaigns and blocks: cells go on where least is known, are the same wherever that is done, and stay honest."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from msgspec import structs

from axiomcheck import Cell, Ledger, Metric, MetricError, Verdict, find_axiom, parse
from axiomcheck.core.verdict import Failure
from axiomcheck.decide import distinct
from axiomcheck.decide.distinct import Marks, marked
from axiomcheck.decide.search import Settings
from axiomcheck.engine.blocks import Together
from axiomcheck.engine.events import CellDecided, CellSoFar, Event, Progress
from axiomcheck.engine.memory import Memory
from axiomcheck.engine.places import Machine, Place, Say, ThisMachine
from axiomcheck.engine.queue import BlockQueue, least_known
from axiomcheck.engine.run import run_matrix
from axiomcheck.engine.tasks import External, Found, Plan, Report, Task
from axiomcheck.processes.isolation import Workers
from axiomcheck.records.cells import failed
from axiomcheck.records.evidence import PairEvidence
from axiomcheck.replay.report import Replay
from axiomcheck.reports.formats import render
from axiomcheck.reports.layout import caption
from tests.engine.campaigns import SIZE, Here, OfOneLength, Until, blocks_of, said


@pytest.fixture(scope="module", autouse=True)
def _small_blocks() -> Iterator[None]:
    with blocks_of(SIZE):
        yield


class Counting(Here):
    """Knows how many later blocks it searched, of which metrics, and how often it told how far it is in them."""

    jobs = most = 1  # type: ignore[assignment]

    def __init__(self, change: Callable[[Task], Task] = lambda task: task) -> None:
        super().__init__()
        self.change = change  # type: ignore[method-assign]
        self.searched: list[tuple[str, int]] = []
        self.shares = 0

    def heard(self, report: Report) -> Report:
        block = report.task.block
        if block and isinstance(report, Found):
            self.searched.append((report.cell.metric, block))
        elif block:
            self.shares += 1
        return report


class Notes(Memory):
    def __init__(self) -> None:
        self.cells: dict[object, Cell] = {}

    def before(self, task: Task, metric: Metric | External) -> Cell | None:
        return self.cells.get(self._key(task, metric))

    def keep(self, task: Task, metric: Metric | External, cell: Cell) -> None:
        self.cells[self._key(task, metric)] = cell

    def _key(self, task: Task, metric: Metric | External) -> object:
        return task.axiom.name, metric.canonical, task.reading, task.settings, task.block


def go_on(
    *metrics: str | Metric,
    searches: int = 4,
    heard: list[Event] | None = None,
    memory: Notes | None = None,
    here: Counting | None = None,
    over: Callable[[], bool] | None = None,
) -> Ledger:
    place = here or Counting()
    return run_matrix(
        [parse(metric) if isinstance(metric, str) else metric for metric in metrics],
        [find_axiom("Pri")],
        settings=Settings(examples=SIZE // 2, proofs=False, exhaustive=False),
        machine=Machine(cluster=place),
        memory=memory or Notes(),
        listen=(heard if heard is not None else []).append,
        until=Until(60.0, 0.0, over or (lambda: len(place.searched) >= searches)),
    )


@pytest.fixture(scope="module")
def ended() -> tuple[Ledger, list[Event]]:
    heard: list[Event] = []
    return go_on("RBP", "RR", heard=heard), heard


def test_open_cells_go_on_and_settled_ones_do_not(ended: tuple[Ledger, list[Event]]) -> None:
    ledger, heard = ended
    held, refuted = ledger.cells
    assert (held.verdict, refuted.verdict) == (Verdict.HELD, Verdict.REFUTED)
    assert refuted.pairs is not None
    assert held.pairs.blocks == 5
    assert not refuted.pairs.blocks
    assert held.instances > 2.5 * SIZE
    assert held.reason == f"no violation in at least {held.instances:,} distinct instances"
    told = [event.cell.metric for event in heard if isinstance(event, CellDecided)]
    assert told == ["RR", "RBP(p=0.8)"]  # each once, when nothing better is to come
    assert [event.cell.metric for event in heard if isinstance(event, CellSoFar)] == ["RBP(p=0.8)"]
    first, *_ = said(heard)
    assert first.startswith("1 cell open; the one with the fewest instances is RBP(p=0.8) on Pri (held): at least ")
    assert "; with 99 % probability, a violation in 1 of " in first
    shares = {event.share for event in heard if isinstance(event, Progress)}
    assert shares == {0.5, 1.0}  # of the time


def test_a_report_says_that_there_was_a_campaign_and_is_right(ended: tuple[Ledger, list[Event]]) -> None:
    ledger, _ = ended
    assert "until 60 s had passed" in caption(ledger)
    assert "until 60 s had passed" in render(ledger, "html")
    report = json.loads(render(ledger, "json"))
    assert report["settings"]["until"] == 60
    assert report["cells"][0]["evidence"]["blocks"] == 5
    Replay().report(report)


def test_one_campaign_goes_on_where_another_stopped() -> None:
    memory, here = Notes(), Counting()
    (first,) = go_on("RBP", memory=memory, searches=1).cells
    (second,) = go_on("RBP", memory=memory, searches=1, here=here).cells
    assert [cell.pairs.blocks for cell in (first, second) if cell.pairs] == [2, 3]
    assert here.searched == [("RBP(p=0.8)", 2)]  # the other is remembered
    (whole,) = go_on("RBP", searches=2).cells
    assert second.evidence == whole.evidence


def of_instances(cell: Cell, instances: int) -> Cell:
    assert isinstance(cell.evidence, PairEvidence)
    return replace(cell, evidence=structs.replace(cell.evidence, instances=instances))


def test_the_weakest_come_first() -> None:
    (cell,) = go_on("RBP", searches=0).cells
    few, many = of_instances(cell, 500), of_instances(cell, 500 + SIZE)
    proved = replace(of_instances(cell, 10), certificate="one")  # type: ignore[arg-type]
    undecided, refuted = (replace(cell, verdict=verdict) for verdict in (Verdict.UNDECIDED, Verdict.REFUTED))
    order = [undecided, few, many, proved, refuted]
    backwards = order[::-1]
    assert sorted(backwards, key=least_known) == order


def test_blocks_at_work_count_as_if_they_had_come() -> None:
    """A second process takes the cell that has none at work, though it has a few more instances."""
    metrics, axioms = [parse("RBP"), parse("RBP(p=0.7)")], [find_axiom("Pri")]
    plan = Plan.of(metrics, axioms, settings=Settings(examples=500), until=Until(60.0, 0.0, lambda: False))
    blocks = BlockQueue(plan, Notes(), print)
    with Workers(1) as workers:
        blocks.load(ThisMachine(workers, jobs=2), workers)
    first = list(iter(blocks.next, None))
    for task, instances in zip(first, (500, 600), strict=True):
        (cell,) = go_on(task.metrics[0], searches=0).cells
        blocks.hear(Found(task, of_instances(cell, instances)))
    asked = [(task.metrics[0], task.block) for _ in range(3) if (task := blocks.next()) is not None]
    assert asked == [(metrics[0], 1), (metrics[1], 1), (metrics[0], 2)]


def test_a_violation_in_a_later_block_refutes() -> None:
    heard: list[Event] = []
    here = Counting()
    (held,) = go_on(OfOneLength(), searches=0).cells
    assert held.verdict is Verdict.HELD
    (cell,) = go_on(OfOneLength(), searches=20, heard=heard, here=here).cells
    assert cell.verdict is Verdict.REFUTED
    assert cell.pairs.blocks
    assert len(here.searched) < 20  # and nothing is searched then
    assert said(heard)[-1].endswith(f"of-one-length on Pri: refuted, {cell.reason}")


def test_the_end_of_the_time_drops_blocks_at_work() -> None:
    """Of two metrics that are searched together neither has the block that the end finds at work."""
    here = Counting()
    ledger = go_on("RBP", "RBP(p=0.7)", here=here, over=lambda: here.shares > 2)
    assert here.shares == 3
    assert [cell.verdict for cell in ledger.cells] == [Verdict.HELD] * 2
    assert not any(cell.pairs.blocks for cell in ledger.cells if cell.pairs)


def test_a_cell_with_hardly_any_new_instance_is_closed() -> None:
    here = Counting(lambda task: replace(task, block=min(task.block, 1)))
    with blocks_of(5 * SIZE):  # of which enough are marked
        (cell,) = go_on("RBP", here=here, searches=20).cells
    assert cell.verdict is Verdict.HELD
    assert cell.pairs.nearly_all_sampled
    assert cell.pairs.blocks == 3
    assert len(here.searched) == 2


SETTINGS = Settings(examples=1_700, exhaustive=False)


@cache
def decided(*metrics: str, place: Place | None = None, **changed: object) -> Ledger:
    settings = replace(SETTINGS, **changed)  # type: ignore[arg-type]
    return run_matrix(
        [parse(name) for name in metrics], [find_axiom("Pri")], settings=settings, machine=Machine(cluster=place)
    )


def together(cell: Cell, later: Sequence[Cell], genuine: bool) -> Cell:
    """Return a cell after other blocks, which come in another order than theirs."""
    whole = Together(cell, genuine)
    for number, block in reversed(list(enumerate(later, start=1))):
        whole.add(number, block)
    return whole.cell


def test_proved_cells_have_all_blocks_and_refuted_cells_the_first() -> None:
    proved, refuted = decided("RBP@5", "RR@5").cells
    assert (proved.verdict, refuted.verdict) == (Verdict.PROVED, Verdict.REFUTED)
    assert refuted.pairs is not None
    assert proved.pairs.blocks == 4
    assert not refuted.pairs.blocks
    assert proved.reason.endswith(f"no violation in at least {proved.instances:,} distinct instances")
    assert proved.instances <= proved.pairs.enumerated + proved.pairs.sampled + proved.pairs.focused
    assert proved.pairs.sampled > 2 * refuted.pairs.sampled


def test_a_violation_in_a_later_block_refutes_whatever_comes_after_it() -> None:
    proved, refuted = decided("RBP@5", "RR@5", examples=SIZE).cells
    (held,) = decided("RBP@5", examples=SIZE, proofs=False).cells
    found = together(held, [held, refuted, proved], genuine=True)
    assert (found.verdict, found.witness) == (Verdict.REFUTED, refuted.witness)
    assert found.pairs.blocks == 3
    assert found == together(held, [held, refuted], genuine=True)  # what comes after it tells nothing
    assert found.pairs.violations
    assert refuted.pairs.violations
    assert 0 < found.pairs.violations.share < refuted.pairs.violations.share  # type: ignore[operator]


def test_a_violation_in_a_later_block_contradicts_a_proof() -> None:
    proved, refuted = decided("RBP@5", "RR@5", examples=SIZE).cells
    clash = together(proved, [refuted], genuine=True)
    assert (clash.verdict, clash.failure) == (Verdict.ERROR, Failure.DISAGREEMENT)
    own = together(proved, [refuted], genuine=False)  # its code does otherwise on symbols than on numbers
    assert (own.verdict, own.certificate) == (Verdict.REFUTED, None)


def test_a_block_in_error_is_no_evidence() -> None:
    proved, refuted = decided("RBP@5", "RR@5", examples=SIZE).cells
    broken = failed(proved, MetricError("raised"))
    assert together(proved, [broken, refuted], genuine=True).verdict is Verdict.ERROR


def test_reports_are_the_same_whoever_does_it() -> None:
    alone = render(decided("RBP@5", "RR@5"), "json")
    assert render(decided("RBP@5", "RR@5", place=Backwards()), "json") == alone
    Replay().report(json.loads(alone))


class Backwards(Here):
    """Answer as other places may: last things first, and several at once."""

    jobs, most = 8, 99  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[tuple[Task, Say]] = []

    def begin(self, task: Task, say: Say) -> None:
        self._waiting.append((task, say))

    def look(self) -> None:
        task, say = self._waiting.pop()
        super().begin(task, say)


def test_marks_stay_few_and_do_not_depend_on_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distinct, "_MOST", 500)
    rng = np.random.default_rng(6)
    parts = [marked(rng.integers(0, 2**64, 100_000, dtype=np.uint64)) for _ in range(6)]
    found = set()
    for order in (parts, parts[::-1], parts[3:] + parts[:3]):
        between = Marks()
        for part in order:
            between.add(part)
        found.add(between.at_least)
    (number,) = found
    assert 0.75 * 600_000 < number <= 600_000
