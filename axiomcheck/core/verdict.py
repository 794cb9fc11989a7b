"""Verdicts, and the cells of the matrix that carry them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from axiomcheck.core.limits import MOST_UNRESOLVED

__all__ = ["Cell", "Ledger", "Verdict", "cutoff_hint", "hinted", "sampled_instances"]


class Verdict(StrEnum):
    """What is known of one metric under one constraint, in one reading."""

    REFUTED = "refuted"
    PROVED = "proved"
    BOUNDED = "bounded"
    HELD = "held"
    INCOMPARABLE = "incomparable"
    NOT_APPLICABLE = "not-applicable"
    UNDECIDED = "undecided"
    ERROR = "error"

    @property
    def satisfied(self) -> bool:
        """Whether nothing speaks against the constraint and something speaks for it."""
        return self in (Verdict.PROVED, Verdict.BOUNDED, Verdict.HELD)

    @property
    def decided(self) -> bool:
        """Whether the question was answered (with whatever answer)."""
        return self not in (Verdict.UNDECIDED, Verdict.ERROR)


@dataclass(frozen=True)
class Cell:
    """One metric under one constraint.

    Args:
        metric: the canonical name.
        row: the published table's row, or None.
        axiom: the constraint's short name.
        verdict: see `Verdict`.
        published: the published claim of that row (``yes``, ``no``, ``u``, with ``?`` where inferred), or None.
        reason: one sentence on why the verdict is what it is.
        evidence: JSON-able facts: instances, shapes, shares, margins, arguments.
        witness: a JSON-able counterexample (see `axiomcheck.decide.witness`), where there is one.
        certificate: a JSON-able proof (see docs/lemmas), checked, where there is one.
        seconds: time taken by the search; kept out of the report proper, as the next two are.
        proof_seconds, check_seconds: taken to find the certificate, and to check it.

    """

    metric: str
    row: str | None
    axiom: str
    verdict: Verdict
    published: str | None
    reason: str
    evidence: dict[str, Any] = field(default_factory=dict)
    witness: dict[str, Any] | None = None
    certificate: dict[str, Any] | None = None
    seconds: float = field(default=0.0, compare=False)
    proof_seconds: float = field(default=0.0, compare=False)
    check_seconds: float = field(default=0.0, compare=False)

    @property
    def finding(self) -> bool:
        """Whether the verdict differs from what was published (claims marked as inferred or undefined do not count)."""
        if self.published == "yes":
            return self.verdict is Verdict.REFUTED
        return self.published == "no" and self.verdict.satisfied


@dataclass(frozen=True)
class Ledger:
    """The cells of a run with the reading and settings that they belong to.

    Args:
        regime, domain: the reading.
        settings: seed, examples and whatever else decides the outcome; nothing that does not.
        cells: in the order of metrics, then constraints.

    """

    regime: str
    domain: str
    settings: dict[str, Any]
    cells: tuple[Cell, ...]

    @property
    def findings(self) -> list[Cell]:
        """The cells that differ from what was published."""
        return [cell for cell in self.cells if cell.finding]


def sampled_instances(evidence: dict[str, Any]) -> str:
    """What a share of violations is a share of, in words: those left undecided are no part of it."""
    many = evidence.get("unresolved", 0) > MOST_UNRESOLVED * evidence.get("instances", 0)
    return "the sampled instances" + (" that were decided" if many else "")


def cutoff_hint(evidence: dict[str, Any]) -> str:
    """What to do where a metric has a cutoff that it does not declare, and the verdict is due to that; or empty."""
    cutoff = evidence.get("undeclared_cutoff")
    if cutoff is None:
        return ""
    return (
        f"probing shows that it ignores everything below rank {cutoff}: if that is meant, declare cutoff={cutoff}, and "
        "rankings that go on below are not tried"
    )


def hinted(reason: str, evidence: dict[str, Any]) -> str:
    """A reason with `cutoff_hint` after it, where there is one."""
    hint = cutoff_hint(evidence)
    return f"{reason}; {hint}" if hint else reason
