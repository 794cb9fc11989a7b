"""Define evidence: records of the instances that were tested for a cell, and of their results."""

from __future__ import annotations

import math
from typing import Annotated, TypeAlias

from msgspec import Meta

from axiomcheck.core.documents import UNSET, Maybe, Record
from axiomcheck.records.values import ArithmeticName, Count, FractionText, RcText, Share, Text, Whole, is_score


class Shapes(Record):
    """Smallest and largest numbers of ranked documents and of aspects in the tested instances."""

    ranked: tuple[Whole, Whole]
    aspects: tuple[Whole, Whole]


class Exhausted(Record):
    """Enumerated group of instances: the numbers of documents and aspects, and the number of instances."""

    documents: Count
    aspects: Count
    instances: Whole


class Incomparable(Record):
    """Share of sampled instances with incomparable rankings, for a metric that compares distributions.

    ``left_out`` is the largest total probability of the values that a distribution does not list.
    """

    share: Share | None
    left_out: Share


class Violations(Record):
    """Numbers of sampled instances that violate the axiom, their share, and the largest margin of a reversal.

    The margin is a share of the larger score.
    """

    share: Share | None
    reversals: Whole
    ties: Whole
    largest_relative_margin: Annotated[float, Meta(ge=0)]


class Covered(Record):
    """Scope of a certificate in words, and its size in bytes as compact JSON."""

    scope: str
    bytes: Count


class PairEvidence(Record):
    """Tested instances of an axiom about pairs of rankings.

    ``patterns`` is the number of instances of rare kinds (see `axiomcheck.decide.patterns`). ``numerical`` is the
    reason why the metric has only float scores. ``undeclared_cutoff`` is the rank below which a metric without a
    declared cutoff ignored all documents in probes; longer rankings were then not tested. ``few`` is the largest
    number of instances of each kind if the run's time limit shortened the search. If there were several searches of the
    cell, ``blocks`` is their number, and ``instances`` is a lower bound on the number of distinct instances.
    """

    instances: Whole
    enumerated: Whole
    patterns: Whole
    sampled: Whole
    focused: Whole
    unresolved: Whole
    decided_exactly: Whole
    audited: Whole
    small_grades: bool
    binary: bool
    shapes: Shapes
    grid: Text
    exhausted: tuple[Exhausted, ...]
    nearly_all_sampled: bool
    seed: int
    numerical: Text | None
    incomparable: Maybe[Incomparable] = UNSET
    violations: Maybe[Violations] = UNSET
    undeclared_cutoff: Maybe[Count] = UNSET
    few: Maybe[Count] = UNSET
    blocks: Maybe[Annotated[int, Meta(ge=2)]] = UNSET
    proof: Maybe[Covered] = UNSET

    @property
    def one_in(self) -> int:
        """Largest n such that a violation that occurs in 1 of n random instances is found with a probability of 99 %.

        The result is 0 if no instance was random. If a share s of instances violates the axiom, N distinct instances
        all satisfy it with probability (1 - s)^N, about exp(-N s).
        """
        random = self.instances - self.enumerated - self.patterns - self.focused
        return max(0, int(random / math.log(100)))


class Example(Record):
    """Scores of the block and of the top at one n, or tail probabilities if the metric compares distributions."""

    n: Count
    rc: RcText
    unretrieved_relevant: Whole
    block: Text
    top: Text
    order: Whole
    arithmetic: ArithmeticName

    def __post_init__(self) -> None:
        for side in ("block", "top"):
            text = getattr(self, side)
            if not (is_score(text, False) or is_score(text, True)):
                raise ValueError(f"{side} is {text[:200]!r}; expected a score or a tail probability")


class ThresholdEvidence(Record, kw_only=True):
    """Tested instances of an axiom about long blocks.

    ``exact`` is false for a metric that has only float scores. For DeepTh, the top is ahead from n = ``n0`` on. For
    CloseTh, the block is ahead at n = ``m``. ``beyond`` lists tested n above ``up_to_n``. ``few`` is defined as in
    `PairEvidence`.
    """

    instances: Whole
    exact: bool
    up_to_n: Count
    beyond: Maybe[Annotated[tuple[Count, ...], Meta(min_length=1)]] = UNSET
    argument: Text | None
    unretrieved_relevant: Annotated[tuple[Whole, ...], Meta(min_length=1)]
    rc: Maybe[Annotated[tuple[FractionText, ...], Meta(min_length=1)]] = UNSET
    n0: Maybe[Count | None] = UNSET
    m: Maybe[Count] = UNSET
    example: Maybe[Example] = UNSET
    few: Maybe[Count] = UNSET
    seed: int
    proof: Maybe[Covered] = UNSET


class PinnedEvidence(Record):
    """Number of pinned witnesses that were scored again in place of a search."""

    instances: Whole


Evidence: TypeAlias = PairEvidence | ThresholdEvidence | PinnedEvidence
