"""Planted faults are found, and what is not faulty is left alone.

The everyday suite searches with enumeration; the quality suite has whole cells made with another seed and without it.
"""

from functools import cache

import pytest

from axiomcheck import Cell, Domain, Reading, Regime, Verdict
from axiomcheck.axioms import AXIOMS, PairAxiom
from axiomcheck.decide import thresholds
from axiomcheck.decide.search import Search, Settings
from axiomcheck.decide.tally import Tally
from axiomcheck.engine.run import run_matrix
from tests.support.planted import PLANTED, Planted
from tests.support.suites import exhaustive, quality

PAIRS = [cls for cls in PLANTED if isinstance(AXIOMS[cls.axiom], PairAxiom)]
THRESHOLDS = [cls for cls in PLANTED if cls not in PAIRS]
SEEDED = "MRed"
"""The axiom whose planted faults the quality suite searches with another seed; the exhaustive suite has the others."""
EVERYDAY = ("Pri", "Deep", "MRed", "AspRel")
"""Axioms about pairs whose planted faults the everyday suite searches."""
EXAMPLES = 4_000
"""Random instances that are enough for every planted fault, whatever the seed, with and without enumeration."""


@pytest.fixture(autouse=True)
def _arguments_are_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arguments about large n that planted metrics bring are believed as the catalogue's are."""
    monkeypatch.setattr(thresholds, "is_genuine", lambda metric: True)


def alike(axiom: str, regime: Regime, domain: Domain) -> list[Planted]:
    """Return the planted metrics about an axiom in a reading, so that they share a search."""
    return [cls() for cls in PLANTED if (cls.axiom, cls.regime, cls.domain) == (axiom, regime, domain)]


@cache
def searched(name: str, regime: Regime, domain: Domain) -> dict[type[Planted], Tally]:
    axiom, together = AXIOMS[name], alike(name, regime, domain)
    settings = Settings(proofs=False, examples=EXAMPLES)
    search = Search(axiom, together, Reading(regime, domain), settings)
    search.run()
    return {type(metric): tally for metric, tally in zip(together, search.tallies, strict=True)}


@cache
def decided(name: str, regime: Regime, domain: Domain, seed: int) -> dict[type[Planted], Cell]:
    together = alike(name, regime, domain)
    settings = Settings(proofs=False, seed=seed, examples=EXAMPLES, exhaustive=False)
    cells = run_matrix(together, [AXIOMS[name]], Reading(regime, domain), settings).cells
    return {type(metric): cell for metric, cell in zip(together, cells, strict=True)}


@pytest.mark.parametrize(
    "cls",
    [pytest.param(cls, marks=() if cls.axiom in EVERYDAY else quality) for cls in PAIRS],
    ids=lambda cls: str(cls.name),
)
def test_search_finds_every_planted_fault_and_no_other(cls: type[Planted]) -> None:
    tally = searched(cls.axiom, cls.regime, cls.domain)[cls]
    assert (tally.error, tally.disagreement) == (None, None)
    assert (tally.candidates.grid_witness is not None or tally.candidates.confirm() is not None) == cls.breaks


@pytest.mark.parametrize(
    ("cls", "seed"),
    [
        *((cls, 0) for cls in THRESHOLDS),
        *(pytest.param(cls, 1, marks=quality if cls.axiom == SEEDED else exhaustive) for cls in PLANTED),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_cells_of_planted_metrics_have_a_witness_exactly_where_an_axiom_breaks(cls: type[Planted], seed: int) -> None:
    cell = decided(cls.axiom, cls.regime, cls.domain, seed)[cls]
    assert cell.verdict is (Verdict.REFUTED if cls.breaks else Verdict.HELD), cell.reason
    assert (cell.witness is not None) == cls.breaks


def test_every_axiom_has_a_fault_and_a_satisfier() -> None:
    for name in AXIOMS:
        assert {cls.breaks for cls in PLANTED if cls.axiom == name} == {True, False}
    assert len({cls.name for cls in PLANTED}) == len(PLANTED)
