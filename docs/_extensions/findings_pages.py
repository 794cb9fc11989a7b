"""Write pages on the claims of papers about metrics, with the status of each: confirmed, refuted and others."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby

from cells import Answer, answers
from identity_claims import CLAIMS, decided
from pages import Pages
from runs import Study

from axiomcheck.core.verdict import Verdict
from axiomcheck.metrics import paper_rows
from axiomcheck.records.cells import Cell, Ledger
from research.claims import Claim, inst, stopping

TOP = "../../"

CONFIRMED = "confirmed"
NOT_CONFIRMED = "not confirmed"
NOT_REFUTED = "not refuted"
REFUTED = "refuted"
DEPENDS = "parameter-dependent"
OPEN = "not comparable"

STATUSES = {
    REFUTED: "the paper claims that an axiom is satisfied, and there is a counterexample; or that it is violated, and "
    "there is a proof; or a printed number is wrong; or two metrics that are said to be the same differ.",
    DEPENDS: "the axiom holds for some values of a parameter and fails for others. The verdict is that of the "
    "catalogue's own value.",
    CONFIRMED: "the paper claims that an axiom is satisfied, and there is a proof; or that it is violated, and there "
    "is a counterexample; or a printed number or a statement is right; or two metrics are equal or proportional.",
    NOT_CONFIRMED: "the paper claims that an axiom is violated, and there is neither a counterexample nor a proof for "
    "every length.",
    NOT_REFUTED: "the paper claims that an axiom is satisfied, and there is neither a counterexample nor a proof for "
    "every length.",
    OPEN: "the claim is inferred because the prose does not state it (marked ?), does not cover graded judgments, or "
    "contradicts itself; or the axiom does not apply to the metric; or its verdict is open.",
}
"""Descriptions by status, in the order of the pages."""


@dataclass(frozen=True)
class TableClaim:
    """Claim of the published table, with its status.

    Args:
        status: One of `STATUSES`.
        answer: Cell in words.
        studies: Studies in which the axiom depends on a parameter.

    """

    status: str
    answer: Answer
    studies: list[Study]


def write(pages: Pages, ledger: Ledger, studies: list[Study]) -> None:
    """Write the overview, the page on the table, and a page for each paper with numbers."""
    rows = {metric.canonical for metric in paper_rows()}
    claimed = [cell for cell in ledger.cells if cell.metric in rows]
    table = [_table_claim(cell, studies) for cell in claimed]
    pages.fill(
        "findings/table.md",
        "table.md.j2",
        meanings=STATUSES,
        by_status={
            status: [{**vars(claim.answer), "studies": claim.studies} for claim in table if claim.status == status]
            for status in STATUSES
            if any(claim.status == status for claim in table)
        },
    )
    papers = [("The published table", "table", Counter(claim.status for claim in table))]
    same = [(claim, identity_status(relation), text) for claim in CLAIMS for relation, text in [decided(claim)]]
    pages.fill("findings/identities.md", "identities.md.j2", claims=same)
    papers.append(("Metrics that are said to be the same", "identities", Counter(status for _, status, _ in same)))
    numbers = [claim for module in (inst, stopping) for claim in module.claims()]
    for paper, group in groupby(numbers, key=lambda claim: claim.paper):
        claims = list(group)
        page = "".join(c for c in paper if c.isalnum()).lower()
        by_status = {
            status: [claim for claim in claims if number_status(claim) == status] for status in (REFUTED, CONFIRMED)
        }
        pages.fill(f"findings/{page}.md", "numbers.md.j2", paper=paper, claims=claims, by_status=by_status)
        papers.append((f"Numbers of the paper about {paper}", page, Counter(map(number_status, claims))))
    pages.fill("findings/index.md", "findings.md.j2", statuses=STATUSES, papers=papers)


def _table_claim(cell: Cell, studies: list[Study]) -> TableClaim:
    (answer,) = answers([cell], TOP)
    own = [one for one in studies if (one.metric, one.axiom) == (cell.metric, cell.axiom) and one.depends]
    return TableClaim(table_status(cell, own), answer, own)


def table_status(cell: Cell, depending: list[Study]) -> str:
    """Return the status of a claim of the published table.

    Args:
        cell: Cell with its claim.
        depending: Studies of this cell in which the axiom depends on a parameter.

    """
    claim = cell.published
    if claim not in ("yes", "no") or not (cell.verdict.satisfied or cell.verdict is Verdict.REFUTED):
        return OPEN
    if depending:
        return DEPENDS
    if cell.verdict in (Verdict.PROVED, Verdict.REFUTED):
        return CONFIRMED if (cell.verdict is Verdict.PROVED) == (claim == "yes") else REFUTED
    return NOT_REFUTED if claim == "yes" else NOT_CONFIRMED


def identity_status(relation: str) -> str:
    """Return the status of a claim that two metrics are the same, where a constant factor is not a difference."""
    if relation == "undecided":
        return OPEN
    return CONFIRMED if relation in ("equal", "proportional") else REFUTED


def number_status(claim: Claim) -> str:
    """Return the status of a number or a statement of a paper."""
    return CONFIRMED if claim.agrees else REFUTED
