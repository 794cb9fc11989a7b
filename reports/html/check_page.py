"""Checked metrics as a page: a row of cells per regime, each of which opens, and what else was tried of each metric."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from axiomcheck.checks.contract import CHECKS, Outcome
from axiomcheck.checks.metric import Checked
from axiomcheck.core.counting import counted
from axiomcheck.reports.check_report import (
    INFERRED,
    NEIGHBOURS,
    contract_counts,
    declaration,
    not_asked,
    told_cells,
    told_fold,
    told_neighbours,
    tried_text,
)
from axiomcheck.reports.contract_case import case_program, case_text
from axiomcheck.reports.html.cells import identities, shown_cell
from axiomcheck.reports.html.page import render_page
from axiomcheck.reports.layout import Layout, legend
from axiomcheck.reports.symbols import SYMBOLS, WORDS
from axiomcheck.reports.table import Column, Table, TableEntry, Value

_COLUMNS = (
    Column("Axiom"),
    Column("Regimes"),
    Column("Share of random instances", ".3g"),
    Column("Reversals", ","),
    Column("Ties", ","),
    Column("Largest margin", ".3g"),
)
_TOLD = (counted, told_cells, told_fold, told_neighbours, tried_text, contract_counts, declaration, not_asked)
"""Functions that the template calls with a checked metric."""

_MARKS = {"failed": "✗", "error": "!", "admitted": "~", "passed": "✓"}
"""By status, in the order of the table; what was not asked is told below it."""


@dataclass(frozen=True)
class ContractLine:
    """A contract check: its outcome, what it asks, and its case in words and as a program; both empty without one."""

    outcome: Outcome
    mark: str
    asks: str
    case: str
    program: str


@dataclass(frozen=True)
class CheckedMetric:
    """One metric.

    Args:
        checked: its cells under every regime, and what else was tried of it.
        ids: (regime, axiom) -> the section of a cell; empty where the contract alone was checked.
        violations: how often, in the regimes in which that is the same.
        contract: every check that was asked, the failed ones first.

    """

    checked: Checked
    ids: Mapping[tuple[str, str], str]
    violations: Table
    contract: tuple[ContractLine, ...]


def check_page(found: Sequence[Checked]) -> str:
    """Return the page of checked metrics."""
    taken: set[str] = set()
    metrics, shown = [], []
    for checked in found:
        ids = {}
        for ledger in checked.ledgers:
            for cell, identity in zip(ledger.cells, identities(ledger, taken), strict=True):
                ids[ledger.regime, cell.axiom] = identity
                shown.append((shown_cell(ledger, cell, identity), Layout(ledger).marks(cell)))
        violations = Table(_COLUMNS, list(_violations(checked, ids)) if checked.cells else [])
        metrics.append(CheckedMetric(checked, ids if checked.cells else {}, violations, tuple(_contract(checked))))
    there = {cell.verdict for checked in found for cell in checked.cells}
    lines = [line for checked in found for ledger in checked.ledgers for line in legend(Layout(ledger))]
    marks = list(dict.fromkeys(line for line in lines if line[0] is None))
    axioms = [cell.axiom for cell in found[0].ledgers[0].cells] if found and found[0].cells else []
    return render_page(
        "check.html.j2",
        styles=("matrix.css", "cell.css", "tables.css", "plots.css"),
        scripts=("matrix.js", "copy.js", "sort.js") if axioms else ("copy.js", "sort.js"),
        metrics=metrics,
        axioms=axioms,
        verdicts=[verdict for verdict in SYMBOLS if verdict in there],
        legend=[(verdict, SYMBOLS[verdict], WORDS[verdict]) for verdict in SYMBOLS if verdict in there] + marks,
        cells=shown,
        marks={each.id: mark for each, mark in shown},
        inferred_heading=INFERRED,
        neighbours_heading=NEIGHBOURS,
        **{told.__name__: told for told in _TOLD},
    )


def _violations(checked: Checked, ids: Mapping[tuple[str, str], str]) -> Iterator[list[Value]]:
    """Yield a row per axiom that is violated, and per number of violations."""
    for regimes, cell in (each for _, told in told_cells(checked) for one in told for each in one.cells):
        violations = cell.pairs.violations if cell.pairs is not None else None
        if violations:
            share = violations.share
            margin = violations.largest_relative_margin
            yield [
                TableEntry(cell.axiom, link=ids[regimes[0], cell.axiom]),
                ", ".join(regimes),
                None if share is None else TableEntry(f"{100 * share:.3g}%", share),
                violations.reversals,
                violations.ties,
                TableEntry(f"{100 * margin:.3g}% of the score", margin) if violations.reversals else None,
            ]


def _contract(checked: Checked) -> Iterator[ContractLine]:
    for status, mark in _MARKS.items():
        for outcome in checked.tried.contract:
            if outcome.status == status:
                case = outcome.counterexample
                asks = CHECKS[outcome.check].asks if outcome.check in CHECKS else ""
                told = ("", "") if case is None else (case_text(case), case_program(checked.metric, case))
                yield ContractLine(outcome, mark, asks, *told)
