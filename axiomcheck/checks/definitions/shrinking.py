"""Shrink a ranking on which a metric and a definition differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from axiomcheck.core.typing import Reals
from axiomcheck.sources.probes import CaseBlock
from axiomcheck.trials.subject import Subject

_TRIALS = 200
"""Largest number of rankings that are scored."""


def shrunk(subject: Subject, block: CaseBlock, differs: Callable[[CaseBlock, Reals], bool]) -> tuple[CaseBlock, float]:
    """Return a smaller ranking that still differs, and the metric's score on it.

    Documents are left out of the ranking or of the topic, and grades become 0 or 1, as long as there is a difference.

    Args:
        subject: Metric that scores the rankings.
        block: One ranking of one aspect.
        differs: Function of a ranking and its score of shape (1,), True if they still show the difference.

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
    """Yield rankings with a document fewer, then with another grade."""
    order, pool = block.order[0], block.pool
    for document in reversed(range(block.documents)):
        if block.documents > 1 and (block.ranked > 1 or document not in order):
            kept = order[order != document]
            yield CaseBlock(np.delete(pool, document, axis=1), block.weights, (kept - (kept > document))[None])
    for rank in reversed(range(block.ranked)):
        if block.ranked > 1:
            yield block.reordered(np.delete(block.order, rank, axis=1))
    for document in range(block.documents):
        grade = pool[0, document, 0]
        for other in (0.0, 1.0) if 0 < grade < 1 else (0.0,) if grade else ():
            changed = pool.copy()
            changed[0, document, 0] = other
            yield CaseBlock(changed, block.weights, block.order)
