"""Axioms on real runs (`axiomcheck.runs.wild`): as text, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Iterator
from typing import Any

from axiomcheck.core.counting import counted
from axiomcheck.core.documents import document_of
from axiomcheck.core.printable import spreadsheet_cell
from axiomcheck.reports.aligned import aligned_rows
from axiomcheck.runs.wild import WildCell, WildStudy, WildWitness

_WIDTH = 80
_HEAD = ("Axiom", "Edits", "Share", "Ties", "Reversed", "Median", "Largest", "Lists", "Pairs")
_GAINS = {"linear": "g / gmax", "exponential": "(2^g - 1) / 2^gmax"}
_NUMBERS = (
    *("candidates", "looked", "applicable", "ties", "reversals", "open", "share"),
    *("largest", "median", "relative", "lists", "violated"),
)


def wild_text(study: WildStudy, witnesses: bool) -> str:
    """A study for the terminal.

    Args:
        study: the study.
        witnesses: whether the worst violation of every cell is shown, too.

    """
    lines = [f"{counted(len(study.runs), 'run')}, {counted(study.topics, 'topic')}", ""]
    lines += _table(study)
    lines.append("")
    for note in _notes(study):
        lines += textwrap.wrap(note, _WIDTH, subsequent_indent="  ")
    for cell in study.cells if witnesses else ():
        if cell.witness is not None:
            lines += ["", *_witness(cell, cell.witness)]
    return "\n".join(lines) + "\n"


def _table(study: WildStudy) -> list[str]:
    blank = ("",) * (len(_HEAD) - 1)
    asked = [cell for cell in study.cells if not cell.why_not]
    rows = [_HEAD, *(_numbers(cell) if cell.share is not None else (cell.axiom, *blank) for cell in asked)]
    head, *shown = [f"  {line}" for line in aligned_rows(rows)]
    name = max(len(row[0]) for row in rows)
    lines = [head, "─" * max(map(len, (head, *shown)))]
    metric = None
    for cell, line in zip(asked, shown, strict=True):
        if cell.metric != metric:
            lines.append(cell.metric)
            metric = cell.metric
        lines.append(line if cell.share is not None else f"  {cell.axiom.ljust(name)}  {_vacuous(cell)}")
    return lines


def _numbers(cell: WildCell) -> tuple[str, ...]:
    moved = "–" if cell.moved is None else f"{cell.moved.all_topics} ({cell.moved.one_edit})"
    return (
        cell.axiom,
        f"{cell.applicable:,}",
        _share(cell),
        f"{cell.ties:,}",
        f"{cell.reversals:,}",
        _margin(cell.median),
        _margin(cell.largest),
        f"{cell.violated}/{cell.lists}",
        moved,
    )


def _share(cell: WildCell) -> str:
    """Never rounded to none or to all."""
    if cell.violations in (0, cell.applicable):
        return "100%" if cell.violations else "0"
    percent = 100 * cell.violations / cell.applicable
    return f"{min(percent, 99.9):.3g}%" if percent > 0.01 else "<0.01%"


def _margin(value: float | None) -> str:
    return "" if value is None else f"{value:.2g}"


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
            "about a document's largest grade over them, and order their pairs of systems by means that are made "
            "of such topics, too."
        )
    pairs = len(study.runs) * (len(study.runs) - 1) // 2
    yield (
        "Edits: that an axiom speaks of, within the metric's cutoff; share: of them, those that violate it, by a tie "
        "or reversed. Median and largest: margins of the reversed ones. Lists: rankings with a violation, of those "
        f"with an edit. Pairs: of {counted(pairs, 'pair')} of systems, those that change order for the worst edit on "
        "every topic (on one topic)."
    )
    yield from (f"{note}." for note in study.notes)
    yield from _not_asked(study)
    numerical = dict.fromkeys(cell.metric for cell in study.cells if cell.numerical)
    if numerical:
        yield f"{', '.join(numerical)}: floats are all there is of it, and what is counted is numerical."
    binary = dict.fromkeys(cell.metric for cell in study.cells if cell.binary)
    if binary and extent.domain != "binary":
        yield f"{', '.join(binary)}: grades count as 0 and one rc."
    ruled_out: dict[tuple[str, str], list[str]] = {}
    for cell in study.cells:
        if cell.obstacles:
            reasons = ", ".join(f"{counted(count, 'topic')} with {name}" for name, count in cell.obstacles.items())
            ruled_out.setdefault((cell.axiom, reasons), []).append(cell.metric)
    for (axiom, reasons), metrics in ruled_out.items():
        several = len({key for key in ruled_out if key[0] == axiom}) > 1
        yield f"{axiom}{' of ' + ', '.join(metrics) if several else ''}: nothing on {reasons}."
    for cell in study.cells:
        if cell.open:
            yield f"{cell.metric}, {cell.axiom}: {counted(cell.open, 'edit')} could not be told from a tie."
    drawn = {cell.axiom: cell for cell in study.cells if cell.looked < cell.candidates}
    for axiom, cell in drawn.items():
        yield f"{axiom}: {cell.looked:,} of {counted(cell.candidates, 'candidate')} were drawn, seed {extent.seed}."


def _not_asked(study: WildStudy) -> Iterator[str]:
    """Each reason once, with the axioms; and the metrics, unless it is one of all."""
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


def _witness(cell: WildCell, witness: WildWitness) -> Iterator[str]:
    low, high = witness.scores
    kind = witness.record.kind
    title = f"{cell.metric}, {cell.axiom}: the worst, a {kind}, is on topic {witness.topic} of {witness.run}"
    yield from textwrap.wrap(title, _WIDTH, break_long_words=False)
    yield from textwrap.wrap(witness.sentence, _WIDTH, initial_indent="  ", subsequent_indent="  ")
    names = [*witness.worse, *witness.better]
    width = max(map(len, names))
    yield f"  rank  {'should be behind: ' + _exactly(low):<{width + 10}}  should be ahead: {_exactly(high)}"
    for rank in range(max(len(witness.worse), len(witness.better))):
        sides = [_ranked(witness, side, rank) for side in (witness.worse, witness.better)]
        mark = " " if sides[0] == sides[1] else "*"
        yield f"  {rank + 1:>3} {mark} {sides[0]:<{width + 10}}  {sides[1]}".rstrip()


def _exactly(score: float) -> str:
    return f"{score:.10g}"


def _ranked(witness: WildWitness, side: tuple[str, ...], rank: int) -> str:
    if rank >= len(side):
        return ""
    return f"{side[rank]} ({', '.join(f'{grade:.4g}' for grade in witness.grades[side[rank]])})"


def wild_csv(study: WildStudy) -> str:
    """A line per metric and axiom."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["metric", "axiom", "why_not", *_NUMBERS, "pairs", "moved", "moved_by_one"])
    for cell in study.cells:
        names = map(spreadsheet_cell, (cell.metric, cell.axiom, cell.why_not))
        numbers = ["" if (value := getattr(cell, name)) is None else value for name in _NUMBERS]
        moved = cell.moved
        pairs = ["", "", ""] if moved is None else [moved.pairs, moved.all_topics, moved.one_edit]
        writer.writerow([*names, *numbers, *pairs] if not cell.why_not else [*names, *[""] * (len(_NUMBERS) + 3)])
    return text.getvalue()


def wild_json(study: WildStudy) -> dict[str, Any]:
    """A study as JSON; every witness has a document that `axiomcheck replay` scores again."""
    extent = study.extent
    return {
        "schema": "axiomcheck/wild",
        "version": 1,
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


def _cell_json(cell: WildCell) -> dict[str, Any]:
    if cell.why_not:
        return {"metric": cell.metric, "axiom": cell.axiom, "why_not": cell.why_not}
    moved = cell.moved
    return {
        "metric": cell.metric,
        "axiom": cell.axiom,
        "vacuous": cell.share is None,
        "numerical": cell.numerical,
        "binary": cell.binary,
        **{name: getattr(cell, name) for name in _NUMBERS},
        "pairs": None
        if moved is None
        else {"of": moved.pairs, "moved": moved.all_topics, "moved_by_one": moved.one_edit},
        "obstacles": cell.obstacles,
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
