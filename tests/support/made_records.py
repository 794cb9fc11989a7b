"""Evidence and witnesses of cells that tests make up."""

from typing import Any

from axiomcheck.core.documents import read
from axiomcheck.records.causes import Cause
from axiomcheck.records.evidence import PairEvidence
from axiomcheck.records.witnesses import PairWitness


def pair_evidence(**changes: Any) -> PairEvidence:
    document = {
        "instances": 1200,
        "enumerated": 200,
        "patterns": 0,
        "sampled": 1000,
        "focused": 0,
        "unresolved": 0,
        "decided_exactly": 0,
        "audited": 0,
        "small_grades": True,
        "binary": False,
        "shapes": {"ranked": [2, 10], "aspects": [1, 1]},
        "grid": "grades 0, 1/2, 1",
        "exhausted": [],
        "nearly_all_sampled": False,
        "seed": 7,
        "numerical": None,
    }
    return read(PairEvidence, document | changes, "evidence")


def violations(share: float | None) -> dict[str, Any]:
    return {"share": share, "reversals": 3, "ties": 0, "largest_relative_margin": 0.0}


def pair_witness(axiom: str = "Pri", **changes: Any) -> PairWitness:
    """A witness of NRBP, with other entries; eps is there where it has to be."""
    document: dict[str, Any] = {
        "schema": "axiomcheck/witness",
        "version": 1,
        "axiom": axiom,
        "metric": "NRBP(p=0.8)",
        "reading": {"regime": "stated", "domain": "graded"},
        "small": True,
        "kind": "reversal",
        "topic": {"weights": ["1"], "pool": {"d1": ["0"], "d2": ["1"], "d3": ["1/2"]}},
        "worse": ["d1", "d2", "d3"],
        "better": ["d3", "d2", "d1"],
        "roles": {"ranked": 3},
        "scores": {"worse": "24/25", "better": "9/10", "arithmetic": "rational", "order": 1},
        "minimal": None,
    }
    document |= changes
    return read(PairWitness, document | ({"eps": "1/10"} if document["small"] else {}), "witness")


def because(text: str = "") -> Cause:
    """Return a cause that is told in these words; an empty text is told in none where there is no evidence."""
    return Cause("error", text=text) if text else Cause("no-violation")
