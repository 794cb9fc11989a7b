"""Certificates by induction as they are written to a file and read again, and what tests of the checker ask of them."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from axiomcheck.axioms import AXIOMS, PairAxiom
from axiomcheck.core.domain import Domain
from axiomcheck.metrics import Metric, parse
from axiomcheck.proof.check.induction import check_induction
from axiomcheck.proof.find.induction import prove_by_induction
from tests.support.tampering import Document, refused

RED_ERR = ("Red", "ERR-IA@20", True)
PRI_AP = ("Pri", "AP", True)
DEEP_NRBP = ("Deep", "NRBP(p=0.8, alpha=0.5)", True)
RED_NRBP = ("Red", "NRBP(p=0.8, alpha=0.5)", False)
MRED_RBU = ("MRed", "RBU(p=0.8, e=0.05)@20", True)
SAT_CT = ("Sat", "CT(alpha=0.5, level=1)@20", False)
SAT_ERR = ("Sat", "ERR-IA@20", False)
PRI_RBP = ("Pri", "RBP(p=0.8)", True)
ASPREL_RBP = ("AspRel", "RBP-IA(p=0.8)", False)
ASPDIV_D = ("AspDiv", "D#-nDCG(lambda=0.5)@20", True)
CONF_EU = ("Conf", "EU(alpha=0.5, e=0.05, log=2)", True)


def prove(axiom: PairAxiom, metric: Metric, small: bool, domain: Domain = Domain.GRADED) -> Document | None:
    """The prover's certificate as it is written to a file and read again."""
    found = prove_by_induction(axiom, metric, small, domain)
    return None if found is None else json.loads(json.dumps(found))


def certificate(axiom: str, row: str, small: bool) -> Document:
    """The prover's certificate of a cell that it proves."""
    return json.loads(_proved(axiom, row, small))  # type: ignore[no-any-return]


@cache
def _proved(axiom: str, row: str, small: bool) -> str:
    found = prove(AXIOMS[axiom], parse(row), small)  # type: ignore[arg-type]
    assert found is not None
    return json.dumps(found)


def rejected(document: Any, about: str, metric: Metric | None = None) -> str:
    """The message with which the checker refuses it."""
    return refused(lambda found: check_induction(found, metric), document, about)
