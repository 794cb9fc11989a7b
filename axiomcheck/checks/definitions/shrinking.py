"""Shrink a ranking on which a metric and a definition differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from axiomcheck.core.typing import Reals
from axiomcheck.sources.probes import CaseBlock
from axiomcheck.trials.subject import Subject

_TRIALS = 200
"""Maximum number of rankings that are scored to shrink one."""


def shrunk(subject: Subject, block: CaseBlock, differs: Callable[[CaseBlock, Reals], bool]) -> tuple[CaseBlock, float]:
    """Return a smaller ranking that still shows a difference, and the metric's score for it.

    Documents are removed from the ranking or from the topic, aspects are removed or weighted equally, and grades become
    0 or 1, as long as there is a difference.

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
    """Yield rankings with one document or one aspect fewer, and then rankings with simpler weights or grades."""
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
        yield CaseBlock(pool, np.full(block.weights.shape, 1 / block.aspects), block.order)
    if ((pool > 0) & (pool < 1)).any():
        yield replace(block, pool=(pool > 0).astype(np.float64))
    for document, aspect in np.ndindex(pool.shape[1:]):
        grade = pool[0, document, aspect]
        for other in (0.0, 1.0) if 0 < grade < 1 else (0.0,) if grade else ():
            changed = pool.copy()
            changed[0, document, aspect] = other
            yield CaseBlock(changed, block.weights, block.order)
