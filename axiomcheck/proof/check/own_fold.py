"""Whether a metric is scored by its fold, whoever wrote it: what every argument about a fold takes for granted."""

from __future__ import annotations

from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import FoldMetric, Metric
from axiomcheck.proof.check.own_code import check_fold, check_own_code, check_scores
from axiomcheck.proof.check.quotients import Exact, Quotient, attempt
from axiomcheck.sources.provenance import runs_catalogue_code


def check_own_fold(metric: Metric) -> FoldMetric:
    """Checks that a metric's scores, in floats and exactly, are what its fold adds up to on symbols.

    Args:
        metric: with its own values of the parameters.

    Returns:
        The metric.

    Raises:
        InvalidInput: it has code of its own that no lemma covers, or parts from its fold; the message says where.

    """
    name = type(metric).__name__
    if not isinstance(metric, FoldMetric):
        raise InvalidInput(f"metric: {name} is not scored by folds")
    check_own_code(metric)
    check_fold(attempt("metric: the fold", metric.fold), name)
    if not runs_catalogue_code(metric):
        attempt("metric: its scores", check_scores, metric, Exact(), Quotient.of, lambda x: Quotient.of(x).constant())
    return metric
