"""P@H of a ranking as a random variable: its two expectations, and its distribution."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import numpy as np

from axiomcheck.core.typing import Array
from axiomcheck.metrics.browsing import ChainModel, ForwardModel, User
from axiomcheck.metrics.stopping_paths import Paths, paths_within
from axiomcheck.metrics.stopping_visits import MeanGain, ShareOfGain, TotalGain
from axiomcheck.numbers.arithmetic import Arithmetic, Floats, divide, earlier_total
from axiomcheck.numbers.series import Series

DEPTH = 12
"""How many steps the distribution of a random walk is followed where nothing else is asked for."""


def expectation(a: Arithmetic, user: User, grades: Array, order: Literal["mean", "ratio"]) -> Array:
    """E[T / f(H)] (order 1) or E[T] / E[f(H)] (order 2), T being the accumulated gain.

    Args:
        a: the arithmetic of the grades.
        user: browsing model, gain and effort.
        grades: (..., N) in rank order, N >= 1.
        order: ``"mean"`` or ``"ratio"``.

    Returns:
        Shape (...).

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
    # Without loss the weights sum to 1; written so, rankings of one grade score exactly that.
    last = gains[..., -1]
    return _plus(last, ((gains - last[..., None]) * weights)[..., :-1].sum(axis=-1))


def _plus(x: Array, y: Array) -> Array:
    """x + y that is x itself where y is zero: a rational plus a ball of radius 0 would be a ball."""
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
    """1 / E[H]; of a series, as a series.

    E[H] is a polynomial in eps of degree below N that begins with N. Two such polynomials that differ do so below order
    N, and their inverses first differ at the same order, with the other sign; so N orders of it tell everything.
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
    """The values that P@H takes, and their probabilities.

    Args:
        a: the arithmetic of the grades.
        user: browsing model, gain and effort.
        grades: (..., N) in rank order, N >= 1.
        depth: of a random walk, paths of more steps are left out; 1 or more.

    Returns:
        ``(values, masses, rest)``: the support (..., S), neither sorted nor distinct, the probabilities (..., S), and
        the probability of what is left out, which is 0 for forward models.

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
    anywhere = np.zeros(n, dtype=bool)  # a visit to any other rank gives nothing
    for c in gains.terms.values() if isinstance(gains, Series) else (gains,):
        anywhere |= np.not_equal(c, 0).astype(bool).reshape(-1, n).any(axis=0)
    anywhere[0] |= not anywhere.any()  # numpy adds up nothing to an integer, which is of no arithmetic
    paths = paths_within(user.browsing, n, tuple(int(i) + 1 for i in np.flatnonzero(anywhere)), depth)
    values = gains[..., anywhere] @ _collected(a, user, paths).T
    masses, rest = paths.masses, paths.rest
    if isinstance(a, Floats):
        masses, rest = np.array([int(m.p) / int(m.q) for m in masses]), int(rest.p) / int(rest.q)
    return values, np.broadcast_to(masses, values.shape), rest


def _collected(a: Arithmetic, user: User, paths: Paths) -> Array:
    """What each class of paths collects of each tracked rank's gain, over the effort: (S, T)."""
    most = int(paths.steps.max(initial=0))
    by_visits = [Fraction(0)]
    for k in range(most):
        by_visits.append(by_visits[-1] + (1 - user.loss) ** k)
    collected = np.array([a.number(x) for x in by_visits])[paths.visits]
    return collected / a.integers(paths.steps)[:, None] if user.effort == "steps" else collected
