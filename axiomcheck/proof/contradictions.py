"""Compare the signs that a threshold certificate claims with signs that the search has computed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from axiomcheck.core.documents import UNSET
from axiomcheck.decide.dominance import APART
from axiomcheck.decide.thresholds import Tried
from axiomcheck.records.certificates import BlocksCertificate, Certificate, TailCertificate

_ANY = frozenset({-1, 0, 1, APART})
_NOT_BEHIND = frozenset({0, 1, APART})
_AHEAD = {1: "the top ahead", -1: "the block ahead", 0: "a tie", APART: "neither side dominating"}


def allowed_signs(certificate: TailCertificate | BlocksCertificate, n: int) -> frozenset[int]:
    """Return the signs of Q(top) - Q(block) that a certificate allows at some n >= 1."""
    data, lemma = certificate.data, certificate.lemma
    if lemma == "ahead":
        return frozenset({-1}) if n == data.m else _ANY
    if lemma == "witness":
        return frozenset({-1}) if n == data.m else _NOT_BEHIND if n < (data.m or 0) else _ANY
    if certificate.axiom == "CloseTh":
        return _NOT_BEHIND
    parts = data.parts.values() if data.parts else [data]
    starts = [len(data.signs or ()) if part.n0 is UNSET else part.n0 for part in parts]
    if any(start is None or n < start for start in starts):
        return _ANY
    return frozenset({1}) if certificate.claim == "holds" else _ANY - {1}


def contradiction(certificate: Certificate, tried: Sequence[Tried]) -> str:
    """Describe a contradiction between a certificate and exact signs. The text is empty if there is none.

    Args:
        certificate: Certificate of any kind. Only those of kind tail or blocks make claims about single n.
        tried: Exact signs for the same metric, axiom and regime.

    """
    if not isinstance(certificate, TailCertificate | BlocksCertificate):
        return ""
    rc = certificate.rc if isinstance(certificate, TailCertificate) else None
    for one in tried:
        if rc is not None and one.case.rc != Fraction(rc):
            continue
        for n, sign in enumerate(one.signs, start=1):
            if sign is not None and sign not in allowed_signs(certificate, n):
                return (
                    f"a certificate says that {certificate.axiom} {certificate.claim}, but the scores have "
                    f"{_AHEAD[sign]} at n = {n}"
                )
    return ""
