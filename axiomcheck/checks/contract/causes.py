"""Recognise a metric that fills rankings with the rest of the pool, and tell once what that breaks.

A wrapper may hand a library the documents that were not retrieved as well. Checks that shorten, lengthen or rename a
ranking then fail one after the other, and all of these alarms are the wrapper's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from axiomcheck.checks.contract.counterexamples import apart
from axiomcheck.checks.contract.registry import Outcome
from axiomcheck.metrics.base import Metric
from axiomcheck.sources.function_metrics import CallableMetric, FloatTopic, metric
from axiomcheck.trials.subject import Subject

__all__ = ["told_once"]

_CAUSE = "a ranking is scored as if the rest of the pool were listed after it"
_NEEDS = "a function that scores the ranking alone"


def told_once(subject: Subject, outcomes: list[Outcome], ask: Callable[[str, Subject], Outcome]) -> list[Outcome]:
    """Return outcomes in which one alarm names the cause and stands for the others, of a metric that fills rankings.

    An alarm is of that cause where nDCG fails the same check once it fills rankings, too. All other alarms stay.

    Args:
        subject: the metric.
        outcomes: of all checks that were asked.
        ask: asks a check of that name.

    """
    failing = [outcome for outcome in outcomes if outcome.status == "failed"]
    if not failing or not isinstance(subject.metric, CallableMetric) or not _fills_rankings(subject):
        return outcomes
    other = Subject(_filling_ndcg(subject.metric), None, subject.tolerance, subject.seed)
    explained = [outcome.check for outcome in failing if ask(outcome.check, other).status == "failed"]
    return [_told(outcome, explained) for outcome in outcomes]


def _told(outcome: Outcome, explained: Sequence[str]) -> Outcome:
    if outcome.check not in explained:
        return outcome
    if outcome.check == explained[0]:
        return replace(outcome, reason=f"{_CAUSE}: {outcome.reason}")
    return replace(
        outcome,
        status="not-applicable",
        reason=f"{_CAUSE}, as {explained[0]} says",
        counterexample=None,
        needs=_NEEDS,
    )


def _fills_rankings(subject: Subject) -> bool:
    """Return whether rankings score as with the rest of the pool after them in some order, and not in every order."""
    unlike = np.zeros(4, dtype=bool)
    for block, base in zip(subject.blocks, subject.base, strict=True):
        rest = block.outside()
        if rest.shape[1] < 2:
            continue
        names = np.array(block.names)[rest]
        by_name = np.take_along_axis(rest, np.argsort(names, axis=1, kind="stable"), axis=1)
        orders = (rest, rest[:, ::-1], by_name, by_name[:, ::-1])
        filled = subject.score([block.reordered(np.concatenate([block.order, some], axis=1)) for some in orders])
        for k, scores in enumerate(filled):
            wrong = base.usable & (~scores.usable | apart(base.values, scores.values, subject.rounding))
            unlike[k] |= bool(wrong.any())
    return bool(unlike.any() and not unlike.all())


def _filling_ndcg(like: Metric) -> Metric:
    """Return nDCG over rankings that are filled, with the declarations of another metric."""
    claims, cutoff = like.claims, like.cutoff
    high = 1.0 if claims.high is None else float(claims.high)

    def filling_ndcg(topic: FloatTopic, ranking: Sequence[str]) -> float:
        def gain(document: str) -> float:
            grades = topic.pool.get(document, ())
            return sum(weight * grade for weight, grade in zip(topic.weights, grades, strict=False))

        def discounted(gains: Sequence[float]) -> float:
            return math.fsum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains[:cutoff]))

        best = discounted(sorted(map(gain, topic.pool), reverse=True))
        return high * discounted([gain(one) for one in dict.fromkeys([*ranking, *topic.pool])]) / best if best else 0.0

    declared = metric(
        cutoff=cutoff,
        binary_only=like.binary_only,
        single_aspect=not like.applies_to_aspects(),
        levels=like.abilities.levels,
        low=None if claims.low is None else float(claims.low),
        high=None if claims.high is None else float(claims.high),
        ideal=claims.ideal,
    )
    return declared(filling_ndcg)
