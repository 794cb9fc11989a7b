"""Definitions for several aspects: catalogue metrics, and combinations of a definition over the aspects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from axiomcheck.checks.definitions.departures import Departure, shrunk
from axiomcheck.checks.definitions.dictionary import DEPARTURES, Definition, sum_written_out
from axiomcheck.checks.definitions.scored import equal, rankings_of, rounding_seen, several_aspects
from axiomcheck.core.typing import Mask, Reals
from axiomcheck.metrics import parse
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.novelty import AlphaDiscountedGain
from axiomcheck.sources.external_metrics import rounding_of
from axiomcheck.sources.probes import CaseBlock, counterexample
from axiomcheck.trials.subject import Subject

_BY_WEIGHT = (
    "alpha-nDCG(weighted=yes)",
    "NRBP(weighted=yes)",
    "NRBP-paper(weighted=yes)",
    "D#-nDCG",
    "RBU",
    "EU",
    "CT",
)
"""Metrics that become different metrics if all weights are equal."""

_GREEDY = ("alpha-nDCG-greedy", "alpha-nDCG-greedy(weighted=yes)")
"""Metrics that divide by the score of an ideal ranking. With equal weights, these two metrics are the same."""

_WITHOUT_WEIGHTS = ("alpha-nDCG", "NRBP", "NRBP-paper", "S-Recall", "S-RR")
_CUTOFFS = (5, 10, 20)


@dataclass(frozen=True)
class AspectDefinition:
    """Definition for several aspects: a catalogue metric, possibly with departures from it.

    Args:
        metric: Catalogue metric.
        departures: Names of the departures; see `DEPARTURES`. Departures in the ideal ranking are departures from
            alpha-nDCG with the greedy ideal ranking.

    """

    metric: Metric
    departures: tuple[str, ...] = ()

    def without(self, departure: str) -> AspectDefinition:
        """Return the definition without one of its departures."""
        return replace(self, departures=tuple(name for name in self.departures if name != departure))

    def scores(self, block: CaseBlock) -> Reals:
        """Return the (B,) scores of rankings."""
        if "weights-ignored" in self.departures:
            [block] = _alike([block])
        if "ideal-first-k" in self.departures:
            block = block.reordered(block.order[:, : self.metric.cutoff])
        if "ideal-retrieved" in self.departures or "ideal-first-k" in self.departures:
            listed = np.take_along_axis(block.pool, block.order[:, :, None], axis=1)  # only ranked documents
            block = CaseBlock(listed, block.weights, np.tile(np.arange(block.ranked), (block.size, 1)))
        if "ideal-static" not in self.departures:
            return self.metric.evaluate(block.pool, block.weights, block.order)
        gains = (block.pool * block.weights[:, None] if self.metric.values["weighted"] else block.pool).sum(axis=2)
        static = np.argsort(-np.round(gains, 12), axis=1, kind="stable")  # ignore rounding errors
        ours, best = self._totals(block), self._totals(block.reordered(static))
        return np.divide(ours, best, out=np.zeros_like(ours), where=best > 0)

    def _totals(self, block: CaseBlock) -> Reals:
        total = AlphaDiscountedGain(self.metric.cutoff, **self.metric.values)
        return total.evaluate(block.pool, block.weights, block.order)

    def written_out(self, block: CaseBlock) -> str:
        """Return the computation of the score of one ranking as text, rank by rank for alpha-nDCG."""
        score = float(self.scores(block)[0])
        if not isinstance(self.metric, AlphaDiscountedGain):
            return f"{score:.4g}"
        seen = _alike([block])[0] if "weights-ignored" in self.departures else block
        ends = range(1, min(block.ranked, self.metric.cutoff or block.ranked) + 1)
        totals = np.concatenate([self._totals(seen.reordered(block.order[:, :end])) for end in ends])
        return sum_written_out(np.diff(totals, prepend=0.0), float(totals[-1]) / score if score else 1.0, score)


def aspect_definitions(cutoff: int | None) -> Iterator[AspectDefinition]:
    """Yield the definitions that only exist for several aspects, with usual cutoffs. They all have different scores.

    They are catalogue metrics, catalogue metrics without weights, and alpha-nDCG with other ideal rankings. Tied
    documents of an ideal ranking are in the order of the topic, or in the order of the ranking if the ideal ranking can
    contain only retrieved documents.
    """
    by_weight, greedy, others = (
        [type(one)(k, **one.values) for one in map(parse, names) for k in dict.fromkeys((cutoff, None, *_CUTOFFS))]
        for names in (_BY_WEIGHT, _GREEDY, _WITHOUT_WEIGHTS)
    )
    yield from map(AspectDefinition, [*others, *greedy, *by_weight])
    yield from (AspectDefinition(one, ("weights-ignored",)) for one in by_weight)
    for one in greedy:
        of_list = ("ideal-retrieved",) if one.cutoff is None else ("ideal-retrieved", "ideal-first-k")
        yield AspectDefinition(one, ("ideal-static",))
        yield from (AspectDefinition(one, (name,)) for name in of_list)
        yield from (AspectDefinition(one, (name, "ideal-static")) for name in of_list)


def catalogue_definition(subject: Subject) -> tuple[str, int, tuple[Departure, ...]] | None:
    """Search for a catalogue metric with the same scores on topics with several aspects.

    The scores may instead be those for equal weights or another ideal ranking, both of which count as departures.

    Returns:
        The name of the catalogue metric, the number of rankings, and the departures; None if there is no such metric.

    """
    blocks = several_aspects(subject)
    scored = [scores.values for scores in subject.score(blocks)]
    if not all(np.isfinite(scores).all() for scores in scored):
        return None
    rounding = max(1e-9, rounding_of(subject.metric), rounding_seen(np.concatenate(scored)))
    for known in aspect_definitions(subject.metric.cutoff):
        if known.metric.binary_only and not subject.metric.binary_only:
            continue
        if _all_equal(scored, (known.scores(block) for block in blocks), rounding):
            shown = [_departure(subject, known, name, (blocks, scored), rounding) for name in known.departures]
            return known.metric.canonical, sum(block.size for block in blocks), tuple(shown)
    return None


def _departure(
    subject: Subject,
    known: AspectDefinition,
    name: str,
    tried: tuple[Sequence[CaseBlock], Sequence[Reals]],
    rounding: float,
) -> Departure:
    """Return a departure with a small ranking whose score would be different without it."""
    other = known.without(name)

    def differs(block: CaseBlock, scores: Reals) -> Mask:
        return equal(scores, known.scores(block), rounding) & ~equal(scores, other.scores(block), rounding)

    marked = ((block, differs(block, scores)) for block, scores in zip(*tried, strict=True))
    block, mask = next((block, mask) for block, mask in marked if mask.any())
    first = block.rows(np.flatnonzero(mask)[:1])
    one, score = shrunk(subject, first, lambda *smaller: bool(differs(*smaller).all()))
    case = counterexample((one, 0, score)) | {"reference": float(other.scores(one)[0])}
    return Departure(DEPARTURES[name], name, case, known.written_out(one), other.written_out(one))


def _alike(blocks: Sequence[CaseBlock]) -> list[CaseBlock]:
    """Return the rankings with equal weights for all aspects."""
    return [replace(block, weights=np.full(block.weights.shape, 1 / block.aspects)) for block in blocks]


def combination(subject: Subject, definition: Definition, rounding: float) -> str:
    """Describe how a metric combines the scores or grades of several aspects, or state that the way is unknown."""
    blocks = several_aspects(subject)
    scored = [scores.values for scores in subject.score(blocks)]
    levels = subject.metric.abilities.levels or 1
    for says, seen in _weightings(blocks):
        if _all_equal(scored, [_mean(block, definition, levels) for block in seen], rounding):
            return says
    for says, seen in _ways(blocks):
        if _all_equal(scored, [definition.scores(rankings_of(block, levels)) for block in seen], rounding):
            return says
    return "several aspects are combined in an unknown way"


def _all_equal(ours: Sequence[Reals], theirs: Iterable[Reals], rounding: float) -> bool:
    return all(bool(equal(one, other, rounding).all()) for one, other in zip(ours, theirs, strict=True))


def _mean(block: CaseBlock, definition: Definition, levels: int) -> Reals:
    one_by_one = [replace(block, pool=block.pool[:, :, t : t + 1]) for t in range(block.aspects)]
    scores = np.stack([definition.scores(rankings_of(one, levels)) for one in one_by_one], axis=1)
    mean: Reals = (scores * block.weights).sum(axis=1)
    return mean


def _weightings(blocks: Sequence[CaseBlock]) -> Iterator[tuple[str, list[CaseBlock]]]:
    """Yield ways to add up the scores of aspects, each with the rankings under the corresponding weights."""
    alike = _alike(blocks)
    yield "the weighted mean over aspects", list(blocks)
    yield "the mean over aspects with equal weights", alike
    yield "the weighted mean over the aspects with a relevant document", [_relevant_only(b) for b in blocks]
    yield "the mean over the aspects with a relevant document", [_relevant_only(block) for block in alike]
    yield "the sum over aspects", [replace(block, weights=np.ones(block.weights.shape)) for block in blocks]


def _relevant_only(block: CaseBlock) -> CaseBlock:
    """Return the rankings, with the weight of aspects without relevant documents redistributed to the others."""
    kept = block.weights * (block.pool > 0).any(axis=1)
    total = kept.sum(axis=1, keepdims=True)
    return replace(block, weights=np.divide(kept, total, out=np.zeros_like(kept), where=total > 0))


def _ways(blocks: Sequence[CaseBlock]) -> Iterator[tuple[str, list[CaseBlock]]]:
    """Yield ways to combine several aspects into one, each with the rankings for the combined aspect."""
    yield "of the first aspect only", [replace(block, pool=block.pool[:, :, :1]) for block in blocks]
    for seen, by in ((blocks, "summed by the aspects' weights"), (_alike(blocks), "averaged over aspects")):
        summed = [(block.pool * block.weights[:, None, :]).sum(axis=2, keepdims=True) for block in seen]
        pools = zip(blocks, summed, strict=True)
        yield f"of each document's grades, {by}", [replace(block, pool=pool) for block, pool in pools]
    for name, of in (("largest", np.max), ("smallest", np.min)):
        seen = [replace(block, pool=of(block.pool, axis=2, keepdims=True)) for block in blocks]
        yield f"of each document's {name} grade", seen
