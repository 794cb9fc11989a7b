"""Find topics of which no ranking scores the declared maximum, or one that misses relevant documents does."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from axiomcheck.checks.contract.registry import Finding, failed, passed
from axiomcheck.checks.contract.showing import counterexample, first_row, number, rounding
from axiomcheck.trials.cases import CaseBlock
from axiomcheck.trials.subject import BlockScores, Subject


def has_whole_rankings(block: CaseBlock) -> bool:
    """Whether it stands for its topics: every small topic comes once per length, of which the longest is taken."""
    return block.documents == block.ranked if block.documents <= 3 else block.aspects == 1


class Missing:
    """Topics of which no ranking that was tried so far scores the maximum.

    Args:
        block: the topics.

    """

    def __init__(self, block: CaseBlock) -> None:
        self.block = block
        self.every = block.documents <= 3
        self.best = np.full(block.size, -np.inf)
        self.shown = np.zeros((block.size, block.documents), dtype=np.intp)
        self.length = np.full(block.size, block.ranked)
        self.tried = 0
        self.gaps = False

    def rankings(self, length: int) -> list[CaseBlock]:
        """Rankings of one length: all there are, or the one by descending grade."""
        size, documents = self.block.size, self.block.documents
        if self.every:
            orders = itertools.permutations(range(documents), length)
            return [self.block.reordered(np.tile(order, (size, 1))) for order in orders]
        descending = np.argsort(-self.block.pool[:, :, 0], axis=1, kind="stable")
        return [self.block.reordered(descending[:, :length])]

    def book(self, rankings: Sequence[CaseBlock], scores: Sequence[BlockScores], high: float, resolution: float) -> int:
        """Keeps the topics of which no ranking scores the maximum; returns how many there are to go by.

        Those are the ones of which every ranking of the whole pool has a score; a shorter one that has none is no
        better for it.
        """
        values = np.array([found.values for found in scores])
        usable = np.isfinite(values).all(axis=0) if not self.tried else np.ones(self.block.size, dtype=bool)
        self.gaps |= bool(self.tried and not np.isfinite(values).all())
        values = np.where(np.isfinite(values), values, -np.inf)
        best, which = values.max(axis=0), values.argmax(axis=0)
        for row in np.flatnonzero(usable & (best > self.best)):
            order = rankings[int(which[row])].order[row]
            self.best[row], self.length[row] = best[row], len(order)
            self.shown[row, : len(order)] = order
        self.tried += len(rankings)
        close = np.maximum(rounding(self.best), resolution) * max(1.0, abs(high))
        kept = usable & (self.best < high - close)
        self.block = self.block.rows(kept)
        self.best, self.shown, self.length = self.best[kept], self.shown[kept], self.length[kept]
        return int(usable.sum())

    def told(self, high: float, cases: int) -> tuple[str, int, dict[str, Any]]:
        """The reason, the cases, and the best ranking that was tried."""
        row = first_row(self.block, np.ones(self.block.size, dtype=bool))
        best = float(self.best[row])
        kinds = "its rankings" if self.every else "its rankings by descending grade"
        what = f"the topic's only document, ranked, scores {number(best)}"
        if self.tried > 1:
            gaps = ", some of which have no score," if self.gaps else ""
            what = f"none of {kinds} of 1 to {self.block.documents:,} documents{gaps} scores above {number(best)}"
        shown = self.block.reordered(self.shown[:, : self.length[row]])
        return f"{what}; declared: {number(high)}", cases, counterexample((shown, row, best))


def maximum_of_incomplete(subject: Subject, block: CaseBlock, high: float) -> Finding:
    """Find a ranking that scores the maximum and misses a document that the metric rewards within the cutoff.

    The metric rewards a document of a topic where appending it raises the score of some ranking of the same other
    documents. Reciprocal rank never rewards a second relevant document, so a ranking may miss that one.

    Args:
        subject: scores the rankings.
        block: topics of two or three documents.
        high: the declared maximum.

    """
    documents = range(block.documents)
    lengths = range(1, block.documents + 1)
    orders = [order for length in lengths for order in itertools.permutations(documents, length)]
    ranked = [block.reordered(np.tile(order, (block.size, 1))) for order in orders]
    values = {order: scores.values for order, scores in zip(orders, subject.score(ranked), strict=True)}
    deepest = min(block.documents, subject.metric.cutoff or block.documents)
    shorter = [order for order in orders if len(order) < deepest]
    cases = 0
    for order, missing in itertools.product(shorter, documents):
        if missing in order:
            continue
        close = np.maximum(rounding(values[order]), subject.rounding) * max(1.0, abs(high))
        others = [other for other in shorter if set(order) <= set(other) and missing not in other]
        rewarded = np.any([values[(*other, missing)] > values[other] + close for other in others], axis=0)
        asked = rewarded & block.pool[:, missing].any(axis=1)
        cases += int(asked.sum())
        wrong = asked & (values[order] >= high - close)
        if wrong.any():
            row = first_row(block, wrong)
            score = float(values[order][row])
            reason = f"a ranking scores {number(score)} without the relevant document {block.names[missing]}"
            shown = counterexample((block.reordered(np.tile(order, (block.size, 1))), row, score))
            return failed(f"{reason}, which raises the score of others", cases, shown)
    return passed(cases)
