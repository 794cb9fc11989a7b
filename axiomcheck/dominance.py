"""First-order stochastic dominance between the distributions of two scores.

Some metrics give a distribution of scores instead of one (`axiomcheck.metrics.Metric.distribution`). One ranking is
ahead of another if P[S >= x] is at least as large for every x and larger for some; so two rankings may be incomparable.
Relations are written as signs of Q(better) - Q(worse), with `APART` for the fourth outcome.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb, fmpq

from axiomcheck.series import Series

__all__ = ["APART", "Distribution", "FloatDistributions", "Gap", "float_relations", "relation", "tails"]

Array = Any

APART = 2
"""The sign of a pair of which neither side is ahead and which do not tie."""

_TIE = 1e-13
"""Masses, and values as a share of the largest, that are this close in floats count as equal, ..."""
_CLEAR = 1e-10
"""... and as different from here on; in between exact arithmetic is asked."""


@dataclass(frozen=True)
class Distribution:
    """The distribution of one ranking's score, in exact or certified numbers.

    Args:
        values: (S,) the support, exact rationals, in any order, with repetitions.
        masses: (S,) their probabilities: rationals, balls, or series in eps of rationals.
        rest: the probability of everything that is not listed; 0 where the support is complete.
        cap: the largest value that what is not listed can have, where there is something; the smallest is 0, and so is
            the smallest listed one then.

    """

    values: Sequence[Any]
    masses: Sequence[Any]
    rest: Any
    cap: Any = None


@dataclass(frozen=True)
class Gap:
    """A threshold at which one side is certainly ahead.

    Args:
        threshold: x.
        worse, better: P[S >= x] of each, without what is not listed.

    """

    threshold: Any
    worse: Any
    better: Any


def _sign(value: Any) -> int | None:
    """The certain sign of an exact or certified number, or a series; None for a ball around zero."""
    if isinstance(value, Series):
        return int(value.sign())
    if isinstance(value, arb):
        return 1 if value > 0 else -1 if value < 0 else 0 if value == 0 else None
    return int(value > 0) - int(value < 0)


@dataclass(frozen=True)
class Tails:
    """Bounds on P[S >= x] of both sides at one threshold x, the same up to the next smaller one.

    Args:
        threshold: x.
        worse, better: of what is listed.
        worse_more, better_more: what is not listed may add.

    """

    threshold: Any
    worse: Any
    better: Any
    worse_more: Any
    better_more: Any


def relation(
    worse: Distribution, better: Distribution, zero: Sequence[bool] | None = None
) -> tuple[int | None, list[Gap]]:
    """The sign of a pair, and a threshold for each side that is ahead somewhere (better's first).

    Args:
        worse: the distribution of one side.
        better: that of the other.
        zero: for each of `tails`, whether the tail probabilities are known to be equal; for balls, which never show it.

    Returns:
        ``(sign, gaps)``; the sign is None where it could not be decided.

    """
    gaps: dict[int, Gap] = {}
    sure = {1: True, -1: True}
    for number, at in enumerate(tails(worse, better)):
        if zero is not None and zero[number]:
            continue
        ahead = _sign(at.better - at.worse - at.worse_more)
        behind = _sign(at.worse - at.better - at.better_more)
        for side, sign in ((1, ahead), (-1, behind)):
            if sign == 1:
                gaps.setdefault(side, Gap(at.threshold, at.worse, at.better))
            sure[side] &= sign is not None and sign >= 0
    shown = [gaps[side] for side in (1, -1) if side in gaps]
    if len(shown) == 2:
        return APART, shown
    if not shown:
        return (0 if sure[1] and sure[-1] else None), shown
    (side,) = gaps
    return (side if sure[side] else None), shown


def tails(worse: Distribution, better: Distribution) -> list[Tails]:
    """The tail probabilities at every threshold that matters, largest first."""
    zero = fmpq(0)
    thresholds: set[Any] = set()
    sides: list[tuple[dict[Any, Any], Any, Any]] = []
    complete = True
    for side in (worse, better):
        at: dict[Any, Any] = {}
        for value, mass in zip(side.values, side.masses, strict=True):
            at[value] = at[value] + mass if value in at else mass
        thresholds |= set(at)
        if _sign(side.rest) != 0:
            complete = False
            thresholds.add(side.cap)
        sides.append((at, side.rest, side.cap))
    found, low, high = [], zero, zero
    for threshold in sorted(thresholds, reverse=True):
        if not complete and threshold <= 0:
            break  # every score is at least 0
        low, high = (
            total + at[threshold] if threshold in at else total
            for total, (at, _, _) in zip((low, high), sides, strict=True)
        )
        more = [zero if cap is None or threshold > cap else rest for _, rest, cap in sides]
        found.append(Tails(threshold, low, high, *more))
    return found


@dataclass(frozen=True)
class FloatDistributions:
    """B distributions in floats, of rankings of one length.

    Args:
        values: (B, S) the supports.
        masses: order of eps -> (B, S) coefficients of their probabilities; order 0 alone outside the limit regime.
        rest: (B,) the probability of what is not listed.

    """

    values: Array
    masses: dict[int, Array]
    rest: Array


def float_relations(worse: FloatDistributions, better: FloatDistributions) -> tuple[Array, Array, Array]:
    """What floats say of B pairs.

    Returns:
        ``(sign, equal, margin)``, (B,) each: +1, -1, `APART`, or 0 where it is a tie or too close to tell; whether the
        tail probabilities are the same floats; and the difference of the means, as a share of the larger one (of the
        lowest order of eps that differs somewhere).

    """
    values = np.concatenate([worse.values, better.values], axis=-1)
    rows = np.argsort(-values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, rows, axis=-1)
    scale = np.maximum(np.abs(values).max(axis=-1, initial=0.0), np.finfo(float).tiny)[:, None]
    step = (ordered[:, :-1] - ordered[:, 1:]) / scale
    last = np.concatenate([step > _TIE, np.ones((len(values), 1), dtype=bool)], axis=1)
    doubtful = ((step > _TIE) & (step < _CLEAR)).any(axis=1)
    complete = (worse.rest == 0) & (better.rest == 0)
    last[:, -1] &= ~complete  # every score is at least the smallest value
    signs = np.zeros(values.shape, dtype=np.int8)
    equal = np.ones(len(values), dtype=bool)
    margin = np.zeros(len(values))
    for order in sorted({*worse.masses, *better.masses}):
        signed = np.concatenate([-_of(worse, order), _of(better, order)], axis=1)
        difference = np.cumsum(np.take_along_axis(signed, rows, axis=-1), axis=-1)
        size = np.maximum(1.0, np.abs(signed).sum(axis=1))[:, None]
        above = difference > _CLEAR * size + worse.rest[:, None]
        below = difference < -_CLEAR * size - better.rest[:, None]
        unclear = last & (signs == 0) & (np.abs(difference) > _TIE * size) & ~above & ~below
        doubtful |= unclear.any(axis=1) & complete
        signs = np.where(signs == 0, above.astype(np.int8) - below.astype(np.int8), signs)
        equal &= ~(last & (np.abs(difference) > _TIE * size)).any(axis=1)
        means = [(side.values * _of(side, order)).sum(axis=1) for side in (worse, better)]
        larger = np.maximum(np.abs(means[0]), np.abs(means[1]))
        gap = (means[1] - means[0]) / np.where(larger == 0, 1, larger)
        margin = np.where(margin == 0, gap, margin)
    ahead, behind = (last & (signs == 1)).any(axis=1), (last & (signs == -1)).any(axis=1)
    one_sided = np.where(doubtful, 0, ahead.astype(np.int8) - behind.astype(np.int8))
    return np.where(ahead & behind, APART, one_sided).astype(np.int8), equal & ~doubtful, margin


def _of(side: FloatDistributions, order: int) -> Array:
    found = side.masses.get(order)
    return np.zeros(side.values.shape) if found is None else np.broadcast_to(found, side.values.shape)
