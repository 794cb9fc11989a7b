"""Obligations of proofs as SMT-LIB 2: all that a check rests on is written, and a solver finds a wrong one."""

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flint import fmpq

from axiomcheck import AXIOMS, Reading, parse
from axiomcheck.cli.program import main
from axiomcheck.proof import smt
from axiomcheck.proof.check.polynomials import Polynomial, Variable
from axiomcheck.proof.proving import prove
from axiomcheck.proof.smt import SignObligation, obligations_of, question, smt_text

solver = pytest.mark.extra("z3")

KINDS = [("RBP", "Pri"), ("AP", "Pri"), ("NRBP", "DeepTh"), ("D#-nDCG", "Pri")]
"""One for each way to prove: induction, bounded, for every large n, mixtures."""


@cache
def obligations(metric: str, axiom: str) -> list[SignObligation]:
    proof = prove(AXIOMS[axiom], parse(metric), Reading())
    return obligations_of(proof.certificate, parse(metric))


def answers(found: list[SignObligation]) -> list[str]:
    from research.solver import answer

    return [answer(each) for each in found]


def test_a_question_has_the_ranges_and_the_opposite_of_what_was_shown() -> None:
    text = question(SignObligation(("(0, 1]", "[0, oo)"), (((0, 1), "-1/2"), ((2, 0), "3")), ">"))
    assert text.split("\n")[:2] == ["(declare-const x0 Real)", "(declare-const x1 Real)"]
    for part in ("(assert (> x0 0))", "(assert (<= x0 1))", "(assert (>= x1 0))", "(* 3 x0 x0)", "(<= (+"):
        assert part in text
    assert "pow" not in text


def test_every_obligation_is_a_question_of_its_own() -> None:
    found = obligations("RBU", "Pri")
    text = smt_text(found)
    assert text.startswith("(set-logic QF_NRA)\n")
    assert text.count("(check-sat)") == text.count("(push 1)") == text.count("(pop 1)") == len(found) > 5
    assert len(set(found)) == len(found)


@solver
@pytest.mark.parametrize(("metric", "axiom"), KINDS)
def test_a_solver_confirms_every_obligation(metric: str, axiom: str) -> None:
    found = obligations(metric, axiom)
    assert found
    assert set(answers(found)) == {"confirmed"}


@solver
def test_a_wrong_sign_that_a_faulty_checker_shows_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sign of 1 - 2u on (0, 1), which is none, among those of a proof."""
    proof = prove(AXIOMS["Pri"], parse("RBU"), Reading())
    assert proof is not None
    u = Variable("u", "(0, 1)")
    wrong = Polynomial({(): fmpq(1), (u,): fmpq(-2)})
    assert not wrong.shown(">")
    shown: Any = Polynomial._is_shown
    monkeypatch.setattr(Polynomial, "_is_shown", lambda self, relation: self is faulty or shown(self, relation))
    faulty = Polynomial(dict(wrong.terms))
    check: Any = smt.check_certificate

    def check_and_more(*asked: Any) -> None:
        check(*asked)
        assert faulty.shown(">")

    monkeypatch.setattr(smt, "check_certificate", check_and_more)
    assert Counter(answers(obligations_of(proof.certificate, parse("RBU"))))["refuted"] == 1


def test_the_command_writes_the_file_where_there_is_a_proof(tmp_path: Path) -> None:
    file = tmp_path / "pri.smt2"
    done = CliRunner().invoke(main, ["prove", "RBP", "Pri", "--examples", "10", "-o", str(file)])
    assert done.exit_code == 0
    assert file.read_text(encoding="utf-8") == smt_text(obligations("RBP", "Pri"))
    other = tmp_path / "conf.smt2"
    done = CliRunner().invoke(main, ["prove", "RBP", "Conf", "--examples", "10", "-o", str(other)])
    assert done.exit_code == 2
    assert "nothing was written, because there is no certificate; RBP(p=0.8) on Conf is refuted" in done.stderr
    assert not other.exists()
