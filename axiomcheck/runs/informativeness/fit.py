"""Probabilities of relevance of maximum entropy, given how many relevant documents there are and a measure's value.

The entropy of p (n, m), the sum of -p log p - (1 - p) log(1 - p), is maximised, by sequential quadratic programming,
under

    sum_i p_ij = R_j for every intent j,  E(p) = the measure's value.

The entropy is concave, but the expectation is a polynomial, so that there may be several local maxima: each fit is
begun from several points, which know of a list no more than the R_j, and the largest entropy is taken. What the solver
says of itself counts for nothing. A fit has *converged* if it satisfies the conditions, and if there are multipliers
with

    p_ij = 1 / (1 + exp(-lambda_j - mu dE/dp_ij)),

which is what the derivatives of the Lagrangian being 0 says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy.optimize import fmin_slsqp
from scipy.special import expit, logit

from axiomcheck.core.typing import Integers, Mask, Reals
from axiomcheck.runs.informativeness.lists import JudgedList
from axiomcheck.runs.informativeness.measures import Expectation

Status = Literal["converged", "forced", "not stationary", "infeasible", "failed"]
"""The ends of a fit: at a stationary point; the conditions leave one point, which needs no search; at a point that
satisfies the conditions and is not stationary; at none that satisfies them; without numbers."""

STATUSES: tuple[Status, ...] = ("converged", "forced", "not stationary", "infeasible", "failed")

FEASIBLE = 1e-8
"""The most that a sum of probabilities is off; or the value, in units of its largest derivative where p is even, and of
what is worth `_WORTH` nats of entropy by the multiplier. Where all derivatives that matter are small the first would
let anything pass."""
STATIONARY = 1e-5
"""The most that a probability is off that which the multipliers give."""
_ALIKE = 1e-6
"""Entropies that differ by less are of one maximum."""
_WORTH = _ALIKE / FEASIBLE
_ROUNDING = 1e-9
"""The share by which slopes differ that are equal but for rounding."""
_EDGE = 1e-9
"""Quadratic programming keeps probabilities that far from 0 and 1, where the entropy has no derivative."""
_MOST_STEPS = 200
_ACCURACY = 1e-12


@dataclass(frozen=True)
class Fit:
    """Probabilities, and what was checked of them.

    Args:
        p: (n, m)
        entropy: of p, in nats.
        off: how far p is from satisfying the conditions, as `FEASIBLE` is measured.
        unsteady: the largest difference between p and what the multipliers give.
        multiplier: mu, of the measure's value as it is.
        starts: how many starts ended at this entropy, of how many that converged; (0, 0) without a search.

    """

    status: Status
    p: Reals
    entropy: float
    off: float
    unsteady: float
    multiplier: float
    starts: tuple[int, int]

    @property
    def usable(self) -> bool:
        """True if it may be inferred from."""
        return self.status in ("converged", "forced")


def fit(judged: JudgedList, expectation: Expectation, value: float, only: Reals | None = None) -> Fit:
    """Return the probabilities of maximum entropy.

    Args:
        judged: of which the number of documents and of relevant ones, per intent, is used.
        expectation: of the measure.
        value: the measure's.
        only: the probabilities, where it is known that no others satisfy the conditions.

    """
    even = count_only(judged)
    free: Mask = (judged.counts > 0) & (judged.counts < len(even))
    if only is not None or not free.any():
        return Fit("forced", even if only is None else only, 0.0, 0.0, 0.0, 0.0, (0, 0))
    problem = _Problem(expectation, value, even, free)
    found = [problem.solved(start) for start in _starts(even[:, free])]
    sound = [one for one in found if one.status != "failed"]
    feasible = [one for one in sound if one.off <= FEASIBLE]
    if not feasible:
        return min(sound, key=lambda one: one.off) if sound else found[0]
    best = max(feasible, key=lambda one: one.entropy)
    maxima = [one for one in feasible if one.status == "converged"]
    same = sum(one.entropy > best.entropy - _ALIKE for one in maxima)
    return replace(best, starts=(same, len(maxima)))


def count_only(judged: JudgedList) -> Reals:
    """Return the probabilities of maximum entropy that know nothing but the R_j: R_j / n at every rank."""
    return np.repeat(judged.relevant.mean(axis=0)[None], len(judged.relevant), axis=0)


def _starts(even: Reals) -> Iterator[Reals]:
    """Yield starts, (n, free intents): even; falling with the rank; rising; both by turns from intent to intent."""
    tilt = 0.9 * np.minimum(even, 1 - even) * np.linspace(1, -1, len(even))[:, None]
    yield even
    yield even + tilt
    yield even - tilt
    if even.shape[1] > 1:
        yield even + tilt * (-1.0) ** np.arange(even.shape[1])


class _Problem:
    """One maximisation: x is the flat p of the intents that are not fixed by their counts."""

    def __init__(self, expectation: Expectation, value: float, even: Reals, free: Mask) -> None:
        self.expectation, self.value, self.even, self.free = expectation, value, even, free
        self.sums = np.tile(np.eye(int(free.sum())), len(even))
        self.counts = even.sum(axis=0)[free]
        self.scale = float(np.abs(expectation(even)[1][:, free]).max()) or 1.0

    def solved(self, start: Reals) -> Fit:
        """Return the end of the search from a start."""
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
        """Return what there is to say of a point, wherever it comes from."""
        parts = np.abs(self._off(x))
        off = float(parts.max())
        derivatives = self._derivatives(x)
        if not (np.isfinite(x).all() and np.isfinite(off) and np.isfinite(derivatives).all()):
            return Fit("failed", self.even, 0.0, np.inf, np.inf, 0.0, (0, 1))
        # Least squares of what the probabilities are off, to first order.
        room = x * (1 - x)
        multipliers = np.linalg.lstsq((derivatives * room).T, logit(x) * room, rcond=None)[0]
        unsteady = float(np.abs(expit(multipliers @ derivatives) - x).max())
        if unsteady <= STATIONARY:
            off = max(off, float(abs(multipliers[-1]) * parts[-1]) / _WORTH)
        status: Status = "infeasible" if off > FEASIBLE else "not stationary" if unsteady > STATIONARY else "converged"
        multiplier = float(multipliers[-1]) / self.scale
        return Fit(status, self._whole(x), -float(_negentropy(x)), off, unsteady, multiplier, (1, 1))

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
    """Return the probabilities, all 0 or 1, if a list's score and counts of relevant documents leave no others.

    Let h(c) be the score of the list with c relevant documents in front. Of the lists with c relevant ones it has the
    largest score, and alone. So the expectation is at most that of h(C) over the random number C of relevant documents,
    whose mean is R. Where no h(c) is above a line through h(R), that is at most h(R). It is reached only if every list
    that has a probability has its relevant documents in front, which leaves, of documents that are relevant
    independently of each other, one at most in doubt, and none as the probabilities sum to R. In the same way lists
    with every relevant document at the end have the least value, where no h(c) of theirs is below a line.

    Returns:
        (n, m), or None: there are others, or none are ruled out by this argument.

    """
    n, counts = len(judged.relevant), judged.counts
    ranks = np.arange(n)[:, None]
    alone = form(np.zeros(judged.relevant.shape))[1]  # of a document that is the only relevant one
    if not np.all(alone[:-1] > alone[1:]):
        return None  # a document that moves up makes no difference: discounts may fade out in floats
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
    """Return True if no h(c) is above some line through h(place), but for rounding."""
    steps = np.delete(np.arange(len(h)) - place, place)
    slopes = np.delete(h - h[place], place) / steps
    before, after = slopes[steps < 0].min(initial=np.inf), slopes[steps > 0].max(initial=-np.inf)
    return bool(after <= before + _ROUNDING * min(abs(before), abs(after)))
