"""Name the definition of a metric of several aspects: a metric of the catalogue, or a combination over aspects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from axiomcheck.checks.definitions.dictionary import Definition
from axiomcheck.checks.definitions.rankings import Rankings
from axiomcheck.checks.definitions.scored import equal, one_grades, rounding_seen, several_aspects
from axiomcheck.core.typing import Array, Reals
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
    for says, one in _WAYS.items():
        if _all_equal(scored, [one(block, definition, levels) for block in blocks], rounding):
            return says
    return "several aspects are combined in no known way"


def _all_equal(ours: Sequence[Reals], theirs: Sequence[Reals], rounding: float) -> bool:
    return all(bool(equal(one, other, rounding).all()) for one, other in zip(ours, theirs, strict=True))


def _of(grades: Reals, pool: Reals, definition: Definition, levels: int) -> Array:
    lengths = np.full(len(grades), grades.shape[1])
    return definition.scores(Rankings(grades, lengths, pool, np.full(len(pool), pool.shape[1]), levels))


def _mean(block: CaseBlock, definition: Definition, levels: int) -> Reals:
    scores = [_of(one_grades(block, t), block.pool[:, :, t], definition, levels) for t in range(block.aspects)]
    mean: Reals = (np.stack(scores, axis=1) * block.weights).sum(axis=1)
    return mean


def _weighted_grades(block: CaseBlock, definition: Definition, levels: int) -> Array:
    pool = (block.pool * block.weights[:, None, :]).sum(axis=2)
    return _of(np.take_along_axis(pool, block.order, axis=1), pool, definition, levels)


def _largest_grades(block: CaseBlock, definition: Definition, levels: int) -> Array:
    pool = block.pool.max(axis=2)
    return _of(np.take_along_axis(pool, block.order, axis=1), pool, definition, levels)


def _first_aspect(block: CaseBlock, definition: Definition, levels: int) -> Array:
    return _of(one_grades(block), block.pool[:, :, 0], definition, levels)


_WAYS = {
    "of the first aspect alone": _first_aspect,
    "the mean over aspects by their weights": _mean,
    "of each document's grades, summed by the aspects' weights": _weighted_grades,
    "of each document's largest grade": _largest_grades,
}
