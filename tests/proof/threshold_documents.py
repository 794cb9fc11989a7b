"""Certificates about the threshold axioms: the prover's, and such as are written by hand."""

from __future__ import annotations

import json
from typing import Any

from axiomcheck.axioms import AXIOMS
from axiomcheck.metrics import parse
from axiomcheck.proof.find.thresholds import prove_threshold
from tests.support.tampering import Document

__all__ = ["certificate", "proved"]


def proved(metric: str, axiom: str, small: bool = True) -> Document:
    document = prove_threshold(AXIOMS[axiom], parse(metric), small)  # type: ignore[arg-type]
    assert document is not None
    found: Document = json.loads(json.dumps(document))
    return found


def certificate(metric: str, axiom: str, claim: str, lemma: str, data: Document, **other: Any) -> Document:
    """A certificate written by hand."""
    document = {
        "schema": "axiomcheck/certificate",
        "version": 1,
        "kind": "tail",
        "metric": metric,
        "axiom": axiom,
        "small": True,
        "claim": claim,
        "scope": {"n": "all n", "parameters": other.pop("parameters", [])},
        "rc": None,
        "lemma": lemma,
        "data": data,
    }
    return document | other
