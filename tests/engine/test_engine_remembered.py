"""Cells that a ledger knows are not decided again, and are what they would be."""

import json
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from axiomcheck import Domain, Metric, MetricError, Reading, Regime, Verdict, parse
from axiomcheck.axioms import AXIOMS, Axiom, find_axiom
from axiomcheck.decide.search import Settings
from axiomcheck.engine.memory import Remembered
from axiomcheck.engine.places import Machine, Say
from axiomcheck.engine.run import run_matrix
from axiomcheck.engine.tasks import External, Task
from axiomcheck.ledger.file import LedgerFile
from axiomcheck.records.cells import Cell, Ledger, failed
from axiomcheck.reports.formats import render
from axiomcheck.sources.function_metrics import CallableMetric, as_metric
from tests.engine.campaigns import Asked, Here

AXES = ["Conf", "DeepTh"]
SETTINGS = Settings(examples=100, exhaustive=False)


class Counting(Asked):
    def begin(self, task: Task, say: Say) -> None:
        Here.begin(self, task, say)


def run(
    path: Path,
    metrics: Sequence[Metric],
    place: Asked,
    *,
    settings: Settings = SETTINGS,
    reading: Reading = Reading(),  # noqa: B008 - immutable
) -> Ledger:
    axioms = [find_axiom(name) for name in AXES]
    with closing(LedgerFile(path)) as file:
        return run_matrix(metrics, axioms, reading, settings, machine=Machine(cluster=place), memory=Remembered(file))


RBP, RR = parse("RBP"), parse("RR")


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Ledger]]:
    """Make a ledger with the cells of RBP and RR, under a secret that is not that of whoever runs the tests."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(home / "config"))
        place = Counting()
        ledger = run(home / "ledger.sqlite", [RBP, RR], place)
        assert len(place.asked) == 4
        yield home / "ledger.sqlite", ledger


@pytest.fixture
def path(known: tuple[Path, Ledger], tmp_path: Path) -> Path:
    return Path(shutil.copy(known[0], tmp_path / "ledger.sqlite"))


@pytest.fixture
def file(known: tuple[Path, Ledger], tmp_path: Path) -> Iterator[LedgerFile]:
    """Open an empty ledger."""
    with closing(LedgerFile(tmp_path / "empty.sqlite")) as opened:
        yield opened


@cache
def plain(*metrics: Metric) -> str:
    """Return the report of a run that remembers nothing."""
    return render(run_matrix(metrics, [find_axiom(name) for name in AXES], settings=SETTINGS), "json")


def test_known_cells_are_not_decided_again(path: Path, known: tuple[Path, Ledger]) -> None:
    place = Counting()
    again = run(path, [RBP, RR], place)
    assert place.asked == []
    assert render(again, "json") == render(known[1], "json") == plain(RBP, RR)
    assert [cell.seconds for cell in again.cells] == [cell.seconds for cell in known[1].cells]


@pytest.mark.parametrize(
    ("settings", "reading", "axioms"),
    [
        (replace(SETTINGS, seed=1), Reading(), AXES),
        (replace(SETTINGS, exhaustive=True), Reading(), AXES),
        (SETTINGS, Reading(domain=Domain.BINARY), AXES),
        (replace(SETTINGS, examples=101), Reading(), ["Conf"]),  # thresholds need no examples
        (replace(SETTINGS, proofs=False), Reading(), []),
        (SETTINGS, Reading(Regime.FINITE), AXES),
        (SETTINGS, Reading(Regime.LIMIT), []),  # which assumes r << 1 of both, as the stated regime does
    ],
)
def test_what_another_setting_or_reading_may_change_is_decided_again(
    path: Path, settings: Settings, reading: Reading, axioms: list[str]
) -> None:
    place = Asked()
    run(path, [RR], place, settings=settings, reading=reading)
    assert place.asked == [("RR", axiom) for axiom in axioms]


SEVERAL = [parse(name) for name in ("RBP", "alpha-nDCG@4")]
MANY = ["Pri", "CloseTh"]


def test_an_answer_with_proofs_gives_the_cells_of_a_run_without_them(file: LedgerFile) -> None:
    """Searches are asked for by `gate` and proofs by `matrix`: what the one leaves to the other is the same."""
    axioms, reading = [find_axiom(name) for name in MANY], Reading()
    run_matrix(SEVERAL, axioms, reading, SETTINGS, memory=Remembered(file))
    place, unproved = Asked(), replace(SETTINGS, proofs=False)
    read = run_matrix(SEVERAL, axioms, reading, unproved, machine=Machine(cluster=place), memory=Remembered(file))
    assert place.asked == []
    decided = run_matrix(SEVERAL, axioms, reading, unproved)
    assert read.cells == decided.cells
    assert {Verdict.HELD, Verdict.REFUTED} <= {cell.verdict for cell in read.cells}


def test_where_at_least_so_many_examples_are_asked_for_the_fewest_that_suffice_are_read(file: LedgerFile) -> None:
    axiom, cells = find_axiom("Pri"), {}
    for examples in (60, 90, 120):
        settings = replace(SETTINGS, examples=examples)
        (cells[examples],) = run_matrix([RBP], [axiom], settings=settings, memory=Remembered(file)).cells
    memory = Remembered(file, at_least=True)
    for asked, read in ((50, 60), (60, 60), (61, 90), (91, 120), (121, None)):
        task = Task(axiom, (RBP,), Reading(), replace(SETTINGS, examples=asked))
        assert memory.before(task, RBP) == cells.get(read or 0)


def test_what_is_not_decided_on_more_examples_may_be_on_fewer(file: LedgerFile, cell: Cell) -> None:
    task = Task(find_axiom("Conf"), (RR,), Reading(), SETTINGS)
    fewer = replace(task, settings=replace(SETTINGS, examples=50))
    memory = Remembered(file, at_least=True)
    for verdict in (Verdict.UNDECIDED, Verdict.REFUTED):
        kept = cell if verdict is Verdict.REFUTED else replace(cell, verdict=verdict, witness=None, evidence=None)
        memory.keep(task, RR, kept)
        assert memory.before(task, RR) == kept
        assert (memory.before(fewer, RR) is not None) is (verdict is Verdict.REFUTED)


class Other(type(AXIOMS["Conf"])):  # type: ignore[misc]
    """An axiom of somebody else, of the same name."""


@pytest.fixture
def cell(known: tuple[Path, Ledger]) -> Cell:
    (found,) = (cell for cell in known[1].cells if (cell.metric, cell.axiom) == ("RR", "Conf"))
    return found


@pytest.mark.parametrize(
    ("axiom", "metric"),
    [
        (AXIOMS["Conf"], CallableMetric(lambda topic, ranking: 0.0, "RR", single_aspect=True)),
        (Other(), RR),
        (AXIOMS["Conf"], External("file.py:RR")),
        (AXIOMS["Conf"], as_metric(parse("RR"), "file.py:RR")),  # another metric may be in the file next time
    ],
)
def test_axioms_and_metrics_from_outside_are_not_known_by_their_names(
    file: LedgerFile, cell: Cell, axiom: Axiom, metric: Metric | External
) -> None:
    memory = Remembered(file)
    task = Task(axiom, (metric,), Reading(), SETTINGS)
    memory.keep(task, metric, cell)
    assert memory.before(task, metric) is None
    assert list(file.entries()) == []


def test_errors_are_not_kept(file: LedgerFile, cell: Cell) -> None:
    memory = Remembered(file)
    task = Task(find_axiom("Conf"), (RR,), Reading(), SETTINGS)
    memory.keep(task, RR, failed(cell, MetricError("for now")))
    assert memory.before(task, RR) is None
    memory.keep(task, RR, cell)
    assert memory.before(task, RR) == cell
    assert memory.before(replace(task, block=1), RR) is None


def test_a_verdict_that_was_changed_is_decided_again(path: Path) -> None:
    with sqlite3.connect(path) as base:
        changed = "CAST(replace(CAST(content AS TEXT), '\"refuted\"', '\"proved\"') AS BLOB)"
        base.execute(f"UPDATE entries SET content = {changed}")
    place = Counting()
    assert render(run(path, [RBP, RR], place), "json") == plain(RBP, RR)
    refuted = {(cell["metric"], cell["axiom"]) for cell in json.loads(plain(RBP, RR))["cells"] if cell["witness"]}
    assert {*place.asked} == refuted
    assert ("RBP(p=0.8)", "Conf") in refuted
