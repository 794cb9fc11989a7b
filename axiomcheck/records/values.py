"""Define types of entries that several kinds of documents share."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import Meta

from axiomcheck.core.documents import Record
from axiomcheck.core.domain import Domain, Reading, Regime

Whole = Annotated[int, Meta(ge=0)]
Count = Annotated[int, Meta(ge=1)]
Text = Annotated[str, Meta(min_length=1)]
Share = Annotated[float, Meta(ge=0, le=1)]

FractionText = Annotated[
    str, Meta(pattern=r"^(0|1|[1-9][0-9]*/[1-9][0-9]*)$(?!\n)", description="A number in [0, 1], exactly.")
]
Number = Annotated[
    str, Meta(pattern=r"^-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?$(?!\n)", description="A fraction in lowest terms.")
]
RcText = Annotated[
    str,
    Meta(
        pattern=r"^(eps|1|[1-9][0-9]*/[1-9][0-9]*)$(?!\n)",
        description="The grade of relevant documents; eps where r << 1 is assumed.",
    ),
]
ArithmeticName = Literal["rational", "certified", "numerical", "identity"]

_SCORE = re.compile(r"-?[0-9]+(/[1-9][0-9]*|(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?)")


def is_score(text: str, distribution: bool) -> bool:
    """Return True if a string has the form of a score or, if ``distribution``, of tail probabilities.

    A score is an exact fraction or a decimal number.
    """
    return text.startswith("P[S >= ") if distribution else _SCORE.fullmatch(text) is not None


class ReadingRecord(Record):
    """Reading to which a document belongs: its regime and domain."""

    regime: Regime
    domain: Domain

    @classmethod
    def of(cls, reading: Reading) -> ReadingRecord:
        """Convert a reading to a record."""
        return cls(reading.regime, reading.domain)

    @property
    def reading(self) -> Reading:
        """The record as a `Reading`."""
        return Reading(self.regime, self.domain)
