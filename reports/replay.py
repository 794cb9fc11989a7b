"""What was found right again: witnesses told in full, certificates and reports in a line per claim; and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias

from flint import fmpq
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from axiomcheck.axioms import Axiom
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Reading
from axiomcheck.core.printable import escaped
from axiomcheck.core.writing import json_text
from axiomcheck.decide.comparison import at_eps, judge
from axiomcheck.decide.dominance import APART
from axiomcheck.decide.outcome import Judgement
from axiomcheck.decide.threshold_witness import RefutedThreshold
from axiomcheck.decide.witness import Witness, contributions
from axiomcheck.engine.sentences import brief_pair, decimal
from axiomcheck.metrics import Metric
from axiomcheck.records.certificates import Certificate, proof_sentence
from axiomcheck.replay import Confirmed
from axiomcheck.reports.drawing import EDITED, print_rankings
from axiomcheck.reports.paragraphs import paragraph

Replayed: TypeAlias = Witness | RefutedThreshold | list[Confirmed] | Certificate
"""What is right in a file: a witness, the cells of a report, or a certificate."""

_APART = "neither dominates"
_AHEAD = {1: "top", -1: "block", 0: "neither: an exact tie", APART: "neither: incomparable", None: "not tried"}


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
    axiom = witness.axiom
    _header(console, witness.metric, axiom, witness.reading, _kind(witness))
    adds = contributions(witness.metric, witness)
    print_rankings(console, witness.instance, adds)
    at = f", at eps = {witness.eps}" if witness.eps else ""
    notes = f"{EDITED} marks the ranks that differ."
    if adds is not None:
        notes += f" 'adds' is what a rank adds to the score of those above it{at}."
    paragraph(console, notes, style="dim")
    console.print()
    for line in _score_lines(witness):
        paragraph(console, line)
    console.print()
    does = "It does not" if axiom.strict else "It does"
    sentence = _capital(axiom.sentence(witness.batch.draft))
    paragraph(console, f"{sentence}. {does}: {_outcome(witness)} ({_kind(witness)}).", style="bold")
    paragraph(
        console,
        f"Minimal: nothing smaller does so among {witness.minimal}."
        if witness.minimal and witness.kind == "incomparable"
        else f"Minimal: nothing smaller violates it among {witness.minimal}."
        if witness.minimal
        else "Shrunk greedily; no claim of minimality.",
    )


def _outcome(witness: Witness) -> str:
    scores = witness.judgement
    if scores.of == "distribution":
        return f"{scores.worse} for worse; {scores.better} for better"
    worse, better = brief_pair(scores.worse, scores.better)
    what = f"the scores' coefficients of {_power(scores.order)}" if scores.order else "the scores"
    return f"{what} are {worse} for worse and {better} for better"


def _header(console: Console, metric: Metric, axiom: Axiom, reading: Reading, kind: str) -> None:
    verb = "leaves rankings incomparable under" if kind == _APART else "violates"
    paragraph(console, f"{metric} {verb} {axiom.name} ({axiom.title.lower()}): {kind}", style="bold")
    paragraph(console, f"Reading: {reading.regime.value}, {reading.domain.value}")
    console.print()
    paragraph(console, axiom.words)
    paragraph(console, axiom.symbols)
    console.print()


def _capital(sentence: str) -> str:
    """A sentence with a capital, unless it begins with the name of a document."""
    return sentence if sentence[:1] in "dx" and not sentence[1:2].isalpha() else sentence[:1].upper() + sentence[1:]


def _kind(witness: Witness) -> str:
    if witness.kind == "incomparable":
        return _APART
    if witness.kind == "reversal":
        return "a reversal"
    return "a tie in floats" if witness.judgement.arithmetic == "numerical" else "an exact tie"


def _score_lines(witness: Witness) -> list[str]:
    scores = witness.judgement
    if scores.of == "distribution":
        return [
            "Rankings are compared by stochastic dominance: S is the score of one user.",
            f"worse: {scores.worse}",
            f"better: {scores.better}",
        ]
    how = {
        "rational": "exact",
        "certified": "certified digits",
        "identity": "certified digits; equal identically",
        "numerical": "floats, which are all there is of this metric",
    }
    if scores.arithmetic == "numerical" and witness.batch.small:
        return [f"Scores at eps = {witness.eps} ({how['numerical']}): {_both(scores)}."]
    if not witness.batch.small:
        return [f"Scores ({how[scores.arithmetic]}): {_both(scores)}."]
    where = f"coefficients of {_power(scores.order)}" if scores.order else "limits"
    if scores.sign == 0:
        what = f"The scores tie in every power of eps; their {where}"
    else:
        what = f"The scores differ first in their {where}"
    lines = [f"{what} ({how[scores.arithmetic]}): {_both(scores)}."]
    if witness.eps is not None:
        judged = judge(witness.metric, at_eps(witness.batch, fmpq(1, witness.eps.denominator)))
        lines.append(f"At eps = {witness.eps}, grades as they then are: {_both(judged)}.")
    return lines


def _power(order: int) -> str:
    return "eps" if order == 1 else f"eps^{order}"


def _both(scores: Judgement) -> str:
    return f"worse {_number(scores.worse)}, better {_number(scores.better)}"


def _number(text: str) -> str:
    """An exact fraction with its decimals; whole and certified numbers as they are."""
    if "/" not in text:
        return text
    shown = decimal(text, 10)
    return f"{text} {'=' if Fraction(shown) == Fraction(text) else '≈'} {shown}"


def print_threshold_witness(console: Console, witness: RefutedThreshold) -> None:
    """Prints why a metric violates DeepTh or CloseTh: who is ahead at every n, and the argument for the rest.

    Args:
        console: where to.
        witness: as `axiomcheck.decide.threshold_witness.read_threshold_witness` returns it.

    """
    axiom, tried = witness.axiom, witness.tried
    apart = tried.leaves_apart(axiom)
    _header(console, witness.metric, axiom, witness.reading, _APART if apart else "an argument about every large n")
    grade = "eps, eps -> 0" if witness.small else str(tried.case.rc)
    unseen = tried.case.extras
    more = f"; {counted(unseen, 'more relevant document')} in neither ranking" if unseen else ""
    paragraph(console, f"Relevant documents have grade {grade}{more}.")
    paragraph(console, "top: one relevant document, then 2n - 1 others; block: n others, then n relevant ones.")
    console.print()
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("n", justify="right", no_wrap=True)
    table.add_column("ahead")
    for n, ahead in _ranges(tried.signs):
        table.add_row(Text(n), Text(ahead))
    table.add_row(Text("beyond"), Text(_AHEAD[tried.tail] if tried.tail is not None else "not known"))
    console.print(table)
    console.print()
    paragraph(console, f"Beyond: {tried.argument}.")
    wanted = {
        "top": "There is no n0 from which on the top is always ahead",
        "block": "There is no m at which the block is ahead",
    }
    verb = "leaves the two incomparable under" if apart else "violates"
    paragraph(console, f"{wanted[axiom.winner]}: {witness.metric} {verb} {axiom.name}.", style="bold")


def _ranges(signs: tuple[int | None, ...]) -> list[tuple[str, str]]:
    """(n or n to n, who is ahead) for runs of equal outcomes; what was not tried has no end that is known here."""
    lines = []
    n = 1
    for sign, run in groupby(signs):
        last = n + len(list(run)) - 1
        span = f"from {n}" if sign is None else str(n) if n == last else f"{n} to {last}"
        lines.append((span, _AHEAD[sign]))
        n = last + 1
    return lines
