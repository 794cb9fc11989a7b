"""Search for the known definition that a metric computes, by comparing scores on small and random topics.

Definitions for several aspects are catalogue metrics, or combine a definition for one aspect over all aspects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from axiomcheck.checks.definitions.departures import Departure, Evidence, shrunk
from axiomcheck.checks.definitions.dictionary import DEPARTURES, Definition, definitions, sum_written_out
from axiomcheck.checks.definitions.scored import (
    CUTOFFS,
    FEW,
    Scored,
    counter_rankings,
    deepest_hit,
    equal,
    one_aspect,
    padded,
    persistence,
    rankings_of,
    rounding_seen,
    several_aspects,
)
from axiomcheck.core.limits import SINGLE_ROUNDING
from axiomcheck.core.printable import counted
from axiomcheck.core.typing import Array, Mask, Reals
from axiomcheck.metrics import parse
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.novelty import AlphaDiscountedGain
from axiomcheck.sources.external_metrics import rounding_of
from axiomcheck.sources.probes import CaseBlock, counterexample, listed
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
        departures: Names from `DEPARTURES`. Those about the ideal ranking apply only to alpha-nDCG, which by definition
            uses the greedy ideal ranking.

    """

    metric: Metric
    departures: tuple[str, ...] = ()

    def without(self, departure: str) -> AspectDefinition:
        """Return the definition with one departure removed."""
        return replace(self, departures=tuple(name for name in self.departures if name != departure))

    def scores(self, block: CaseBlock) -> Reals:
        """Return the (B,) scores that the definition, with its departures, gives to the rankings of a block."""
        if "weights-ignored" in self.departures:
            block = block.equally_weighted
        if "ideal-first-k" in self.departures:
            block = block.cut(self.metric.cutoff)
        if "ideal-retrieved" in self.departures or "ideal-first-k" in self.departures:
            block = replace(listed(block.grades), weights=block.weights)  # only ranked documents
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
        """Write out, as text, how the score of one ranking is computed, rank by rank for alpha-nDCG."""
        score = float(self.scores(block)[0])
        if not isinstance(self.metric, AlphaDiscountedGain):
            return f"{score:.4g}"
        seen = block.equally_weighted if "weights-ignored" in self.departures else block
        ends = range(1, min(block.ranked, self.metric.cutoff or block.ranked) + 1)
        totals = np.concatenate([self._totals(seen.cut(end)) for end in ends])
        return sum_written_out(np.diff(totals, prepend=0.0), float(totals[-1]) / score if score else 1.0, score)


def aspect_definitions(cutoff: int | None) -> Iterator[AspectDefinition]:
    """Yield the definitions that exist only for several aspects, at the usual cutoffs. No two have the same scores.

    They are catalogue metrics, the same metrics with equal weights, and alpha-nDCG with other ideal rankings. An ideal
    ranking lists tied documents in the order of the topic, or, if it is limited to retrieved documents, in the order of
    the ranking.
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


def _catalogue_definition(subject: Subject) -> KnownDefinition | None:
    """Return the catalogue metric that a metric computes on topics with several aspects; None if none matches.

    The catalogue metric may also match only with equal weights or another ideal ranking, which are departures.
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
            cases = sum(block.size for block in blocks)
            return KnownDefinition(known.metric.canonical, cases, cases, tuple(shown))
    return None


def _departure(
    subject: Subject,
    known: AspectDefinition,
    name: str,
    tried: tuple[Sequence[CaseBlock], Sequence[Reals]],
    rounding: float,
) -> Departure:
    """Return a named departure, shown by a small ranking whose score differs without it."""
    other = known.without(name)

    def differs(block: CaseBlock, scores: Reals) -> Mask:
        return equal(scores, known.scores(block), rounding) & ~equal(scores, other.scores(block), rounding)

    marked = ((block, differs(block, scores)) for block, scores in zip(*tried, strict=True))
    block, mask = next((block, mask) for block, mask in marked if mask.any())
    first = block.rows(np.flatnonzero(mask)[:1])
    one, score = shrunk(subject, first, lambda *smaller: bool(differs(*smaller).all()))
    case = counterexample((one, 0, score)) | {"reference": float(other.scores(one)[0])}
    return Departure(DEPARTURES[name], name, case, known.written_out(one), other.written_out(one))


def combination(subject: Subject, definition: Definition, rounding: float) -> str:
    """Return a clause that says how a metric combines the scores or grades of aspects, or that this is unknown."""
    blocks = several_aspects(subject)
    scored = [scores.values for scores in subject.score(blocks)]
    for says, theirs in _combinations(blocks, definition, subject.metric.abilities.levels or 1):
        if _all_equal(scored, theirs, rounding):
            return says
    return "several aspects are combined in an unknown way"


def _all_equal(ours: Sequence[Reals], theirs: Iterable[Reals], rounding: float) -> bool:
    return all(bool(equal(one, other, rounding).all()) for one, other in zip(ours, theirs, strict=True))


def _combinations(
    blocks: Sequence[CaseBlock], definition: Definition, levels: int
) -> Iterator[tuple[str, Iterator[Reals]]]:
    """Yield ways to add up the scores of aspects, or to merge their grades, as a description and the blocks' scores."""

    def mean(block: CaseBlock) -> Reals:
        one_by_one = [replace(block, pool=block.pool[:, :, t : t + 1]) for t in range(block.aspects)]
        scores = np.stack([definition.scores(rankings_of(one, levels)) for one in one_by_one], axis=1)
        total: Reals = (scores * block.weights).sum(axis=1)
        return total

    def merged(of: Callable[[CaseBlock], Reals]) -> Iterator[Reals]:
        return (definition.scores(rankings_of(replace(block, pool=of(block)), levels)) for block in blocks)

    def summed(block: CaseBlock) -> Reals:
        total: Reals = (block.pool * block.weights[:, None, :]).sum(axis=2, keepdims=True)
        return total

    alike = [block.equally_weighted for block in blocks]
    yield "the weighted mean over aspects", map(mean, blocks)
    yield "the mean over aspects with equal weights", map(mean, alike)
    yield "the weighted mean over the aspects with a relevant document", map(mean, map(_relevant_only, blocks))
    yield "the mean over the aspects with a relevant document", map(mean, map(_relevant_only, alike))
    yield "the sum over aspects", (mean(replace(block, weights=np.ones(block.weights.shape))) for block in blocks)
    yield "of the first aspect only", merged(lambda block: block.pool[:, :, :1])
    yield "of each document's grades, summed by the aspects' weights", merged(summed)
    yield "of each document's grades, averaged over aspects", merged(lambda block: summed(block.equally_weighted))
    yield "of each document's largest grade", merged(lambda block: block.pool.max(axis=2, keepdims=True))
    yield "of each document's smallest grade", merged(lambda block: block.pool.min(axis=2, keepdims=True))


def _relevant_only(block: CaseBlock) -> CaseBlock:
    """Return a copy in which aspects without relevant documents have weight 0, and the other weights sum to 1."""
    kept = block.weights * (block.pool > 0).any(axis=1)
    total = kept.sum(axis=1, keepdims=True)
    return replace(block, weights=np.divide(kept, total, out=np.zeros_like(kept), where=total > 0))


NEAR = 0.5
"""Smallest share of agreeing scores for which a definition counts as near. Scores of 0 and 1 are left out."""

NEAR_OUTSIDE = 0.15
"""Smallest share of agreeing scores for which a definition counts as near if one condition explains all differences."""

_MET, _CLEARLY, _NEARLY_ALL = 0.3, 0.7, 0.9
"""Smallest shares of differing scores among the rankings that meet a condition, for a statement about some of these
rankings and for one about all of them. The third number is a share of all rankings: a condition that so many rankings
meet is uninformative."""

_SMALL = 5
"""Number of documents in a topic below which every ranking of the topic is scored."""

_FIRST = 64
"""Number of rankings on which every definition is compared first."""

_CANDIDATES = 60
"""Number of nearest definitions for which the search tries to find a condition under which scores differ."""


@dataclass(frozen=True)
class KnownDefinition:
    """Known definition that a metric computes, possibly with departures or exceptions.

    Args:
        name: Name of the standard definition with its cutoff, such as nDCG@10.
        agreeing: Number of rankings for which the definition, with its departures, gives the metric's score.
        cases: Number of rankings that were scored.
        differences: Departures. Any other difference comes last, as a departure without a name that says where.
        aspects: Clause that says how several aspects are combined; empty for a metric for one aspect.

    """

    name: str
    agreeing: int
    cases: int
    differences: tuple[Departure, ...] = ()
    aspects: str = ""

    @property
    def told(self) -> str:
        """Name with the departures, as in a declaration: ``nDCG@5 except ideal-retrieved``."""
        named = [one.name or one.says for one in self.differences]
        name = f"{self.name}, {self.aspects}" if self.aspects else self.name
        return f"{name} except {', '.join(named)}" if named else name

    @property
    def exact(self) -> bool:
        """True if all scores equal those of the definition with its departures."""
        return self.agreeing == self.cases


@dataclass(frozen=True)
class _Candidate:
    """Definition that the metric may compute, with the rankings on which their scores agree.

    Args:
        definition: Definition with its departures.
        share: Share of agreeing scores, from 0 to 1; see `_compared`.
        same: Masks of the rankings with agreeing scores, one per array of rankings.
        where: Condition under which the scores differ; empty if there is none.
        met: (B,) mask of the rankings that meet the condition.

    """

    definition: Definition
    share: float
    same: tuple[Mask, ...]
    where: str = ""
    met: Mask = field(default_factory=lambda: np.zeros(0, dtype=bool))

    @property
    def differ(self) -> Mask:
        """(B,) mask of the rankings to which the definition and the metric give different scores."""
        return ~np.concatenate(self.same)

    @property
    def departures(self) -> int:
        """Number of departures from the standard definition."""
        return len(self.definition.departures)

    @property
    def has_simple_condition(self) -> bool:
        """True if there is at most one departure, and scores differ where the condition is met and nowhere else."""
        return self.where.startswith("where") and self.departures < 2


def known_definition(metric: Metric) -> KnownDefinition | None:
    """Compare the scores of a metric with every definition of the dictionary, and with catalogue metrics.

    If several definitions give the metric's scores, the one with the fewest departures is returned. Every call uses the
    same random topics, since with other topics, another of several equally near definitions could win.

    Returns:
        The definition that gives the metric's scores, or else the nearest one; None if no definition is near.

    """
    subject = Subject(metric)
    if metric.applies_to_aspects() and (found := _catalogue_definition(subject)) is not None:
        return found
    sample, levels = one_aspect(subject), metric.abilities.levels or 1
    blocks = [*sample, *counter_rankings(subject)]
    scored = [scores.values for scores in subject.score(blocks)]
    if not any(np.isfinite(values).any() for values in scored):
        return None
    parts, as_listed = padded(blocks, scored, levels, len(sample)), None
    total = sum(len(part.scores) for part in parts)
    hits = sample[-1], scored[len(sample) - 1]
    every = list(definitions(dict.fromkeys((metric.cutoff, deepest_hit(*hits), *CUTOFFS)), persistence(*hits)))
    best, rounding = _best(every, parts, rounding_of(metric), hits)
    if (best is None or best.share < 1) and _completes(subject, blocks, scored):
        completed = [block.completed for block in blocks]
        whole = padded(completed, scored, levels, len(sample))
        other, other_rounding = _best(every, whole, rounding_of(metric), hits)
        if other is not None and other.share == 1:
            as_listed = Evidence(subject, blocks, parts, other.definition, other_rounding)
            best, rounding, blocks, parts = other, other_rounding, completed, whole
    if best is None:
        return None
    evidence = Evidence(subject, blocks, parts, best.definition, rounding)
    agreeing = sum(int(mask.sum()) for mask in best.same)
    shown = [evidence.departure(name) for name in best.definition.departures]
    if agreeing < total:
        shown.append(evidence.exception(best.where or "on some rankings"))
    else:
        shown.append(evidence.rounded() if rounding not in (1e-9, SINGLE_ROUNDING) else None)
        shown.append(as_listed.exception(DEPARTURES["list-completed"], "list-completed") if as_listed else None)
        shown.append(evidence.unjudged())
    differences = [one for one in shown if one is not None]
    known = KnownDefinition(best.definition.name, agreeing, total, tuple(differences))
    if not (metric.applies_to_aspects() and known.exact):
        return known
    return replace(known, aspects=combination(subject, best.definition, rounding))


def _best(
    every: Sequence[Definition], parts: Sequence[Scored], rounding: float, hits: tuple[CaseBlock, Reals]
) -> tuple[_Candidate | None, float]:
    """Return the nearest definition, and the rounding with which it was compared.

    Both the declared rounding and the one that the scores suggest are tried. The result is (None, 0.0) if no
    definition is near.

    Args:
        every: Definitions to compare with.
        parts: Rankings with the scores of the metric.
        rounding: Declared rounding.
        hits: Rankings with a single relevant document, with the scores of the metric.

    """
    seen = rounding_seen(np.concatenate([part.scores for part in parts]))
    tolerances = tuple(dict.fromkeys((max(1e-9, rounding), seen)))
    for tolerance in tolerances:
        if (exact := _exact(every, parts, tolerance)) is not None:
            return exact, tolerance
    for tolerance in reversed(tolerances):
        near = _nearest([c for d in every if (c := _compared(d, parts, tolerance)).same], parts, hits, tolerance)
        if near is not None:
            return near, tolerance
    return None, 0.0


def _exact(every: Sequence[Definition], parts: Sequence[Scored], rounding: float) -> _Candidate | None:
    """Return the definition that gives all of the metric's scores and has the fewest departures; None if there is none.

    Most definitions are ruled out by a few rankings, so only the remaining ones are compared on all rankings.
    """
    few = slice(None, None, max(1, len(parts[0].scores) // _FIRST))
    rankings, scores = parts[0].rankings.rows(few), parts[0].scores[few]
    left = [definition for definition in every if equal(scores, definition.scores(rankings), rounding).all()]
    found = [one for definition in left if (one := _compared(definition, parts, rounding)).share == 1]
    return min(found, key=lambda one: len(one.definition.departures), default=None)


def _completes(subject: Subject, blocks: Sequence[CaseBlock], scored: Sequence[Reals]) -> bool:
    """Return True if a metric scores small rankings as if the pool's other documents were ranked below them."""
    short = [(b, s) for b, s in zip(blocks, scored, strict=True) if b.ranked < b.documents < _SMALL]
    whole = [scores.values for scores in subject.score([block.completed for block, _ in short])]
    return bool(short) and all(bool(equal(s, w, 1e-9).all()) for (_, s), w in zip(short, whole, strict=True))


def _compared(definition: Definition, parts: Sequence[Scored], rounding: float) -> _Candidate:
    """Compare a definition with the metric, and return a candidate with the share of agreeing scores.

    The share is 1 if all scores agree, else the share of agreeing scores among those that are not 0 or 1. It is 0 if
    too few of the agreeing scores are distinct, or if the definition cannot be near.
    """
    marks, agreeing, telling, left = [], 0.0, 0.0, sum(float(part.shares.sum()) for part in parts)
    for part in parts:
        if agreeing + left < NEAR_OUTSIDE * (telling + left) - 1e-9:  # even if all other scores agree
            return _Candidate(definition, 0.0, ())
        left -= float(part.shares.sum())
        scores = definition.scores(part.rankings)
        same = equal(part.scores, scores, rounding)
        tells = ~(_is_merely_0_or_1(scores) & _is_merely_0_or_1(part.scores))
        agreeing += float(part.shares[same & tells].sum())
        telling += float(part.shares[tells].sum())
        marks.append((scores, same))
    every = all(mask.all() for _, mask in marks)
    share = 1.0 if every else min(agreeing / telling, 1 - 1e-9) if telling else 0.0
    if share < NEAR_OUTSIDE:
        return _Candidate(definition, share, ())
    values = {value for scores, same in marks for value in np.round(scores[same], 6).tolist()}
    if len(values) < (2 if every else FEW):
        return _Candidate(definition, 0.0, ())
    return _Candidate(definition, share, tuple(mask for _, mask in marks))


def _is_merely_0_or_1(scores: Array) -> Array:
    return (scores == 0) | (scores == 1)


def _nearest(
    candidates: Sequence[_Candidate], parts: Sequence[Scored], hits: tuple[CaseBlock, Reals], rounding: float
) -> _Candidate | None:
    """Return the nearest candidate whose name and departures the evidence supports, or None if there is none."""
    block, scores = hits
    single, deepest = rankings_of(block, parts[0].rankings.levels), deepest_hit(block, scores, rounding)

    def earns_as_deep(definition: Definition) -> bool:
        other = deepest_hit(block, definition.scores(single), rounding)
        return deepest == other or (deepest is not None and other is not None and abs(deepest - other) == 1)

    ordered = sorted(candidates, key=lambda one: (-one.share, one.departures))
    possible = [one for one in ordered if earns_as_deep(one.definition)][:_CANDIDATES]
    explained = (_explained(one, parts) for one in possible)
    return next((one for one in explained if _is_supported(one, ordered, parts)), None)


def _is_supported(one: _Candidate, others: Sequence[_Candidate], parts: Sequence[Scored]) -> bool:
    """Return True if the evidence supports a candidate's name and departures.

    A departure is supported only if a simple condition explains all other differences. A name is not supported if a
    definition with another name gives the metric's scores wherever that condition is not met. A departure is not
    supported if it changes no score there.
    """
    if one.departures and not one.has_simple_condition:
        return False
    for name in one.definition.departures:
        other = one.definition.without(name)
        apart = [~equal(one.definition.scores(p.rankings), other.scores(p.rankings), 1e-9) for p in parts]
        if not (np.concatenate(apart) & ~one.met).any():
            return False
    if one.share >= NEAR:
        return True
    if not one.has_simple_condition:
        return False
    names = {other.definition.name for other in others if not (other.differ & ~one.met).any()}
    return names == {one.definition.name}


def _conditions(part: Scored, cutoff: int | None) -> Iterator[tuple[str, Array]]:
    """Yield conditions that often cause a difference, each with a mask of the rankings that meet it."""
    rankings = part.rankings
    hits = (rankings.grades > 0).sum(axis=1)
    yield "no document is relevant", rankings.relevant == 0
    yield "no relevant document is retrieved", hits == 0
    yield "the list has a single document", rankings.lengths == 1
    if cutoff is not None:
        yield f"the topic has more than {counted(cutoff, 'relevant document')}", rankings.relevant > cutoff
        yield f"the list has fewer than {counted(cutoff, 'document')}", rankings.lengths < cutoff
        yield f"the topic has fewer than {counted(cutoff, 'relevant document')}", rankings.relevant < cutoff
        yield f"more than {counted(cutoff, 'document')} are judged", rankings.judged > cutoff
    for k in CUTOFFS[1:] if cutoff is None else (cutoff,):
        yield f"the list has more than {counted(k, 'document')}", rankings.lengths > k
    yield "a relevant document is not retrieved", hits < rankings.relevant
    yield "some grade is between 0 and 1", ((rankings.pool > 0) & (rankings.pool < 1)).any(axis=1)
    yield "several documents are relevant", rankings.relevant > 1
    yield "an irrelevant document is retrieved", hits < rankings.lengths


def _explained(candidate: _Candidate, parts: Sequence[Scored]) -> _Candidate:
    """Return the candidate with the condition that best describes the rankings on which the scores differ.

    Every differing ranking must meet the condition, and as few others as possible. If many others meet it, its text
    says "on some rankings". The condition is empty if none fits.
    """
    differ, found = candidate.differ, (0.0, "", candidate.met)
    for alike in zip(*(_conditions(part, candidate.definition.cutoff) for part in parts), strict=True):
        met = np.concatenate([mask for _, mask in alike])
        if met.any() and met.mean() < _NEARLY_ALL and not (differ & ~met).any():
            found = max(found, (float(differ.sum() / met.sum()), alike[0][0], met), key=lambda one: one[0])
    share, says, met = found
    if share <= _MET:
        return candidate
    return replace(candidate, where=f"where {says}" if share >= _CLEARLY else f"on some rankings where {says}", met=met)
