"""Proofs by induction of the paper's rows, which several tests ask for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache

from axiomcheck.axioms import AXIOMS, PairAxiom
from axiomcheck.core.domain import Domain
from axiomcheck.metrics import paper_rows, parse
from axiomcheck.proof.find.induction import prove_by_induction
from tests.support.tampering import Document

ROWS = [metric.canonical for metric in paper_rows()]
PAIRS = [axiom for axiom in AXIOMS.values() if isinstance(axiom, PairAxiom)]


@cache
def row_proof(row: str, axiom: PairAxiom, small: bool, domain: Domain = Domain.GRADED) -> str | None:
    """Return the prover's certificate as it is written to a file."""
    found = prove_by_induction(axiom, parse(row), small, domain)
    return None if found is None else json.dumps(found)


def row_certificates(row: str) -> Iterator[Document]:
    """Return every certificate of a row; binary grades have some of their own for MRed only."""
    metric = parse(row)
    for axiom in PAIRS:
        if axiom.group == "diversity" and not metric.applies_to_aspects():
            continue
        for small in (True, False) if axiom.can_be_small else (False,):
            for domain in Domain if axiom.name == "MRed" else (Domain.GRADED,):
                found = row_proof(row, axiom, small, domain)
                if found is not None:
                    yield json.loads(found)
