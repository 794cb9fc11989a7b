"""Checked metrics as a page: a row of cells per regime, each of which opens, and what else was tried of each metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from axiomcheck.checks.contract import CHECKS, Outcome
from axiomcheck.checks.metric import Checked
from axiomcheck.core.counting import counted
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.records.evidence import Violations
from axiomcheck.reports.check_report import (
    INFERRED,
    NEIGHBOURS,
    ToldCells,
    contract_counts,
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

_MARKS = {"failed": "✗", "error": "!", "admitted": "~", "passed": "✓"}
"""By status, in the order of the table; what was not asked is told below it."""


@dataclass(frozen=True)
class LinkedCell:
    """A cell, the name of its section, and what stands behind its symbol."""

    cell: Cell
    id: str
    marks: str


@dataclass(frozen=True)
class RegimeRow:
    """The cells of a metric in one regime."""

    regime: str
    cells: tuple[LinkedCell, ...]


@dataclass(frozen=True)
class ViolationLine:
    """How often an axiom is violated, in the regimes in which that is the same; with the section to open."""

    axiom: str
    regimes: str
    id: str
    found: Violations


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
        metric: its name.
        rows: its cells under every regime; none where the contract alone was checked.
        tried: the reading and settings.
        groups: (heading, what is said) of what is not satisfied.
        violations: how often.
        fold: (heading, text, source) of a fold that it agrees with; None without one.
        counts: how many contract checks came out how.
        contract: every check that was asked, the failed ones first.
        not_asked: (what is wanting, checks).
        inferred: (what it seems to be and does not declare, from how many probes).
        declare: how all of it is declared, in its code; empty where nothing is.
        neighbours: (mark, sentence).
        notes: what verdicts depend on.

    """

    metric: str
    rows: tuple[RegimeRow, ...]
    tried: str
    groups: tuple[tuple[str, list[ToldCells]], ...]
    violations: tuple[ViolationLine, ...]
    fold: tuple[str, str, str] | None
    counts: str
    contract: tuple[ContractLine, ...]
    not_asked: tuple[tuple[str, list[str]], ...]
    inferred: tuple[tuple[str, str], ...]
    declare: str
    neighbours: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


def check_page(found: Sequence[Checked]) -> str:
    """The page of checked metrics."""
    taken: set[str] = set()
    metrics, shown = [], []
    for checked in found:
        rows = []
        for ledger in checked.ledgers:
            row = _row(ledger, taken)
            rows.append(row)
            shown += [(shown_cell(ledger, each.cell, each.id), each.marks) for each in row.cells]
        metrics.append(_metric(checked, tuple(rows) if checked.cells else ()))
    there = {each.cell.verdict for metric in metrics for row in metric.rows for each in row.cells}
    axioms = [each.cell.axiom for each in metrics[0].rows[0].cells] if metrics and metrics[0].rows else []
    return render_page(
        "check.html.j2",
        styles=("matrix.css", "cell.css", "tables.css", "plots.css"),
        scripts=("matrix.js", "copy.js", "sort.js") if axioms else ("copy.js", "sort.js"),
        metrics=metrics,
        axioms=axioms,
        verdicts=[verdict for verdict in SYMBOLS if verdict in there],
        legend=[(verdict, SYMBOLS[verdict], WORDS[verdict]) for verdict in SYMBOLS if verdict in there] + _marks(found),
        cells=shown,
        inferred_heading=INFERRED,
        neighbours_heading=NEIGHBOURS,
    )


def _marks(found: Sequence[Checked]) -> list[tuple[Verdict | None, str, str]]:
    """The marks behind symbols, for the legend."""
    lines = [line for checked in found for ledger in checked.ledgers for line in legend(Layout(ledger))]
    return list(dict.fromkeys(line for line in lines if line[0] is None))


def _row(ledger: Ledger, taken: set[str]) -> RegimeRow:
    """The cells of a regime; the names of their sections are none of those taken."""
    layout = Layout(ledger)
    cells = []
    for cell, plain in zip(ledger.cells, identities(ledger), strict=True):
        name, number = plain, 1
        while name.casefold() in taken:
            number += 1
            name = f"{plain}~{number}"
        taken.add(name.casefold())
        cells.append(LinkedCell(cell, name, layout.marks(cell)))
    return RegimeRow(ledger.regime, tuple(cells))


def _metric(checked: Checked, rows: tuple[RegimeRow, ...]) -> CheckedMetric:
    ids = {(row.regime, each.cell.axiom): each.id for row in rows for each in row.cells}
    groups = tuple(told_cells(checked)) if rows else ()
    fold = checked.tried.fold
    inferred = tuple(one for one in checked.tried.inferred if one.seems_so)
    declare = ", ".join(one.declare.decorator for one in inferred if one.declare is not None)
    return CheckedMetric(
        metric=checked.metric,
        rows=rows,
        tried=tried_text(checked) if rows else "",
        groups=groups,
        violations=tuple(_violations([one for _, told in groups for one in told], ids)),
        fold=None if fold is None else (*told_fold(fold), fold.source),
        counts=contract_counts(checked),
        contract=tuple(_contract(checked)),
        not_asked=tuple(not_asked(checked.tried.contract).items()),
        inferred=tuple((one.says, counted(one.probes, "probe")) for one in inferred),
        declare=f"@axiomcheck.metric({declare})" if declare else "",
        neighbours=tuple(told_neighbours(checked)),
        notes=checked.tried.notes,
    )


def _violations(told: Sequence[ToldCells], ids: dict[tuple[str, str], str]) -> list[ViolationLine]:
    lines = []
    for one in told:
        for regimes, cell in one.cells:
            violations = cell.pairs.violations if cell.pairs is not None else None
            if violations:
                identity = ids[regimes[0], cell.axiom]
                lines.append(ViolationLine(cell.axiom, ", ".join(regimes), identity, violations))
    return lines


def _contract(checked: Checked) -> list[ContractLine]:
    order = list(_MARKS)
    asked = [outcome for outcome in checked.tried.contract if outcome.status in _MARKS]
    lines = []
    for outcome in sorted(asked, key=lambda outcome: order.index(outcome.status)):
        case = outcome.counterexample
        lines.append(
            ContractLine(
                outcome,
                _MARKS[outcome.status],
                CHECKS[outcome.check].asks if outcome.check in CHECKS else "",
                "" if case is None else case_text(case),
                "" if case is None else case_program(checked.metric, case),
            )
        )
    return lines
