"""Print a proof on a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from axiomcheck.core.counting import counted
from axiomcheck.core.printable import escaped
from axiomcheck.records.cells import Cell
from axiomcheck.records.certificates import Certificate
from axiomcheck.reports.argument import ArgumentStep, argument
from axiomcheck.reports.paragraphs import as_sentence, paragraph
from axiomcheck.reports.symbols import SYMBOLS


def print_proof(console: Console, cell: Cell, show: bool) -> None:
    """Print a cell's verdict and why it is so, and the whole argument of its certificate if that is to be shown."""
    paragraph(console, f"{cell.metric} on {cell.axiom}: {SYMBOLS[cell.verdict]} {cell.verdict}", style="bold")
    paragraph(console, f"{as_sentence(cell)}.")
    if cell.certificate is not None:
        size = cell.proof.bytes if cell.proof else 0
        paragraph(console, f"The certificate has {counted(size, 'byte')} and was checked.", style="dim")
        if show:
            _print_argument(console, cell.certificate)


def _print_argument(console: Console, certificate: Certificate) -> None:
    for part in argument(certificate):
        console.print()
        paragraph(console, part.heading, style="bold")
        for step in part.steps:
            _print_step(console, step)
        for case in part.cases:
            paragraph(console, case.heading, style="underline")
            for step in case.steps:
                _print_step(console, step)


def _print_step(console: Console, step: ArgumentStep) -> None:
    lead = "  " * step.depth
    if step.formula:
        console.print(escape(escaped(f"{lead}{step.text}")), style="dim", soft_wrap=True)
    else:
        paragraph(console, step.text, lead=lead)
