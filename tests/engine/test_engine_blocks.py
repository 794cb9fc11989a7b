"""Cells that are searched in several blocks: the same wherever they are done, and as honest as one search."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from axiomcheck import MetricError, find_axiom, parse
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.decide import distinct
from axiomcheck.decide.distinct import Marks, marked
from axiomcheck.decide.search import Settings
from axiomcheck.engine.blocks import Together
from axiomcheck.engine.places import Machine, Place, Say
from axiomcheck.engine.run import run_matrix
from axiomcheck.engine.tasks import Task
from axiomcheck.records.cells import Cell, Ledger, failed
from axiomcheck.replay.report import Replay
from axiomcheck.reports.formats import render
from tests.engine.campaigns import SIZE, Here, blocks_of


@pytest.fixture(scope="module", autouse=True)
def _small_blocks() -> Iterator[None]:
    with blocks_of(SIZE):
        yield


SETTINGS = Settings(examples=3_400)


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


def test_blocks_have_instances_of_their_own() -> None:
    (one,), (two,) = (decided("RBP@5", examples=n, proofs=False).cells for n in (SIZE, 2 * SIZE))
    assert two.pairs.sampled > 1.5 * one.pairs.sampled
    assert two.pairs.decided_exactly + two.pairs.focused > one.pairs.decided_exactly + one.pairs.focused


def test_a_violation_in_a_later_block_refutes() -> None:
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
    """As other places may: last things first, and several at once."""

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
