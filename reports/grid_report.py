"""Grids of settings by axioms (`axiomcheck.studies.wide`) in words, as JSON, and as CSV."""

from __future__ import annotations

import csv
import io
import math
from typing import Any

from axiomcheck.core.counting import counted
from axiomcheck.core.documents import document_of
from axiomcheck.core.printable import spreadsheet_cell
from axiomcheck.core.verdict import Verdict
from axiomcheck.core.writing import json_text
from axiomcheck.records.sentences import counterexample_sentence
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.studies.wide.column import SettingFinding
from axiomcheck.studies.wide.grids import SettingsGrid
from axiomcheck.studies.wide.regions import SettingsRegion
from axiomcheck.studies.wide.study import GridColumn, GridStudy

SCHEMA = "axiomcheck/grid"
VERSION = 1

COLUMNS = ("grid", "metric", "axiom", "verdict", "reversal share", "shown by")

_MOST_REGIONS = 4
"""Of one verdict that are told in words."""


def grid_text(study: GridStudy) -> str:
    """A table per grid: of every axiom, where each verdict is, in lines that end with a line break."""
    reading, examples = study.reading, study.settings.examples
    lines = [
        f"{reading.regime.value} regime, {reading.domain.value} domain; {counted(examples, 'random instance')} each"
    ]
    for grid, columns in study.grids:
        lines += ["", f"{grid.text}: {counted(grid.size, 'setting')}"]
        wide = max(len(column.axiom) for column in columns)
        for column in columns:
            for number, (verdict, count) in enumerate(column.counts().items()):
                name = "" if number else column.axiom
                share = "every setting" if count == grid.size else f"{count:,} of {grid.size:,}"
                where = _where(grid, column, verdict)
                head = f"  {name:<{wide}}  {SYMBOLS[verdict]} {verdict}: {share}"
                lines.append(head + (f": {where}" if where else ""))
                lines += [f"  {'':<{wide}}      {line}" for line in _because(column, verdict)]
    return "".join(f"{line}\n" for line in lines)


def _where(grid: SettingsGrid, column: GridColumn, verdict: Verdict) -> str:
    """The regions of one verdict in words, the largest first; empty where it has the whole grid."""
    regions = [region for region in column.regions if region.verdict is verdict]
    regions.sort(key=lambda region: -region.settings)
    said = [_box(grid, region) for region in regions[:_MOST_REGIONS]]
    more = len(regions) - len(said)
    return "; ".join(said) + (f"; and {counted(more, 'smaller region')}" if more else "")


def _box(grid: SettingsGrid, region: SettingsRegion) -> str:
    sides = []
    for (low, high), axis in zip(region.ranges, grid.axes, strict=True):
        if (low, high) == (0, len(axis.values) - 1):
            continue
        first, last = (f"{float(axis.values[k]):.6g}" for k in (low, high))
        sides.append(f"{axis.name} = {first}" + (f" to {last}" if low < high else ""))
    return ", ".join(sides)


def _because(column: GridColumn, verdict: Verdict) -> list[str]:
    """What speaks for a verdict: how many findings do, and the one that speaks for most settings."""
    by = column.by.tolist()
    kinds = [k for k, finding in enumerate(column.findings) if finding.verdict is verdict]
    most = max(kinds, key=lambda k: (by.count(k), -k))
    finding = column.findings[most]
    if verdict is Verdict.NOT_APPLICABLE:
        return [finding.reason]
    others = f", and {counted(len(kinds) - 1, 'more finding')}" if len(kinds) > 1 else ""
    return [f"{finding.metric}, for {counted(by.count(most), 'setting')}{others}: {_sentence(column, finding)}"]


def _sentence(column: GridColumn, finding: SettingFinding) -> str:
    if isinstance(finding.witness, PairWitness):
        return counterexample_sentence(column.axiom, finding.witness)
    return finding.reason.split("; ")[0]


def grid_json(study: GridStudy) -> dict[str, Any]:
    """The study as a JSON document, the same for the same question."""
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "reading": {"regime": study.reading.regime.value, "domain": study.reading.domain.value},
        "settings": {"seed": study.settings.seed, "examples": study.settings.examples},
        "interrupted": study.interrupted,
        "grids": [
            {
                "grid": grid.text,
                "settings": grid.size,
                "axes": [
                    {"name": axis.name, "values": [grid.value_text(a, k) for k in range(len(axis.values))]}
                    for a, axis in enumerate(grid.axes)
                ],
                "axioms": [_column_json(grid, column) for column in columns],
            }
            for grid, columns in study.grids
        ],
    }


def _column_json(grid: SettingsGrid, column: GridColumn) -> dict[str, Any]:
    """A column, with a finding for each region: that of its first setting."""
    speaking = [int(column.by[region.corner(grid.shape)]) for region in column.regions]
    kept = list(dict.fromkeys(speaking))
    return {
        "axiom": column.axiom,
        "verdicts": {verdict.value: count for verdict, count in column.counts().items()},
        "compared": column.compared,
        "regions": [
            {
                "verdict": region.verdict.value,
                "settings": region.settings,
                "where": {
                    axis.name: [grid.value_text(a, low), grid.value_text(a, high)]
                    for a, (axis, (low, high)) in enumerate(zip(grid.axes, region.ranges, strict=True))
                },
                "finding": kept.index(number),
            }
            for region, number in zip(column.regions, speaking, strict=True)
        ],
        "findings": [_finding_json(column.findings[number]) for number in kept],
    }


def _finding_json(finding: SettingFinding) -> dict[str, Any]:
    return {
        "metric": finding.metric,
        "verdict": finding.verdict.value,
        "reason": finding.reason,
        "witness": finding.witness and document_of(finding.witness),
    }


def grid_csv(study: GridStudy) -> str:
    """A line per setting and axiom; the share of reversals is of the sampled instances, as floats see them."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for grid, columns in study.grids:
        for column in columns:
            for number, metric in enumerate(grid.metrics):
                finding, share = column.findings[column.by[number]], float(column.reversed[number])
                said = "" if math.isnan(share) else f"{share:.4g}"
                names = (spreadsheet_cell(text) for text in (grid.text, metric.canonical, column.axiom))
                writer.writerow([*names, finding.verdict.value, said, spreadsheet_cell(finding.metric)])
    return out.getvalue()


def grid_document(study: GridStudy) -> str:
    """The JSON document as text."""
    return json_text(grid_json(study))
