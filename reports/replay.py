"""Replayed files on a terminal and as JSON: witnesses in full, certificates and reports in a line per claim."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeAlias

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from axiomcheck.axioms import Axiom
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Reading
from axiomcheck.core.printable import escaped
from axiomcheck.core.writing import json_text
from axiomcheck.decide.witness import RefutedThreshold, Witness
from axiomcheck.metrics import Metric
from axiomcheck.records.certificates import Certificate, proof_sentence
from axiomcheck.replay import Confirmed
from axiomcheck.reports.paragraphs import entry, paragraph
from axiomcheck.reports.symbols import EDITED
from axiomcheck.reports.witness import APART_WORDS, RankingPair, told_threshold, told_witness

Replayed: TypeAlias = Witness | RefutedThreshold | list[Confirmed] | Certificate
"""The content of a file that is right: a witness, the cells of a report, or a certificate."""


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
    unchecked = "numbers and sizes of instances, shares that violate, and the words of obligations"
    _line(console, f"as reported, not checked: {unchecked}")
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
    told = told_witness(witness.record(), witness.batch, witness.metric)
    _header(console, witness.metric, witness.axiom, witness.reading, told.kind)
    print_rankings(console, told.pair)
    at = f", at eps = {told.eps}" if told.eps else ""
    notes = "" if told.pair.single else f"{EDITED} marks the ranks that differ."
    if told.pair.worked:
        notes += f" 'adds' is what a rank adds to the score of those above it{at}."
    paragraph(console, notes.strip(), style="dim")
    console.print()
    for line in told.lines:
        paragraph(console, line)
    console.print()
    paragraph(console, told.outcome, style="bold")
    paragraph(console, told.minimal)


def _header(console: Console, metric: Metric, axiom: Axiom, reading: Reading, kind: str) -> None:
    verb = "leaves rankings incomparable under" if kind == APART_WORDS else "violates"
    paragraph(console, f"{metric} {verb} {axiom.name} ({axiom.title.lower()}): {kind}", style="bold")
    paragraph(console, f"Reading: {reading.regime.value}, {reading.domain.value}")
    console.print()
    paragraph(console, axiom.words)
    paragraph(console, axiom.symbols)
    console.print()


def print_rankings(console: Console, pair: RankingPair) -> None:
    """Prints aspects and weights, both rankings with a line per rank, and what is judged but in neither of them."""
    small = "; grades stand for eps times what is shown, eps -> 0" if pair.small else ""
    paragraph(console, f"{pair.setting}{small}.")
    console.print()
    console.print(_rankings_table(pair))
    others = [f"{name} ({', '.join(map(str, grades))})" for name, grades in pair.others]
    if others:
        console.print()
        where = "not in the ranking" if pair.single else "in neither ranking"
        paragraph(console, f"Judged, but {where}: {', '.join(others)}.")


def _rankings_table(pair: RankingPair) -> Table:
    judged = [document.grades for document in (*pair.worse, *pair.better)] + [grades for _, grades in pair.others]
    widths = [max(len(f"t{t + 1}"), *(len(str(grades[t])) for grades in judged)) for t in range(pair.aspects)]
    heading = "  ".join(f"{f't{t}':>{w}}" for t, w in enumerate(widths, 1)) if len(widths) > 1 else "grade"
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("rank", justify="right")
    sides = {"ranking": pair.worse} if pair.single else {"worse": pair.worse, "better": pair.better}
    for side in sides:
        table.add_column(side, style="bold", no_wrap=True)
        table.add_column(heading, no_wrap=len(widths) < 3)
        if pair.worked:
            table.add_column("adds", justify="right", style="dim", no_wrap=True)
    table.add_column("")
    for documents in zip_longest(*sides.values()):
        rank = next(document.rank for document in documents if document)
        entries = [Text(str(rank))]
        for document in documents:
            entries.append(entry(document.name if document else ""))
            grades = zip(document.grades, widths, strict=True) if document else ()
            entries.append(Text("  ".join(f"{grade!s:>{width}}" for grade, width in grades)))
            if pair.worked:
                entries.append(Text(f"{document.adds:.6g}" if document else ""))
        differs = any(document.edited for document in documents if document)
        table.add_row(*entries, Text(EDITED if differs else "", style="bold"))
    return table


def print_threshold_witness(console: Console, witness: RefutedThreshold) -> None:
    """Prints why a metric violates DeepTh or CloseTh: who is ahead at every n, and the argument for the rest.

    Args:
        console: where to.
        witness: as `axiomcheck.decide.witness.read_threshold_witness` returns it.

    """
    told = told_threshold(witness.record(), witness.axiom)
    kind = APART_WORDS if witness.tried.leaves_apart(witness.axiom) else "an argument about every large n"
    _header(console, witness.metric, witness.axiom, witness.reading, kind)
    paragraph(console, told.setting)
    console.print()
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("n", justify="right", no_wrap=True)
    table.add_column("ahead")
    for n, ahead in told.rows:
        table.add_row(Text(n), Text(ahead))
    console.print(table)
    console.print()
    paragraph(console, told.beyond)
    paragraph(console, told.outcome, style="bold")
