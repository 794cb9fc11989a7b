"""Certificates about block pairs for INST and P@H: found, checked, and not to be had for what is false."""

from fractions import Fraction
from functools import cache
from itertools import product, starmap
from typing import Any

import pytest
from flint import arb, ctx

from axiomcheck import InvalidInput, Reading, Regime, Verdict, find_axiom, parse
from axiomcheck.core.documents import document_of
from axiomcheck.decide.comparison import signs
from axiomcheck.decide.thresholds import ThresholdCase, block_pairs
from axiomcheck.proof.check import blocks, check_certificate
from axiomcheck.proof.check.blocks import sign_at
from axiomcheck.proof.proving import prove
from tests.proof.documents import check_document, handwritten
from tests.support.suites import each
from tests.support.tampering import both, put, refused, tampered

FOUND = [
    ("INST(T=1)", "CloseTh", "inst", Verdict.REFUTED),
    ("INST(T=3)", "CloseTh", "witness", Verdict.PROVED),
    ("INST-upper(T=3)", "DeepTh", "inst", Verdict.PROVED),
    ("P@H-RBP(order=mean)@20", "DeepTh", "cutoff", Verdict.PROVED),
    ("P@H-RBP(order=dominance)@6", "CloseTh", "cutoff", Verdict.REFUTED),
    ("P@H-P(order=dominance)@6", "CloseTh", "witness", Verdict.PROVED),
    ("P@H-walk(order=dominance)@5", "DeepTh", "cutoff", Verdict.PROVED),
]


@cache
def _proof(metric: str, axiom: str, regime: str = "stated") -> Any:
    return prove(find_axiom(axiom), parse(metric), Reading(Regime(regime)))


@each(("metric", "axiom", "lemma", "verdict"), FOUND, 8)
def test_true_claims_about_blocks_are_proved(metric: str, axiom: str, lemma: str, verdict: Verdict) -> None:
    proof = _proof(metric, axiom)
    assert (proof.verdict, proof.certificate.lemma) == (verdict, lemma)
    check_certificate(proof.certificate)


def test_for_every_grade_only_where_a_bound_says_so() -> None:
    assert _proof("INST(T=3)", "DeepTh", "finite").verdict is Verdict.PROVED
    for metric, axiom in (("INST(T=3)", "CloseTh"), ("INST(T=1)", "CloseTh"), ("P@H-RBP(order=mean)@6", "DeepTh")):
        assert _proof(metric, axiom, "finite") is None


def test_where_neither_dominates_there_is_no_certificate() -> None:
    assert _proof("P@H-ERR(order=dominance)@6", "CloseTh") is None


TAMPERED: list[tuple[str, str, dict[str, Any], str]] = [
    ("INST(T=1)", "CloseTh", {"metric": "RBP(p=0.8)"}, "does not apply to RBP"),
    ("INST(T=3)", "DeepTh", {"data.n0": 3}, "not below 1|decreases"),
    ("INST(T=3)", "DeepTh", {"axiom": "CloseTh"}, "needs the 'witness' lemma"),
    ("INST(T=3)", "CloseTh", {"data.m": 3, "data.signs": [1, -1, -1]}, "not the first n"),
    ("INST(T=3)", "CloseTh", {"data.signs": [-1, -1]}, "data.signs is -1 at n = 1; expected 1"),
    ("INST(T=3)", "CloseTh", {"claim": "fails"}, "can only show"),
    ("P@H-RBP(order=mean)@5", "DeepTh", {"metric": "P@H-RBP(p=0.5, order=mean)"}, "needs a metric with a cutoff"),
    ("P@H-RBP(order=mean)@5", "DeepTh", {"data.signs": [1, 1, 1, 1, -1]}, "data.signs is -1 at n = 5"),
    ("P@H-RBP(order=mean)@5", "DeepTh", {"scope": {"n": "all n", "parameters": ["p"]}}, "expected an empty list"),
    ("P@H-RBP(order=mean)@5", "DeepTh", {"small": False}, "about every grade"),
]


@each(("metric", "axiom", "change", "complaint"), TAMPERED, 12, share=3)
def test_tampered_certificates_are_rejected(metric: str, axiom: str, change: dict[str, Any], complaint: str) -> None:
    document = document_of(_proof(metric, axiom).certificate)
    tampered(check_document, document, both(*starmap(put, change.items())), complaint)


def _forged(metric: str, axiom: str, claim: str, lemma: str, **data: Any) -> dict[str, Any]:
    return handwritten(parse(metric).canonical, axiom, claim, lemma, data, kind="blocks")


@pytest.mark.parametrize(
    "document",
    [
        _forged("nDCG@3", "DeepTh", "holds", "cutoff", signs=[1, 1, 1]),  # reads the pool
        _forged("P@H-walk(order=ratio)@4", "DeepTh", "fails", "cutoff", signs=[1, 1, 1, 1]),
        _forged("P@H-ERR(order=dominance)@6", "CloseTh", "fails", "cutoff", signs=[1] * 6),
        _forged("INST(T=10)", "CloseTh", "fails", "inst", n0=30, signs=[1] * 29),
    ],
    ids=lambda d: f"{d['metric']}-{d['axiom']}",
)
def test_well_formed_false_certificates_are_rejected(document: dict[str, Any]) -> None:
    refused(check_document, document)


@each("metric", [*dict.fromkeys(name for name, *_ in FOUND), "INST(T=1/2)", "P@H-walk(order=mean)@4"], 5)
def test_signs_are_those_of_the_engine(metric: str) -> None:
    for n in (1, 2, 3, 5):
        assert sign_at(parse(metric), n) == signs(parse(metric), block_pairs(ThresholdCase(Fraction(1), 1), n, True))[0]


TARGETS = [Fraction(1, 2), Fraction(1), Fraction(7, 3), Fraction(10)]


def test_an_expansion_that_ends_before_it_decides_is_no_tie(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "leading_sign", lambda left, right: 0)
    with pytest.raises(InvalidInput, match="is unknown"):
        sign_at(parse("INST(T=3)"), 2)


@each(("target", "rc"), list(product(TARGETS, [Fraction(1), Fraction(1, 3), Fraction(1, 1000)])), 5)
def test_the_bounds_are_above_what_they_bound(target: Fraction, rc: Fraction) -> None:
    from axiomcheck.numbers.arithmetic import Balls

    z, c = 2 * target, 2 * target - Fraction(1, 2)
    with ctx.workprec(200):
        for name, bound in (("INST", blocks._base_bound), ("INST-upper", blocks._upper_bound)):
            metric = parse(f"{name}(T={target})")
            for n in (1, 2, 3, 8, 21):
                if 2 * n * n < c * c:
                    continue
                pairs = block_pairs(ThresholdCase(rc, 0), n, False)
                rankings = [pairs.pool[:, rows[0]] for rows in (pairs.better, pairs.worse)]
                top, block, none = (
                    arb(metric.score(Balls(), ranking, pairs.weights, pairs.pool).item())
                    for ranking in (*rankings, rankings[0] * 0)
                )
                ratio = (block - none) / (top - none)
                assert ratio <= bound(z, n) or (ratio - bound(z, n)).overlaps(arb(0)), (name, n)
                assert bound(z, n) < 60 * ratio or ratio < 0  # of the right size, too
                assert bound(z, n + 1) <= bound(z, n)
