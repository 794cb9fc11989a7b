"""Define contract checks and their outcomes, and keep a registry of all checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from axiomcheck.core.errors import InvalidInput
from axiomcheck.records.values import Whole
from axiomcheck.sources.evaluators import Documented
from axiomcheck.trials.subject import Subject

Status: TypeAlias = Literal["passed", "failed", "admitted", "not-applicable", "error"]


@dataclass(frozen=True)
class Outcome:
    """Result of a check for one metric.

    Args:
        check: Name of the check; empty in the outcome that the check's function returns.
        group: Group of the check; empty in the outcome that the check's function returns.
        status: ``passed``, ``failed``, ``admitted`` (failed as the library documents), ``not-applicable`` (there is
            nothing to check) or ``error`` (the metric raised an exception).
        reason: Explanation as a sentence. It may be empty for ``passed``.
        cases: Number of cases that were tried.
        counterexample: Smallest failing case as JSON values; None if no case failed. Numbers that JSON cannot represent
            are given as text.
        needs: For ``not-applicable``, the condition under which the check would apply, or empty.

    """

    check: str
    group: str
    status: Status
    reason: str
    cases: Whole
    counterexample: dict[str, Any] | None
    needs: str = ""

    @property
    def failing(self) -> bool:
        """True if the check failed or ended in an error."""
        return self.status in ("failed", "error")


def passed(cases: int, reason: str = "") -> Outcome:
    """Return the outcome of a check that passed, with the number of cases that it tried."""
    return Outcome("", "", "passed", reason, cases, None)


def failed(reason: str, cases: int, counterexample: dict[str, Any] | None = None) -> Outcome:
    """Return the outcome of a failed check, with the smallest failing case as its counterexample."""
    return Outcome("", "", "failed", reason, cases, counterexample)


def admitted(found: Outcome, documented: Documented) -> Outcome:
    """Return the outcome of a failure that the library documents, with a reference to the documentation."""
    return replace(found, status="admitted", reason=f"{found.reason.rstrip('.')}; documented: {documented}")


def not_applicable(reason: str, needs: str = "") -> Outcome:
    """Return the outcome of a check that does not apply. `needs` is the condition under which the check would apply."""
    return Outcome("", "", "not-applicable", reason, 0, None, needs)


def error(reason: str, cases: int = 0, counterexample: dict[str, Any] | None = None) -> Outcome:
    """Return the outcome of a check that could not be completed, for example because the metric raised an exception."""
    return Outcome("", "", "error", reason, cases, counterexample)


Outcomes: TypeAlias = Outcome | Iterable[Outcome]
"""Return value of a check's function: one outcome, or one for each part of its cases."""


def together(outcomes: Outcomes) -> Outcome:
    """Combine the outcomes of a check: return the first that is not a pass, or else a pass, with the cases added up."""
    if isinstance(outcomes, Outcome):
        return outcomes
    cases = 0
    for found in outcomes:
        cases += found.cases
        if found.status != "passed":
            return replace(found, cases=cases)
    return passed(cases)


@dataclass(frozen=True)
class Check:
    """Contract check, which tests a metric for one property other than the axioms.

    Args:
        name: Stable name in kebab case.
        group: One of `GROUPS`.
        asks: Property that is checked, in one sentence.
        function: Function that performs the check.

    """

    name: str
    group: str
    asks: str
    function: Callable[[Subject], Outcomes]

    def run(self, subject: Subject) -> Outcome:
        """Run the check, and return its outcome with the check's name and group left empty."""
        return together(self.function(subject))

    def __call__(self, subject: Subject) -> Outcome:
        """Run the check; a check that tried no case does not pass."""
        subject.first_message = ""
        if subject.metric.partial:
            found = not_applicable("the metric compares distributions and gives no single score")
        else:
            found = self.run(subject)
        if found.status == "passed" and found.cases < 1:
            message = subject.first_message or subject.base_message
            found = error(f"no case could be tried: {message}") if message else not_applicable("no case could be tried")
        return replace(found, check=self.name, group=self.group)


CHECKS: dict[str, Check] = {}
"""Every check by name, in report order."""


def check(name: str, *, group: str, asks: str = "") -> Callable[[Callable[[Subject], Outcomes]], Check]:
    """Return a decorator that registers a function as a check.

    The function takes a `Subject`. It returns an outcome, or yields several outcomes that must all be passes.

    Args:
        name: New name in kebab case.
        group: One of `GROUPS`.
        asks: Property that is checked, in one sentence. The default is the first line of the function's docstring,
            after "Check that".

    Raises:
        InvalidInput: There is already a check with that name.

    """
    if name in CHECKS:
        raise InvalidInput(f"check {name!r} is already registered; expected a new name")

    def register(function: Callable[[Subject], Outcomes]) -> Check:
        said = (function.__doc__ or "").partition("\n")[0].removeprefix("Check that ")
        CHECKS[name] = Check(name, group, asks or f"{said[:1].upper()}{said[1:]}", function)
        return CHECKS[name]

    return register
