"""Proofs of the rows, and rubbish of the kinds, that the everyday tests leave out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from axiomcheck.metrics import paper_rows
from axiomcheck.proof.check.bounded import check_bounded
from tests.proof.row_proofs import ROWS
from tests.proof.test_proof_bounded import false_certificate_of_a_fooled_prover_is_rejected
from tests.proof.test_proof_bounded_zeta import TAMPERED, each_claim, inst_is_proved
from tests.proof.test_proof_induction import satisfied_is_proved_and_refuted_is_not
from tests.proof.test_proof_induction_check import (
    LEAST_PROVED,
    accepts_what_the_prover_makes,
    there_is_something_to_accept,
)
from tests.proof.test_proof_induction_tampered import RUBBISH, rubbish_is_one_clear_line
from tests.proof.test_proof_proving import satisfied_cells_are_proved_or_bounded
from tests.proof.test_proof_thresholds import SETTLED, row_is_settled_at_every_n
from tests.support.suites import others
from tests.support.tampering import Change, Document, tampered


@pytest.mark.parametrize("row", others(ROWS, 7))
def test_what_is_satisfied_is_proved_and_what_is_refuted_is_not(row: str) -> None:
    satisfied_is_proved_and_refuted_is_not(row)
    accepts_what_the_prover_makes(row)


def test_there_is_something_to_accept() -> None:
    there_is_something_to_accept(ROWS, LEAST_PROVED)


def test_every_satisfied_cell_of_the_paper_is_proved_or_bounded() -> None:
    satisfied_cells_are_proved_or_bounded(others(paper_rows(), 6))


@pytest.mark.parametrize("rubbish", others(RUBBISH, 4))
def test_rubbish_in_any_entry_is_one_clear_line(rubbish: Any) -> None:
    rubbish_is_one_clear_line(rubbish)


@each_claim
@pytest.mark.parametrize("target", ["1", "10", "1.7"])
def test_inst_is_proved_and_the_certificates_pass(target: str, axiom: str, small: bool, ranked: int) -> None:
    inst_is_proved(target, axiom, small, ranked)


@pytest.mark.parametrize(("metric", "axiom", "small"), others(SETTLED, 3))
def test_every_row_is_settled_at_every_n(metric: str, axiom: str, small: bool) -> None:
    row_is_settled_at_every_n(metric, axiom, small)


@pytest.mark.parametrize(("made", "change"), others(TAMPERED, 3), ids=lambda f: f.__name__)
def test_a_tampered_certificate_is_rejected(made: Callable[[], Document], change: Change) -> None:
    tampered(check_bounded, made(), change)


def test_a_false_certificate_of_a_longer_ranking_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    false_certificate_of_a_fooled_prover_is_rejected(monkeypatch, "AP", "Deep", True, 8, 1)
