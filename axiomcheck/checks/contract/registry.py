"""Define contract checks, what comes of one, and the list of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from axiomcheck.core.errors import InvalidInput
from axiomcheck.records.values import Whole
from axiomcheck.sources.evaluators import Documented
from axiomcheck.trials.subject import Subject

Status: TypeAlias = Literal["passed", "failed", "admitted", "not-applicable", "error"]

GROUPS = ("values", "invariances", "purity", "native", "runs", "reference")
"""The groups of checks, in report order."""


@dataclass(frozen=True)
class Finding:
    """Hold what a check found out.

    Args:
        status: ``passed``, ``failed``, ``admitted`` (as ``failed``, and documented by the library to be so),
            ``not-applicable`` (nothing to hold the metric to) or ``error`` (it raised).
        reason: why, as a sentence; may be empty where it passed.
        cases: how many cases were tried.
        counterexample: the smallest failing case, JSON-able; None if there is none.
        needs: of what is not applicable, what would have it asked; empty where nothing would.

    """

    status: Status
    reason: str = ""
    cases: int = 0
    counterexample: dict[str, Any] | None = None
    needs: str = ""


def passed(cases: int, reason: str = "") -> Finding:
    """Nothing wrong in this many cases."""
    return Finding("passed", reason, cases)


def failed(reason: str, cases: int, counterexample: dict[str, Any] | None = None) -> Finding:
    """Something is wrong."""
    return Finding("failed", reason, cases, counterexample)


def admitted(found: Finding, documented: Documented) -> Finding:
    """Something that a library documents: told with its source, and no failure."""
    return replace(found, status="admitted", reason=f"{found.reason.rstrip('.')}; documented: {documented}")


def not_applicable(reason: str, needs: str = "") -> Finding:
    """The metric promises nothing that the check could hold it to; what it would need for that."""
    return Finding("not-applicable", reason, needs=needs)


def error(reason: str, cases: int = 0, counterexample: dict[str, Any] | None = None) -> Finding:
    """The metric raised where it should have answered."""
    return Finding("error", reason, cases, counterexample)


def together(findings: Iterable[Finding]) -> Finding:
    """Return the first finding that is no pass, else a pass, with all cases that were tried until then."""
    cases = 0
    for found in findings:
        cases += found.cases
        if found.status != "passed":
            return replace(found, cases=cases)
    return passed(cases)


@dataclass(frozen=True)
class Outcome:
    """A check and what it found out of one metric.

    Args:
        check, group: its name and group.
        status, reason, cases, counterexample, needs: see `Finding`; numbers that JSON has no form for are text.

    """

    check: str
    group: str
    status: Status
    reason: str
    cases: Whole
    counterexample: dict[str, Any] | None
    needs: str = ""


@dataclass(frozen=True)
class Check:
    """A question that every metric is asked.

    Args:
        name: stable, in kebab case.
        group: one of `GROUPS`.
        asks: what is asked, in one sentence.
        run: the function that answers.

    """

    name: str
    group: str
    asks: str
    run: Callable[[Subject], Finding]

    def __call__(self, subject: Subject) -> Outcome:
        """Asks; a check that tried nothing does not pass."""
        subject.first_message = ""
        if subject.metric.partial:
            found = not_applicable("the metric compares distributions and gives no single score")
        else:
            found = self.run(subject)
        if found.status == "passed" and found.cases < 1:
            message = subject.first_message or subject.base_message
            found = error(f"no case could be tried: {message}") if message else not_applicable("no case could be tried")
        return Outcome(
            self.name, self.group, found.status, found.reason, found.cases, found.counterexample, found.needs
        )


CHECKS: dict[str, Check] = {}
"""Every check by name, in report order."""


def check(name: str, *, group: str, asks: str) -> Callable[[Callable[[Subject], Finding]], Check]:
    """Registers a function ``(subject) -> Finding`` as a check.

    Args:
        name: in kebab case; not taken.
        group: one of `GROUPS`.
        asks: what is asked, in one sentence.

    Raises:
        InvalidInput: there is a check of that name.

    """
    if name in CHECKS:
        raise InvalidInput(f"check {name!r} is there already")

    def register(function: Callable[[Subject], Finding]) -> Check:
        CHECKS[name] = Check(name, group, asks, function)
        return CHECKS[name]

    return register
