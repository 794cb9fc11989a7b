"""Render studies of edited real runs (`axiomcheck.runs.wild`) as tables with worst violations, as CSV and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from axiomcheck.core.counting import counted
from axiomcheck.core.documents import document_of
from axiomcheck.core.writing import json_text
from axiomcheck.reports.table import Column, Report, Section, Table, TableEntry, Value, table_csv
from axiomcheck.runs.wild import WildCell, WildStudy, WildWitness

_COLUMNS = (
    Column("Axiom"),
    *(Column(heading, ",") for heading in ("Edits", "Share", "Ties", "Reversed")),
    Column("Largest", ".2g"),
    Column("Lists", ","),
)
_GAINS = {"linear": "g / gmax", "exponential": "(2^g - 1) / 2^gmax"}
_NUMBERS = (
    *("candidates", "looked", "applicable", "ties", "reversals", "open", "share"),
    *("largest", "lists", "violated"),
)


def wild_report(study: WildStudy, witnesses: bool) -> Report:
    """Return a study as a report with a table per metric.

    Args:
        study: Study of edits of real runs.
        witnesses: Whether the worst violation of every cell is shown in all outputs, or only on pages.

    """
    sections = []
    for metric in dict.fromkeys(cell.metric for cell in study.cells if not cell.why_not):
        asked = [cell for cell in study.cells if cell.metric == metric and not cell.why_not]
        rows = [_row(cell) for cell in asked if cell.share is not None]
        vacuous = [f"{cell.axiom}: {_vacuous(cell)}" for cell in asked if cell.share is None]
        sections.append(Section(metric, table=Table(_COLUMNS, rows), notes=vacuous))
    sections.append(Section(notes=[*_notes(study)]))
    sections += [_worst(cell, cell.witness, witnesses) for cell in study.cells if cell.witness is not None]
    line = f"{counted(len(study.runs), 'run')}, {counted(study.topics, 'topic')}"
    return Report("Axioms on edits of real runs", [line], sections)


def _row(cell: WildCell) -> list[Value]:
    lists = TableEntry(f"{cell.violated}/{cell.lists}", cell.violated)
    counts = [cell.ties, cell.reversals, cell.largest]
    return [cell.axiom, cell.applicable, TableEntry(_share(cell), cell.share), *counts, lists]


def _share(cell: WildCell) -> str:
    """Format the share of violations without rounding it to 0 or to 100 %."""
    if cell.violations in (0, cell.applicable):
        return "100%" if cell.violations else "0"
    percent = 100 * cell.violations / cell.applicable
    return f"{min(percent, 99.9):.3g}%" if percent > 0.01 else "<0.01%"


def _vacuous(cell: WildCell) -> str:
    return f"vacuous: none of {counted(cell.looked, 'candidate')} applies" if cell.looked else "vacuous: no candidate"


def _notes(study: WildStudy) -> Iterator[str]:
    extent = study.extent
    yield (
        f"Runs are cut at rank {extent.depth}; grades are {_GAINS[study.gain]}"
        f"{', 0 or the largest' if extent.domain == 'binary' else ''}, and r << 1 is assumed of none."
    )
    if study.lifted:
        yield (
            f"{study.lifted} of {counted(study.topics, 'topic')} have several aspects: axioms of one aspect are asked "
            "about a document's largest grade over them."
        )
    yield (
        "Edits: that an axiom speaks of, within the metric's cutoff; share: of them, those that violate it, by a tie "
        "or reversed. Largest: the margin of a reversed one. Lists: rankings with a violation, of those with an edit."
    )
    yield from (f"{note}." for note in study.notes)
    yield from _not_asked(study)
    numerical = dict.fromkeys(cell.metric for cell in study.cells if cell.numerical)
    if numerical:
        yield f"{', '.join(numerical)}: floats are all there is of it, and what is counted is numerical."
    binary = dict.fromkeys(cell.metric for cell in study.cells if cell.binary)
    if binary and extent.domain != "binary":
        yield f"{', '.join(binary)}: grades count as 0 and one rc."
    for cell in study.cells:
        if cell.open:
            yield f"{cell.metric}, {cell.axiom}: {counted(cell.open, 'edit')} could not be told from a tie."
    drawn = {cell.axiom: cell for cell in study.cells if cell.looked < cell.candidates}
    for axiom, cell in drawn.items():
        yield f"{axiom}: {cell.looked:,} of {counted(cell.candidates, 'candidate')} were drawn, seed {extent.seed}."


def _not_asked(study: WildStudy) -> Iterator[str]:
    """Yield a line for each reason why axioms were not tested, with the axioms and, if not all, the metrics."""
    by_metric: dict[tuple[str, str], list[str]] = {}
    for cell in study.cells:
        if cell.why_not:
            by_metric.setdefault((cell.metric, cell.why_not), []).append(cell.axiom)
    told: dict[tuple[str, str], list[str]] = {}
    for (metric, reason), axioms in by_metric.items():
        told.setdefault((", ".join(axioms), reason), []).append(metric)
    every = len({cell.metric for cell in study.cells})
    for (axioms_, reason), metrics in told.items():
        of = "" if len(metrics) == every else f" of {', '.join(metrics)}"
        yield f"{axioms_}{of}: {reason}."


def _worst(cell: WildCell, witness: WildWitness, everywhere: bool) -> Section:
    """Return a section on the worst violation of a cell, rank by rank."""
    heading = f"{cell.metric}, {cell.axiom}: the worst, a {witness.record.kind}, is on topic {witness.topic}"
    low, high = witness.scores
    columns = ("rank", f"should be behind: {low:.10g}", f"should be ahead: {high:.10g}")
    rows: list[list[Value]] = []
    for rank in range(max(len(witness.worse), len(witness.better))):
        sides = [_ranked(witness, side, rank) for side in (witness.worse, witness.better)]
        rows.append([TableEntry(str(rank + 1), mark="" if sides[0] == sides[1] else "*"), *sides])
    table = Table(tuple(map(Column, columns)), rows, sortable=False)
    lines = [f"{heading} of {witness.run}", witness.sentence]
    return Section("", lines, table, place="everywhere" if everywhere else "page")


def _ranked(witness: WildWitness, side: tuple[str, ...], rank: int) -> str:
    if rank >= len(side):
        return ""
    return f"{side[rank]} ({', '.join(f'{grade:.4g}' for grade in witness.grades[side[rank]])})"


def wild_csv(study: WildStudy) -> str:
    """Return CSV with a line per metric and axiom."""
    rows = []
    for cell in study.cells:
        counts = [None if cell.why_not else getattr(cell, name) for name in _NUMBERS]
        rows.append([cell.metric, cell.axiom, cell.why_not, *counts])
    return table_csv(["metric", "axiom", "why_not", *_NUMBERS], rows)


def wild_json(study: WildStudy) -> str:
    """Return a study as JSON, in which each witness is a document that `axiomcheck replay` accepts."""
    extent = study.extent
    document = {
        "schema": "axiomcheck/wild",
        "version": 2,
        "runs": list(study.runs),
        "topics": study.topics,
        "depth": extent.depth,
        "edits": extent.edits,
        "seed": extent.seed,
        "domain": extent.domain.value,
        "gain": study.gain,
        "lifted": study.lifted,
        "notes": list(study.notes),
        "cells": [_cell_json(cell) for cell in study.cells],
    }
    return json_text(document)


def _cell_json(cell: WildCell) -> dict[str, Any]:
    if cell.why_not:
        return {"metric": cell.metric, "axiom": cell.axiom, "why_not": cell.why_not}
    return {
        "metric": cell.metric,
        "axiom": cell.axiom,
        "vacuous": cell.share is None,
        "numerical": cell.numerical,
        "binary": cell.binary,
        **{name: getattr(cell, name) for name in _NUMBERS},
        "worst": None if cell.witness is None else _witness_json(cell.witness),
    }


def _witness_json(witness: WildWitness) -> dict[str, Any]:
    return {
        "topic": witness.topic,
        "run": witness.run,
        "lifted": witness.lifted,
        "worse": list(witness.worse),
        "better": list(witness.better),
        "grades": {name: list(grades) for name, grades in witness.grades.items()},
        "scores": {"worse": witness.scores[0], "better": witness.scores[1]},
        "sentence": witness.sentence,
        "witness": document_of(witness.record),
    }
