"""Verdicts, and what a cell in error failed by."""

from __future__ import annotations

from enum import StrEnum

from axiomcheck.core.errors import AxiomcheckError, InternalDisagreement, OverLimit


class Verdict(StrEnum):
    """The answer for one metric under one axiom, in one reading."""

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
        """Say whether something speaks for the axiom and nothing against it."""
        return self in (Verdict.PROVED, Verdict.BOUNDED, Verdict.HELD)

    @property
    def decided(self) -> bool:
        """Say whether the question was answered, with whatever answer."""
        return self not in (Verdict.UNDECIDED, Verdict.ERROR)


class Failure(StrEnum):
    """The kind of failure of a cell in error, which says whose fault it is."""

    METRIC = "metric"
    """The metric raised, cannot be loaded, or is not one function of what it is given."""

    LIMIT = "limit"
    """It ran past a limit of time or memory, or its process died."""

    UNFAITHFUL = "unfaithful"
    """Run on symbols, its code does otherwise than on numbers."""

    DISAGREEMENT = "disagreement"
    """Two parts of axiomcheck contradict each other: a defect of axiomcheck, never of the metric."""

    @classmethod
    def of(cls, error: AxiomcheckError) -> Failure:
        """Return the kind of failure that an error stands for."""
        if isinstance(error, InternalDisagreement):
            return cls.DISAGREEMENT
        return cls.LIMIT if isinstance(error, OverLimit) else cls.METRIC
