"""Values that only one list of probabilities has: every relevant document in front, or at the end.

Let h(c) be the score of the list with c relevant documents in front. Of the lists with c relevant ones it has the
largest score, and alone, if a relevant document that moves up raises the score. So the expectation is at most that of
h(C) over the random number C of relevant documents, whose mean is R. If no C has an expectation of h above h(R), that
is the largest value; it is reached only if every list that has a probability has its relevant documents in front, which
leaves, of documents that are relevant independently of each other, one at most in doubt, and none as the probabilities
sum to R. In the same way lists with every relevant document at the end have the least value, where no C has an
expectation below h(R) of theirs.

C is the number of successes in n independent trials. By Hoeffding (On the distribution of the number of successes in
independent trials, 1956, corollary 2.1) the largest and the least expectation of a function of it, of all probabilities
with a given sum, are reached where those that are neither 0 nor 1 are equal: C = k + Binomial(m, (R - k) / m). These
are finitely many, and all are tried, in exact arithmetic: slopes of h may be below the rounding of its largest value.
"""

from __future__ import annotations

from math import comb, lcm

import numpy as np

from axiomcheck.core.typing import Array, ExactNumbers, Reals
from axiomcheck.numbers.arithmetic import to_fmpq
from axiomcheck.numbers.zeta import elementwise
from axiomcheck.runs.informativeness.lists import JudgedList
from axiomcheck.runs.informativeness.measures import Form


def only_point(form: Form, judged: JudgedList) -> Reals | None:
    """The probabilities, all 0 or 1, if a list's score and counts of relevant documents leave no others.

    Args:
        form: of the intents.
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
            exact = form.exact()
            if not _rises_upwards(exact, judged.relevant.shape):
                return None
            scores = [exact(elementwise(to_fmpq, pattern(count)))[0] for count in range(n + 1)]
            columns = (-1 if front else 1) * _whole(np.array(scores, dtype=object))
            if all(_is_least(column.tolist(), int(count)) for column, count in zip(columns.T, counts, strict=True)):
                return pattern(counts)
    return None


def _rises_upwards(form: Form, shape: tuple[int, ...]) -> bool:
    """Return True if a relevant document that moves up raises the score; discounts may fade out in floats."""
    alone = form(elementwise(to_fmpq, np.zeros(shape)))[1]  # of a document that is the only relevant one
    return bool(np.all(alone[:-1] > alone[1:]))


def _whole(scores: ExactNumbers) -> Array:
    """Rationals times a positive number that makes all of them whole."""
    scale = lcm(*(int(score.q) for score in scores.ravel().tolist()))
    return elementwise(lambda score: int(score.p) * (scale // int(score.q)), scores)


def _is_least(h: list[int], mean: int) -> bool:
    """Return True if h at a mean is at most its expectation over every number of successes with this mean."""
    trials = len(h) - 1
    for k in range(mean):
        for m in range(mean - k + 1, trials - k + 1):
            hits, misses = mean - k, m - (mean - k)
            expected = sum(comb(m, j) * hits**j * misses ** (m - j) * h[k + j] for j in range(m + 1))
            if expected < h[mean] * m**m:
                return False
    return True
