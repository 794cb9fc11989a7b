"""Probabilities of relevance of maximum entropy, given how many relevant documents there are and a measure's value.

The entropy of p (n, m), the sum of -p log p - (1 - p) log(1 - p), is maximised, by sequential quadratic programming and
then by Newton's method, under

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
_NEAR = 1e-6
"""The accuracy that quadratic programming goes to: Newton's method gets the remaining digits for less."""
_NEAREST = 1e-12
"""The accuracy that it goes to where Newton's method goes astray."""


_MOST_NEWTON_STEPS = 120
_FARTHEST = 0.2
"""The most that a step moves a probability, as far as derivatives tell."""
_SETTLED = 1e-14
_LEAST, _MOST = -700.0, 36.0
"""Between them expit is neither 0 nor 1 in floats."""


@dataclass(frozen=True)
class Fit:
    """Probabilities, and what was checked of them.

    Args:
        status: how the fit ended.
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
        """Return the end of the search from a start: of both methods the second, if it ended well and lost nothing."""
        rough = self.checked(self._searched(start, _NEAR))
        if rough.status == "failed":
            return rough
        p = sharpened(self.expectation, self.value, rough.p, self.free, self.counts)
        sharp = self.checked(p[:, self.free].ravel())
        # What the first may have gained by being off, to first order.
        slack = _ALIKE + abs(sharp.multiplier) * self.scale * rough.off
        lost = rough.off <= _NEAR and sharp.entropy < rough.entropy - slack
        if sharp.status == "converged" and not lost:
            return sharp
        return self.checked(self._searched(start, _NEAREST))

    def _searched(self, start: Reals, accuracy: float) -> Reals:
        found = fmin_slsqp(
            _negentropy,
            start.ravel(),
            fprime=logit,
            f_eqcons=self._off,
            fprime_eqcons=self._derivatives,
            bounds=[(_EDGE, 1 - _EDGE)] * start.size,
            iter=_MOST_STEPS,
            acc=accuracy,
            iprint=-1,
        )
        return np.asarray(found, dtype=np.float64)

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


def sharpened(expectation: Expectation, value: float, p: Reals, free: Mask, counts: Reals) -> Reals:
    """Return the end of Newton's method for the conditions of a maximum; a solution or not, it is to be checked.

    With z = log(p / (1 - p)) the conditions are

        z_ij = lambda_j + mu dE/dp_ij,  sum_i p_ij = R_j,  E(p) = the measure's value.

    In z, unlike in p, nothing has to be kept away from 0 and 1, where most probabilities of a long list lie. An
    expectation is a sum over intents, so that its second derivatives, and with them the equations of a step, fall into
    a block per intent, which lambda_j and mu join. General solvers of equations miss some of these solutions.

    Args:
        expectation: of the measure.
        value: the measure's.
        p: (n, m) where it begins, above 0 and below 1 for the free intents.
        free: (m,), the intents whose probabilities are open.
        counts: (free intents,), the R_j.

    """
    p = p.copy()
    z = logit(p[:, free])
    multipliers = None
    for _ in range(_MOST_NEWTON_STEPS):
        found, slopes = expectation(p)
        slopes = slopes[:, free]
        room = p[:, free] * (1 - p[:, free])
        if multipliers is None:
            multipliers = _least_squares(z, slopes, room)
        levels, mu = multipliers
        room[(z >= _MOST) & (levels + mu * slopes >= _MOST)] = 0  # no float is closer to 1
        blocks = np.eye(len(p)) - mu * _curvature(expectation, p, free) * room.T[:, None, :]
        sides = np.stack([levels + mu * slopes - z, np.ones_like(z), slopes], axis=-1).transpose(1, 0, 2)
        try:
            # (n, free intents) each: the step of z if no multiplier moves, and what each multiplier moves of it.
            alone, by_level, by_mu = np.linalg.solve(blocks, sides).transpose(2, 1, 0)
        except np.linalg.LinAlgError:
            return p
        with np.errstate(all="ignore"):
            gaps = counts - p[:, free].sum(axis=0) - (room * alone).sum(axis=0)
            sums, crossed = (room * by_level).sum(axis=0), (room * by_mu).sum(axis=0)
            weighed = slopes * room
            worth = (weighed * by_level).sum(axis=0) / sums
            gap = value - found - (weighed * alone).sum() - (worth * gaps).sum()
            mu_step = gap / ((weighed * by_mu).sum() - (worth * crossed).sum())
            level_steps = (gaps - crossed * mu_step) / sums
            step = alone + by_level * level_steps + by_mu * mu_step
            moved = float(np.abs(room * step).max())
        if not (np.isfinite(step).all() and np.isfinite(moved)):
            return p
        share = min(1.0, _FARTHEST / moved) if moved else 1.0
        z = np.clip(z + share * step, _LEAST, _MOST)
        multipliers = levels + share * level_steps, mu + share * mu_step
        p[:, free] = expit(z)
        if moved < _SETTLED:
            break
    return p


def _least_squares(z: Reals, slopes: Reals, room: Reals) -> tuple[Reals, float]:
    """Return the multipliers with the least squares, to first order: (free intents,) levels, and mu."""
    weights = room**2
    mass = weights.sum(axis=0)
    around, offset = slopes - (weights * slopes).sum(axis=0) / mass, z - (weights * z).sum(axis=0) / mass
    spread = float((weights * around**2).sum())
    mu = float((weights * around * offset).sum()) / spread if spread else 0.0
    levels: Reals = (weights * (z - mu * slopes)).sum(axis=0) / mass
    return levels, mu


def _curvature(expectation: Expectation, p: Reals, free: Mask) -> Reals:
    """Return the second derivatives, per free intent: (free intents, n, n)."""
    n = len(p)
    out = np.empty((int(free.sum()), n, n))
    for rank in range(n):
        aside = p.astype(np.complex128)
        aside[rank] += 1e-30j  # an imaginary step has no difference that rounding spoils
        out[:, :, rank] = (expectation(aside)[1].imag / 1e-30)[:, free].T
    return out


def only_point(form: Expectation, judged: JudgedList) -> Reals | None:
    """Return the probabilities, all 0 or 1, if a list's score and counts of relevant documents leave no others.

    Let h(c) be the score of the list with c relevant documents in front. Of the lists with c relevant ones it has the
    largest score, and alone. So the expectation is at most that of h(C) over the random number C of relevant documents,
    whose mean is R. Where no h(c) is above a line through h(R), that is at most h(R). It is reached only if every list
    that has a probability has its relevant documents in front, which leaves, of documents that are relevant
    independently of each other, one at most in doubt, and none as the probabilities sum to R. In the same way lists
    with every relevant document at the end have the least value, where no h(c) of theirs is below a line.

    Args:
        form: of the intents.
        judged: the list.

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
