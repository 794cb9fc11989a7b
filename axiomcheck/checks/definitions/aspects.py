"""Name the definition of a metric of several aspects: a metric of the catalogue, or a combination over aspects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from axiomcheck.checks.definitions.dictionary import Definition
from axiomcheck.checks.definitions.scored import equal, rankings_of, rounding_seen, several_aspects
from axiomcheck.core.typing import Reals
from axiomcheck.metrics import parse
from axiomcheck.metrics.base import Metric
from axiomcheck.sources.external_metrics import rounding_of
from axiomcheck.sources.probes import CaseBlock
from axiomcheck.trials.subject import Subject

_NAMES = ("alpha-nDCG", "alpha-nDCG-greedy", "S-Recall", "S-RR", "NRBP", "NRBP-paper", "D#-nDCG", "RBU", "EU", "CT")
_IN_WEIGHTED_FORM = ("alpha-nDCG", "alpha-nDCG-greedy", "NRBP", "NRBP-paper")
_CUTOFFS = (5, 10, 20)


def _catalogue(cutoff: int | None) -> Iterator[Metric]:
    """Yield the metrics of the catalogue that are defined for several aspects only, by their usual cutoffs."""
    for name in _NAMES:
        for form in ("", "(weighted=yes)") if name in _IN_WEIGHTED_FORM else ("",):
            usual = parse(name + form)
            for k in dict.fromkeys((cutoff, None, *_CUTOFFS)):
                yield type(usual)(k, **usual.values)


def catalogue_definition(subject: Subject) -> tuple[str, int] | None:
    """Return the name of the catalogue's metric with the scores of a metric of several aspects, and their number."""
    blocks = several_aspects(subject)
    scored = [scores.values for scores in subject.score(blocks)]
    if not all(np.isfinite(scores).all() for scores in scored):
        return None
    rounding = max(1e-9, rounding_of(subject.metric), rounding_seen(np.concatenate(scored)))
    for metric in _catalogue(subject.metric.cutoff):
        if metric.binary_only and not subject.metric.binary_only:
            continue
        scores = (metric.evaluate(block.pool, block.weights, block.order) for block in blocks)
        if all(bool(equal(ours, theirs, rounding).all()) for ours, theirs in zip(scored, scores, strict=True)):
            return metric.canonical, sum(block.size for block in blocks)
    return None


def combination(subject: Subject, definition: Definition, rounding: float) -> str:
    """Return how a metric combines the scores or grades of several aspects, or that it is no known way."""
    blocks = several_aspects(subject)
    scored = [scores.values for scores in subject.score(blocks)]
    levels = subject.metric.abilities.levels or 1
    if _all_equal(scored, [_mean(block, definition, levels) for block in blocks], rounding):
        return "the mean over aspects by their weights"
    for says, one_aspect in _WAYS.items():
        if _all_equal(
            scored, [definition.scores(rankings_of(one_aspect(block), levels)) for block in blocks], rounding
        ):
            return says
    return "several aspects are combined in no known way"


def _all_equal(ours: Sequence[Reals], theirs: Sequence[Reals], rounding: float) -> bool:
    return all(bool(equal(one, other, rounding).all()) for one, other in zip(ours, theirs, strict=True))


def _mean(block: CaseBlock, definition: Definition, levels: int) -> Reals:
    one_by_one = [replace(block, pool=block.pool[:, :, t : t + 1]) for t in range(block.aspects)]
    scores = np.stack([definition.scores(rankings_of(one, levels)) for one in one_by_one], axis=1)
    mean: Reals = (scores * block.weights).sum(axis=1)
    return mean


_WAYS: dict[str, Callable[[CaseBlock], CaseBlock]] = {
    "of the first aspect alone": lambda block: replace(block, pool=block.pool[:, :, :1]),
    "of each document's grades, summed by the aspects' weights": lambda block: replace(
        block, pool=(block.pool * block.weights[:, None, :]).sum(axis=2, keepdims=True)
    ),
    "of each document's largest grade": lambda block: replace(block, pool=block.pool.max(axis=2, keepdims=True)),
}
"""Ways to make one aspect of several."""
