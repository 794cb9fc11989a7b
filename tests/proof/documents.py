"""Certificates of every kind as they are written to a file and read again, and a prover that makes false ones."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from axiomcheck.axioms import AXIOMS, Axiom, PairAxiom, find_axiom
from axiomcheck.core.domain import Domain
from axiomcheck.core.typing import Array
from axiomcheck.metrics import Metric, paper_rows, parse
from axiomcheck.metrics.fold import Additive
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.numbers.discount import Discount
from axiomcheck.proof.check import check_claim
from axiomcheck.proof.check.bounded_run import SymbolicCase, written
from axiomcheck.proof.check.polynomials import Polynomial
from axiomcheck.proof.find import bounded
from axiomcheck.proof.find.bounded import prove_bounded
from axiomcheck.proof.find.induction import prove_by_induction
from axiomcheck.proof.find.thresholds import prove_threshold
from axiomcheck.records.certificates import read_certificate
from axiomcheck.sources.resolve import resolve_named
from tests.support.tampering import Document, refused

PAIRS = [axiom for axiom in AXIOMS.values() if isinstance(axiom, PairAxiom)]
ROWS = [metric.canonical for metric in paper_rows()]

RED_ERR = ("Red", "ERR-IA@20", True)
PRI_AP = ("Pri", "AP", True)
RED_NRBP = ("Red", "NRBP(p=0.8, alpha=0.5)", False)
SAT_CT = ("Sat", "CT(alpha=0.5, level=1)@20", False)
PRI_RBP = ("Pri", "RBP(p=0.8)", True)
ASPDIV_D = ("AspDiv", "D#-nDCG(lambda=0.5)@20", True)
CONF_EU = ("Conf", "EU(alpha=0.5, e=0.05, log=2)", True)


def pair_axiom(name: str) -> PairAxiom:
    axiom = find_axiom(name)
    assert isinstance(axiom, PairAxiom)
    return axiom


@cache
def _text(prover: Callable[..., Document | None], *asked: Any) -> str:
    return json.dumps(prover(*asked))


def _proved(prover: Callable[..., Document | None], *asked: Any) -> Document:
    found: Document | None = json.loads(_text(prover, *asked))
    assert found is not None
    return found


def bounded_proof(name: str, axiom: str, small: bool, ranked: int = 3, aspects: int = 2) -> Document:
    return _proved(prove_bounded, pair_axiom(axiom), parse(name), small, Domain.GRADED, ranked, aspects)


def attempt(metric: Metric, axiom: str, small: bool, ranked: int, aspects: int = 1, **budget: int) -> Document | None:
    """Run the bounded prover now, whatever was done to it."""
    return prove_bounded(pair_axiom(axiom), metric, small, Domain.GRADED, ranked, aspects, **budget)


def induction_proof(axiom: str, row: str, small: bool) -> Document:
    return _proved(prove_by_induction, pair_axiom(axiom), parse(row), small, Domain.GRADED)


def tail_proof(metric: str, axiom: str, small: bool = True) -> Document:
    return _proved(prove_threshold, find_axiom(axiom), parse(metric), small)


def row_proof(row: str, axiom: PairAxiom, small: bool, domain: Domain = Domain.GRADED) -> Document | None:
    """Return the certificate by induction of a row of the paper's table, if there is one."""
    found: Document | None = json.loads(_text(prove_by_induction, axiom, parse(row), small, domain))
    return found


def row_proofs(row: str) -> Iterator[Document]:
    """Return every certificate by induction of a row; binary grades have some of their own for MRed only."""
    metric = parse(row)
    for axiom in PAIRS:
        if axiom.group == "diversity" and not metric.applies_to_aspects():
            continue
        for small in (True, False) if axiom.can_be_small else (False,):
            for domain in Domain if axiom.name == "MRed" else (Domain.GRADED,):
                if (found := row_proof(row, axiom, small, domain)) is not None:
                    yield found


def prove(axiom: PairAxiom | str, metric: Metric, small: bool, domain: Domain = Domain.GRADED) -> Document | None:
    """Run the prover by induction now, whatever was done to it, and read its certificate again."""
    chosen = pair_axiom(axiom) if isinstance(axiom, str) else axiom
    found: Document | None = json.loads(json.dumps(prove_by_induction(chosen, metric, small, domain)))
    return found


def additive(discount: Discount, name: str) -> Metric:
    """Return a metric on one aspect that adds up the grades, each times the discount of its rank."""
    fold = Additive(discount)

    def kernel(self: Metric, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        return fold.total(a, grades)[..., 0]

    members = {"name": name, "summary": "", "source": "", "single_aspect": True, "kernel": kernel}
    made: Metric = type("Additively", (Metric,), members)()
    return made


def handwritten(metric: str, axiom: str, claim: str, lemma: str, data: Document, **other: Any) -> Document:
    """Return a certificate about a threshold axiom that is written by hand: about block pairs, if ``kind`` says so."""
    document: Document = {
        "schema": "axiomcheck/certificate",
        "version": 1,
        "kind": "tail",
        "metric": metric,
        "axiom": axiom,
        "small": True,
        "claim": claim,
        "scope": {"n": "all n", "parameters": other.pop("parameters", [])},
        "lemma": lemma,
        "data": data,
    }
    return document | ({} if "kind" in other else {"rc": None}) | other


def rejected(document: Any, about: str, metric: Metric | None = None) -> str:
    """Return the message with which the check of proofs by induction refuses a document."""
    return refused(lambda found: check_document(found, metric), document, about)


def check_document(document: object, metric: Metric | None = None, axiom: Axiom | None = None) -> None:
    """Check a certificate of a catalogue's metric, or of another one whose identity is not asked."""
    certificate = read_certificate(document)
    check_claim(certificate, resolve_named(certificate.metric) if metric is None else metric, axiom)


def fooled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the bounded prover take any coefficients for positive ones, at their absolute value."""

    def any_sign(self: Any, case: SymbolicCase) -> Any:
        case.derive()
        order, difference = case.leading()
        numerator = Polynomial(difference.lowest().terms)
        numerator._expanded = {monomial: abs(c) for monomial, c in numerator.expanded().items()}
        return written(case, order, numerator)

    monkeypatch.setattr(bounded._BoundedProof, "leaf", any_sign)
