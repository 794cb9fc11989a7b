"""Which sets of assumptions are enough: known cells, planted faults, reports and the command."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

import axiomcheck.studies.weakest.search as searching
from axiomcheck import InternalDisagreement, InvalidInput, Reading, Regime, Verdict, parse, read_witness
from axiomcheck.axioms import AXIOMS, Draft, PairAxiom
from axiomcheck.core.documents import document_of, parse_json
from axiomcheck.core.writing import json_text
from axiomcheck.decide.search import Settings
from axiomcheck.proof import proving
from axiomcheck.proof.check import check_certificate
from axiomcheck.reports.table import report_text
from axiomcheck.reports.weakest_report import weakest_report
from axiomcheck.studies.weakest.assumptions import ASSUMPTIONS, Assumption, weaker_or_equal
from axiomcheck.studies.weakest.search import Restricted, SearchOutcome, Trial, Weakest, weakest
from tests.support.commands import command
from tests.support.suites import quality

FEW = Settings(seed=0, examples=300)
FEWER = Settings(seed=0, examples=100, exhaustive=False)
"""For planted faults, which are seen at once."""


@lru_cache
def found(axiom: str, metric: str, regime: Regime = Regime.STATED) -> Weakest:
    return weakest(AXIOMS[axiom], parse(metric), Reading(regime), FEW)


def enough(result: Weakest) -> set[tuple[str, ...]]:
    return {trial.assumptions for trial in result.enough}


def trial_of(result: Weakest, *names: str) -> Trial:
    (trial,) = [trial for trial in result.trials if trial.assumptions == names]
    return trial


def printed(result: Weakest) -> str:
    return report_text(weakest_report(result), width=100)


@quality
def test_rbu_sees_redundancy_where_no_document_is_certain() -> None:
    result = weakest(AXIOMS["Red"], parse("RBU@5"), Reading(), Settings(seed=0, examples=300, exhaustive=False))
    assert {"limit", "below-one"} <= set(result.offered)
    assert {("below-one",), ("unseen",)} <= enough(result)
    assert enough(result) <= {("below-one",), ("unseen",), ("limit",)}
    accepted = trial_of(result, "unseen")
    assert accepted.verdict is Verdict.PROVED
    assert accepted.certificate.axiom == "Red + unseen"
    assert result.enough[-1].verdict is Verdict.PROVED
    assert trial_of(result, "limit").outcome is SearchOutcome.ENOUGH  # stronger than below-one: of use if it is proved


def test_sets_of_three_are_tried_when_none_is_enough() -> None:
    result = found("Sat", "alpha-nDCG@5")
    assert result.enough == []
    assert max(len(trial.assumptions) for trial in result.trials) == 3
    assert "No available assumption is enough, nor up to 3 of them together" in printed(result)


def test_a_cell_that_is_not_violated_needs_nothing() -> None:
    result = found("Pri", "RBP")
    assert result.cell.verdict.satisfied
    assert (result.trials, result.decided) == ((), True)
    assert "no assumption is needed" in printed(result)


def test_every_witness_is_one_of_the_axiom_and_meets_its_assumptions() -> None:
    result, metric, axiom = found("Pri", "NRBP@3"), parse("NRBP@3"), AXIOMS["Pri"]
    refuted = result.having(SearchOutcome.NOT_ENOUGH)
    assert refuted
    for trial in refuted:
        read = read_witness(parse_json(json_text(document_of(trial.witness))), metric)
        assert read.axiom is axiom
        for name in trial.assumptions:
            assert ASSUMPTIONS[name].met(axiom, read.batch.draft).all()
        assert read.batch.small == result.cell.witness.small or "limit" in trial.assumptions


def test_sufficient_sets_are_weakest_first_and_no_two_are_alike() -> None:
    result = found("Pri", "NRBP@3")
    keys = [(len(t.assumptions), t.share is None, -(t.share or 0)) for t in result.enough]
    assert keys == sorted(keys)
    for one in result.enough:
        for other in result.enough:
            if one is not other and weaker_or_equal(one.assumptions, other.assumptions):
                assert (one.verdict, other.verdict) != (other.verdict, one.verdict)
    tried = [trial.assumptions for trial in result.trials]
    assert len(set(tried)) == len(tried)
    for early, late in ((a, b) for k, a in enumerate(result.trials) for b in result.trials[k + 1 :]):
        if early.outcome is SearchOutcome.ENOUGH and len(late.assumptions) > 1:
            assert not weaker_or_equal(early.assumptions, late.assumptions)


def test_thresholds_are_for_region() -> None:
    with pytest.raises(InvalidInput, match="axiomcheck region"):
        weakest(AXIOMS["DeepTh"], parse("RBU"))


def offer(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Make some assumptions the only ones that are offered."""
    monkeypatch.setattr(searching, "offered", lambda occasion: tuple(ASSUMPTIONS[name] for name in names))


def test_small_grades_are_not_enough_for_the_normalisers_of_ndcg_ia(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, "limit")
    tried = trial_of(weakest(AXIOMS["Red"], parse("nDCG-IA@5"), Reading(), FEWER), "limit")
    assert tried.outcome is SearchOutcome.NOT_ENOUGH
    assert (tried.witness.reading.regime, tried.witness.small) == ("limit", True)


def plant(monkeypatch: pytest.MonkeyPatch, planted: str, mask: Callable[[PairAxiom, Draft], np.ndarray]) -> None:
    """Make an assumption with a mask of the test's the only one that is offered."""

    class Planted(Assumption):
        name, words = planted, "planted"

        def fits(self, occasion: Any) -> bool:
            return True

        def met(self, axiom: PairAxiom, d: Draft) -> np.ndarray:
            return mask(axiom, d)

    monkeypatch.setitem(ASSUMPTIONS, planted, Planted())
    offer(monkeypatch, planted)


def test_an_assumption_that_leaves_nothing_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, "nobody", lambda axiom, d: np.zeros(d.size, dtype=bool))
    result = weakest(AXIOMS["Red"], parse("RBU@5"), Reading(), FEWER)
    assert trial_of(result, "nobody").outcome is SearchOutcome.VACUOUS
    assert result.enough == []
    assert "No instance meets nobody." in printed(result)


def test_a_witness_that_misses_an_assumption_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, "only-in-floats", lambda axiom, d: np.full(d.size, d.grades.dtype != object))
    # The engine shrinks in rationals, where no smaller instance meets the mask: the first one is the witness.
    with pytest.raises(InternalDisagreement, match="only-in-floats"):
        weakest(AXIOMS["Red"], parse("RBU@5"), Reading(), FEWER)


def test_a_witness_of_something_else_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: the instances of the restriction are no longer the axiom's."""
    offer(monkeypatch, "two-aspects")
    monkeypatch.setattr(searching, "_meets", lambda *_: False)  # so that no counterexample is known to meet it
    monkeypatch.setattr(Restricted, "holds", lambda self, d: d.incoming(1)[d.rows, d.u] > 0)
    with pytest.raises(InternalDisagreement, match="Red \\+ two-aspects: witness: the instance does not meet"):
        weakest(AXIOMS["Red"], parse("RBU@5"), Reading(), FEW)


def rejects(*_: Any) -> None:
    raise InvalidInput("certificate: planted")


def test_a_proof_counts_only_if_its_check_accepts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    axiom, metric = AXIOMS["Red"], parse("RBU@5")
    offer(monkeypatch, "unseen")
    monkeypatch.setattr(proving, "check_certificate", rejects)
    with pytest.raises(InternalDisagreement, match=r"the checker rejects a proof of .*: certificate: planted"):
        weakest(axiom, metric, Reading(), FEWER)


def test_checkers_that_know_of_assumptions_accept_genuine_proofs() -> None:
    axiom, metric = AXIOMS["Red"], parse("RBU@5")
    restricted = Restricted(axiom, [ASSUMPTIONS["unseen"]])
    proof = proving.prove(restricted, metric, Reading(), least_effort=True)
    certificate = document_of(proof.certificate)
    check_certificate(certificate, metric, restricted)
    for wrong in (certificate | {"strict": False}, certificate | {"axiom": "Red"}):
        with pytest.raises(InvalidInput):
            check_certificate(wrong, metric, restricted)


def rare(axiom: PairAxiom, d: Draft) -> np.ndarray:
    """Leave few instances, which satisfy the axiom."""
    few = (d.shape.documents == 3) & (d.shape.aspects == 2) & (d.grades.sum(axis=(1, 2)) == 3)
    return few & ASSUMPTIONS["unseen"].met(axiom, d)


def test_a_handful_of_instances_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, "rare", rare)
    monkeypatch.setattr(searching, "prove", lambda *_, **more: None)
    done = command("weakest", "RBU@5", "Red", "--examples", "300")
    assert (done.exit_code, "fewer than" in done.output) == (4, True)
