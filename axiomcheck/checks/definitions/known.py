"""Name the known definition that a metric computes, by comparing scores on small and random topics."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from axiomcheck.checks.cases import counterexample
from axiomcheck.checks.definitions.aspects import catalogue_definition, combination
from axiomcheck.checks.definitions.dictionary import DEPARTURES, Definition, definitions
from axiomcheck.checks.definitions.scored import (
    CUTOFFS,
    Scored,
    deepest_hit,
    equal,
    one_aspect,
    padded,
    rankings_of,
    rounding_seen,
)
from axiomcheck.checks.definitions.shrinking import shrunk
from axiomcheck.core.counting import counted
from axiomcheck.core.limits import SINGLE_ROUNDING
from axiomcheck.core.typing import Array, Mask, Reals
from axiomcheck.metrics.base import Metric
from axiomcheck.sources.external_metrics import rounding_of
from axiomcheck.sources.probes import CaseBlock
from axiomcheck.trials.subject import Subject

NEAR = 0.5
"""Least share of agreeing scores from which a definition is named as near, where scores are not merely 0 or 1."""

NEAR_OUTSIDE = 0.15
"""The same share for a definition whose scores are the metric's outside of one condition."""

_TELLING = 20
"""Least number of distinct agreeing scores of a definition that is named as near."""

_EXPLAINED, _PER_DEPARTURE = 0.3, 0.05
"""Shares of agreeing scores that a condition on all the others outweighs, and that each departure has to add."""

_MET, _CLEARLY, _NEARLY_ALL = 0.3, 0.7, 0.9
"""Least shares of differing scores among the rankings that meet a condition, for it to be told as one of some or of all
of these rankings, and the share of all rankings from which a condition says nothing."""

_CANDIDATES = 60
"""Number of the nearest definitions for which a condition is searched."""


@dataclass(frozen=True)
class Departure:
    """Departure from a definition, with the smallest ranking that shows it.

    Args:
        says: What the metric does otherwise, as a clause.
        name: Name of the departure in `axiomcheck.checks.definitions.dictionary.DEPARTURES`; empty if it has none.
        counterexample: The ranking, with the metric's score and that of the definition, as JSON.
        metric_sum: The metric's computation, rank by rank where it is known.
        standard_sum: The definition's computation, rank by rank.

    """

    says: str
    name: str
    counterexample: dict[str, Any]
    metric_sum: str
    standard_sum: str


@dataclass(frozen=True)
class KnownDefinition:
    """Known definition that a metric computes, exactly or except in some cases.

    Args:
        name: Name of the standard definition with its cutoff, such as nDCG@10.
        agreeing: Number of rankings with the same score, once the departures are allowed for.
        cases: Number of rankings scored.
        differences: One for each departure; then one for the remaining rankings, if there are any.
        aspects: How several aspects are combined, as a clause; empty for a metric of a single aspect.

    """

    name: str
    agreeing: int
    cases: int
    differences: tuple[Departure, ...] = ()
    aspects: str = ""

    @property
    def told(self) -> str:
        """The name with its departures, as a metric declares it: ``nDCG@5 except ideal-retrieved``."""
        named = [one.name or one.says for one in self.differences]
        name = f"{self.name}, {self.aspects}" if self.aspects else self.name
        return f"{name} except {', '.join(named)}" if named else name

    @property
    def exact(self) -> bool:
        """True if all scores are those of the definition with its departures."""
        return self.agreeing == self.cases


@dataclass(frozen=True)
class _Candidate:
    """A definition with the share of agreeing scores, its exceptions' condition, and marks of the agreeing rankings."""

    definition: Definition
    share: float
    same: tuple[Mask, ...]
    where: str = ""


def known_definition(metric: Metric, seed: int = 0) -> KnownDefinition | None:
    """Compare a metric's scores with every definition of the dictionary, and with metrics of the catalogue.

    Of several definitions with the same scores, the one with the fewest departures is named.

    Args:
        metric: Metric to name.
        seed: Seed of the random topics.

    Returns:
        The definition with the metric's scores, or else the nearest one; None if none is near.

    """
    subject = Subject(metric, seed=seed)
    if metric.applies_to_aspects() and (found := catalogue_definition(subject)) is not None:
        name, cases = found
        return KnownDefinition(name, cases, cases)
    blocks = one_aspect(subject)
    scored = [scores.values for scores in subject.score(blocks)]
    parts = padded(blocks, scored, metric.abilities.levels or 1)
    scores = np.concatenate([part.scores for part in parts])
    total = len(scores)
    cutoffs = dict.fromkeys((metric.cutoff, deepest_hit(blocks[-1], scored[-1]), *CUTOFFS))
    every = list(definitions(cutoffs))
    best, rounding = None, 0.0
    for tolerance in dict.fromkeys((max(1e-9, rounding_of(metric)), rounding_seen(scores))):
        found_near = _nearest([c for d in every if (c := _compared(d, parts, tolerance)).share > 0], parts)
        if found_near is not None:
            best, rounding = found_near, tolerance
        if best is not None and best.share == 1:
            break
    if best is None:
        return None
    for name in best.definition.departures:
        if _departure(best, name, subject, blocks, parts, rounding) is None:  # no agreeing ranking shows it
            best = _compared(best.definition.without(name), parts, rounding)
            best = replace(best, where=_condition(best, parts))
    agreeing = sum(int(mask.sum()) for mask in best.same)
    differences = [
        d for name in best.definition.departures if (d := _departure(best, name, subject, blocks, parts, rounding))
    ]
    if (
        agreeing == total
        and rounding not in (1e-9, SINGLE_ROUNDING)
        and (rounded := _rounded(best.definition, subject, blocks, parts))
    ):
        differences.append(rounded)
    if agreeing < total:
        differences.append(_exception(best, subject, blocks, parts, rounding))
    known = KnownDefinition(best.definition.name, agreeing, total, tuple(differences))
    if not metric.applies_to_aspects():
        return known
    return replace(known, aspects=combination(subject, best.definition, rounding))


def _compared(definition: Definition, parts: Sequence[Scored], rounding: float) -> _Candidate:
    """Compare a definition with the metric.

    Its share is 1 if all scores agree, else the share among scores that are not merely 0 or 1. It is 0 for a definition
    with too few distinct agreeing scores.
    """
    marks, agreeing, telling, values = [], 0.0, 0.0, set()
    for part in parts:
        scores = definition.scores(part.rankings)
        same = equal(part.scores, scores, rounding)
        tells = ~(np.isin(scores, (0, 1)) & np.isin(part.scores, (0, 1)))
        agreeing += float(part.shares[same & tells].sum())
        telling += float(part.shares[tells].sum())
        values.update(np.round(scores[same], 6).tolist())
        marks.append(same)
    every = all(mask.all() for mask in marks)
    if len(values) < (2 if every else _TELLING):
        return _Candidate(definition, 0.0, ())
    share = 1.0 if every else min(agreeing / telling, 1 - 1e-9) if telling else 0.0
    return _Candidate(definition, share, tuple(marks) if share >= NEAR_OUTSIDE else ())


def _nearest(candidates: Sequence[_Candidate], parts: Sequence[Scored]) -> _Candidate | None:
    """Return the candidate with all scores, else a near one, preferably one that differs on a condition alone."""

    def few_departures(one: _Candidate) -> tuple[float, int]:
        return -one.share, len(one.definition.departures)

    ordered = sorted((one for one in candidates if one.same), key=few_departures)
    if not ordered or ordered[0].share == 1:
        return ordered[0] if ordered else None
    explained = [replace(one, where=_condition(one, parts)) for one in ordered[:_CANDIDATES]]
    named = [one for one in explained if one.share >= NEAR or (one.where.startswith("where") and _is_simple(one))]

    def simple(one: _Candidate) -> float:
        return one.share + (_EXPLAINED if one.where else 0.0) - _PER_DEPARTURE * len(one.definition.departures)

    return max(named, key=simple, default=None)


def _is_simple(one: _Candidate) -> bool:
    return len(one.definition.departures) < 2


def _departure(
    best: _Candidate,
    name: str,
    subject: Subject,
    blocks: Sequence[CaseBlock],
    parts: Sequence[Scored],
    rounding: float,
) -> Departure | None:
    """Return the smallest agreeing ranking that has another score without one departure, or None if there is none."""
    here, other = best.definition, best.definition.without(name)

    def differs(block: CaseBlock, score: Reals) -> bool:
        one = rankings_of(block, parts[0].rankings.levels)
        agrees = equal(score, here.scores(one), rounding)
        return bool((agrees & ~equal(score, other.scores(one), rounding)).all())

    marks = [
        ~equal(part.scores, other.scores(part.rankings), rounding) & same
        for part, same in zip(parts, best.same, strict=True)
    ]
    shown = _smallest(marks, blocks, parts)
    if shown is None:
        return None
    block, score = shrunk(subject, shown, differs)
    one = rankings_of(block, parts[0].rankings.levels)
    case = counterexample((block, 0, score)) | {"reference": float(other.scores(one)[0])}
    return Departure(DEPARTURES[name], name, case, here.written_out(one), other.written_out(one))


def _rounded(
    definition: Definition, subject: Subject, blocks: Sequence[CaseBlock], parts: Sequence[Scored]
) -> Departure | None:
    """Return a small ranking whose score is rounded, or None if no score is."""
    marks = [~equal(part.scores, definition.scores(part.rankings), 1e-9) for part in parts]
    block = _smallest(marks, blocks, parts)
    if block is None:
        return None
    one = rankings_of(block, parts[0].rankings.levels)
    score = float(subject.score([block])[0].values[0])
    case = counterexample((block, 0, score)) | {"reference": float(definition.scores(one)[0])}
    return Departure(DEPARTURES["rounded"], "rounded", case, f"{score:.10g}", definition.written_out(one))


def _exception(
    best: _Candidate, subject: Subject, blocks: Sequence[CaseBlock], parts: Sequence[Scored], rounding: float
) -> Departure:
    """Return the smallest ranking that has another score than a near definition."""
    definition, levels = best.definition, parts[0].rankings.levels

    def differs(block: CaseBlock, score: Reals) -> bool:
        return not equal(score, definition.scores(rankings_of(block, levels)), rounding).any()

    shown = _smallest([~mask for mask in best.same], blocks, parts)
    assert shown is not None
    block, score = shrunk(subject, shown, differs)
    one = rankings_of(block, levels)
    case = counterexample((block, 0, score)) | {"reference": float(definition.scores(one)[0])}
    says = best.where or "on some rankings"
    return Departure(says, "", case, f"{score:.4g}", definition.written_out(one))


def _smallest(marks: Sequence[Mask], blocks: Sequence[CaseBlock], parts: Sequence[Scored]) -> CaseBlock | None:
    """Return the marked ranking with the fewest judged, ranked and relevant documents, with grades of 1 if possible."""
    for mask, part in zip(marks, parts, strict=True):
        rows, found = np.flatnonzero(mask), part.rankings
        if len(rows):
            between = ((found.pool[rows] > 0) & (found.pool[rows] < 1)).sum(axis=1)
            keys = (between, found.relevant[rows], found.lengths[rows], found.judged[rows])
            block, row = (int(x) for x in part.places[rows[np.lexsort(keys)[0]]])
            return blocks[block].rows(np.array([row]))
    return None


def _conditions(part: Scored, cutoff: int | None) -> Iterator[tuple[str, Array]]:
    """Yield conditions on rankings that often cause a difference."""
    rankings = part.rankings
    hits = (rankings.grades > 0).sum(axis=1)
    yield "no document is relevant", rankings.relevant == 0
    yield "no relevant document is retrieved", hits == 0
    yield "the list has a single document", rankings.lengths == 1
    if cutoff is not None:
        yield f"the topic has more than {counted(cutoff, 'relevant document')}", rankings.relevant > cutoff
        yield f"the list has fewer than {counted(cutoff, 'document')}", rankings.lengths < cutoff
        yield f"the topic has fewer than {counted(cutoff, 'relevant document')}", rankings.relevant < cutoff
    for k in CUTOFFS[1:] if cutoff is None else (cutoff,):
        yield f"the list has more than {counted(k, 'document')}", rankings.lengths > k
    yield "a relevant document is not retrieved", hits < rankings.relevant
    yield "some grade is between 0 and 1", ((rankings.pool > 0) & (rankings.pool < 1)).any(axis=1)
    yield "several documents are relevant", rankings.relevant > 1
    yield "an irrelevant document is retrieved", hits < rankings.lengths


def _condition(candidate: _Candidate, parts: Sequence[Scored]) -> str:
    """Return the condition that all rankings with another score meet, and the fewest others; empty if none fits.

    Where no single condition fits, two are combined, each of which is met by some of these rankings alone. A condition
    that many rankings with the same score meet is told as one of some rankings.
    """
    differ = ~np.concatenate(candidate.same)
    listed = [list(_conditions(part, candidate.definition.cutoff)) for part in parts]
    single = [(alike[0][0], np.concatenate([m for _, m in alike])) for alike in zip(*listed, strict=True)]
    for conditions in (single, [(f"{a}, or {b}", x | y) for (a, x), (b, y) in itertools.combinations(single, 2)]):
        fitting = [
            (float(differ.sum() / met.sum()), says)
            for says, met in conditions
            if met.any() and met.mean() < _NEARLY_ALL and not (differ & ~met).any()
        ]
        share, says = max(fitting, default=(0.0, ""))
        if share > _MET:
            return f"where {says}" if share >= _CLEARLY else f"on some rankings where {says}"
    return ""
