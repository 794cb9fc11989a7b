"""Contract checks: tests for common bugs in metrics, such as scores that depend on document names or earlier calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module

from axiomcheck.checks.contract.registry import CHECKS, Check, Outcome, check
from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.metrics.base import Metric
from axiomcheck.trials.subject import Subject

TOLERANCE = 1e-9
"""Default for the largest allowed difference between the scores of a metric and those of its reference."""

__all__ = ["CHECKS", "TOLERANCE", "Check", "Outcome", "check", "run_contract"]

# The import of these modules fills CHECKS, in report order.
for _module in ("values", "invariances", "purity", "entry_point", "runs", "reference"):
    import_module(f"axiomcheck.checks.contract.{_module}")


def run_contract(
    metric: Metric,
    *,
    reference: Metric | None = None,
    tolerance: float = TOLERANCE,
    seed: int = 0,
    checks: Sequence[str] | None = None,
    ended: Callable[[Sequence[Outcome]], None] = lambda outcomes: None,
) -> list[Outcome]:
    """Run the contract checks on a metric, in this process.

    The ``hash-seed`` check starts two more processes.

    Args:
        metric: Catalogue metric, function or other callable, or a measure from a library.
        reference: Metric that the checked metric should agree with.
        tolerance: Largest allowed absolute difference from the reference, >= 0.
        seed: Seed for the random cases, >= 0. The same seed gives the same cases.
        checks: Names of the checks to run, in this order; None for all.
        ended: Callback that receives all outcomes so far, after each check.

    Returns:
        One outcome per check.

    Raises:
        UnknownName: There is no check with a given name.
        InvalidInput: The tolerance or the seed is out of range.

    """
    if not 0 <= tolerance < float("inf"):
        raise InvalidInput(f"tolerance={tolerance!r}: expected a number >= 0")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InvalidInput(f"seed={seed!r}: expected an integer >= 0")
    names = list(CHECKS) if checks is None else list(checks)
    for name in names:
        if name not in CHECKS:
            raise UnknownName("contract check", name, CHECKS)
    subject = Subject(metric, reference, tolerance, seed)
    outcomes: list[Outcome] = []
    for name in names:
        outcomes.append(CHECKS[name](subject))
        ended(outcomes)
    return _without_repeated_causes(subject, outcomes)


def cut_short(outcomes: Sequence[Outcome], why: str, needs: str) -> list[Outcome]:
    """Complete the outcomes of an interrupted run: the unfinished check is an error, the later ones are not applicable.

    Args:
        outcomes: Outcomes of the finished checks.
        why: Reason why the check after the finished ones did not finish.
        needs: Condition under which the remaining checks would run.

    """
    at_work, *rest = list(CHECKS.values())[len(outcomes) :]
    late = Outcome(at_work.name, at_work.group, "error", why, 0, None)
    untold = f"{at_work.name} {why}"
    return [*outcomes, late, *(Outcome(c.name, c.group, "not-applicable", untold, 0, None, needs) for c in rest)]


def _without_repeated_causes(subject: Subject, outcomes: list[Outcome]) -> list[Outcome]:
    """Report each cause of failure only once if a metric scores no ordinary case.

    Later outcomes with the same cause become not applicable. Outcomes with a different cause, such as a modified input
    or an error in a separate process only, stay unchanged.
    """
    bad = [outcome for outcome in outcomes if outcome.failing]
    if len(bad) < 2 or subject.scores_something:
        return outcomes
    told: dict[str, str] = {}
    kept = []
    for outcome in outcomes:
        if outcome in bad:
            # Names and numbers in a message differ from case to case.
            cause = re.sub(r"'[^']*'|\"[^\"]*\"|\d+", "", outcome.reason)
            first = next((check for before, check in told.items() if before in cause), "")
            if first:
                why = f"it does not score any ordinary case (see {first})"
                outcome = Outcome(outcome.check, outcome.group, "not-applicable", why, 0, None)
            else:
                told[re.sub("^(raised|no case could be tried:) ", "", cause)] = outcome.check
        kept.append(outcome)
    return kept
