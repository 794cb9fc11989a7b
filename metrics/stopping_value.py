"""Compute the two expectations and the distribution of P@H for a ranking."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any, Literal

import numpy as np

from axiomcheck.core.packages import flint
from axiomcheck.core.typing import Array, Integers
from axiomcheck.metrics.browsing import ChainModel, ForwardModel, User
from axiomcheck.metrics.stopping_visits import MeanGain, ShareOfGain, TotalGain
from axiomcheck.numbers.arithmetic import Arithmetic, Floats, divide, earlier_total
from axiomcheck.numbers.series import Series

DEPTH = 12
"""Default limit on the number of steps of paths in the distribution of a random walk."""


def expectation(a: Arithmetic, user: User, grades: Array, order: Literal["mean", "ratio"]) -> Array:
    """Return E[T / f(H)] (order 1) or E[T] / E[f(H)] (order 2), where T is the accumulated gain.

    Args:
        a: Arithmetic of the grades.
        user: Browsing model, gain and effort.
        grades: (..., N) grades in rank order, N >= 1.
        order: ``"mean"`` or ``"ratio"``.

    Returns:
        Expectations of shape (...).

    """
    gains = user.gains(a, grades)
    if isinstance(user.browsing, ForwardModel):
        return _forward(a, user, grades, gains, order)
    assert isinstance(user.browsing, ChainModel)
    n = grades.shape[-1]
    if user.effort == "none":
        return (gains * a.discounts(TotalGain(user.browsing, user.loss, n), n)).sum(axis=-1)
    if order == "ratio":
        return (gains * a.discounts(ShareOfGain(user.browsing, user.loss, n), n)).sum(axis=-1)
    weights = a.discounts(MeanGain(user.browsing, user.loss, n), n)
    if user.loss != 0:
        return (gains * weights).sum(axis=-1)
    # Without loss the weights sum to 1. In this form, a ranking with a single grade scores exactly that grade.
    last = gains[..., -1]
    return _plus(last, ((gains - last[..., None]) * weights)[..., :-1].sum(axis=-1))


def _plus(x: Array, y: Array) -> Array:
    """Return x + y, or x itself if y is zero, since a rational plus a ball of radius 0 would be a ball."""
    if isinstance(x, Series):
        return Series({k: _plus(c, y.terms[k]) for k, c in x.terms.items()}, x.keep, x.dropped or y.dropped)
    return x + y if np.asarray(y).dtype != object else _OBJECTS(x, y)


_OBJECTS = np.frompyfunc(lambda x, y: x if y == 0 else x + y, 2, 1)


def _forward(a: Arithmetic, user: User, grades: Array, gains: Array, order: str) -> Array:
    n = grades.shape[-1]
    reach = user.browsing.reach(a, grades)  # type: ignore[attr-defined]
    ranks = a.integers(np.arange(1, n + 1))
    if user.gain == "first":
        if user.effort == "none":
            return reach[..., 0]
        stops = user.browsing.stops(a, grades)  # type: ignore[attr-defined]
        return (stops / ranks).sum(axis=-1) if order == "mean" else _inverse(reach.sum(axis=-1), n)
    if user.effort == "none":
        return (gains * reach).sum(axis=-1)
    if order == "ratio":
        return divide((gains * reach).sum(axis=-1), reach.sum(axis=-1))
    collected = earlier_total(gains) + gains
    return (collected * (user.browsing.stops(a, grades) / ranks)).sum(axis=-1)  # type: ignore[attr-defined]


def _inverse(steps: Array, n: int) -> Array:
    """Return 1 / E[H], as a series if E[H] is a series.

    E[H] is a polynomial in eps with degree below N and constant term N. Two different polynomials of this kind differ
    at an order below N. Their inverses first differ at the same order, with the opposite sign. N orders of the inverse
    therefore determine the comparison.
    """
    if not isinstance(steps, Series):
        return divide(steps * 0 + 1, steps)
    keep = n - 1 if steps.keep is None else min(steps.keep, n - 1)
    terms = {0: 1 / steps.terms[0]}
    for k in range(1, keep + 1):
        parts = [c * terms[k - j] for j, c in steps.terms.items() if 0 < j <= k]
        terms[k] = -sum(parts[1:], parts[0]) * terms[0] if parts else terms[0] * 0
    return Series(terms, steps.keep)


def distribution(a: Arithmetic, user: User, grades: Array, depth: int = DEPTH) -> tuple[Array, Array, Any]:
    """Return the possible values of P@H and their probabilities.

    Args:
        a: Arithmetic of the grades.
        user: Browsing model, gain and effort.
        grades: (..., N) grades in rank order, N >= 1.
        depth: Largest number of steps of a random walk, 1 or more. Longer paths are omitted.

    Returns:
        ``(values, masses, rest)``. ``values`` is the support (..., S), possibly unsorted and with repetitions.
        ``masses`` has its probabilities (..., S). ``rest`` is the total probability of the omitted paths, which is 0
        for forward models.

    """
    n = grades.shape[-1]
    gains = user.gains(a, grades)
    masses: Array
    rest: Any
    if isinstance(user.browsing, ForwardModel):
        ranks = a.integers(np.arange(1, n + 1))
        masses = user.browsing.stops(a, grades)
        if user.gain == "first":
            collected = a.integers(np.ones(grades.shape, dtype=np.int64))
        else:
            collected = earlier_total(gains) + gains
        values = collected / ranks if user.effort == "steps" else collected
        if not isinstance(masses, Series):
            masses = np.broadcast_to(masses, values.shape)
        return values, masses, a.number(Fraction(0))
    assert isinstance(user.browsing, ChainModel)
    anywhere = np.zeros(n, dtype=bool)  # only visits to these ranks give a gain
    for c in gains.terms.values() if isinstance(gains, Series) else (gains,):
        anywhere |= np.not_equal(c, 0).astype(bool).reshape(-1, n).any(axis=0)
    anywhere[0] |= not anywhere.any()  # an empty sum would be a plain numpy integer
    paths = paths_within(user.browsing, n, tuple(int(i) + 1 for i in np.flatnonzero(anywhere)), depth)
    values = gains[..., anywhere] @ _collected(a, user, paths).T
    masses, rest = paths.masses, paths.rest
    if isinstance(a, Floats):
        masses, rest = np.array([int(m.p) / int(m.q) for m in masses]), int(rest.p) / int(rest.q)
    return values, np.broadcast_to(masses, values.shape), rest


def _collected(a: Arithmetic, user: User, paths: Paths) -> Array:
    """Return the share of each tracked rank's gain that each class of paths collects, divided by the effort: (S, T)."""
    most = int(paths.steps.max(initial=0))
    by_visits = [Fraction(0)]
    for k in range(most):
        by_visits.append(by_visits[-1] + (1 - user.loss) ** k)
    collected = np.array([a.number(x) for x in by_visits])[paths.visits]
    return collected / a.integers(paths.steps)[:, None] if user.effort == "steps" else collected


@dataclass(frozen=True)
class Paths:
    """Classes of paths with a limited number of steps.

    Args:
        visits: (S, T) number of visits to each of T tracked ranks.
        steps: (S,) number of steps H.
        masses: (S,) exact probability of each class.
        rest: Exact total probability of longer paths.

    """

    visits: Integers
    steps: Integers
    masses: Array
    rest: flint.fmpq


@lru_cache(maxsize=256)
def paths_within(model: ChainModel, n: int, tracked: tuple[int, ...], depth: int) -> Paths:
    """Return the classes of paths with H <= depth over n ranks.

    Args:
        model: The chain.
        n: Number of documents, N.
        tracked: Ranks with counted visits. Paths that differ only at other ranks form one class.
        depth: Largest number of steps, 1 or more.

    """
    forward, backward = model.chain(n)
    ends = [1 - p - q for p, q in zip(forward, backward, strict=True)]
    # Integers over a common denominator, unit**h after h steps, are much faster to add than fractions.
    unit = lcm(*(x.denominator for x in (*forward, *backward)))
    up, down, out = ([int(x * unit) for x in side] for side in (forward, backward, ends))
    # A class is one number with a digit in this base for each tracked rank.
    base = depth + 1
    digit = [0] * n
    for place, rank in enumerate(tracked):
        digit[rank - 1] = base**place
    here: dict[int, dict[int, int]] = {0: {digit[0]: 1}}
    classes: list[int] = []
    steps: list[int] = []
    masses: list[flint.fmpq] = []
    for h in range(1, depth + 1):
        ended: dict[int, int] = {}
        further: dict[int, dict[int, int]] = {}
        for at, found in here.items():
            for to, share in ((at + 1, up[at]), (at - 1, down[at])):
                if share:
                    target, step = further.setdefault(to, {}), digit[to]
                    for code, count in found.items():
                        target[code + step] = target.get(code + step, 0) + count * share
            if out[at]:
                for code, count in found.items():
                    ended[code] = ended.get(code, 0) + count * out[at]
        scale = unit**h
        classes += ended
        steps += [h] * len(ended)
        masses += [flint.fmpq(count, scale) for count in ended.values()]
        here = further
    left = sum(count for found in here.values() for count in found.values())
    visits = np.array([[code // base**place % base for place in range(len(tracked))] for code in classes], dtype=int)
    mass = np.empty(len(masses), dtype=object)
    mass[:] = masses
    size = (len(masses), len(tracked))
    return Paths(visits.reshape(size), np.array(steps, dtype=int), mass, flint.fmpq(left, unit**depth))
