"""Render a proof: the verdict of a cell with its reason, and the argument of its certificate, case by case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from axiomcheck.core.documents import document_of
from axiomcheck.core.printable import counted
from axiomcheck.records.cells import Cell
from axiomcheck.records.certificates import (
    BlocksCertificate,
    Certificate,
    InductionCertificate,
    MixtureCertificate,
    Obligation,
    OrthantCase,
    OrthantCertificate,
    TailCertificate,
    scope_text,
)
from axiomcheck.reports.replay_report import witness_sections
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.reports.table import Report, Section
from axiomcheck.reports.words import WORDS_EXPLAINED, as_sentence

_RELATIONS = {">": "> 0", ">=": ">= 0", "=": "= 0"}


@dataclass(frozen=True)
class ArgumentCase:
    """A case of an argument: its heading, and the lines that prove it."""

    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class ArgumentPart:
    """The proof for one metric. A mixture of metrics has one part per metric.

    Args:
        heading: Claim and its scope.
        lines: Lines before the cases.
        cases: Cases of the argument.

    """

    heading: str
    lines: tuple[str, ...]
    cases: tuple[ArgumentCase, ...] = ()


def proof_report(cell: Cell, show: bool) -> Report:
    """Return a report on a cell's verdict and its reason.

    Args:
        cell: Cell of one metric and axiom.
        show: Whether to include the whole proof or counterexample. A catalogue metric scores the counterexample again;
            code of other metrics is not run.

    """
    lines = [f"{cell.metric} on {cell.axiom}: {SYMBOLS[cell.verdict]} {cell.verdict}", as_sentence(cell)]
    sections = []
    if cell.pairs is not None and cell.pairs.numerical:
        lines.append(f"In floats only: {cell.pairs.numerical}.")
    if cell.certificate is not None:
        size = cell.proof.bytes if cell.proof else 0
        if derived := getattr(cell.certificate, "derived", None):
            lines.append(f"Its source, run on an unknown ranking, is a sum over ranks: {derived}.")
        lines.append(f"The certificate has {counted(size, 'byte')} and was checked.")
        for part in argument(cell.certificate) if show else ():
            cases = (line for case in part.cases for line in (case.heading, *case.lines))
            sections.append(Section(part.heading, [*part.lines, *cases]))
    if show and cell.witness is not None:
        sections += witness_sections(cell.witness)
    return Report(f"{cell.metric}, {cell.axiom}", lines, [*sections, WORDS_EXPLAINED])


def argument(certificate: Certificate) -> tuple[ArgumentPart, ...]:
    """Convert a certificate to a proof that people can read, step by step."""
    parts = certificate.parts if isinstance(certificate, MixtureCertificate) else (certificate,)
    return tuple(_part(part) for part in parts)


def _part(part: InductionCertificate | OrthantCertificate | TailCertificate | BlocksCertificate) -> ArgumentPart:
    what = "higher" if getattr(part, "strict", True) else "not lower"
    heading = f"{part.metric}, {part.axiom}: the score is {what}, for {scope_text(part)}"
    if isinstance(part, InductionCertificate):
        return _induction(heading, part)
    if isinstance(part, OrthantCertificate):
        cases = [ArgumentCase(f"case {k}:", tuple(_orthant(case))) for k, case in enumerate(part.cases(), start=1)]
        return ArgumentPart(heading, (), tuple(cases))
    page = "thresholds" if isinstance(part, TailCertificate) else "blocks"
    lemma = f"Lemma: {part.lemma} (docs/lemmas/{page}.md)"
    return ArgumentPart(heading, (lemma, *_data(document_of(part.data), 1)))


def _induction(heading: str, part: InductionCertificate) -> ArgumentPart:
    small = "r << 1: grades are eps * rho, and the leading order of eps decides" if part.small else "any grades"
    cases = []
    for case in part.cases:
        grades = ", ".join(f"{name} {kind}" for name, kind in case.grades.items())
        lines = []
        for segment, bindings in case.invariants.items():
            shown = "; ".join(f"{name} {' '.join(binding)}" for name, binding in bindings)
            lines.append(f"  documents of segment {segment} preserve: {shown}")
        for obligation in case.obligations:
            lines.append(f"  {obligation.where}: {obligation.what}")
            lines.append(f"      {_inequality(obligation)}")
        cases.append(ArgumentCase(f"Case {grades or 'of any grades'}:", tuple(lines)))
    return ArgumentPart(heading, (f"Assumed: {small}; discounts {part.discount}.",), tuple(cases))


def _inequality(obligation: Obligation) -> str:
    polynomial = " + ".join(
        name if value == "1" and name != "1" else value if name == "1" else f"{value} {name}"
        for name, value in obligation.coefficients.items()
    )
    ranges = ", ".join(f"{name} in {range_}" for name, range_ in obligation.ranges.items())
    return f"{polynomial or '0'} {_RELATIONS[obligation.relation]}" + (f"  ({ranges})" if ranges else "")


def _orthant(case: OrthantCase) -> Iterator[str]:
    """Yield lines on one case of an orthant certificate: setting, splits, and coefficients of the score difference."""
    setting = document_of(case.setting)
    del setting["tree"]
    shown = {**document_of(case.difference), "variables": [list(variable) for variable in case.variables]}
    del shown["terms"]
    yield from _data({**setting, "splits": list(case.splits), **shown, "coefficients": case.coefficients}, 1)


def _data(data: dict[str, Any], depth: int) -> Iterator[str]:
    lead = "  " * depth
    for name, value in data.items():
        if isinstance(value, dict):
            yield f"{lead}{name}:"
            yield from _data(value, depth + 1)
        elif isinstance(value, list):
            for number, entry in enumerate(value, start=1):
                yield f"{lead}{name} {number}:"
                yield from _data(entry if isinstance(entry, dict) else {"": entry}, depth + 1)
        else:
            yield f"{lead}{f'{name} {value}'.strip()}"
