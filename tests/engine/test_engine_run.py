"""Runs: the outcome depends on metric, axiom, reading and settings alone; failing metrics fail alone."""

import csv
from collections.abc import Callable, Iterator
from fractions import Fraction
from operator import truediv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiomcheck import Metric, Reading, Regime, Verdict, parse
from axiomcheck.axioms import AXIOMS, PairAxiom
from axiomcheck.core.published import PUBLISHED, published_claim
from axiomcheck.decide.search import Settings
from axiomcheck.engine.events import CellDecided, Event, Interrupted, Progress
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import run_matrix
from axiomcheck.numbers.arithmetic import Arithmetic, Floats
from axiomcheck.sources.function_metrics import CallableMetric
from tests.support.planted import ConfEightAtMost, PriBarely, PriFlatAtSeven
from tests.support.planted_aspects import RedWindow
from tests.support.scalar import PAIR_AXIOMS
from tests.support.suites import each, quality

SMALL = Settings(proofs=False, examples=300)
NAMES = ["P@20", "nDCG@20", "ERR-IA@20", "RBU@20"]


# ---------------------------------------------------------------------------------------------------- determinism


@quality
def test_two_workers_give_the_cells_of_this_process() -> None:
    axioms = [AXIOMS[name] for name in ("Pri", "CloseTh", "Sat")]
    asked = list(map(parse, NAMES))
    one, two = (run_matrix(asked, axioms, settings=SMALL, machine=Machine(jobs)) for jobs in (1, 2))
    assert one == two
    assert [(c.metric, c.axiom) for c in one.cells] == [(m.canonical, a.name) for m in asked for a in axioms]


@quality
def test_a_cell_is_the_same_again_whatever_is_decided_beside_it() -> None:
    axioms = [AXIOMS[name] for name in ("Deep", "DeepTh", "AspRel")]
    together = [*map(parse, NAMES[1:]), PriFlatAtSeven(), RedWindow()]
    expected = {(c.metric, c.axiom): c for c in run_matrix(together, axioms, settings=SMALL).cells}
    some = [RedWindow(), *map(parse, NAMES[:1:-1])]
    for cell in run_matrix(some, axioms[::-2], settings=SMALL).cells:
        assert cell == expected[cell.metric, cell.axiom]


def test_seeds_are_recorded_and_change_the_evidence() -> None:
    ledgers = [
        run_matrix([PriBarely()], [AXIOMS["Pri"]], settings=Settings(proofs=False, seed=s, examples=300))
        for s in (0, 1)
    ]
    assert [ledger.settings.seed for ledger in ledgers] == [0, 1]
    assert [ledger.cells[0].evidence.seed for ledger in ledgers] == [0, 1]
    assert ledgers[0].cells[0].evidence != ledgers[1].cells[0].evidence


# ------------------------------------------------------------------------------------------------------ error cells


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
    first, *broken, last = run_matrix([ConfEightAtMost(), *failing, parse("RBU@20")], asked, reading, SMALL).cells
    assert (first, last) == run_matrix([ConfEightAtMost(), parse("RBU@20")], asked, reading, SMALL).cells
    for metric, cell in zip(failing, broken, strict=True):
        assert (cell.verdict, cell.witness) == (Verdict.ERROR, None), cell
        assert FAILING[metric.name][1] in cell.reason


# --------------------------------------------------------------------------------------------------- not applicable


@pytest.mark.parametrize(
    ("name", "axiom", "verdict"),
    [
        ("P@1", "Pri", Verdict.NOT_APPLICABLE),
        ("P@2", "Pri", Verdict.REFUTED),
        ("RBU@1", "Conf", Verdict.NOT_APPLICABLE),
        ("RBU@2", "Conf", Verdict.HELD),
        ("RBU@1", "AspDiv", Verdict.HELD),
        ("RBU@1", "Red", Verdict.NOT_APPLICABLE),
        ("ERR@20", "Red", Verdict.NOT_APPLICABLE),
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


# ----------------------------------------------------------------------------------------------- events, interruption


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


def test_an_interrupted_run_keeps_decided_cells() -> None:
    def listen(event: Event) -> None:
        if isinstance(event, CellDecided):
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        run_matrix([parse("RBP"), parse("RR")], [AXIOMS["Pri"], AXIOMS["Conf"]], settings=SMALL, listen=listen)
    verdicts = [cell.verdict for cell in caught.value.ledger.cells]
    assert len(verdicts) == 4
    assert verdicts.count(Verdict.UNDECIDED) == 3


# ------------------------------------------------------------------------------------------------ the published table

SPEC = Path(__file__).parents[2].parent / "shared" / "spec" / "published_table1.csv"


def published() -> Iterator[tuple[str, str, str]]:
    with SPEC.open(newline="") as lines:
        for row in csv.DictReader(lines):
            metric = row.pop("metric")
            yield from ((metric, axiom, claim) for axiom, claim in row.items())


@pytest.mark.skipif(not SPEC.exists(), reason="the table is not beside this checkout")
def test_the_published_table_is_the_specifications() -> None:
    assert {(metric, axiom): claim for metric, axiom, claim in published()} == PUBLISHED


def test_published_claims() -> None:
    assert len(PUBLISHED) == 20 * 10
    assert published_claim("RBU@k", "Red") == "yes"
    assert published_claim("nDCG-IA@k", "DeepTh") == "contradictory"
    assert published_claim(None, "Red") is None
    assert published_claim("INST", "Red") is None
