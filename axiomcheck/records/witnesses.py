"""Define witnesses: counterexamples as documents, with everything that is needed to compute the scores again."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from axiomcheck.axioms import Axiom, about_pairs
from axiomcheck.core.documents import UNSET, Maybe, Record, schema_of
from axiomcheck.core.printable import counted
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
    """Aspect weights of a topic, and its documents with one grade per aspect.

    Ranked documents are called d1, d2, ..., documents that the axiom adds x, x' or d', and all others e1, e2, ...
    """

    weights: Grades
    pool: Annotated[dict[DocumentName, Grades], Meta(min_length=1)]

    def __post_init__(self) -> None:
        for name, grades in self.pool.items():
            if len(grades) != len(self.weights):
                raise ValueError(f"pool.{name} has {counted(len(grades), 'grade')}; expected {len(self.weights)}")


class Roles(Record):
    """Number of ranked documents, and the ranks i, j and aspects t, u that the axiom refers to, counted from 1."""

    ranked: Count
    i: Maybe[Count] = UNSET
    j: Maybe[Count] = UNSET
    t: Maybe[Count] = UNSET
    u: Maybe[Count] = UNSET

    @property
    def chosen(self) -> dict[str, int]:
        """Ranks and aspects that are present, by name."""
        return {name: role for name in "ijtu" if (role := getattr(self, name)) is not UNSET}


class WitnessScores(Record):
    """Scores of both rankings, or tail probabilities for a metric that compares distributions.

    If r << 1 is assumed, the values are coefficients of eps^``order``. ``bound`` is present for an axiom about a single
    score: it names the side that has the axiom's bound in place of a score.
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
    """Counterexample: two rankings for the same topic that the metric does not order as the axiom requires.

    For an axiom about a single score, both rankings are the same.
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
    """Counterexample to a threshold axiom: the side that is ahead at each tested n, and at all larger n.

    ``argument`` says why the same side is ahead at all larger n. The top is a ranking with one relevant document at
    rank 1, and the block is a ranking with n relevant documents after n others.
    """

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
    """Return the type of the witnesses of an axiom."""
    return PairWitness if about_pairs(axiom) else ThresholdWitness


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of witnesses."""
    return schema_of((PairWitness, ThresholdWitness), SCHEMA, VERSION)
