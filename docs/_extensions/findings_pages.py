"""What papers claim of their metrics, and what came of it: confirmed, refuted, or a matter of a parameter."""

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
    REFUTED: "a claim that an axiom is satisfied, and a counterexample; a claim that it is violated, and a proof; a "
    "number that comes out otherwise; two metrics that are said to be one, and are not.",
    DEPENDS: "the axiom holds for some values of a parameter and fails for others, so that the claim is right or wrong "
    "with the value; how it stands at the catalogue's own value is said with it.",
    CONFIRMED: "a claim that an axiom is satisfied, and a proof; a claim that it is violated, and a counterexample; a "
    "number that comes out as printed, or a statement that is true; two metrics that are equal, or proportional.",
    NOT_CONFIRMED: "a claim that an axiom is violated, and neither a counterexample nor a proof for every length.",
    NOT_REFUTED: "a claim that an axiom is satisfied, and neither a counterexample nor a proof for every length.",
    OPEN: "the claim is inferred where the prose is silent (marked ?), says nothing of graded judgments, or contradicts"
    " itself; or the axiom speaks of what the metric does not know.",
}
"""Status -> what it takes, in the order of the pages."""


@dataclass(frozen=True)
class TableClaim:
    """A cell of the published table, and what came of it.

    Args:
        status: one of `STATUSES`.
        answer: the cell in words.
        studies: those in which the axiom depends on a parameter.

    """

    status: str
    answer: Answer
    studies: list[Study]


def write(pages: Pages, ledger: Ledger, studies: list[Study]) -> None:
    """Writes the overview, the page of the table, and a page per paper with numbers."""
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
    papers.append(("Metrics that are said to be one", "identities", Counter(status for _, status, _ in same)))
    numbers = [claim for module in (inst, stopping) for claim in module.claims()]
    for paper, group in groupby(numbers, key=lambda claim: claim.paper):
        claims = list(group)
        page = "".join(c for c in paper if c.isalnum()).lower()
        by_status = {
            status: [claim for claim in claims if number_status(claim) == status] for status in (REFUTED, CONFIRMED)
        }
        pages.fill(f"findings/{page}.md", "numbers.md.j2", paper=paper, claims=claims, by_status=by_status)
        papers.append((f"What the paper about {paper} prints", page, Counter(map(number_status, claims))))
    pages.fill("findings/index.md", "findings.md.j2", statuses=STATUSES, papers=papers)


def _table_claim(cell: Cell, studies: list[Study]) -> TableClaim:
    (answer,) = answers([cell], TOP)
    own = [one for one in studies if (one.metric, one.axiom) == (cell.metric, cell.axiom) and one.depends]
    return TableClaim(table_status(cell, own), answer, own)


def table_status(cell: Cell, depending: list[Study]) -> str:
    """What came of a cell of the published table.

    Args:
        cell: with its claim.
        depending: the studies of this cell in which the axiom depends on a parameter.

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
    """What came of a claim that two metrics are one: a factor is no difference, a topic's own factor is one."""
    if relation == "undecided":
        return OPEN
    return CONFIRMED if relation in ("equal", "proportional") else REFUTED


def number_status(claim: Claim) -> str:
    """What came of a number or a statement of a paper."""
    return CONFIRMED if claim.agrees else REFUTED
