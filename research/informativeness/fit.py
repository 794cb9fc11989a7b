"""Maximum-entropy probabilities of relevance, given the numbers of relevant documents and a measure's value.

The entropy of p (n, m), the sum of -p log p - (1 - p) log(1 - p), is maximised by sequential quadratic programming
under

    sum_i p_ij = R_j for every intent j,  E(p) = the measure's value.

The entropy is concave, but the expectation is a polynomial, so there may be several local maxima. Each fit starts from
several points, which depend only on the R_j of the list, and keeps the result with the largest entropy. The solver's
own status is ignored. A fit has *converged* if it satisfies the conditions and there are multipliers with

    p_ij = 1 / (1 + exp(-lambda_j - mu dE/dp_ij)),

that is, if the derivatives of the Lagrangian are 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.optimize import fmin_slsqp
from scipy.special import expit, logit

from axiomcheck.core.typing import Integers, Mask, Reals
from research.informativeness.lists import JudgedList
from research.informativeness.measures import Expectation

Status = Literal["converged", "forced", "not stationary", "infeasible", "failed"]
"""Outcome of a fit.

The fit ended at a stationary point (converged), the conditions allow only one point and there was no search (forced),
the fit ended at a point that satisfies the conditions but is not stationary, it found no point that satisfies the
conditions (infeasible), or it did not end with finite numbers (failed).
"""

STATUSES: tuple[Status, ...] = ("converged", "forced", "not stationary", "infeasible", "failed")

FEASIBLE = 1e-8
"""Tolerance of the conditions.

A sum of probabilities may be off by this much. The measure's value may be off by this much in two units: its largest
derivative where p is constant, and the amount that is worth `_WORTH` nats of entropy by the multiplier. The second unit
is needed because the first would accept any point if all relevant derivatives are small.
"""
STATIONARY = 1e-5
"""Largest accepted difference between a probability and the one that the multipliers give."""
_WORTH = 1e-6 / FEASIBLE
_ROUNDING = 1e-9
"""Largest relative difference of slopes that counts as rounding."""
_EDGE = 1e-9
"""Distance that quadratic programming keeps from 0 and 1, where the entropy has no derivative."""
_MOST_STEPS = 200
_ACCURACY = 1e-12


@dataclass(frozen=True)
class Fit:
    """Fitted probabilities, with the results of their checks.

    Args:
        p: Probabilities, shape (n, m).
        entropy: Entropy of p, in nats.
        off: Size of the violation of the conditions by p, in the units of `FEASIBLE`.
        unsteady: Largest difference between p and the probabilities that follow from the multipliers.
        multiplier: mu, the multiplier of the measure's value.

    """

    status: Status
    p: Reals
    entropy: float
    off: float
    unsteady: float
    multiplier: float

    @property
    def usable(self) -> bool:
        """True if predictions may be based on the fit."""
        return self.status in ("converged", "forced")


def fit(judged: JudgedList, expectation: Expectation, value: float, only: Reals | None = None) -> Fit:
    """Return the probabilities of maximum entropy, given a measure's value and the numbers of relevant documents.

    Args:
        judged: List. Only its number of documents and its numbers of relevant documents per intent are used.
        expectation: Expectation of the measure.
        value: Value of the measure.
        only: The only probabilities that satisfy the conditions, if these are known; else None.

    """
    even = count_only(judged)
    free: Mask = (judged.counts > 0) & (judged.counts < len(even))
    if only is not None or not free.any():
        return Fit("forced", even if only is None else only, 0.0, 0.0, 0.0, 0.0)
    problem = _Problem(expectation, value, even, free)
    found = [problem.solved(start) for start in _starts(even[:, free])]
    sound = [one for one in found if one.status != "failed"]
    feasible = [one for one in sound if one.off <= FEASIBLE]
    if not feasible:
        return min(sound, key=lambda one: one.off) if sound else found[0]
    return max(feasible, key=lambda one: one.entropy)


def count_only(judged: JudgedList) -> Reals:
    """Return the probabilities of maximum entropy if only the R_j are known: R_j / n at every rank."""
    return np.repeat(judged.relevant.mean(axis=0)[None], len(judged.relevant), axis=0)


def _starts(even: Reals) -> Iterator[Reals]:
    """Yield starting points, shape (n, free intents).

    They are constant, falling with rank, rising with rank, and alternating between intents.
    """
    tilt = 0.9 * np.minimum(even, 1 - even) * np.linspace(1, -1, len(even))[:, None]
    yield even
    yield even + tilt
    yield even - tilt
    if even.shape[1] > 1:
        yield even + tilt * (-1.0) ** np.arange(even.shape[1])


class _Problem:
    """Entropy maximisation over x, the flattened p of the intents for which R_j does not already determine p."""

    def __init__(self, expectation: Expectation, value: float, even: Reals, free: Mask) -> None:
        self.expectation, self.value, self.even, self.free = expectation, value, even, free
        self.sums = np.tile(np.eye(int(free.sum())), len(even))
        self.counts = even.sum(axis=0)[free]
        self.scale = float(np.abs(expectation(even)[1][:, free]).max()) or 1.0

    def solved(self, start: Reals) -> Fit:
        """Run the solver from a starting point, and return its result as a fit."""
        found = fmin_slsqp(
            _negentropy,
            start.ravel(),
            fprime=logit,
            f_eqcons=self._off,
            fprime_eqcons=self._derivatives,
            bounds=[(_EDGE, 1 - _EDGE)] * start.size,
            iter=_MOST_STEPS,
            acc=_ACCURACY,
            iprint=-1,
        )
        return self.checked(np.asarray(found, dtype=np.float64))

    def checked(self, x: Reals) -> Fit:
        """Check whether a point x is a solution, and return it as a fit with the results of the checks."""
        parts = np.abs(self._off(x))
        off = float(parts.max())
        derivatives = self._derivatives(x)
        if not (np.isfinite(x).all() and np.isfinite(off) and np.isfinite(derivatives).all()):
            return Fit("failed", self.even, 0.0, np.inf, np.inf, 0.0)
        # Least squares of the errors of the probabilities, to first order.
        room = x * (1 - x)
        multipliers = np.linalg.lstsq((derivatives * room).T, logit(x) * room, rcond=None)[0]
        unsteady = float(np.abs(expit(multipliers @ derivatives) - x).max())
        if unsteady <= STATIONARY:
            off = max(off, float(abs(multipliers[-1]) * parts[-1]) / _WORTH)
        status: Status = "infeasible" if off > FEASIBLE else "not stationary" if unsteady > STATIONARY else "converged"
        multiplier = float(multipliers[-1]) / self.scale
        return Fit(status, self._whole(x), -float(_negentropy(x)), off, unsteady, multiplier)

    def _whole(self, x: Reals) -> Reals:
        p = self.even.copy()
        p[:, self.free] = x.reshape(len(p), -1)
        return p

    def _off(self, x: Reals) -> Reals:
        value = self.expectation(self._whole(x))[0]
        return np.append(self.sums @ x - self.counts, (value - self.value) / self.scale)

    def _derivatives(self, x: Reals) -> Reals:
        slopes = self.expectation(self._whole(x))[1][:, self.free]
        return np.vstack([self.sums, slopes.ravel() / self.scale])


def _negentropy(x: Reals) -> float:
    return float((x * np.log(x) + (1 - x) * np.log1p(-x)).sum())


def only_point(form: Expectation, judged: JudgedList) -> Reals | None:
    """Return the only probabilities that a list's score and numbers of relevant documents allow, if all are 0 or 1.

    Let h(c) be the score of the list with c relevant documents in front. It is the unique largest score of lists with c
    relevant documents. So the expectation is at most the expectation of h(C), where C is the random number of relevant
    documents, with mean R. If no h(c) is above a line through h(R), the expectation is at most h(R). The bound is
    reached only if every list with a positive probability has its relevant documents in front. For documents that are
    relevant independently, this leaves at most one document uncertain, and none because the probabilities sum to R. In
    the same way, lists with all relevant documents at the end have the least value if none of their h(c) is below a
    line.

    Returns:
        Probabilities, shape (n, m); None if there are others, or if this argument does not exclude them.

    """
    n, counts = len(judged.relevant), judged.counts
    ranks = np.arange(n)[:, None]
    alone = form(np.zeros(judged.relevant.shape))[1]  # value of a document that is the only relevant one
    if not np.all(alone[:-1] > alone[1:]):
        return None  # moving a document up has no effect, as discounts may underflow
    for sign in (1, -1):

        def pattern(count: Integers | int, sign: int = sign) -> Reals:
            placed = ranks < count if sign == 1 else ranks >= n - count
            return np.array(np.broadcast_to(placed, judged.relevant.shape), dtype=np.float64)

        if np.array_equal(judged.relevant, pattern(counts)):
            scores = sign * np.array([form(pattern(count))[0] for count in range(n + 1)])
            if all(_is_below_a_line(h, count) for h, count in zip(scores.T, counts.tolist(), strict=True)):
                return pattern(counts)
    return None


def _is_below_a_line(h: Reals, place: int) -> bool:
    """Return True if some line through h(place) has no h(c) above it, up to rounding."""
    steps = np.delete(np.arange(len(h)) - place, place)
    slopes = np.delete(h - h[place], place) / steps
    before, after = slopes[steps < 0].min(initial=np.inf), slopes[steps > 0].max(initial=-np.inf)
    return bool(after <= before + _ROUNDING * min(abs(before), abs(after)))
