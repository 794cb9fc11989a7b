"""Departures of a metric from a known definition, each with a small ranking that shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from axiomcheck.checks.cases import counterexample, plain
from axiomcheck.checks.definitions.dictionary import DEPARTURES, Definition
from axiomcheck.checks.definitions.rankings import Rankings
from axiomcheck.checks.definitions.scored import Scored, equal, one_grades, rankings_of
from axiomcheck.checks.definitions.shrinking import shrunk
from axiomcheck.core.typing import Mask, Reals
from axiomcheck.sources.function_metrics import FloatTopic
from axiomcheck.sources.probes import CaseBlock
from axiomcheck.trials.subject import Subject

Differs: TypeAlias = Callable[[Rankings, Reals], Mask]
"""Function that returns a mask of the rankings whose scores show a departure."""


@dataclass(frozen=True)
class Departure:
    """Departure from a definition, with the smallest ranking that shows it.

    Args:
        says: Description of the difference as a clause.
        name: Name of the departure in `axiomcheck.checks.definitions.dictionary.DEPARTURES`; empty if it has none.
        counterexample: The ranking, with its scores under the metric and under the definition, as JSON.
        metric_sum: Computation of the metric's score, rank by rank if it is known.
        standard_sum: Computation of the definition's score, rank by rank.

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
        """Return a departure with the smallest ranking whose score would differ without it, or None."""
        here, other = self.definition, self.definition.without(name)

        def differs(found: Rankings, scores: Reals) -> Mask:
            agrees = equal(scores, here.scores(found), self.rounding)
            return agrees & ~equal(scores, other.scores(found), self.rounding)

        return self._shown(differs, other, DEPARTURES[name], name)

    def rounded(self) -> Departure | None:
        """Return the departure for rounded scores, with a small ranking; None if no score is rounded."""
        return self._shown(self._apart(1e-9), self.definition, DEPARTURES["rounded"], "rounded")

    def exception(self, where: str, name: str = "") -> Departure | None:
        """Return a departure with the smallest ranking whose score differs from the definition; None if there is none.

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
        """Return the marked ranking with the fewest judged, ranked and relevant documents, with grade 1 if possible."""
        for mask, part in zip(marks, self.parts, strict=True):
            rows, found = np.flatnonzero(mask), part.rankings
            if len(rows):
                between = ((found.pool[rows] > 0) & (found.pool[rows] < 1)).sum(axis=1)
                keys = (between, found.relevant[rows], found.lengths[rows], found.judged[rows])
                block, row = (int(x) for x in part.places[rows[np.lexsort(keys)[0]]])
                return self.blocks[block].rows(np.array([row]))
        return None

    def unjudged(self) -> Departure | None:
        """Return the departure in the treatment of unjudged documents, with the smallest ranking, or None.

        By definition, an unjudged document counts as irrelevant, except that bpref leaves it out. Library measures
        document their behaviour, and a metric that rejects such rankings has no departure.
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
        """Return a ranking whose relevant document is within the cutoff only if an unjudged document is left out."""
        pool = np.zeros((1, cutoff + 1, 1))
        pool[0, cutoff - 1] = 1.0
        return CaseBlock(pool, np.ones((1, 1)), np.array([[cutoff, *range(cutoff)]]))

    @property
    def _leaves_out(self) -> bool:
        return self.definition.family.name == "bpref"

    def _readings(self, block: CaseBlock) -> tuple[Rankings, Rankings]:
        """Return rankings whose last document is unjudged, treated first as in the definition, then the other way."""
        last, levels = block.documents - 1, self.parts[0].rankings.levels
        pool, judged = block.pool[:, :last, 0], np.full(block.size, last)
        shorter = block.order[block.order != last].reshape(block.size, block.ranked - 1)
        orders = (block.order, shorter) if not self._leaves_out else (shorter, block.order)
        usual, other = (
            Rankings(one_grades(block.reordered(order)), np.full(block.size, order.shape[1]), pool, judged, levels)
            for order in orders
        )
        return usual, other
