"""Name the definition of a metric of several aspects: a metric of the catalogue, or a combination over aspects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from axiomcheck.checks.cases import counterexample
from axiomcheck.checks.definitions.departures import Departure
from axiomcheck.checks.definitions.dictionary import DEPARTURES, Definition
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


def catalogue_definition(subject: Subject) -> tuple[str, int, tuple[Departure, ...]] | None:
    """Return the name of the catalogue's metric with the scores of a metric of several aspects, and their number.

    Its scores may be those of equal weights, which is then a departure.
    """
    blocks = several_aspects(subject)
    scored = [scores.values for scores in subject.score(blocks)]
    if not all(np.isfinite(scores).all() for scores in scored):
        return None
    rounding = max(1e-9, rounding_of(subject.metric), rounding_seen(np.concatenate(scored)))
    for seen in (blocks, _alike(blocks)) if subject.scale.weights else (blocks,):
        for metric in _catalogue(subject.metric.cutoff):
            if metric.binary_only and not subject.metric.binary_only:
                continue
            scores = (metric.evaluate(block.pool, block.weights, block.order) for block in seen)
            if all(bool(equal(ours, theirs, rounding).all()) for ours, theirs in zip(scored, scores, strict=True)):
                departures = [] if seen is blocks else _weights_ignored(metric, blocks, scored, rounding)
                return metric.canonical, sum(block.size for block in blocks), tuple(departures)
    return None


def _alike(blocks: Sequence[CaseBlock]) -> list[CaseBlock]:
    """Return the rankings for topics with equal weights of all aspects."""
    return [replace(block, weights=np.full(block.weights.shape, 1 / block.aspects)) for block in blocks]


def _weights_ignored(
    metric: Metric, blocks: Sequence[CaseBlock], scored: Sequence[Reals], rounding: float
) -> Iterator[Departure]:
    """Yield the first ranking that scores otherwise by the weights of its topic."""
    for block, ours in zip(blocks, scored, strict=True):
        theirs = metric.evaluate(block.pool, block.weights, block.order)
        for row in np.flatnonzero(~equal(ours, theirs, rounding)).tolist():
            score, standard = float(ours[row]), float(theirs[row])
            case = counterexample((block, row, score)) | {"reference": standard}
            says = DEPARTURES["weights-ignored"]
            yield Departure(says, "weights-ignored", case, f"{score:.4g}", f"{standard:.4g}")
            return


def combination(subject: Subject, definition: Definition, rounding: float) -> str:
    """Return how a metric combines the scores or grades of several aspects, or that it is no known way."""
    blocks = several_aspects(subject)
    scored = [scores.values for scores in subject.score(blocks)]
    levels = subject.metric.abilities.levels or 1
    for says, seen in _weightings(blocks):
        if _all_equal(scored, [_mean(block, definition, levels) for block in seen], rounding):
            return says
    for says, seen in _ways(blocks):
        if _all_equal(scored, [definition.scores(rankings_of(block, levels)) for block in seen], rounding):
            return says
    return "several aspects are combined in no known way"


def _all_equal(ours: Sequence[Reals], theirs: Sequence[Reals], rounding: float) -> bool:
    return all(bool(equal(one, other, rounding).all()) for one, other in zip(ours, theirs, strict=True))


def _mean(block: CaseBlock, definition: Definition, levels: int) -> Reals:
    one_by_one = [replace(block, pool=block.pool[:, :, t : t + 1]) for t in range(block.aspects)]
    scores = np.stack([definition.scores(rankings_of(one, levels)) for one in one_by_one], axis=1)
    mean: Reals = (scores * block.weights).sum(axis=1)
    return mean


def _weightings(blocks: Sequence[CaseBlock]) -> Iterator[tuple[str, list[CaseBlock]]]:
    """Yield ways to add up the scores of aspects, with the weights that they amount to."""
    alike = _alike(blocks)
    yield "the mean over aspects by their weights", list(blocks)
    yield "the mean over aspects of equal weights", alike
    yield "the mean over the aspects with a relevant document, by their weights", [_relevant_only(b) for b in blocks]
    yield "the mean over the aspects with a relevant document", [_relevant_only(block) for block in alike]
    yield "the sum over aspects", [replace(block, weights=np.ones(block.weights.shape)) for block in blocks]


def _relevant_only(block: CaseBlock) -> CaseBlock:
    """Return the rankings with the weights of aspects without a relevant document given to the others."""
    kept = block.weights * (block.pool > 0).any(axis=1)
    total = kept.sum(axis=1, keepdims=True)
    return replace(block, weights=np.divide(kept, total, out=np.zeros_like(kept), where=total > 0))


def _ways(blocks: Sequence[CaseBlock]) -> Iterator[tuple[str, list[CaseBlock]]]:
    """Yield ways to make one aspect of several, with the rankings of that aspect."""
    yield "of the first aspect alone", [replace(block, pool=block.pool[:, :, :1]) for block in blocks]
    for seen, by in ((blocks, "summed by the aspects' weights"), (_alike(blocks), "averaged over aspects")):
        summed = [(block.pool * block.weights[:, None, :]).sum(axis=2, keepdims=True) for block in seen]
        pools = zip(blocks, summed, strict=True)
        yield f"of each document's grades, {by}", [replace(block, pool=pool) for block, pool in pools]
    for name, of in (("largest", np.max), ("smallest", np.min)):
        seen = [replace(block, pool=of(block.pool, axis=2, keepdims=True)) for block in blocks]
        yield f"of each document's {name} grade", seen
