"""Say why an axiom does not apply to a metric."""

from __future__ import annotations

from axiomcheck.axioms import Axiom, about_pairs, about_scores
from axiomcheck.metrics import LiftedMetric, Metric
from axiomcheck.records.causes import Cause, cause


def not_applicable(metric: Metric, axiom: Axiom, small: bool) -> Cause | None:
    """Return why an axiom says nothing of a metric; None where it does.

    Args:
        metric: of any kind.
        axiom: which one is asked.
        small: whether r << 1 is assumed.

    """
    if axiom.group == "diversity" and not metric.applies_to_aspects():
        return cause("not-lifted" if isinstance(metric, LiftedMetric) else "one-aspect")
    levels = metric.abilities.levels
    if small and levels is not None and not metric.binary_only:
        return cause("grades-too-coarse", levels=levels)
    if not about_pairs(axiom):
        return None
    if about_scores(axiom) and metric.partial:
        return cause("no-score")
    if axiom.weighted and not metric.abilities.weights:
        return cause("no-weights")
    if metric.cutoff is not None and axiom.longest(metric.cutoff) < axiom.min_ranked:
        return cause("cutoff-too-short", cutoff=metric.cutoff, rank=axiom.min_ranked + axiom.appends)
    return None
