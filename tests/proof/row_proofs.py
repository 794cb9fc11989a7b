"""Proofs by induction of the paper's rows, which several tests ask for."""

from __future__ import annotations

import json
from functools import cache

from axiomcheck.axioms import PairAxiom, find_axiom
from axiomcheck.core.domain import Domain
from axiomcheck.metrics import paper_rows, parse
from axiomcheck.proof.find.induction import prove_by_induction

ROWS = [metric.canonical for metric in paper_rows()]


@cache
def row_proof(row: str, axiom: str, small: bool, domain: Domain = Domain.GRADED) -> str | None:
    """The prover's certificate as it is written to a file."""
    axiom = find_axiom(axiom)
    assert isinstance(axiom, PairAxiom)
    found = prove_by_induction(axiom, parse(row), small, domain)
    return None if found is None else json.dumps(found)
