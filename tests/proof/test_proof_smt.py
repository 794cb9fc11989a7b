"""What z3 adds: cases that coefficients do not settle, and counterexamples that exact arithmetic confirms."""

from __future__ import annotations

import copy
import json
import sys
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from axiomcheck.axioms import PairAxiom, find_axiom
from axiomcheck.core.domain import Domain
from axiomcheck.core.errors import InternalDisagreement, InvalidInput
from axiomcheck.decide.comparison import judge
from axiomcheck.metrics import parse
from axiomcheck.proof.check.bounded import check_bounded
from axiomcheck.proof.check.solver import Answer, is_positive
from axiomcheck.proof.find import smt
from axiomcheck.proof.find.bounded import prove_bounded
from axiomcheck.sources.own import FunctionMetric

pytest.importorskip("z3")


def pair_axiom(name: str) -> PairAxiom:
    axiom = find_axiom(name)
    assert isinstance(axiom, PairAxiom)
    return axiom


CONF = pair_axiom("Conf")


def bowl(bottom: int) -> FunctionMetric:
    """A document costs bottom + 30 (r - 1/2)^2 - 1/2, r being the first grade: more than 0 wherever bottom > 1/2."""

    def score(grades: Any, weights: Any) -> Any:
        r = grades[:, 0, 0]
        return -(30 * r * r - 30 * r + 7 + bottom) * grades.shape[1]

    return FunctionMetric(score, "bowl", single_aspect=True)


def test_a_true_cell_that_coefficients_do_not_settle_is_settled_by_z3() -> None:
    metric = bowl(1)
    assert prove_bounded(CONF, metric, False, Domain.GRADED, 2, 1) is None
    outcome = smt.prove_smt(CONF, metric, False, Domain.GRADED, 2, 1)
    assert outcome.counterexample is None
    document = json.loads(json.dumps(outcome.document))
    assert document["kind"] == "smt"
    assert document["scope"]["by"] == "z3"
    assert document["scope"]["ranked"] == 2
    assert [c["by"] for c in document["cases"]] == ["z3", "z3"]
    check_bounded(document, metric)
    # Not with another metric, not as a certificate that needs no solver, not for more.
    with pytest.raises(InvalidInput, match="not shown to be positive"):
        check_bounded(document, bowl(0))
    for change in ({"kind": "orthant"}, {"scope": document["scope"] | {"ranked": 3}}):
        with pytest.raises(InvalidInput):
            check_bounded(copy.deepcopy(document) | change, metric)


def test_a_false_cell_gets_a_counterexample_that_exact_arithmetic_confirms() -> None:
    metric = bowl(0)
    outcome = smt.prove_smt(CONF, metric, False, Domain.GRADED, 2, 1)
    assert outcome.document is None
    batch = outcome.counterexample
    assert batch is not None
    assert CONF.premises(batch.draft)[0]
    r = batch.draft.grades[0, 0, 0]
    assert isinstance(r, fmpq)
    assert 30 * r * r - 30 * r + 7 <= 0
    assert outcome.judgement == judge(metric, batch)
    assert outcome.judgement is not None
    assert outcome.judgement.sign in (-1, 0)
    assert outcome.judgement.arithmetic == "rational"


@pytest.mark.parametrize(
    ("name", "axiom", "small", "aspects"),
    [
        ("RBU", "AspRel", False, 2),
        ("ERR", "Pri", False, 1),
        ("alpha-nDCG", "Pri", True, 1),
        ("nDCG-IA", "AspRel", False, 2),
        ("P", "Pri", True, 1),
    ],
)
def test_false_cells_of_the_catalogue_are_refuted_by_replayed_models(
    name: str, axiom: str, small: bool, aspects: int
) -> None:
    outcome = smt.prove_smt(pair_axiom(axiom), parse(name), small, Domain.GRADED, 3, aspects)
    found = outcome.counterexample
    if found is None:  # a tie of every instance leaves nothing to ask z3
        assert name == "P"
        assert outcome.document is None
        return
    assert pair_axiom(axiom).premises(found.draft)[0]
    assert judge(parse(name), found).sign in (-1, 0)


def test_a_true_cell_of_the_catalogue_stays_proved() -> None:
    outcome = smt.prove_smt(pair_axiom("Red"), parse("NRBP"), False, Domain.GRADED, 2, 2)
    assert outcome.document is not None
    assert not any("by" in c for c in outcome.document["cases"])  # the coefficients were enough
    check_bounded(outcome.document)


def test_a_model_that_exact_arithmetic_does_not_confirm_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    class Flipped:
        sign, order, worse, better, arithmetic = 1, 0, "0", "1", "rational"

    monkeypatch.setattr(smt, "judge", lambda metric, batch: Flipped())
    with pytest.raises(InternalDisagreement, match="z3 has a point"):
        smt.prove_smt(CONF, bowl(0), False, Domain.GRADED, 2, 1)


def test_what_z3_does_not_know_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smt, "is_positive", lambda *a: Answer("unknown"))
    assert smt.prove_smt(CONF, bowl(1), False, Domain.GRADED, 2, 1) == smt.SmtOutcome(None)


SQUARE = {(2,): fmpq(1), (1,): fmpq(-2), (0,): fmpq(1)}  # (x - 1)^2


@pytest.mark.parametrize(
    ("range_", "strict", "kind"),
    [
        ("[0, 1]", True, "sat"),
        ("[0, 1]", False, "unsat"),
        ("[0, 1)", True, "unsat"),
        ("(0, 1)", True, "unsat"),
        ("[0, oo)", True, "sat"),
        ("(0, oo)", False, "unsat"),
    ],
)
def test_the_ends_of_the_range_count(range_: str, strict: bool, kind: str) -> None:
    answer = is_positive(SQUARE, ["x"], [range_], strict)
    assert answer.kind == kind
    assert answer.point == ({"x": 1} if kind == "sat" else {})


def test_an_irrational_point_is_rounded_and_says_so() -> None:
    answer = is_positive({(4,): fmpq(1), (2,): fmpq(-4), (0,): fmpq(4)}, ["x"], ["(0, oo)"], True)  # (x^2 - 2)^2
    assert answer.kind == "sat"
    assert not answer.exact
    assert abs(float(answer.point["x"]) - 2**0.5) < 1e-9


def test_a_limit_on_steps_gives_unknown_and_the_same_each_time() -> None:
    rng = np.random.default_rng(0)
    hard = {tuple(map(int, rng.integers(0, 5, 6))): fmpq(int(rng.integers(-9, 10))) for _ in range(40)}
    names, ranges = [f"x{k}" for k in range(6)], ["(0, 1)"] * 6
    assert is_positive(hard, names, ranges, True, rlimit=50).kind == "unknown"
    first, second = (is_positive(hard, names, ranges, True, rlimit=200_000) for _ in range(2))
    assert first == second


def test_without_z3_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    document = smt.prove_smt(CONF, bowl(1), False, Domain.GRADED, 1, 1).document
    monkeypatch.setitem(sys.modules, "z3", None)
    with pytest.raises(InvalidInput, match=r"axiomcheck\[smt\]"):
        smt.prove_smt(CONF, bowl(1), False, Domain.GRADED, 1, 1)
    with pytest.raises(InvalidInput, match=r"axiomcheck\[smt\]"):
        check_bounded(document, bowl(1))
