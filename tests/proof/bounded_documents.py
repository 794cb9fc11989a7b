"""Certificates of bounded proofs as they are written to a file and read again, and a prover that makes false ones."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from axiomcheck.axioms import PairAxiom, find_axiom
from axiomcheck.core.domain import Domain
from axiomcheck.metrics import parse
from axiomcheck.proof.find import bounded
from axiomcheck.proof.find.bounded import prove_bounded
from tests.support.tampering import Document


def pair_axiom(name: str) -> PairAxiom:
    axiom = find_axiom(name)
    assert isinstance(axiom, PairAxiom)
    return axiom


@cache
def _proof(name: str, axiom: str, small: bool, ranked: int, aspects: int) -> str:
    return json.dumps(prove_bounded(pair_axiom(axiom), parse(name), small, Domain.GRADED, ranked, aspects))


def proved(name: str, axiom: str, small: bool, ranked: int = 3, aspects: int = 2) -> Document:
    document: Document = json.loads(_proof(name, axiom, small, ranked, aspects))
    return document


def fooled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A prover that takes any coefficients for positive ones, at their absolute value."""

    def positivity(polynomial: Any, variables: Any, strict: bool) -> Any:
        found = bounded_positivity(polynomial, variables, False)
        return found or {k: abs(c) for k, c in coefficients(polynomial, variables).items()}

    from axiomcheck.numbers.polynomials import coefficients
    from axiomcheck.numbers.polynomials import positivity as bounded_positivity

    monkeypatch.setattr(bounded, "positivity", positivity)
