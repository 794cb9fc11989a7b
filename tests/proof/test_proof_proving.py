"""Proofs in the matrix: verdicts, scopes, and what happens when a proof and the search contradict each other."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from axiomcheck import Cell, InternalDisagreement, Reading, Regime, Verdict, parse
from axiomcheck.axioms import Draft, Shape, find_axiom
from axiomcheck.axioms.pri import Priority
from axiomcheck.axioms.relations import Relations
from axiomcheck.cli.program import main
from axiomcheck.core.documents import document_of
from axiomcheck.decide.search import Settings
from axiomcheck.engine import cells
from axiomcheck.engine.run import run_matrix
from axiomcheck.proof import proving
from axiomcheck.proof.check import check_certificate
from axiomcheck.proof.proving import prove
from tests.support.suites import each

QUICK = Settings(examples=300, exhaustive=False)


def cell(metric: str, axiom: str, regime: Regime = Regime.STATED, settings: Settings = QUICK) -> Cell:
    (found,) = run_matrix([parse(metric)], [find_axiom(axiom)], Reading(regime), settings).cells
    return found


@each(
    ("metric", "axiom", "verdict", "scope"),
    [
        ("RBP", "Pri", Verdict.PROVED, "rankings of every length and every p inside its range"),
        ("D#-nDCG@20", "AspDiv", Verdict.PROVED, "rankings of every length"),
        ("RBP", "DeepTh", Verdict.PROVED, "every n and every p inside its range"),
        ("RBP(p=0.5)", "CloseTh", Verdict.REFUTED, "every n"),
        ("S-RR@100%", "MRed", Verdict.BOUNDED, "at most 6 ranked documents and 2 aspects"),
    ],
    3,
)
def test_a_proof_gives_the_verdict_and_the_report_its_scope(
    metric: str, axiom: str, verdict: Verdict, scope: str
) -> None:
    found = cell(metric, axiom)
    assert found.verdict is verdict
    assert found.evidence.proof.scope.startswith(scope)
    assert found.certificate is not None
    assert found.evidence.proof.bytes == len(json.dumps(document_of(found.certificate), separators=(",", ":")))
    check_certificate(found.certificate)


def test_a_proof_that_the_search_contradicts_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = prove(find_axiom("Pri"), parse("RBP"), Reading())
    assert proof is not None
    monkeypatch.setattr(cells, "prove", lambda axiom, metric, reading, identity, cutoff: proof)
    monkeypatch.setattr(cells, "prove_by_induction", lambda *asked: {})
    found = cell("alpha-nDCG", "Pri")
    assert found.verdict is Verdict.ERROR
    assert found.reason.startswith("internal disagreement: a proof says proved, but the search says refuted")
    outcome = CliRunner().invoke(main, ["matrix", "alpha-nDCG", "-a", "Pri", "--examples", "300", "-j", "1"])
    assert outcome.exit_code == 3
    outcome = CliRunner().invoke(main, ["prove", "alpha-nDCG", "Pri", "--examples", "300"])
    assert outcome.exit_code == 3
    assert "Internal disagreement: a proof says proved, but the search says refuted" in " ".join(outcome.output.split())


def test_a_proof_that_its_check_does_not_accept_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:

    original = proving._certificate
    monkeypatch.setattr(
        proving, "_certificate", lambda *asked: (original(*asked) or {}) | {"metric": "alpha-nDCG(alpha=0.5)@20"}
    )
    with pytest.raises(InternalDisagreement, match="the checker rejects a proof"):
        prove(find_axiom("Pri"), parse("RBP"), Reading())
    found = cell("RBP", "Pri")
    assert found.verdict is Verdict.ERROR


def test_prove_shows_the_proof_or_the_witness_and_ends_with_4_at_neither() -> None:
    run = CliRunner()
    shown = run.invoke(main, ["prove", "RBU", "Conf", "-v", "--examples", "300"])
    assert shown.exit_code == 0, shown.output
    assert "● proved" in shown.output
    assert "difference of the scores" in shown.output
    refuted = run.invoke(main, ["prove", "RBP", "Conf", "--format", "json", "--examples", "300"])
    assert (refuted.exit_code, json.loads(refuted.output)["schema"]) == (0, "axiomcheck/witness")
    neither = run.invoke(main, ["prove", "trec-NRBP", "DeepTh", "--examples", "50"])
    assert (neither.exit_code, "held" in neither.output) == (4, True), neither.output


def test_a_script_is_not_inherited_by_an_axiom_with_other_premises() -> None:
    """Swapping a document down must raise the score: RBP violates that, and Priority's script says nothing of it."""

    class Upside(Priority):
        name = "Upside"

        def rankings(self, d: Draft) -> tuple[Any, Any]:
            worse, better = super().rankings(d)
            return better, worse

    class Backwards(Priority):
        name = "Backwards"

        def relate(self, g: Relations, shape: Shape, i: Any, j: Any, t: Any, u: Any) -> None:
            g.require(i < j)
            g.above((i, 0), (j, 0))

    class Wider(type(find_axiom("Sat"))):  # type: ignore[misc]
        name = "Wider"
        overlap = True

    class Renamed(Priority):
        name = "Renamed"

    for changed in (Upside(), Backwards()):
        assert prove(changed, parse("RBP"), Reading()) is None
    assert prove(Wider(), parse("RBU"), Reading()) is None
    assert prove(Renamed(), parse("RBP"), Reading()) is not None
