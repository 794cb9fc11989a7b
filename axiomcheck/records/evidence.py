"""Evidence: what was tried of a cell, and what was seen."""

from __future__ import annotations

import math
from typing import Annotated, TypeAlias

from msgspec import Meta

from axiomcheck.core.documents import UNSET, Maybe, Record
from axiomcheck.records.values import ArithmeticName, Count, FractionText, RcText, Share, Text, Whole, is_score


class Shapes(Record):
    """The least and the largest number of ranked documents, and of aspects."""

    ranked: tuple[Whole, Whole]
    aspects: tuple[Whole, Whole]


class Exhausted(Record):
    """A group of small instances that was enumerated."""

    documents: Count
    aspects: Count
    instances: Whole


class Incomparable(Record):
    """The sampled instances that leave neither side ahead, for metrics that compare distributions.

    ``left_out`` is the largest probability that a distribution leaves out.
    """

    share: Share | None
    left_out: Share


class Violations(Record):
    """The sampled instances that violate the axiom, and the largest share of the score by which they do."""

    share: Share | None
    reversals: Whole
    ties: Whole
    largest_relative_margin: Annotated[float, Meta(ge=0)]


class Covered(Record):
    """The scope of the certificate in words, and its size as compact JSON."""

    scope: str
    bytes: Count


class PairEvidence(Record):
    """The instances that were tried of an axiom on pairs of rankings.

    ``numerical`` is why floats are all there is of the metric. ``undeclared_cutoff`` is the rank below which the
    metric, which declares no cutoff, ignores everything, as far as probes show; no longer ranking was tried. ``few`` is
    how many instances of each kind the run's limit on time left to the cell, where it left less than there is.
    ``blocks`` is how many searches the cell had, where it had several: ``instances`` is then how many different ones
    they tried between them at least. ``patterns`` is how many instances were tried of kinds that are rare among random
    ones, see `axiomcheck.decide.patterns`.
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
        """Return n such that this search finds 99 % of what 1 in n random instances violates; 0 where none were random.

        N distinct ones find none of a share s with probability (1 - s)^N, about exp(-N s).
        """
        random = self.instances - self.enumerated - self.patterns - self.focused
        return max(0, int(random / math.log(100)))


class Example(Record):
    """Scores at one n: of the block, and of the single top document."""

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
                raise ValueError(f"{side} is {text[:200]!r}; expected a score, or the probability of scores")


class ThresholdEvidence(Record, kw_only=True):
    """The instances that were tried of an axiom on long blocks.

    ``exact`` is false where floats are all there is of the metric. DeepTh holds from ``n0`` on, CloseTh at ``m``.
    """

    instances: Whole
    exact: bool
    up_to_n: Count
    argument: Text | None
    unretrieved_relevant: Annotated[tuple[Whole, ...], Meta(min_length=1)]
    rc: Maybe[Annotated[tuple[FractionText, ...], Meta(min_length=1)]] = UNSET
    n0: Maybe[Count | None] = UNSET
    m: Maybe[Count] = UNSET
    example: Maybe[Example] = UNSET
    seed: int
    proof: Maybe[Covered] = UNSET


class PinnedEvidence(Record):
    """The one instance of a pinned witness that was scored again."""

    instances: Whole


Evidence: TypeAlias = PairEvidence | ThresholdEvidence | PinnedEvidence
