"""Run the contract checks: what is asked besides the ten axioms, and real bugs break."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module

from axiomcheck.checks.contract.registry import CHECKS, Check, Outcome, check
from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.metrics.base import Metric
from axiomcheck.trials.subject import Subject

TOLERANCE = 1e-9
"""The scores of a metric and of its reference may be so far apart, where nobody says otherwise."""

__all__ = ["CHECKS", "TOLERANCE", "Check", "Outcome", "check", "run_contract"]

# Importing these is what fills CHECKS, in report order.
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
    """Run the contract checks on a metric, in this process (hash-seed starts two more).

    Args:
        metric: of the catalogue, a function, a callable or a library's measure.
        reference: a metric that its scores should agree with.
        tolerance: how far apart the two may be, absolutely; >= 0.
        seed: of the cases that are tried, >= 0; the same seed tries the same cases.
        checks: names, to be run in this order; None is all.
        ended: called after each check with the outcomes so far.

    Returns:
        One outcome per check.

    Raises:
        UnknownName: no such check.
        InvalidInput: the tolerance or the seed is out of range.

    """
    if not 0 <= tolerance < float("inf"):
        raise InvalidInput(f"tolerance={tolerance!r}: expected a number >= 0")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InvalidInput(f"seed={seed!r}: expected a whole number >= 0")
    names = list(CHECKS) if checks is None else list(checks)
    for name in names:
        if name not in CHECKS:
            raise UnknownName("contract check", name, CHECKS)
    subject = Subject(metric, reference, tolerance, seed)
    outcomes: list[Outcome] = []
    for name in names:
        outcomes.append(CHECKS[name](subject))
        ended(outcomes)
    return _cause_told_once(subject, outcomes)


def cut_short(outcomes: Sequence[Outcome], why: str, needs: str) -> list[Outcome]:
    """Return the outcomes of checks that ended, an error for the one that was at work, and the rest as not asked.

    Args:
        outcomes: of the first checks.
        why: the next one did not end.
        needs: what the rest would need to be asked.

    """
    at_work, *rest = list(CHECKS.values())[len(outcomes) :]
    late = Outcome(at_work.name, at_work.group, "error", why, 0, None)
    untold = f"{at_work.name} {why}"
    return [*outcomes, late, *(Outcome(c.name, c.group, "not-applicable", untold, 0, None, needs) for c in rest)]


def _cause_told_once(subject: Subject, outcomes: list[Outcome]) -> list[Outcome]:
    """Tell once why a metric has no score on any ordinary case: in the first outcome that says it.

    What a check found besides (an input changed, another cause in a process of its own) stays.
    """
    bad = [outcome for outcome in outcomes if outcome.status in ("failed", "error")]
    if len(bad) < 2 or subject.scores_something:
        return outcomes
    told: dict[str, str] = {}
    kept = []
    for outcome in outcomes:
        if outcome in bad:
            # Names and numbers differ from case to case.
            cause = re.sub(r"'[^']*'|\"[^\"]*\"|\d+", "", outcome.reason)
            first = next((check for before, check in told.items() if before in cause), "")
            if first:
                why = f"it has no score on any ordinary case, as {first} says"
                outcome = Outcome(outcome.check, outcome.group, "not-applicable", why, 0, None)
            else:
                told[re.sub("^(raised|no case could be tried:) ", "", cause)] = outcome.check
        kept.append(outcome)
    return kept
