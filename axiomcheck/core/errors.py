"""The errors axiomcheck raises on purpose. Anything else that escapes is a defect of axiomcheck."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class AxiomcheckError(Exception):
    """Base of every error that axiomcheck raises on purpose."""


class InvalidInput(AxiomcheckError, ValueError):
    """An unusable argument or file; the message says what, where, and what is expected."""


def meant(name: str, known: Iterable[str]) -> str:
    """A question after the names that come near to one that is not known; empty where none does."""
    folded = {n.casefold(): n for n in known}
    near = difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0.5)
    return f"did you mean {', '.join(folded[n] for n in near)}?" if near else ""


class UnknownName(InvalidInput):
    """A metric, axiom or parameter of that name does not exist.

    Args:
        kind: what was looked for, such as ``"metric"``.
        known: every name that would have been accepted.

    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = list(known)
        hint = meant(name, names) or f"known: {', '.join(names)}"
        super().__init__(f"unknown {kind} {name!r}; {hint}")


class MetricError(AxiomcheckError):
    """A metric raised, or returned something that is not one finite number per ranking."""


class OverLimit(MetricError):
    """A metric ran past a limit of time or memory, or its process died."""


class InternalDisagreement(AxiomcheckError):
    """Two parts of axiomcheck contradict each other: a defect of axiomcheck, never of the metric."""


class NotRational(AxiomcheckError):
    """An exact rational was asked of something irrational, such as a logarithmic discount."""
