"""Values that only one list of probabilities has: every relevant document in front, or at the end.

Let h(c) be the score of the list with c relevant documents in front. Of the lists with c relevant ones it has the
largest score, and alone, if a relevant document that moves up raises the score. So the expectation is at most that of
h(c) over the random c, whose mean R is given; and if (R, h(R)) lies on the upper hull of h, that is at most h(R). It is
reached only if every list that has a probability has its relevant documents in front, which leaves, of documents that
are relevant independently of each other, one at most in doubt, and none as the probabilities sum to R. In the same way
lists with every relevant document at the end have the least value, where (R, h(R)) lies on the lower hull of theirs.
"""

from __future__ import annotations

import numpy as np

from axiomcheck.core.typing import Array, Reals
from axiomcheck.runs.informativeness.expectations import Expectation
from axiomcheck.runs.informativeness.lists import JudgedList

_ROUNDING = 1e-12


def only_point(form: Expectation, judged: JudgedList) -> Reals | None:
    """The probabilities, all 0 or 1, if a list's score and counts of relevant documents leave no others.

    Args:
        form: of the intents, an expectation whose scores rise as a relevant document moves up.
        judged: the list.

    Returns:
        (n, m), or None: there are others, or none are ruled out by this argument.

    """
    n, counts = len(judged.relevant), judged.counts
    ranks = np.arange(n)[:, None]
    for front in (True, False):

        def pattern(count: Array, front: bool = front) -> Reals:
            placed = ranks < count if front else ranks >= n - count
            return np.array(np.broadcast_to(placed, judged.relevant.shape), dtype=np.float64)

        if np.array_equal(judged.relevant, pattern(counts)):
            sign = 1.0 if front else -1.0
            scores = np.array([sign * form(pattern(count))[0] for count in range(n + 1)])
            if all(_on_upper_hull(scores[:, j], int(count)) for j, count in enumerate(counts)):
                return pattern(counts)
    return None


def _on_upper_hull(scores: Reals, at: int) -> bool:
    """Whether a line through the point at a place has all others on or below it."""
    places = np.arange(len(scores))
    rises = np.divide(scores - scores[at], places - at, where=places != at, out=np.zeros(len(scores)))
    room = _ROUNDING * float(np.abs(scores).max())
    before, after = rises[:at], rises[at + 1 :]
    return not (len(before) and len(after)) or bool(before.min() >= after.max() - room)
