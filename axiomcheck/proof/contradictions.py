"""Compare what a certificate of a threshold axiom says of single n with exact signs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from axiomcheck.decide.dominance import APART
from axiomcheck.decide.thresholds import Tried

_ANY = frozenset({-1, 0, 1, APART})
_NOT_BEHIND = frozenset({0, 1, APART})
_AHEAD = {1: "the top ahead", -1: "the block ahead", 0: "a tie", APART: "neither side dominating"}


def allowed_signs(document: dict[str, Any], n: int) -> frozenset[int]:
    """The signs of Q(top) - Q(block) at one n that a certificate leaves open.

    Args:
        document: of kind tail or blocks.
        n: from 1.

    """
    data = document["data"]
    if document["lemma"] == "ahead":
        return frozenset({-1}) if n == data["m"] else _ANY
    if document["lemma"] == "witness":
        return frozenset({-1}) if n == data["m"] else _NOT_BEHIND if n < data["m"] else _ANY
    if document["axiom"] == "CloseTh":
        return _NOT_BEHIND
    parts = data["parts"].values() if document["lemma"] == "mixture" else [data]
    starts = [part["n0"] if "n0" in part else len(part["signs"]) for part in parts]
    if None in starts or n < max(starts):
        return _ANY
    return frozenset({1}) if document["claim"] == "holds" else _ANY - {1}


def contradiction(document: dict[str, Any], tried: Sequence[Tried]) -> str:
    """Return what exact signs say against a certificate, in words; empty if nothing.

    Args:
        document: of kind tail or blocks.
        tried: of the same metric, axiom and regime.

    """
    rc = document.get("rc")
    for one in tried:
        if rc is not None and one.case.rc != Fraction(rc):
            continue
        for n, sign in enumerate(one.signs, start=1):
            if sign is not None and sign not in allowed_signs(document, n):
                return (
                    f"a certificate says that {document['axiom']} {document['claim']}, and its scores have "
                    f"{_AHEAD[sign]} at n = {n}"
                )
    return ""
