"""Find departures of a metric from a known definition, with a small ranking that shows each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from axiomcheck.checks.definitions.dictionary import DEPARTURES, Definition
from axiomcheck.checks.definitions.scored import Rankings, Scored, equal, rankings_of
from axiomcheck.core.typing import Mask, Reals
from axiomcheck.sources.external_metrics import FloatTopic
from axiomcheck.sources.probes import CaseBlock, counterexample, listed, plain
from axiomcheck.trials.subject import Subject

Differs: TypeAlias = Callable[[Rankings, Reals], Mask]
"""Function that returns a mask of the rankings whose scores show a departure."""


@dataclass(frozen=True)
class Departure:
    """Departure from a definition, with the smallest ranking that shows it.

    Args:
        says: Clause that describes the departure.
        name: Name of the departure in `axiomcheck.checks.definitions.dictionary.DEPARTURES`; empty if it has none.
        counterexample: The ranking, with its scores under the metric and under the definition, as JSON.
        metric_sum: Computation of the metric's score as text, rank by rank if it is known.
        standard_sum: Computation of the definition's score as text, rank by rank.

    """

    says: str
    name: str
    counterexample: dict[str, Any]
    metric_sum: str
    standard_sum: str


@dataclass(frozen=True)
class Evidence:
    """Rankings that a metric scored, and the definition (with departures) that the scores are compared with.

    Args:
        subject: Metric with its cases.
        blocks: Rankings that the metric scored.
        parts: The same rankings in padded arrays, with the scores.
        definition: Definition with its departures.
        rounding: Largest difference at which two scores count as equal.

    """

    subject: Subject
    blocks: Sequence[CaseBlock]
    parts: Sequence[Scored]
    definition: Definition
    rounding: float

    def departure(self, name: str) -> Departure | None:
        """Return a named departure, shown by a small ranking whose score differs without it; None if there is none."""
        here, other = self.definition, self.definition.without(name)

        def differs(found: Rankings, scores: Reals) -> Mask:
            agrees = equal(scores, here.scores(found), self.rounding)
            return agrees & ~equal(scores, other.scores(found), self.rounding)

        return self._shown(differs, other, DEPARTURES[name], name)

    def rounded(self) -> Departure | None:
        """Return the departure "rounded", shown by a small ranking; None if no score is rounded."""
        return self._shown(self._apart(1e-9), self.definition, DEPARTURES["rounded"], "rounded")

    def exception(self, where: str, name: str = "") -> Departure | None:
        """Return a departure shown by a small ranking whose score differs from the definition; None if no score does.

        Args:
            where: Description of the departure.
            name: Name of the departure; empty if it has none.

        """
        return self._shown(self._apart(self.rounding), self.definition, where, name)

    def _apart(self, rounding: float) -> Differs:
        return lambda found, scores: ~equal(scores, self.definition.scores(found), rounding)

    def _shown(self, differs: Differs, other: Definition, says: str, name: str) -> Departure | None:
        levels = self.parts[0].rankings.levels
        shown = self._smallest([differs(part.rankings, part.scores) for part in self.parts])
        if shown is None:
            return None
        block, score = shrunk(
            self.subject, shown, lambda smaller, scored: bool(differs(rankings_of(smaller, levels), scored).all())
        )
        one = rankings_of(block, levels)
        case = counterexample((block, 0, score)) | {"reference": float(other.scores(one)[0])}
        named = self.definition.written_out(one) if name in self.definition.departures else f"{score:.4g}"
        return Departure(says, name, case, f"{score:.10g}" if name == "rounded" else named, other.written_out(one))

    def _smallest(self, marks: Sequence[Mask]) -> CaseBlock | None:
        """Return the simplest ranking that the masks select, or None if they select none.

        It has the fewest grades strictly between 0 and 1, then the fewest relevant, ranked and judged documents.
        """
        for mask, part in zip(marks, self.parts, strict=True):
            rows, found = np.flatnonzero(mask), part.rankings
            if len(rows):
                between = ((found.pool[rows] > 0) & (found.pool[rows] < 1)).sum(axis=1)
                keys = (between, found.relevant[rows], found.lengths[rows], found.judged[rows])
                block, row = (int(x) for x in part.places[rows[np.lexsort(keys)[0]]])
                return self.blocks[block].rows(np.array([row]))
        return None

    def unjudged(self) -> Departure | None:
        """Return the departure in the treatment of unjudged documents, shown by a small ranking; None if there is none.

        By definition, an unjudged document counts as irrelevant, except that bpref leaves it out. The result is also
        None for library measures, which document their behaviour, and for metrics that reject such rankings.
        """
        metric = self.subject.named
        if metric is None or self.subject.library is not None:
            return None
        small = [block for block in self.blocks if 1 < block.ranked < 4 > block.documents]
        if self.definition.cutoff is not None:
            small.append(self._past_cutoff(self.definition.cutoff))
        for block in small:
            last = block.documents - 1
            rows = block.rows((block.pool[:, last, 0] == 0) & (block.order == last).any(axis=1))
            if not rows.size:
                continue
            names = (*rows.names[:last], "unjudged")
            topics = [dict(zip(names[:last], pool, strict=True)) for pool in rows.pool[:, :last].tolist()]
            rankings = [[names[k] for k in order] for order in rows.order.tolist()]
            cases = [(FloatTopic((1.0,), topic), ranking) for topic, ranking in zip(topics, rankings, strict=True)]
            scores, refused = self.subject.attempt(partial(metric.score_rankings, cases), len(cases))
            if refused:
                return None
            usual, other = self._readings(rows)
            wrong = ~equal(scores, self.definition.scores(usual), self.rounding)
            if wrong.any():
                row = int(np.flatnonzero(wrong)[0])
                score, one = float(scores[row]), usual.rows(np.array([row]))
                case: dict[str, Any] = {"topic": {"weights": [1.0], "pool": plain(topics[row])}}
                case |= {"rankings": [rankings[row]], "scores": plain([score])}
                case |= {"reference": float(self.definition.scores(one)[0])}
                told, standard = f"{score:.4g}", self.definition.written_out(one)
                if not equal(scores, self.definition.scores(other), self.rounding).all():
                    return Departure("where a document is not judged", "", case, told, standard)
                name = "unjudged-irrelevant" if self._leaves_out else "unjudged-left-out"
                return Departure(DEPARTURES[name], name, case, told, standard)
        return None

    def _past_cutoff(self, cutoff: int) -> CaseBlock:
        """Return a ranking whose relevant document moves up to the cutoff if the unjudged first one is left out."""
        pool = np.zeros((1, cutoff + 1, 1))
        pool[0, cutoff - 1] = 1.0
        return listed(pool).alike([cutoff, *range(cutoff)])

    @property
    def _leaves_out(self) -> bool:
        return self.definition.family.name == "bpref"

    def _readings(self, block: CaseBlock) -> tuple[Rankings, Rankings]:
        """Return rankings with an unjudged document in two versions: treated as in the definition, and the other way.

        The last document of each pool counts as unjudged. It is either left out of the ranking or counted as
        irrelevant.
        """
        last, levels = block.documents - 1, self.parts[0].rankings.levels
        pool, judged = block.pool[:, :last, 0], np.full(block.size, last)
        shorter = block.order[block.order != last].reshape(block.size, block.ranked - 1)
        orders = (block.order, shorter) if not self._leaves_out else (shorter, block.order)
        usual, other = (
            Rankings(block.reordered(order).grades[:, :, 0], np.full(block.size, order.shape[1]), pool, judged, levels)
            for order in orders
        )
        return usual, other


_TRIALS = 200
"""Maximum number of rankings that are scored to shrink one."""


def shrunk(subject: Subject, block: CaseBlock, differs: Callable[[CaseBlock, Reals], bool]) -> tuple[CaseBlock, float]:
    """Return a smaller ranking that still shows a difference, and the metric's score for it.

    Each step removes a document or an aspect, weights the aspects equally, or changes a grade to 0 or 1. A step is kept
    if the difference remains.

    Args:
        subject: Metric that scores the rankings.
        block: One ranking.
        differs: Function that takes a ranking and its score, shape (1,), and returns True if they still show the
            difference.

    """
    score = subject.score([block])[0].values
    left = _TRIALS if subject.scale.share >= 20 else _TRIALS // 10
    smaller = _smaller(block)
    while left and (one := next(smaller, None)) is not None:
        left -= 1
        scored = subject.score([one])[0].values
        if differs(one, scored):
            block, score, smaller = one, scored, _smaller(one)
    return block, float(score[0])


def _smaller(block: CaseBlock) -> Iterator[CaseBlock]:
    """Yield simpler rankings: with one document or aspect fewer, and then with simpler weights or grades."""
    order, pool = block.order[0], block.pool
    for document in reversed(range(block.documents)):
        if block.documents > 1 and (block.ranked > 1 or document not in order):
            kept = order[order != document]
            yield CaseBlock(np.delete(pool, document, axis=1), block.weights, (kept - (kept > document))[None])
    for rank in reversed(range(block.ranked)):
        if block.ranked > 1:
            yield block.reordered(np.delete(block.order, rank, axis=1))
    for aspect in range(block.aspects) if block.aspects > 1 else ():
        weights = np.delete(block.weights, aspect, axis=1)
        yield CaseBlock(np.delete(pool, aspect, axis=2), weights / weights.sum(), block.order)
    if np.ptp(block.weights):
        yield block.equally_weighted
    if ((pool > 0) & (pool < 1)).any():
        yield replace(block, pool=(pool > 0).astype(np.float64))
    for document, aspect in np.ndindex(pool.shape[1:]):
        grade = pool[0, document, aspect]
        for other in (0.0, 1.0) if 0 < grade < 1 else (0.0,) if grade else ():
            changed = pool.copy()
            changed[0, document, aspect] = other
            yield replace(block, pool=changed)
