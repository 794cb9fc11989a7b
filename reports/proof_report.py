"""Proofs on a terminal: the verdict of one cell, and the argument behind it step by step."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape

from axiomcheck.core.counting import counted
from axiomcheck.core.documents import document_of
from axiomcheck.core.printable import escaped
from axiomcheck.records.cells import Cell
from axiomcheck.records.certificates import (
    BlocksCertificate,
    Certificate,
    InductionCertificate,
    MixtureCertificate,
    Obligation,
    TailCertificate,
    scope_text,
)
from axiomcheck.reports.paragraphs import as_sentence, paragraph
from axiomcheck.reports.symbols import SYMBOLS

_RELATIONS = {">": "> 0", ">=": ">= 0", "=": "= 0"}


def print_proof(console: Console, cell: Cell, show: bool) -> None:
    """Prints a cell's verdict and why it is so, and the whole argument of its certificate if that is to be shown."""
    paragraph(console, f"{cell.metric} on {cell.axiom}: {SYMBOLS[cell.verdict]} {cell.verdict}", style="bold")
    paragraph(console, f"{as_sentence(cell)}.")
    if cell.certificate is not None:
        size = cell.proof.bytes if cell.proof else 0
        paragraph(console, f"The certificate has {counted(size, 'byte')} and was checked.", style="dim")
        if show:
            _print_certificate(console, cell.certificate)


def _print_certificate(console: Console, certificate: Certificate) -> None:
    for part in certificate.parts if isinstance(certificate, MixtureCertificate) else [certificate]:
        console.print()
        what = "better" if getattr(part, "strict", True) else "not worse"
        paragraph(console, f"{part.metric}, {part.axiom}: {what}, for {scope_text(part)}", style="bold")
        if isinstance(part, InductionCertificate):
            _induction(console, part)
        elif isinstance(part, TailCertificate | BlocksCertificate):
            _tail(console, part)
        else:
            _cases(console, document_of(part))


def _induction(console: Console, part: InductionCertificate) -> None:
    small = "r << 1: grades are eps * rho, and the leading order of eps decides" if part.small else "any grades"
    paragraph(console, f"Assumed: {small}; discounts {part.discount}.")
    for case in part.cases:
        grades = ", ".join(f"{name} {kind}" for name, kind in case.grades.items())
        paragraph(console, f"Case {grades or 'of any grades'}:", style="underline")
        for segment, bindings in case.invariants.items():
            shown = "; ".join(f"{name} {' '.join(binding)}" for name, binding in bindings)
            paragraph(console, f"documents of segment {segment} keep: {shown}", lead="  ")
        for obligation in case.obligations:
            _obligation(console, f"{obligation.where}: {obligation.what}", obligation)


def _obligation(console: Console, what: str, obligation: Obligation) -> None:
    paragraph(console, what, lead="  ")
    polynomial = " + ".join(
        name if value == "1" and name != "1" else value if name == "1" else f"{value} {name}"
        for name, value in obligation.coefficients.items()
    )
    ranges = ", ".join(f"{name} in {range_}" for name, range_ in obligation.ranges.items())
    shown = f"{polynomial or '0'} {_RELATIONS[obligation.relation]}" + (f"  ({ranges})" if ranges else "")
    console.print(escape(escaped(f"      {shown}")), style="dim", soft_wrap=True)


def _tail(console: Console, part: TailCertificate | BlocksCertificate) -> None:
    page = "thresholds" if isinstance(part, TailCertificate) else "blocks"
    paragraph(console, f"Lemma: {part.lemma} (docs/lemmas/{page}.md)")
    _data(console, document_of(part.data), "  ")


def _data(console: Console, data: Any, lead: str) -> None:
    for name, value in data.items():
        if isinstance(value, dict):
            paragraph(console, f"{name}:", lead=lead)
            _data(console, value, lead + "  ")
        elif isinstance(value, list):
            for number, entry in enumerate(value, start=1):
                paragraph(console, f"{name} {number}:", lead=lead)
                _data(console, entry if isinstance(entry, dict) else {"": entry}, lead + "  ")
        else:
            paragraph(console, f"{name} {value}".strip(), lead=lead)


def _cases(console: Console, part: dict[str, Any]) -> None:
    for number, case in enumerate(part["cases"], start=1):
        paragraph(console, f"case {number}:", style="underline")
        _data(console, case, "  ")
