"""Cells that a ledger knows are not decided again, and are what they would be."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from axiomcheck.axioms import AXIOMS, Axiom, find_axiom
from axiomcheck.core.domain import Domain, Reading
from axiomcheck.core.errors import MetricError
from axiomcheck.decide.search import Settings
from axiomcheck.engine.events import Interrupted
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.engine.places import Hear, ThisProcess
from axiomcheck.engine.remembered import Remembered, remembering
from axiomcheck.engine.tasks import Foreign, Task
from axiomcheck.ledger import LedgerFile
from axiomcheck.metrics import Metric, parse
from axiomcheck.processes.isolation import Limits
from axiomcheck.records.cells import Ledger, failed
from axiomcheck.reports import render
from axiomcheck.sources.fingerprint import Fingerprint
from axiomcheck.sources.own import CallableMetric

AXES = ["Pri", "Conf", "DeepTh"]
SETTINGS = Settings(examples=500)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of a ledger, whose secret is not that of whoever runs the tests."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "ledger.sqlite"


class Counting(ThisProcess):
    """Knows what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def decide(self, tasks: Sequence[Task], hear: Hear) -> None:
        """Notes the cells."""
        self.asked += [(metric.canonical, task.axiom.name) for task in tasks for metric in task.metrics]
        super().decide(tasks, hear)


class Stopped(Counting):
    """Is interrupted after some cells."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    def decide(self, tasks: Sequence[Task], hear: Hear) -> None:
        """As long as it lasts."""

        def heard(report: object) -> None:
            hear(report)  # type: ignore[arg-type]
            if type(report).__name__ == "Found":
                self.after -= 1
                if self.after == 0:
                    raise KeyboardInterrupt

        super().decide(tasks, heard)


def run(
    path: Path,
    metrics: Sequence[Metric],
    place: Counting,
    *,
    axioms: Sequence[Axiom] = (),
    settings: Settings = SETTINGS,
    reading: Reading = Reading(),  # noqa: B008 - immutable
) -> Ledger:
    file = LedgerFile(path)
    asked = axioms or [find_axiom(name) for name in AXES]
    try:
        return run_matrix(metrics, asked, reading, settings, place=place, memory=Remembered(file))
    finally:
        file.close()


RBP, RR = parse("RBP"), parse("RR")


def test_what_is_known_is_not_decided_again(path: Path) -> None:
    first, again = Counting(), Counting()
    one, two = run(path, [RBP, RR], first), run(path, [RBP, RR], again)
    assert len(first.asked) == 6
    assert again.asked == []
    assert render(one, "json") == render(two, "json")
    assert [cell.seconds for cell in one.cells] == [cell.seconds for cell in two.cells]


def test_a_metric_that_is_new_has_its_own_cells_decided_only(path: Path) -> None:
    run(path, [RBP], Counting())
    place = Counting()
    assert render(run(path, [RBP, RR], place), "json") == render(
        run_matrix([RBP, RR], [find_axiom(a) for a in AXES], settings=SETTINGS), "json"
    )
    assert {metric for metric, _ in place.asked} == {"RR"}


@pytest.mark.parametrize(
    ("settings", "reading"),
    [
        (replace(SETTINGS, seed=1), Reading()),
        (replace(SETTINGS, examples=501), Reading()),
        (replace(SETTINGS, exhaustive=False), Reading()),
        (replace(SETTINGS, proofs=False), Reading()),
        (replace(SETTINGS, further=True), Reading()),
        (SETTINGS, Reading(domain=Domain.BINARY)),
    ],
)
def test_under_other_circumstances_all_is_decided(path: Path, settings: Settings, reading: Reading) -> None:
    run(path, [RR], Counting())
    place = Counting()
    run(path, [RR], place, settings=settings, reading=reading)
    assert len(place.asked) == 3


def test_parameters_are_part_of_what_a_metric_is(path: Path) -> None:
    run(path, [parse("RBP(p=0.5)")], Counting())
    place = Counting()
    run(path, [parse("RBP(p=0.6)")], place)
    assert len(place.asked) == 3


def test_what_was_interrupted_goes_on(path: Path) -> None:
    stopped, on = Stopped(4), Counting()
    with pytest.raises(Interrupted) as caught:
        run(path, [RBP, RR], stopped)
    assert sum(cell.evidence is not None for cell in caught.value.ledger.cells) == 4
    whole = run(path, [RBP, RR], on)
    assert len(on.asked) == 2
    assert render(whole, "json") == render(run(path.with_name("new.sqlite"), [RBP, RR], Counting()), "json")


class Other(type(AXIOMS["Pri"])):  # type: ignore[misc]
    """An axiom of somebody else, of the same name."""


@pytest.mark.parametrize(
    ("axiom", "metric"),
    [
        (AXIOMS["Pri"], CallableMetric(lambda topic, ranking: 0.0, "RR", single_aspect=True)),
        (Other(), RR),
        (AXIOMS["Pri"], Foreign("file.py:RR")),
    ],
)
def test_what_is_somebody_elses_is_not_known_by_its_name(path: Path, axiom: Axiom, metric: Metric | Foreign) -> None:
    file = LedgerFile(path)
    memory = Remembered(file)
    (cell,) = run_matrix([RR], [find_axiom("Pri")], settings=SETTINGS).cells
    task = Task(axiom, (metric,), Reading(), SETTINGS)
    memory.keep(task, metric, cell)
    assert memory.before(task, metric) is None
    assert list(file.entries()) == []
    file.close()


def test_a_metric_from_outside_is_known_by_what_it_depends_on(path: Path) -> None:
    file = LedgerFile(path)
    metric = Foreign("file.py:RR")
    task = Task(find_axiom("Pri"), (metric,), Reading(), SETTINGS)
    (cell,) = run_matrix([RR], [find_axiom("Pri")], settings=SETTINGS).cells
    one, other, later = Fingerprint("1", {}), Fingerprint("2", {}), Fingerprint("1", {}, stamp="later")
    for now, kept in ((other, False), (later, False), (None, False), (one, True)):
        Remembered(file, {metric.canonical: one}, lambda name, now=now: now).keep(task, metric, cell)  # type: ignore[misc]
        assert (Remembered(file, {metric.canonical: one}).before(task, metric) is not None) is kept
    assert Remembered(file, {metric.canonical: later}).before(task, metric) is not None
    assert Remembered(file, {metric.canonical: other}).before(task, metric) is None
    file.close()


def test_errors_are_not_kept(path: Path) -> None:
    file = LedgerFile(path)
    memory = Remembered(file)
    task = Task(find_axiom("Pri"), (RR,), Reading(), SETTINGS)
    cell = run_matrix([RR], [find_axiom("Pri")], settings=SETTINGS).cells[0]
    memory.keep(task, RR, failed(cell, MetricError("for now")))
    assert memory.before(task, RR) is None
    memory.keep(task, RR, cell)
    assert memory.before(task, RR) == cell
    assert memory.before(replace(task, block=1), RR) is None
    file.close()


@pytest.fixture
def flipped(path: Path) -> Path:
    """A ledger in which a verdict was changed."""
    run(path, [RBP], Counting())
    base = sqlite3.connect(path)
    rows = base.execute("SELECT key, content FROM entries").fetchall()
    for key, content in rows:
        changed = bytes(content).replace(b'"refuted"', b'"proved"')
        base.execute("UPDATE entries SET content = ? WHERE key = ?", (changed, key))
    base.commit()
    base.close()
    return path


def test_a_verdict_that_was_changed_is_decided_again(flipped: Path) -> None:
    place = Counting()
    ledger = run(flipped, [RBP], place)
    assert place.asked == [("RBP(p=0.8)", "Conf")]
    assert render(ledger, "json") == render(
        run_matrix([RBP], [find_axiom(name) for name in AXES], settings=SETTINGS), "json"
    )


@pytest.mark.parametrize("edited", [False, True])
def test_what_was_edited_and_put_back_while_it_was_decided_is_not_known(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edited: bool
) -> None:
    """Nobody knows which of the two it was that was decided."""
    monkeypatch.chdir(tmp_path)
    code = "def gain(topic, ranking):\n    return float(len(ranking))\n"
    source = tmp_path / "own.py"
    source.write_text(code)
    metric, axioms = Foreign("own.py:gain"), [find_axiom("Pri"), find_axiom("Conf")]
    file = LedgerFile(path)
    with remembering(file, [metric], Limits()) as memory:
        if edited:
            source.write_text(code + "# edited")
            source.write_text(code)
        run_matrix([metric], axioms, settings=Settings(examples=20, proofs=False), memory=memory)
    with remembering(file, [metric], Limits()) as memory:
        run_matrix([metric], axioms, settings=Settings(examples=20, proofs=False), memory=memory)
        assert memory.found == (0 if edited else 2)
    file.close()
