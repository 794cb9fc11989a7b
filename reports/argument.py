"""Return the argument of a certificate as data: parts, cases and steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from axiomcheck.core.documents import document_of
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

_RELATIONS = {">": "> 0", ">=": ">= 0", "=": "= 0"}


@dataclass(frozen=True)
class ArgumentStep:
    """One line.

    Args:
        text: what is said.
        depth: how deep it is below the heading of its case or part, from 0.
        formula: whether it is an inequality that has to hold rather than words.

    """

    text: str
    depth: int = 0
    formula: bool = False


@dataclass(frozen=True)
class ArgumentCase:
    """A case that instances may be in, or one shape of them."""

    heading: str
    steps: tuple[ArgumentStep, ...]


@dataclass(frozen=True)
class ArgumentPart:
    """The argument about one metric; a mixture has a part for each metric that it mixes.

    Args:
        heading: what is shown, and for what.
        steps: said before any case.
        cases: what is shown in each.

    """

    heading: str
    steps: tuple[ArgumentStep, ...]
    cases: tuple[ArgumentCase, ...]


def argument(certificate: Certificate) -> tuple[ArgumentPart, ...]:
    """Return what a certificate says, step by step."""
    parts = certificate.parts if isinstance(certificate, MixtureCertificate) else (certificate,)
    return tuple(_part(part) for part in parts)


def _part(part: InductionCertificate | OrthantCertificate | TailCertificate | BlocksCertificate) -> ArgumentPart:
    what = "better" if getattr(part, "strict", True) else "not worse"
    heading = f"{part.metric}, {part.axiom}: {what}, for {scope_text(part)}"
    if isinstance(part, InductionCertificate):
        return _induction(heading, part)
    if isinstance(part, OrthantCertificate):
        told = [ArgumentCase(f"case {k}:", tuple(_orthant(case))) for k, case in enumerate(part.cases(), start=1)]
        return ArgumentPart(heading, (), tuple(told))
    page = "thresholds" if isinstance(part, TailCertificate) else "blocks"
    lemma = ArgumentStep(f"Lemma: {part.lemma} (docs/lemmas/{page}.md)")
    return ArgumentPart(heading, (lemma, *_data(document_of(part.data), 1)), ())


def _induction(heading: str, part: InductionCertificate) -> ArgumentPart:
    small = "r << 1: grades are eps * rho, and the leading order of eps decides" if part.small else "any grades"
    assumed = ArgumentStep(f"Assumed: {small}; discounts {part.discount}.")
    cases = []
    for case in part.cases:
        grades = ", ".join(f"{name} {kind}" for name, kind in case.grades.items())
        steps = []
        for segment, bindings in case.invariants.items():
            shown = "; ".join(f"{name} {' '.join(binding)}" for name, binding in bindings)
            steps.append(ArgumentStep(f"documents of segment {segment} keep: {shown}", 1))
        for obligation in case.obligations:
            steps.append(ArgumentStep(f"{obligation.where}: {obligation.what}", 1))
            steps.append(ArgumentStep(_inequality(obligation), 3, formula=True))
        cases.append(ArgumentCase(f"Case {grades or 'of any grades'}:", tuple(steps)))
    return ArgumentPart(heading, (assumed,), tuple(cases))


def _inequality(obligation: Obligation) -> str:
    polynomial = " + ".join(
        name if value == "1" and name != "1" else value if name == "1" else f"{value} {name}"
        for name, value in obligation.coefficients.items()
    )
    ranges = ", ".join(f"{name} in {range_}" for name, range_ in obligation.ranges.items())
    return f"{polynomial or '0'} {_RELATIONS[obligation.relation]}" + (f"  ({ranges})" if ranges else "")


def _orthant(case: OrthantCase) -> Iterator[ArgumentStep]:
    """A case as if it were written out: shape, positions, splits, and what is shown."""
    setting = document_of(case.setting)
    del setting["tree"]
    shown = {**document_of(case.difference), "variables": [list(variable) for variable in case.variables]}
    del shown["terms"]
    yield from _data({**setting, "splits": list(case.splits), **shown, "coefficients": case.coefficients}, 1)


def _data(data: dict[str, Any], depth: int) -> Iterator[ArgumentStep]:
    for name, value in data.items():
        if isinstance(value, dict):
            yield ArgumentStep(f"{name}:", depth)
            yield from _data(value, depth + 1)
        elif isinstance(value, list):
            for number, entry in enumerate(value, start=1):
                yield ArgumentStep(f"{name} {number}:", depth)
                yield from _data(entry if isinstance(entry, dict) else {"": entry}, depth + 1)
        else:
            yield ArgumentStep(f"{name} {value}".strip(), depth)
