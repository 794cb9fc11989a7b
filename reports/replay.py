"""What was found right again: witnesses told in full, certificates and reports in a line per claim; and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from axiomcheck.axioms import Axiom, about_scores
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Reading
from axiomcheck.core.printable import escaped
from axiomcheck.core.writing import json_text
from axiomcheck.decide.threshold_witness import RefutedThreshold
from axiomcheck.decide.witness import Witness
from axiomcheck.decide.working import exact_at_eps, workings
from axiomcheck.metrics import Metric
from axiomcheck.records.certificates import Certificate, proof_sentence
from axiomcheck.replay import Confirmed
from axiomcheck.reports.drawing import print_rankings
from axiomcheck.reports.paragraphs import paragraph
from axiomcheck.reports.symbols import EDITED
from axiomcheck.reports.words import (
    APART_WORDS,
    BLOCKS,
    kind_words,
    minimality,
    outcome,
    score_lines,
    threshold_outcome,
    threshold_rows,
    threshold_setting,
)

Replayed: TypeAlias = Witness | RefutedThreshold | list[Confirmed] | Certificate
"""What is right in a file: a witness, the cells of a report, or a certificate."""


def print_replayed(console: Console, replayed: Iterable[tuple[Path, Replayed]]) -> None:
    """Prints what was found right in each file, as it is found."""
    for _, found in replayed:
        if isinstance(found, Witness):
            print_witness(console, found)
        elif isinstance(found, RefutedThreshold):
            print_threshold_witness(console, found)
        elif isinstance(found, list):
            _print_cells(console, found)
        else:
            _line(console, f"checked  {found.metric}  {found.axiom}: {proof_sentence(found)}")


def _print_cells(console: Console, cells: list[Confirmed]) -> None:
    for cell in cells:
        if cell.witness is not None:
            _line(console, f"confirmed  {cell.metric}  {cell.axiom}  ({cell.witness})")
        if cell.certificate:
            _line(console, f"checked  {cell.metric}  {cell.axiom}  ({cell.verdict})")
    _line(console, "as reported, not checked: how many instances were tried, and what share of them violates")
    witnesses, certificates = sum(c.witness is not None for c in cells), sum(c.certificate for c in cells)
    _line(console, f"{counted(witnesses, 'witness')} confirmed, {counted(certificates, 'certificate')} checked")


def _line(console: Console, text: str) -> None:
    """Prints a line that is not wrapped, for whoever searches in it."""
    console.out(escaped(text), highlight=False)


def replayed_json(replayed: Iterable[tuple[Path, Replayed]]) -> str:
    """The files as one JSON document: what is in each, and what was found right of which metric and axiom."""
    files = [{"file": str(path), **_plain(found)} for path, found in replayed]
    return json_text({"schema": "axiomcheck/replay", "version": 1, "files": files})


def _plain(found: Replayed) -> dict[str, Any]:
    if isinstance(found, list):
        cells = [
            {
                "metric": cell.metric,
                "axiom": cell.axiom,
                "verdict": cell.verdict.value,
                "witness": cell.witness,
                "certificate": cell.certificate,
            }
            for cell in found
        ]
        return {"document": "report", "cells": cells}
    if not isinstance(found, Witness | RefutedThreshold):
        return {
            "document": "certificate",
            "metric": found.metric,
            "axiom": found.axiom,
            "claim": proof_sentence(found),
        }
    kind = found.kind if isinstance(found, Witness) else "threshold"
    return {"document": "witness", "metric": found.metric.canonical, "axiom": found.axiom.name, "kind": kind}


def print_witness(console: Console, witness: Witness) -> None:
    """Prints a counterexample in full.

    Args:
        console: where to.
        witness: as `axiomcheck.decide.witness.read_witness` returns it.

    """
    axiom, record = witness.axiom, witness.record()
    _header(console, witness.metric, axiom, witness.reading, kind_words(record))
    worked = workings(witness.metric, witness.batch, witness.eps)
    adds = worked and (worked[0].adds, worked[1].adds)
    print_rankings(console, witness.instance, adds)
    at = f", at eps = {witness.eps}" if witness.eps else ""
    notes = "" if about_scores(axiom) else f"{EDITED} marks the ranks that differ."
    if adds is not None:
        notes += f" 'adds' is what a rank adds to the score of those above it{at}."
    paragraph(console, notes.strip(), style="dim")
    console.print()
    exact = record.scores.arithmetic != "numerical"
    for line in score_lines(record, exact_at_eps(witness.metric, witness.batch, witness.eps) if exact else None):
        paragraph(console, line)
    console.print()
    paragraph(console, outcome(record, axiom, axiom.sentence(witness.batch.draft)), style="bold")
    paragraph(console, minimality(record))


def _header(console: Console, metric: Metric, axiom: Axiom, reading: Reading, kind: str) -> None:
    verb = "leaves rankings incomparable under" if kind == APART_WORDS else "violates"
    paragraph(console, f"{metric} {verb} {axiom.name} ({axiom.title.lower()}): {kind}", style="bold")
    paragraph(console, f"Reading: {reading.regime.value}, {reading.domain.value}")
    console.print()
    paragraph(console, axiom.words)
    paragraph(console, axiom.symbols)
    console.print()


def print_threshold_witness(console: Console, witness: RefutedThreshold) -> None:
    """Prints why a metric violates DeepTh or CloseTh: who is ahead at every n, and the argument for the rest.

    Args:
        console: where to.
        witness: as `axiomcheck.decide.threshold_witness.read_threshold_witness` returns it.

    """
    record = witness.record()
    kind = APART_WORDS if witness.tried.leaves_apart(witness.axiom) else "an argument about every large n"
    _header(console, witness.metric, witness.axiom, witness.reading, kind)
    paragraph(console, threshold_setting(record))
    paragraph(console, BLOCKS)
    console.print()
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("n", justify="right", no_wrap=True)
    table.add_column("ahead")
    for n, ahead in threshold_rows(record):
        table.add_row(Text(n), Text(ahead))
    console.print(table)
    console.print()
    paragraph(console, f"Beyond: {record.argument}.")
    paragraph(console, threshold_outcome(record, witness.axiom), style="bold")
