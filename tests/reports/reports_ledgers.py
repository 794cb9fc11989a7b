"""Ledgers that the tests of the reports share: small real runs, and one made up of what real runs rarely have."""

from dataclasses import replace
from functools import cache

from msgspec import structs

from axiomcheck import AXIOMS, Reading, parse
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.records.cells import Cell, Ledger, SettingsRecord
from tests.support.made_records import because

METRICS = ("P-IA@20", "AP", "NRBP")


@cache
def real() -> Ledger:
    """Three metrics under all axioms, enumerated: one is binary-only, one of a single aspect, one has findings."""
    metrics = [parse(name) for name in METRICS]
    return run_matrix(metrics, list(AXIOMS.values()), Reading(), Settings(examples=0, proofs=False))


@cache
def sampled() -> Ledger:
    """Cells of random instances, one of which are violated, so that they have a share."""
    axioms = [AXIOMS["Pri"], AXIOMS["Deep"]]
    return run_matrix([parse("NRBP")], axioms, settings=Settings(examples=50, exhaustive=False, proofs=False))


@cache
def proved() -> Ledger:
    """Proofs of three kinds: by induction, of a mixture, and about every large n."""
    metrics, axioms = [parse("RBP"), parse("D#-nDCG")], [AXIOMS["Pri"], AXIOMS["DeepTh"]]
    return run_matrix(metrics, axioms, Reading(), Settings(examples=50))


@cache
def bounded() -> Ledger:
    """A proof up to a length and a number of aspects."""
    return run_matrix([parse("S-RR@100%")], [AXIOMS["MRed"]], Reading(), Settings(examples=50))


def made_up(*cells: Cell, regime: str = "stated", domain: str = "graded") -> Ledger:
    """A ledger of given cells."""
    return Ledger(regime, domain, SettingsRecord(7, 1200, False, False), cells)


@cache
def compared_by_dominance() -> Ledger:
    """An axiom that leaves rankings incomparable."""
    metric, axiom = parse("P@H-RBP(order=dominance)@20"), AXIOMS["Deep"]
    return run_matrix([metric], [axiom], Reading(), Settings(examples=50))


def of_axiom(cell: Cell, other: Cell) -> Cell:
    """A cell that has a proof, made one of the axiom of another cell, with what was tried of that."""
    certificate = cell.certificate and structs.replace(cell.certificate, axiom=other.axiom)
    return replace(cell, axiom=other.axiom, evidence=other.evidence, certificate=certificate)


@cache
def odd() -> Ledger:
    """Every verdict that the real runs do not have, and text that markup could trip over."""
    one, apart = proved().cells[0], compared_by_dominance().cells[0]
    name = "EU(alpha=0.5, e=0.05, log=2)"
    return made_up(
        replace(one, row="EU", cause=because("an argument")).of_metric(name),
        replace(of_axiom(bounded().cells[0], apart), evidence=one.evidence, row="EU", published="no").of_metric(name),
        Cell(name, "EU", "Sat", Verdict.UNDECIDED, "yes", because("interrupted [before] a | b * c")),
        Cell(
            "mine(p=[1/2])",
            None,
            "Pri",
            Verdict.ERROR,
            None,
            because("raised ValueError: [bold]no[/bold] <b>"),
            Failure.METRIC,
        ),
        apart.of_metric("mine(p=[1/2])"),
        Cell("mine(p=[1/2])", None, "Sat", Verdict.NOT_APPLICABLE, None, because("one aspect")),
    )
