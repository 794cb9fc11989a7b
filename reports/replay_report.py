"""Render the results of replayed files: witnesses in full, and one line per claim of certificates and reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from axiomcheck.axioms import Axiom, about_blocks, about_pairs
from axiomcheck.core.documents import document_of
from axiomcheck.core.printable import counted
from axiomcheck.core.writing import json_text
from axiomcheck.decide.witness import RefutedThreshold, Witness, read_any_witness, rebuilt
from axiomcheck.records.certificates import Certificate, proof_sentence
from axiomcheck.records.witnesses import AnyWitness, PairWitness, ThresholdWitness
from axiomcheck.replay.report import Confirmed
from axiomcheck.reports.symbols import EDITED
from axiomcheck.reports.table import Column, Report, Section, Table
from axiomcheck.reports.witness import APART_WORDS, ToldWitness, told_threshold, told_witness
from axiomcheck.sources.names import catalogue_metric
from axiomcheck.sources.resolve import resolve_axiom

Replayed: TypeAlias = Witness | RefutedThreshold | list[Confirmed] | Certificate
"""Confirmed content of a file: a witness, the cells of a report, or a certificate."""


def replay_report(replayed: Iterable[tuple[Path, Replayed]]) -> Report:
    """Report the claims that were confirmed by replaying each file."""
    sections: list[Section] = []
    for _, found in replayed:
        if isinstance(found, Witness | RefutedThreshold):
            sections += witness_report(found).sections
        elif isinstance(found, list):
            sections.append(_cells(found))
        else:
            line = f"checked  {found.metric}  {found.axiom}: {proof_sentence(found)}"
            sections.append(Section(lines=[line]))
    return Report("Replayed", [], sections)


def _cells(cells: list[Confirmed]) -> Section:
    lines = []
    for cell in cells:
        if cell.witness is not None:
            lines.append(f"confirmed  {cell.metric}  {cell.axiom}  ({cell.witness})")
        if cell.certificate:
            lines.append(f"checked  {cell.metric}  {cell.axiom}  ({cell.verdict})")
    unchecked = "settings, numbers and sizes of instances, shares of violations, and the words of obligations"
    lines.append(f"as reported, not checked: {unchecked}")
    witnesses, certificates = sum(c.witness is not None for c in cells), sum(c.certificate for c in cells)
    lines.append(f"{counted(witnesses, 'witness')} confirmed, {counted(certificates, 'certificate')} checked")
    return Section(lines=lines)


def replayed_json(replayed: Iterable[tuple[Path, Replayed]]) -> str:
    """Return one JSON document with the kind of each replayed file and its confirmed claims."""
    files = [{"file": str(path), **_plain(found)} for path, found in replayed]
    return json_text({"schema": "axiomcheck/replay", "version": 1, "files": files})


def _plain(found: Replayed) -> dict[str, Any]:
    if isinstance(found, list):
        return {"document": "report", "cells": [document_of(cell) for cell in found]}
    if not isinstance(found, Witness | RefutedThreshold):
        claim = proof_sentence(found)
        return {"document": "certificate", "metric": found.metric, "axiom": found.axiom, "claim": claim}
    kind = found.kind if isinstance(found, Witness) else "threshold"
    return {"document": "witness", "metric": found.metric.canonical, "axiom": found.axiom.name, "kind": kind}


def witness_report(witness: Witness | RefutedThreshold) -> Report:
    """Return a report on a counterexample: both rankings with their scores, or the argument for all large n.

    Args:
        witness: Counterexample as read by `axiomcheck.decide.witness.read_any_witness`.

    """
    if isinstance(witness, Witness):
        told = told_witness(witness.record(), witness.batch, witness.metric)
    else:
        told = told_threshold(witness.record(), witness.axiom)
    return Report(f"{witness.metric}, {witness.axiom.name}", [], _sections(told, witness.axiom))


def witness_sections(record: AnyWitness) -> Sequence[Section]:
    """Describe a recorded counterexample. A catalogue metric scores it again; code of other metrics is not run."""
    if catalogue_metric(record.metric) is not None:
        return witness_report(read_any_witness(document_of(record))).sections
    axiom = resolve_axiom(record.axiom)
    if isinstance(record, ThresholdWitness) and about_blocks(axiom):
        return _sections(told_threshold(record, axiom), axiom)
    if not isinstance(record, PairWitness) or not about_pairs(axiom):
        return []
    return _sections(told_witness(record, rebuilt(record, axiom, record.reading.domain == "binary"), None), axiom)


def _sections(told: ToldWitness, axiom: Axiom) -> list[Section]:
    """Return the sections of a counterexample: axiom, rankings (or the ranking ahead at each n), and violation."""
    record, pair = told.witness, told.pair
    verb = "leaves rankings incomparable under" if told.kind == APART_WORDS else "violates"
    heading = f"{record.metric} {verb} {axiom.name} ({axiom.title.lower()}): {told.kind}"
    if pair is None:
        table = Table((Column("n"), Column("ahead")), told.rows, sortable=False)
        drawn = Section(lines=[told.setting], table=table)
    else:
        at = f", at eps = {told.eps}" if told.eps else ""
        notes = "" if pair.single else f"{EDITED} marks the ranks that differ."
        if pair.working:
            notes += f" 'adds' is the amount by which a rank changes the score of the ranks above it{at}."
        drawn = Section(lines=[pair.words], table=pair.table(), notes=[*pair.unseen, notes.strip()])
    return [
        Section(heading, [f"Reading: {record.reading.regime}, {record.reading.domain}"]),
        Section(lines=[axiom.words, axiom.symbols]),
        drawn,
        Section(lines=[*told.lines, told.outcome, *filter(None, [told.minimal])]),
    ]
