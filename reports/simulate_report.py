"""Studies as text and as JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from axiomcheck.core.counting import counted
from axiomcheck.runs.simulate import Known, Outcome, RunStudy, as_float

EXPECTATIONS: tuple[tuple[Any, str], ...] = (("mean", "E[T/f(H)]"), ("ratio", "E[T]/E[f(H)]"))
"""(attribute, name) of the two expectations that P@H is."""
_SHOWN = 12
"""The most intervals that the text shows; JSON has all."""


def study_text(study: RunStudy) -> str:
    """A study for the terminal."""
    users = study.simulations[0].users
    lines = [f"{study.name}: {users:,} simulated users per run, seed {study.seed}"]
    names = [f"run {number}" for number in range(1, len(study.known) + 1)]
    lines += [f"{name}: {' '.join(map(str, k.run))}" for name, k in zip(names, study.known, strict=True)]
    lines.append("")
    lines.append(" " * 25 + "".join(f"{name:<24}" for name in names).rstrip())
    for which, title in EXPECTATIONS:
        exact = "".join(f"{as_float(getattr(k, which)):<24.6f}" for k in study.known)
        found = [(getattr(s, which), getattr(s, f"{which}_error")) for s in study.simulations]
        simulated = "".join(f"{f'{estimate:.6f} ± {error:.6f}':<24}" for estimate, error in found)
        lines.append(f"{title:<14}{'exact':<11}{exact}".rstrip())
        lines.append(f"{'':<14}{'simulated':<11}{simulated}".rstrip())
    lines.append("")
    if len(study.known) == 2:
        lines += [f"{title}: {order_text(study.order(which))}" for which, title in EXPECTATIONS]
        lines.append(f"dominance: {dominance_text(study.dominance())}")
        segments = study.segments()
        shown = segments if len(segments) <= _SHOWN else segments[:_SHOWN]
        for s in shown:
            lines.append(f"  {score_text(s.low)} < x <= {score_text(s.high)}: {ahead_text(s.ahead)}")
        if len(shown) < len(segments):
            lines.append(f"  and {counted(len(segments) - len(shown), 'more interval')} (-f json has all)")
    lines += [f"{name}: {listed_text(k)}" for name, k in zip(names, study.known, strict=True)]
    return "\n".join(lines) + "\n"


def order_text(outcome: Outcome) -> str:
    """Which of two runs has the larger expectation."""
    return {
        "first": "run 1 is ahead",
        "second": "run 2 is ahead",
        "equal": "a tie",
        "undecided": "not decided (too close for certified intervals)",
    }[outcome]


def dominance_text(outcome: Outcome) -> str:
    """Which of two runs dominates the other."""
    return {
        "first": "run 1 dominates run 2",
        "second": "run 2 dominates run 1",
        "equal": "the distributions are the same",
        "incomparable": "incomparable, the distributions cross",
        "undecided": "not decided by the paths that were followed",
    }[outcome]


def ahead_text(outcome: Outcome) -> str:
    """Of which of two runs more users score so much or more."""
    return {
        "first": "more users of run 1 score x or more",
        "second": "more users of run 2 score x or more",
        "equal": "as many users of both",
        "undecided": "not decided by the paths that were followed",
    }[outcome]


def listed_text(known: Known) -> str:
    """How much is known of a distribution."""
    if known.depth is None:
        return f"distribution of {counted(len(known.values), 'value')}, complete"
    left_out = f"a share of {as_float(known.rest):.2g} of the users takes more than {counted(known.depth, 'step')}"
    return f"distribution of {counted(len(known.values), 'value')}; {left_out}"


def score_text(value: Fraction) -> str:
    """A score, exact where it is short."""
    return str(value) if value.denominator < 10_000 else f"{float(value):.6f}"


def _exact(value: Any) -> str:
    return value.str(20, radius=False) if isinstance(value, arb) else str(value)


def study_json(study: RunStudy) -> dict[str, Any]:
    """A study as JSON; exact numbers are texts, ``a/b`` or certified decimals."""
    runs = []
    for k, s in zip(study.known, study.simulations, strict=True):
        runs.append(
            {
                "run": [str(x) for x in k.run],
                "mean": {"exact": _exact(k.mean), "simulated": s.mean, "standard_error": s.mean_error},
                "ratio": {"exact": _exact(k.ratio), "simulated": s.ratio, "standard_error": s.ratio_error},
                "distribution": {
                    "values": [str(v) for v in k.values],
                    "probabilities": [_exact(m) for m in k.masses],
                    "left_out": str(fmpq(k.rest)),
                    "most_steps": k.depth,
                },
            }
        )
    found: dict[str, Any] = {
        "schema": "axiomcheck/simulate",
        "version": 1,
        "browsing": study.name,
        "users": study.simulations[0].users,
        "seed": study.seed,
        "runs": runs,
    }
    if len(runs) == 2:
        found["orders"] = {
            "mean": study.order("mean"),
            "ratio": study.order("ratio"),
            "dominance": study.dominance(),
        }
        found["segments"] = [{"low": str(s.low), "high": str(s.high), "ahead": s.ahead} for s in study.segments()]
    return found
