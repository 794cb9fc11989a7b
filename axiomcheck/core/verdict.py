"""The verdicts of cells, and the kinds of failure behind the verdict "error"."""

from __future__ import annotations

from enum import StrEnum

from axiomcheck.core.errors import AxiomcheckError, InternalDisagreement, OverLimit


class Verdict(StrEnum):
    """Answer to the question of whether a metric satisfies an axiom in one reading."""

    REFUTED = "refuted"
    PROVED = "proved"
    BOUNDED = "bounded"
    HELD = "held"
    INCOMPARABLE = "incomparable"
    NOT_APPLICABLE = "not-applicable"
    UNDECIDED = "undecided"
    ERROR = "error"

    @property
    def satisfied(self) -> bool:
        """Return True if there is evidence for the axiom and none against it."""
        return self in (Verdict.PROVED, Verdict.BOUNDED, Verdict.HELD)

    @property
    def decided(self) -> bool:
        """Return True unless the verdict is undecided or an error."""
        return self not in (Verdict.UNDECIDED, Verdict.ERROR)


class Failure(StrEnum):
    """Kind of failure of a cell with the verdict "error"."""

    METRIC = "metric"
    """The metric raised an exception, could not be loaded, or has scores that depend on more than its arguments."""

    LIMIT = "limit"
    """The metric exceeded a limit on time or memory, or its process died."""

    UNFAITHFUL = "unfaithful"
    """The metric's code behaves differently on symbols than on numbers."""

    DISAGREEMENT = "disagreement"
    """Two parts of axiomcheck contradict each other, which is a bug in axiomcheck and not in the metric."""

    @classmethod
    def of(cls, error: AxiomcheckError) -> Failure:
        """Return the kind of failure of a cell that ended with an exception."""
        if isinstance(error, InternalDisagreement):
            return cls.DISAGREEMENT
        return cls.LIMIT if isinstance(error, OverLimit) else cls.METRIC
