"""Whether a certificate is about the cell that it stands in, and shows the cell's verdict."""

from __future__ import annotations

import json
from typing import Any

from axiomcheck.axioms import Axiom, about_pairs
from axiomcheck.core.documents import difference, document_of
from axiomcheck.core.domain import Reading, Regime, assumes_small
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell
from axiomcheck.records.certificates import (
    Certificate,
    InductionCertificate,
    MixtureCertificate,
    OrthantCertificate,
    certified_verdict,
    scope_text,
)
from axiomcheck.records.evidence import Covered
from axiomcheck.records.values import ReadingRecord


def check_belongs(certificate: Certificate, cell: Cell, axiom: Axiom, reading: Reading) -> None:
    """Checks that a certificate speaks of a cell's metric and axiom, in its reading, and shows its verdict.

    Whether it is right is not looked at.

    Args:
        certificate: as it was read.
        cell: that it stands in.
        axiom: the cell's axiom.
        reading: of the report.

    Raises:
        InvalidInput: it is about something else, or shows another verdict.

    """
    for key, expected in _header(certificate, cell, axiom, reading).items():
        found = difference(getattr(certificate, key), expected, ("certificate", key))
        if found is not None:
            raise InvalidInput(f"{found}, as in the cell")
    for number, part in enumerate(certificate.parts if isinstance(certificate, MixtureCertificate) else ()):
        for key, said, expected in (("axiom", part.axiom, axiom.name), ("domain", part.domain, reading.domain)):
            if said != expected:
                where = f"certificate.parts[{number}].{key}"
                raise InvalidInput(f"{where} is {str(said)!r}; expected {str(expected)!r}, as in the cell")
    if cell.verdict is Verdict.ERROR:
        return  # a proof that contradicts the search is shown beside it, whatever it shows
    shown = certified_verdict(certificate)
    if cell.verdict is not shown:
        raise InvalidInput(f"verdict: the verdict is {cell.verdict}, and the certificate shows {shown}")
    size = len(json.dumps(document_of(certificate), separators=(",", ":")))
    found = difference(cell.proof, Covered(scope_text(certificate), size), ("evidence", "proof"))
    if found is not None:
        raise InvalidInput(f"{found}, as in the certificate")


def _header(certificate: Certificate, cell: Cell, axiom: Axiom, reading: Reading) -> dict[str, Any]:
    small = assumes_small(axiom, reading)
    header: dict[str, Any] = {"metric": cell.metric, "axiom": axiom.name, "small": small}
    if isinstance(certificate, InductionCertificate | MixtureCertificate):
        header |= {"domain": reading.domain, "strict": axiom.strict if about_pairs(axiom) else True}
    if isinstance(certificate, OrthantCertificate):
        # of the regimes in which the axiom means the same, a proof names the first
        regime = Regime.FINITE if not small else Regime.STATED if axiom.states_small else Regime.LIMIT
        header["reading"] = ReadingRecord(regime, reading.domain)
    return header
