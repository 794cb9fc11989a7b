"""Other counterexamples of a refuted cell than the smallest: a reversal beside a tie, and a large margin."""

from __future__ import annotations

from fractions import Fraction

from axiomcheck.core.documents import UNSET, Maybe
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.comparison import judge
from axiomcheck.decide.outcome import Judgement
from axiomcheck.decide.shrink import shrink
from axiomcheck.decide.tally import Tally
from axiomcheck.decide.witness import Witness, witness_of
from axiomcheck.records.witnesses import Further, PairWitness, WitnessScores

_KEPT = Fraction(19, 20)
"""How much of the largest margin stays where the instance is made small, which simple numbers are worth."""


def further_of(tally: Tally, smallest: Witness) -> Further | None:
    """What else was seen to violate, made small and confirmed as a witness is; None where it shows nothing more.

    Args:
        tally: what the search has seen of the metric.
        smallest: the cell's witness.

    Raises:
        MetricError: the metric raised.

    """
    if tally.metric.partial:
        return None
    reversal = _reversal(tally, smallest) if smallest.kind == "tie" else None
    known = margin_of(smallest.judgement)
    largest = _largest(tally, smallest, max(known, margin_of(reversal.judgement)) if reversal else known)
    if reversal is None and largest is None:
        return None
    return Further(_record(reversal), _record(largest))


def margin_of(scores: Judgement | WitnessScores) -> Fraction:
    """By how much the worse ranking is ahead, as a share of the larger score; 0 where both score 0."""
    worse, better = Fraction(scores.worse), Fraction(scores.better)
    larger = max(abs(worse), abs(better))
    return (worse - better) / larger if larger else Fraction(0)


def _reversal(tally: Tally, smallest: Witness) -> Witness | None:
    """The smallest reversal that is confirmed, made smaller."""
    metric = tally.metric
    for candidate in tally.small_reversals:
        if judge(metric, candidate.batch).sign == -1:
            batch = shrink(metric, candidate.batch, metric.cutoff, keeps=lambda b: judge(metric, b).sign == -1)
            return witness_of(metric, batch, smallest.reading, None)
    return None


def _largest(tally: Tally, smallest: Witness, known: Fraction) -> Witness | None:
    """The instance of the largest margin, made smaller; None if the margin is one that is known already."""
    metric = tally.metric
    if tally.largest is None:
        return None
    judged = judge(metric, tally.largest[1])
    least = _KEPT * margin_of(judged) if judged.sign == -1 else Fraction(0)
    if least <= known:
        return None

    def keeps(batch: Batch) -> bool:
        judgement = judge(metric, batch)
        return judgement.sign == -1 and margin_of(judgement) >= least

    return witness_of(metric, shrink(metric, tally.largest[1], metric.cutoff, keeps=keeps), smallest.reading, None)


def _record(witness: Witness | None) -> Maybe[PairWitness]:
    return UNSET if witness is None else witness.record()
