"""Instances of axioms on pairs as plain values: everything that a draft of one has."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from axiomcheck.core.counting import counted
from axiomcheck.core.documents import Record
from axiomcheck.records.values import Count, Share, Whole

_Row = Annotated[tuple[Share, ...], Meta(min_length=1)]
_Weight = Annotated[int, Meta(ge=1, le=2**31)]


class DraftRecord(Record):
    """One instance; see `axiomcheck.axioms.drafts.Draft`.

    ``grades`` has a row per document: the ranked ones, incoming ones, then extras.
    """

    ranked: Count
    grades: Annotated[tuple[_Row, ...], Meta(min_length=1)]
    weights: Annotated[tuple[_Weight, ...], Meta(min_length=1)]
    top: Share
    i: Whole
    j: Whole
    t: Whole
    u: Whole

    def __post_init__(self) -> None:
        documents, aspects = len(self.grades), len(self.weights)
        if any(len(row) != aspects for row in self.grades):
            raise ValueError(f"grades has rows of other lengths; expected {counted(aspects, 'grade')} in each")
        if self.ranked > documents:
            raise ValueError(f"ranked is {self.ranked}; expected at most {documents}, the documents there are")
        for name, most in (("i", self.ranked), ("j", self.ranked), ("t", aspects), ("u", aspects)):
            if getattr(self, name) >= most:
                raise ValueError(f"{name} is {getattr(self, name)}; expected less than {most}")
