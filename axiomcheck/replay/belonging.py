"""Whether a certificate is about the cell that it stands in, and shows the cell's verdict."""

from __future__ import annotations

import json
from typing import Any

from axiomcheck.axioms import Axiom, PairAxiom
from axiomcheck.core.documents import difference
from axiomcheck.core.domain import Reading, Regime, assumes_small
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Cell, Verdict
from axiomcheck.proof.proving import scope_text

__all__ = ["certified_verdict", "check_belongs"]


def check_belongs(certificate: dict[str, Any], cell: Cell, axiom: Axiom, reading: Reading) -> None:
    """Checks that a certificate speaks of a cell's metric and constraint, in its reading, and shows its verdict.

    Whether it is right is not looked at.

    Args:
        certificate: as the schema says.
        cell: that it stands in.
        axiom: the cell's constraint.
        reading: of the report.

    Raises:
        InvalidInput: it is about something else, or shows another verdict.

    """
    for key, expected in _header(certificate["kind"], cell, axiom, reading).items():
        found = difference(certificate[key], expected, ("certificate", key))
        if found is not None:
            raise InvalidInput(f"{found}, as in the cell")
    for number, part in enumerate(certificate.get("parts", ())):
        for key, expected in (("axiom", axiom.name), ("domain", reading.domain.value)):
            if part[key] != expected:
                where = f"certificate.parts[{number}].{key}"
                raise InvalidInput(f"{where} is {part[key]!r}; expected {expected!r}, as in the cell")
    if cell.verdict is Verdict.ERROR:
        return  # a proof that contradicts the search is shown beside it, whatever it shows
    shown = certified_verdict(certificate)
    if cell.verdict is not shown:
        raise InvalidInput(f"verdict: the verdict is {cell.verdict}, and the certificate shows {shown}")
    if "proof" not in cell.evidence:
        raise InvalidInput("evidence.proof is missing; expected what the certificate covers")
    size = len(json.dumps(certificate, separators=(",", ":")))
    expected_proof = {"scope": scope_text(certificate), "bytes": size}
    found = difference(cell.evidence["proof"], expected_proof, ("evidence", "proof"))
    if found is not None:
        raise InvalidInput(f"{found}, as in the certificate")


def certified_verdict(certificate: dict[str, Any]) -> Verdict:
    """The verdict that a certificate shows, if it is right."""
    if certificate.get("claim") == "fails":
        return Verdict.REFUTED
    return Verdict.BOUNDED if certificate["kind"] in ("orthant", "smt") else Verdict.PROVED


def _header(kind: str, cell: Cell, axiom: Axiom, reading: Reading) -> dict[str, Any]:
    small = assumes_small(axiom, reading)
    header: dict[str, Any] = {"metric": cell.metric, "axiom": axiom.name, "small": small}
    if kind in ("induction", "mixture"):
        strict = axiom.strict if isinstance(axiom, PairAxiom) else True
        header |= {"domain": reading.domain.value, "strict": strict}
    if kind in ("orthant", "smt"):
        # of the regimes in which the constraint means the same, a proof names the first
        regime = Regime.FINITE if not small else Regime.STATED if axiom.states_small else Regime.LIMIT
        header["reading"] = {"regime": regime.value, "domain": reading.domain.value}
    return header
