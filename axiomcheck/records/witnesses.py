"""Witnesses as documents: counterexamples that can be checked again from scratch."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from axiomcheck.axioms import Axiom, about_pairs
from axiomcheck.core.counting import counted
from axiomcheck.core.documents import UNSET, Maybe, Record, schema_of
from axiomcheck.records.values import (
    ArithmeticName,
    Count,
    FractionText,
    RcText,
    ReadingRecord,
    Text,
    Whole,
    is_score,
)

SCHEMA: Literal["axiomcheck/witness"] = "axiomcheck/witness"
VERSION: Literal[1] = 1

Documents = Annotated[tuple[Text, ...], Meta(min_length=1)]
Grades = Annotated[tuple[FractionText, ...], Meta(min_length=1)]
DocumentName = Annotated[str, Meta(pattern=r"^(d[1-9][0-9]*|e[1-9][0-9]*|d'|x|x')$(?!\n)")]


class TopicRecord(Record):
    """Aspect weights of a topic, and documents with one grade per aspect: d1, d2, ..., incoming ones, e1, e2, ..."""

    weights: Grades
    pool: Annotated[dict[DocumentName, Grades], Meta(min_length=1)]

    def __post_init__(self) -> None:
        for name, grades in self.pool.items():
            if len(grades) != len(self.weights):
                raise ValueError(f"pool.{name} has {counted(len(grades), 'grade')}; expected {len(self.weights)}")


class Roles(Record):
    """Number of ranked documents, and the positions and aspects that the axiom speaks of, from 1."""

    ranked: Count
    i: Maybe[Count] = UNSET
    j: Maybe[Count] = UNSET
    t: Maybe[Count] = UNSET
    u: Maybe[Count] = UNSET

    @property
    def chosen(self) -> dict[str, int]:
        """Roles other than ``ranked`` that are present, by name."""
        return {name: role for name in "ijtu" if (role := getattr(self, name)) is not UNSET}


class WitnessScores(Record):
    """Scores of both rankings; for a metric that compares distributions, probabilities of scores.

    ``bound`` is present for an axiom on the score of a single ranking. It names the side that is the axiom's number
    instead of a score.
    """

    worse: Text
    better: Text
    arithmetic: ArithmeticName
    order: Whole
    of: Maybe[Literal["distribution"]] = UNSET
    bound: Maybe[Literal["worse", "better"]] = UNSET

    def __post_init__(self) -> None:
        for side in ("worse", "better"):
            if not is_score(getattr(self, side), bool(self.of)):
                expected = "a probability such as 'P[S >= 1/2] = 1'" if self.of else "an exact fraction, or decimals"
                raise ValueError(f"{side} is {getattr(self, side)[:200]!r}; expected {expected}")


class _OfCell(Record):
    schema: Literal["axiomcheck/witness"]
    version: Literal[1]
    axiom: Text
    metric: Text
    reading: ReadingRecord
    small: bool


class PairWitness(_OfCell):
    """Two rankings of one topic that the metric does not order as the axiom requires.

    For an axiom on the score of a single ranking, both are that ranking.
    """

    kind: Literal["reversal", "tie", "incomparable"]
    topic: TopicRecord
    worse: Documents
    better: Documents
    roles: Roles
    scores: WitnessScores
    minimal: Text | None
    eps: Maybe[Annotated[str, Meta(pattern=r"^1/10{1,45}$(?!\n)")]] = UNSET

    def __post_init__(self) -> None:
        for side in ("worse", "better"):
            names = getattr(self, side)
            unknown = [name for name in names if name not in self.topic.pool]
            if unknown:
                raise ValueError(f"{side} names {unknown[0]!r}, which is not in the pool")
            if len({*names}) != len(names):
                raise ValueError(f"{side} is {list(names)}; expected every document once")
        if self.small is not bool(self.eps):
            expected = "is missing; expected a fraction such as '1/1000'" if self.small else "is not expected"
            raise ValueError(f"eps {expected}, since small is {str(self.small).lower()}")


class ThresholdWitness(_OfCell):
    """Side that is ahead at n = 1, 2, ... of one top document and a lower block of n, and the argument for larger n."""

    kind: Literal["threshold"]
    rc: RcText
    unretrieved_relevant: Whole
    ahead: Annotated[tuple[Literal["top", "block", "tie", "not tried", "incomparable"], ...], Meta(min_length=1)]
    ahead_beyond: Literal["top", "block", "tie", "incomparable"]
    argument: Text

    def __post_init__(self) -> None:
        if self.small is not (self.rc == "eps"):
            expected = "'eps'" if self.small else "a fraction in (0, 1]"
            raise ValueError(f"rc is {self.rc[:200]!r}; expected {expected}, since small is {str(self.small).lower()}")


AnyWitness: TypeAlias = PairWitness | ThresholdWitness


def witness_kind(axiom: Axiom) -> type[AnyWitness]:
    """Return the type of witness that an axiom has."""
    return PairWitness if about_pairs(axiom) else ThresholdWitness


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of witnesses."""
    return schema_of((PairWitness, ThresholdWitness), SCHEMA, VERSION)
