"""Proofs in the matrix: verdicts, scopes, and what happens when a proof and the search contradict each other."""

import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from axiomcheck.axioms import Draft, find_axiom
from axiomcheck.axioms.pri import Priority
from axiomcheck.cli.program import main
from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Reading, Regime, assumes_small
from axiomcheck.core.errors import InternalDisagreement, InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.engine import cells
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.metrics import Metric, paper_rows, parse
from axiomcheck.proof import proving
from axiomcheck.proof.check import check_certificate
from axiomcheck.proof.find import bounded, induction
from axiomcheck.proof.proving import prove
from axiomcheck.records.cells import Cell
from axiomcheck.reports import from_document, to_json
from tests.support.suites import each, few

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
        ("RBP", "CloseTh", Verdict.PROVED, "every n"),
        ("RBP(p=0.5)", "CloseTh", Verdict.REFUTED, "every n"),
        ("S-RR@100%", "Sat", Verdict.BOUNDED, "at most 6 ranked documents and 3 aspects"),
        ("S-RR@100%", "MRed", Verdict.BOUNDED, "at most 6 ranked documents and 2 aspects"),
    ],
    2,
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


def test_without_proofs_nothing_is_proved() -> None:
    found = cell("RBP", "Pri", settings=Settings(examples=300, exhaustive=False, proofs=False))
    assert (found.verdict, found.certificate) == (Verdict.HELD, None)


def test_reports_carry_certificates() -> None:
    ledger = run_matrix([parse("RBU")], [find_axiom("Conf"), find_axiom("Red")], Reading(), QUICK)
    again = from_document(json.loads(to_json(ledger)))
    assert [c.certificate for c in again.cells] == [c.certificate for c in ledger.cells]
    assert again.cells[0].certificate is not None
    assert again.cells[1].certificate is None
    document = json.loads(to_json(ledger))
    document["cells"][0]["certificate"] = None
    with pytest.raises(InvalidInput, match="certificate"):
        from_document(document)


@each("metric", few(paper_rows(), 6), 5, ids=str)
def test_every_satisfied_cell_of_the_paper_is_proved_or_bounded(metric: Metric) -> None:
    """Prove, without the search, whatever the recorded search did not refute."""
    rows = json.loads(resources.files("axiomcheck.checks").joinpath("catalogue_rows.json").read_text())["rows"]
    asked = {
        (axiom, assumes_small(find_axiom(axiom), Reading(regime))): regime
        for regime in (Regime.STATED, Regime.LIMIT)
        for axiom, satisfied in rows[metric.canonical][regime.value].items()
        if satisfied
    }
    verdicts = []
    for (axiom, _), regime in asked.items():
        proof = prove(find_axiom(axiom), metric, Reading(regime))
        assert proof is not None, (regime, axiom)
        verdicts.append(proof.verdict)
    assert set(verdicts) <= {Verdict.PROVED, Verdict.BOUNDED}
    assert verdicts.count(Verdict.PROVED) > 0.9 * len(verdicts)


def test_a_proof_that_the_search_contradicts_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = prove(find_axiom("Pri"), parse("RBP"), Reading())
    assert proof is not None
    monkeypatch.setattr(cells, "prove", lambda axiom, metric, reading, identity: proof)
    monkeypatch.setattr(cells, "prove_by_induction", lambda *asked: {})
    found = cell("alpha-nDCG", "Pri")
    assert found.verdict is Verdict.ERROR
    assert found.reason.startswith("internal disagreement: a proof says proved, the search refuted")
    outcome = CliRunner().invoke(main, ["matrix", "-m", "alpha-nDCG", "-a", "Pri", "--examples", "300", "-j", "1"])
    assert outcome.exit_code == 3
    outcome = CliRunner().invoke(main, ["prove", "alpha-nDCG", "Pri", "--examples", "300"])
    assert outcome.exit_code == 3
    assert "Internal disagreement: a proof says proved, the search refuted" in " ".join(outcome.output.split())


def test_a_proof_that_its_check_does_not_accept_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:

    original = proving._certificate
    monkeypatch.setattr(
        proving, "_certificate", lambda *asked: (original(*asked) or {}) | {"metric": "alpha-nDCG(alpha=0.5)@20"}
    )
    with pytest.raises(InternalDisagreement, match="does not pass its check"):
        prove(find_axiom("Pri"), parse("RBP"), Reading())
    found = cell("RBP", "Pri")
    assert found.verdict is Verdict.ERROR


def test_prove_show_and_replay(tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    run = CliRunner()
    shown = run.invoke(main, ["prove", "RBU", "Conf", "--show", "--examples", "300"])
    assert shown.exit_code == 0, shown.output
    words = ["prove", "RBU", "Conf", "--format", "json", "--examples", "300", "-o", str(file)]
    assert run.invoke(main, words).exit_code == 0
    assert "● proved" in shown.output
    assert "difference of the scores" in shown.output
    checked = run.invoke(main, ["replay", str(file)])
    assert (checked.exit_code, checked.output.startswith("checked  RBU(p=0.8, e=0.05)@20  Conf")) == (0, True)
    document = json.loads(file.read_text(encoding="utf-8"))
    document["metric"] = "RBU(p=0.8, e=0)@20"
    file.write_text(json.dumps(document), encoding="utf-8")
    rejected = run.invoke(main, ["replay", str(file)])
    assert rejected.exit_code == 2
    assert str(file) in rejected.output


def test_prove_shows_the_witness_of_what_is_refuted_and_ends_with_4_at_what_is_neither(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outcome = CliRunner().invoke(main, ["prove", "RBP", "Conf", "--format", "json", "--examples", "300"])
    assert outcome.exit_code == 0
    assert json.loads(outcome.output)["schema"] == "axiomcheck/witness"
    monkeypatch.setattr(induction, "prove_by_induction", lambda *asked: None)
    monkeypatch.setattr(bounded, "prove_bounded", lambda *asked, budget: None)
    outcome = CliRunner().invoke(main, ["prove", "RBP", "Pri", "--examples", "300"])
    assert outcome.exit_code == 4
    assert "held" in outcome.output


def test_a_script_is_not_inherited_by_an_axiom_with_other_premises() -> None:
    """Swapping a document down must raise the score: RBP violates that, and Priority's script says nothing of it."""

    class Upside(Priority):
        name = "Upside"

        def rankings(self, d: Draft) -> tuple[Any, Any]:
            worse, better = super().rankings(d)
            return better, worse

    class Wider(type(find_axiom("Sat"))):  # type: ignore[misc]
        name = "Wider"
        overlap = True

    class Renamed(Priority):
        name = "Renamed"

    assert prove(Upside(), parse("RBP"), Reading()) is None
    assert prove(Wider(), parse("RBU"), Reading()) is None
    assert prove(Renamed(), parse("RBP"), Reading()) is not None
