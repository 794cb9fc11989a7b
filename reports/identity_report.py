"""Render the relation between two metrics (`axiomcheck.studies.identity.decide`) as a report and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from axiomcheck.core.printable import counted
from axiomcheck.records.certificates import every
from axiomcheck.reports.table import Report, Section
from axiomcheck.studies.identity.decide import Identity
from axiomcheck.studies.identity.proof import IdentityProof


def identity_report(found: Identity) -> Report:
    """Return the relation between two metrics as a report, with its proof and the witnesses."""
    return Report(f"{found.first} and {found.second}", [], [Section(lines=list(_lines(found)))])


def _lines(found: Identity) -> Iterator[str]:
    what = "leading coefficients for r << 1" if found.small else "scores"
    most = f"rankings of up to {counted(found.ranks, 'document')}" if found.ranks else "rankings of every length"
    if found.first.cutoff == found.second.cutoff and found.ranks:
        most = f"rankings of every length, but only the first {counted(found.ranks, 'rank')} count"
    yield f"A = {found.first}"
    yield f"B = {found.second}"
    yield f"{found.scope.text()}; {most}"
    proof = found.proof
    if proof is not None:
        yield f"{found.relation.value}: {_claim(proof, found.small)}"
    elif found.relation.value == "different":
        yield f"different: the {'metrics' if found.small else what} order rankings differently"
    else:
        yield f"undecided: there is no proof, and no difference in order on {counted(found.tried, 'topic')}"
    if proof is not None:
        yield "proof, by induction over ranks:"
        yield from (f"  {step}" for step in proof.steps)
        yield f"  (no counterexample on {counted(found.tried, 'topic')})"
    else:
        yield from (f"no proof: {reason}" for reason in found.reasons)
    if found.order is not None:
        yield from _order(found.order, found.small, proof is not None)
    elif found.one_order:
        yield "order: both metrics order the rankings of a topic in the same way"


def _claim(proof: IdentityProof, small: bool) -> str:
    kind = "leading coefficients" if proof.leading is not None else "scores, at every grade" if small else "scores"
    text = "A = B" if proof.factor == "1" else f"A = {proof.factor} * B"
    if proof.parameters:
        text += f" for {every(proof.parameters)}"
        if str(proof.value) != proof.factor:
            text += f"; {proof.value} here"
    return f"{text} ({kind})"


def _where(witness: dict[str, Any]) -> Iterator[str]:
    topic = witness["topic"]
    documents = ", ".join(f"{name} ({' '.join(grades)})" for name, grades in topic["pool"].items())
    yield f"  weights {' '.join(topic['weights'])}; {documents}"
    yield "  rankings " + " and ".join(f"[{' '.join(ranking)}]" for ranking in witness["rankings"])


def _order(witness: dict[str, Any], small: bool, proved: bool) -> Iterator[str]:
    if proved:
        yield "order: if the leading coefficients tie, later coefficients decide, and the metrics differ in those:"
    else:
        yield f"ordered differently ({witness['kind']}):"
    yield from _where(witness)
    for name, scores, prefers, order in zip(
        "AB", witness["scores"], witness["prefers"], witness["orders"], strict=True
    ):
        verdict = {1: "prefers the first", 2: "prefers the second", None: "ties"}[prefers]
        eps = f" (coefficients of eps^{order})" if small else ""
        yield f"  {name}: {scores[0]} and {scores[1]}{eps}, {verdict}"


def identity_json(found: Identity) -> dict[str, Any]:
    """Return the relation between two metrics as a JSON document."""
    return {
        "schema": "axiomcheck/identity",
        "version": 3,
        "metrics": [found.first.canonical, found.second.canonical],
        "regime": "limit" if found.small else "finite",
        "scope": found.scope.text(),
        "ranks": found.ranks,
        "relation": found.relation.value,
        "same_order": found.one_order,
        "proof": None if found.proof is None else _proof_json(found.proof),
        "order_witness": found.order,
        "topics_tried": found.tried,
        "reasons": list(found.reasons),
    }


def _proof_json(proof: IdentityProof) -> dict[str, Any]:
    return {
        "scope": proof.scope.text(),
        "relation": proof.relation.value,
        "leading_order": proof.leading,
        "factor": proof.factor,
        "value": str(proof.value),
        "parameters": list(proof.parameters),
        "invariant": dict(proof.invariant),
        "steps": list(proof.steps),
    }
