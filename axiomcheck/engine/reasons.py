"""The sentences that say why a verdict is what it is, made of the metric and the evidence alone.

The engine writes them, and `axiomcheck.replay` makes them again to hold a report's sentences against its numbers.
"""

from __future__ import annotations

import re
from fractions import Fraction

from axiomcheck.axioms import Axiom, about_pairs, about_scores
from axiomcheck.core.counting import counted
from axiomcheck.metrics import LiftedMetric, Metric
from axiomcheck.records.cells import sampled_instances
from axiomcheck.records.evidence import PairEvidence, ThresholdEvidence
from axiomcheck.records.witnesses import PairWitness

BROKEN = "run on symbols, its code does otherwise than on numbers: "
"""Of a metric from outside whose proof its scores contradict; how they do comes after it."""

NAMED = "its scores depend on the names of documents, so nothing is proved of it: "
"""Of a metric from outside; two scores come after it."""

NOT_TOLD_APART = "floats could not tell"
"""Of a metric whose scores are too coarse; how coarse may come after it."""

_NOT_AT_RANDOM = "on none that was drawn at random"

_RESOLUTION = re.compile(
    "; (?:all scores looked at are multiples of [-0-9.e]+|"
    "scores are about [-+0-9.e]+, where floats are [-0-9.e]+ apart)$"
)

_CHANGES = ("cannot be read", "changed while it was scored")


def unproved(how: str) -> str:
    """Why nothing is proved of a metric from outside: what is the matter with its code."""
    return f"its code or what it remembers {how}, so nothing is proved of it"


def without_remark(reason: str) -> str:
    """What the search says, of a reason that goes on with a remark on proofs of metrics from outside."""
    reason = _RESOLUTION.sub("", reason.partition(f"; {NAMED}")[0])
    for remark in map(unproved, _CHANGES):
        if reason.endswith(f"; {remark}"):
            return reason.removesuffix(f"; {remark}")
    found, _, clash = reason.partition(f"; {BROKEN}")
    return found if clash else reason


def not_applicable(metric: Metric, axiom: Axiom, small: bool) -> str:
    """Why an axiom says nothing of a metric; empty where it does.

    Args:
        metric: of any kind.
        axiom: which one is asked.
        small: whether r << 1 is assumed.

    """
    if axiom.group == "diversity" and not metric.applies_to_aspects():
        lift = " (aggregate=max lifts it to several)" if isinstance(metric, LiftedMetric) else ""
        return f"{metric.name} knows one aspect{lift}"
    levels = metric.abilities.levels
    if small and levels is not None and not metric.binary_only:
        return f"r << 1 is out of the reach of {metric.name}, whose grades are multiples of {Fraction(1, levels)}"
    if not about_pairs(axiom):
        return ""
    if about_scores(axiom) and metric.partial:
        return f"{metric.name} compares distributions; {axiom.name} is about scores"
    if axiom.weighted and not metric.abilities.weights:
        return f"{metric.name} takes no aspect weights"
    if metric.cutoff is not None and axiom.longest(metric.cutoff) < axiom.min_ranked:
        need = axiom.min_ranked + axiom.appends
        return f"no instance fits the cutoff {metric.cutoff}; {axiom.name} speaks of rank {need} at least"
    return ""


def refuted(evidence: PairEvidence, witness: PairWitness) -> str:
    """Of an axiom on pairs, with its witness, a ``reversal`` or a ``tie``."""
    reversal = reversal_name(witness)
    kind = witness.kind.replace("reversal", reversal)
    several = reversal.replace("score", "scores") if witness.scores.bound else f"{reversal}s"
    found = evidence.violations
    assert found
    share = found.share
    if share is None:
        return f"a {kind}"
    kinds = [name for name, count in ((several, found.reversals), ("ties", found.ties)) if count]
    if not kinds:
        return f"a {kind}, {_NOT_AT_RANDOM}"
    return f"{' and '.join(kinds)} in {100 * share:.3g}% of {sampled_instances(evidence)}"


def reversal_name(witness: PairWitness) -> str:
    """The violation in words that is called a reversal where two rankings are compared."""
    if not witness.scores.bound:
        return "reversal"
    return "score below the bound" if witness.scores.bound == "worse" else "score above the bound"


def incomparable(evidence: PairEvidence) -> str:
    """Of an axiom on pairs, under a metric that compares distributions."""
    assert evidence.incomparable
    share, open_ = evidence.incomparable.share, evidence.unresolved
    seen = f"in {100 * share:.3g}% of {sampled_instances(evidence)}" if share else _NOT_AT_RANDOM
    left = f"; {counted(open_, 'instance')} could not be decided" if open_ else ""
    return f"neither ranking dominates, {seen}; none that should be ahead was found dominated{left}"


def beside_proof(reason: str, evidence: ThresholdEvidence) -> str:
    """What the search says of a threshold axiom where a proof says it all: how far it tried, without argument."""
    return reason if evidence.argument else f"tried up to n = {evidence.up_to_n}"


def held(evidence: PairEvidence) -> str:
    """Of an axiom on pairs that no instance violated, in exact arithmetic or in floats."""
    least = "at least " if evidence.blocks else ""
    found = f"no violation in {least}{counted(evidence.instances, 'distinct instance')}"
    if not evidence.numerical:
        return found
    more = evidence.unresolved
    return f"{found}, in floats" + (f"; {more:,} more could not be told apart" if more else "")
