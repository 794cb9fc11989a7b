"""Newton's method for the conditions of a maximum of entropy, from a point near one.

With z = log(p / (1 - p)) they are

    z_ij = lambda_j + mu dE/dp_ij,  sum_i p_ij = R_j,  E(p) = the measure's value.

In z, unlike in p, nothing has to be kept away from 0 and 1, where most probabilities of a long list lie. An expectation
is a sum over intents, so that its second derivatives, and with them the equations of a step, fall into a block per
intent, which lambda_j and mu join.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from axiomcheck.core.typing import Mask, Reals
from axiomcheck.runs.informativeness.expectations import Expectation

_MOST_STEPS = 120
_FARTHEST = 0.2
"""The most that a step moves a probability, as far as derivatives tell."""
_SETTLED = 1e-14
_LEAST, _MOST = -700.0, 36.0
"""Between them expit is neither 0 nor 1 in floats."""


def sharpened(expectation: Expectation, value: float, p: Reals, free: Mask, counts: Reals) -> Reals:
    """Where Newton's method ends; whether that is a solution is to be checked.

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
    for _ in range(_MOST_STEPS):
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
    """The multipliers that the probabilities are off least for, to first order: (free intents,) levels, and mu."""
    weights = room**2
    mass = weights.sum(axis=0)
    around, offset = slopes - (weights * slopes).sum(axis=0) / mass, z - (weights * z).sum(axis=0) / mass
    spread = float((weights * around**2).sum())
    mu = float((weights * around * offset).sum()) / spread if spread else 0.0
    levels: Reals = (weights * (z - mu * slopes)).sum(axis=0) / mass
    return levels, mu


def _curvature(expectation: Expectation, p: Reals, free: Mask) -> Reals:
    """Second derivatives, per free intent: (free intents, n, n)."""
    n = len(p)
    out = np.empty((int(free.sum()), n, n))
    for rank in range(n):
        aside = p.astype(np.complex128)
        aside[rank] += 1e-30j  # an imaginary step has no difference that rounding spoils
        out[:, :, rank] = (expectation(aside)[1].imag / 1e-30)[:, free].T
    return out
