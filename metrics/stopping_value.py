"""Compute the expectations and the distribution of P@H for a ranking.

For browsing models that do not depend on relevance, E[T / f(H)] and E[T] / E[f(H)] are weighted sums of the gains at
all ranks. The weights are discounts that depend on the number of documents N. Let F_1i(z) be the generating function of
the number of steps to the first visit to rank i, F_ii(z) that of the steps until the return to rank i, A_i(z) that of
the steps from rank i to the end, and rho = 1 - loss. Then

    sum_h z^(h-1) E[gain from rank i; H = h] / r[i] = F_1i(z) A_i(z) / (1 - rho F_ii(z)).

At z = 1, this is the expected gain from rank i, divided by r[i]. The integral over z from 0 to 1 is the expectation of
the gain from rank i divided by H r[i]. The chain is absorbing and tridiagonal, so each function is a finite continued
fraction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any, Literal

import numpy as np

from axiomcheck.core.errors import MetricError
from axiomcheck.core.packages import flint
from axiomcheck.core.typing import Array, Integers
from axiomcheck.metrics.browsing import ChainModel, ForwardModel, User
from axiomcheck.numbers.arithmetic import Arithmetic, Floats, divide, earlier_total, float_of, to_fmpq, to_fraction
from axiomcheck.numbers.discount import Discount
from axiomcheck.numbers.series import Series

_MOST_STEPS = 1 << 17
"""Largest number of steps of a walk to sum over. A model is rejected if too many of its users go on for longer."""
_MOST_NODES = 1024

_TOO_LONG = "E[T/f(H)] cannot be expanded, since users hardly ever stop; order=ratio has no such limit"


def visit_functions(forward: Any, backward: Any, ends: Any, rho: Any, z: Any, one: Any) -> list[Any]:
    """Return F_1i(z) A_i(z) / (1 - rho F_ii(z)) for every rank i. The module's docstring defines the symbols.

    Args:
        forward: Probabilities p_i.
        backward: Probabilities q_i.
        ends: Probabilities s_i of ending the search.
        rho: Share of a document's utility that remains at the next visit.
        z: Number with modulus at most 1, or a power series.
        one: The number 1, in the type of z.

    """
    n = len(forward)
    up: list[Any] = []  # generating functions of the number of steps from i to i + 1
    first, so_far = [], one
    left: list[Any] = []  # the same for the steps from i to the end, without a visit to i + 1
    for i in range(n):
        stay = one - z * backward[i] * up[i - 1] if i else one
        left.append((ends[i] * one + z * backward[i] * left[i - 1]) / stay if i else ends[i] * one)
        up.append(z * forward[i] / stay)
        first.append(so_far)
        so_far = so_far * up[i]
    out: list[Any] = [None] * n
    steps = down = one * 0  # the same for the steps from i to the end, and from i + 1 to i
    for i in reversed(range(n)):
        steps = left[i] + up[i] * steps
        again = z * forward[i] * down + (z * backward[i] * up[i - 1] if i else 0)
        out[i] = first[i] * steps / (one - rho * again)
        down = z * backward[i] / (one - z * forward[i] * down)
    return out


def _numbers(model: ChainModel, n: int) -> tuple[list[Any], list[Any], list[Any]]:
    forward, backward = model.chain(n)
    # Unreachable ranks are omitted, since they may have no path to the end.
    known = next(i for i, p in enumerate(forward, 1) if p == 0)
    sides = [to_fmpq(p) for p in forward[:known]], [to_fmpq(q) for q in backward[:known]]
    return *sides, [1 - p - q for p, q in zip(*sides, strict=True)]


@lru_cache(maxsize=1024)
def _totals(model: ChainModel, loss: Fraction, n: int) -> tuple[Any, ...]:
    numbers = _numbers(model, n)
    found = visit_functions(*numbers, to_fmpq(1 - loss), flint.fmpq(1), flint.fmpq(1))
    return (*found, *[flint.fmpq(0)] * (n - len(found)))


@lru_cache(maxsize=1024)
def _float_totals(model: ChainModel, loss: Fraction, n: int) -> tuple[float, ...]:
    forward, backward, ends = ([float_of(x) for x in side] for side in _numbers(model, n))
    found = visit_functions(forward, backward, ends, float(1 - loss), 1.0, 1.0)
    return (*found, *[0.0] * (n - len(found)))


def expected_steps(model: ChainModel, n: int) -> Fraction:
    """Return the exact expected number of steps E[H] in a ranking of n documents."""
    return to_fraction(sum(_totals(model, Fraction(0), n)))


@lru_cache(maxsize=1024)
def _means(model: ChainModel, loss: Fraction, n: int, bits: int) -> tuple[flint.arb, ...]:
    """Return balls around E[gain from rank i / H] / r[i] for every rank i, to about ``bits`` bits.

    The generating functions are expanded at z = 0 to M terms, and the coefficient of z^(h-1) is divided by h. The
    remainder is at most P[H > M], since no visit gains more than 1.

    Raises:
        MetricError: Users stop so rarely that the expansion would need too many terms.

    """
    numbers = _numbers(model, n)
    terms, cap = _steps_until(model, n, bits), flint.ctx.cap
    try:
        with flint.ctx.workprec(bits + 32):
            flint.ctx.cap = terms
            z, one = flint.arb_series([0, 1]), flint.arb_series([1])
            # Within `terms` steps nobody gets beyond rank `terms`.
            forward, backward, ends = (side[:terms] for side in numbers)
            steps = visit_functions(forward, backward, ends, 0 * ends[0], z, one)[0]  # the sum of P[H = h] z^(h-1)
            rest = 1 - sum(_coefficients(steps, terms), flint.arb(0))
            margin = rest.upper() / 2
            far = margin + flint.arb(0, margin) if len(numbers[0]) > terms else flint.arb(0)
            found = []
            for series in visit_functions(forward, backward, ends, to_fmpq(1 - loss), z, one):
                total = sum((c / h for h, c in enumerate(_coefficients(series, terms), 1)), flint.arb(0))
                found.append(total + margin + flint.arb(0, margin))
    finally:
        flint.ctx.cap = cap
    return (*found, *[far] * (n - len(found)))


@lru_cache(maxsize=1024)
def _float_means(model: ChainModel, loss: Fraction, n: int) -> tuple[float, ...]:
    """Return E[gain from rank i / H] / r[i] in floats for every rank i, by Gauss-Legendre quadrature.

    The integrands are the generating functions, whose poles are beyond z = 1.

    Raises:
        MetricError: Users stop so rarely that a pole is too close to 1.

    """
    forward, backward, ends = ([float_of(x) for x in side] for side in _numbers(model, n))
    before: Array = None
    nodes = 16
    while nodes <= _MOST_NODES:
        x, weights = np.polynomial.legendre.leggauss(nodes)
        z = (x + 1) / 2
        found = np.array(visit_functions(forward, backward, ends, float(1 - loss), z, np.ones(nodes))) @ (weights / 2)
        # Doubling the number of nodes squares the error, so only rounding is left of an error below 1e-12.
        if before is not None and np.abs(found - before).max() < 1e-12:
            return (*found.tolist(), *[0.0] * (n - len(found)))
        before, nodes = found, 2 * nodes
    raise MetricError(_TOO_LONG)


def _steps_until(model: ChainModel, n: int, bits: int) -> int:
    """Return the number of steps after which only a share of about 2^-bits of the users has not stopped.

    Raises:
        MetricError: The number of steps is too large.

    """
    forward, backward, _ = ([float_of(x) for x in side] for side in _numbers(model, n))
    up, down = np.array(forward), np.array(backward)
    here, left = np.zeros(len(up)), 0.0
    here[0] = 1.0
    for steps in range(1, _MOST_STEPS):
        after = np.zeros(len(up))
        after[1:] += (here * up)[:-1]
        after[:-1] += (here * down)[1:]
        share = float(after.sum())
        if share == 0:
            return steps
        left += math.log2(share)
        if left < -bits:
            return steps
        here = after / share
    raise MetricError(_TOO_LONG)


def _coefficients(series: Any, terms: int) -> list[Any]:
    found = list(series.coeffs())
    return found + [flint.arb(0)] * (terms - len(found))


@dataclass(frozen=True)
class _OverRanks(Discount):
    """Base class of discounts that depend on the number of documents n, since users walk back and forth.

    Args:
        model: Browsing model.
        loss: Share of a document's utility that is lost at every visit.
        n: Number of documents, N.

    """

    model: ChainModel
    loss: Fraction
    n: int


@dataclass(frozen=True)
class TotalGain(_OverRanks):
    """Discount E[gain from rank i] / r[i], the expected gain from rank i per unit of its grade."""

    def rational(self, rank: int) -> Fraction:
        """Return the exact discount at a rank, which is 0 beyond the last document."""
        return to_fraction(_totals(self.model, self.loss, self.n)[rank - 1]) if rank <= self.n else Fraction(0)

    def real(self, rank: int) -> float:
        """Return the discount at a rank in double precision."""
        return _float_totals(self.model, self.loss, self.n)[rank - 1]


@dataclass(frozen=True)
class ShareOfGain(TotalGain):
    """Discount E[gain from rank i] / (r[i] E[H]), the weight of the grade at rank i in E[T] / E[H]."""

    def rational(self, rank: int) -> Fraction:
        """Return the exact discount at a rank, which is 0 beyond the last document."""
        return super().rational(rank) / expected_steps(self.model, self.n)

    def real(self, rank: int) -> float:
        """Return the discount at a rank in double precision."""
        return super().real(rank) / math.fsum(_float_totals(self.model, Fraction(0), self.n))


@dataclass(frozen=True)
class MeanGain(_OverRanks):
    """Discount E[gain from rank i / H] / r[i], the weight of the grade at rank i in E[T / H].

    It is rational for models without steps back, in which H is a rank. For other models, it is treated as irrational,
    since it is an infinite sum of terms with the factor 1 / h, which gives logarithms.
    """

    def rational(self, rank: int) -> Fraction | None:
        """Return the exact discount at a rank for a model without steps back, or None for any other model."""
        forward, backward = self.model.chain(self.n)
        if rank > self.n:
            return Fraction(0)
        if any(backward):
            return None
        total, reached = Fraction(0), Fraction(1)
        for h in range(1, self.n + 1):
            if h >= rank:
                total += reached * (1 - forward[h - 1]) / h
            reached *= forward[h - 1]
        return total

    def real(self, rank: int) -> float:
        """Return the discount at a rank in double precision."""
        exact = self.rational(rank)
        if exact is not None:
            return float(exact)
        return _float_means(self.model, self.loss, self.n)[rank - 1]

    def ball(self, rank: int) -> flint.arb:
        """Return a ball that contains the discount at a rank, at flint's current precision."""
        if self.rational(rank) is not None:
            return super().ball(rank)
        return _means(self.model, self.loss, self.n, flint.ctx.prec)[rank - 1]


DEPTH = 12
"""Default number of steps at which the walks in a distribution are cut off."""


def expectation(a: Arithmetic, user: User, grades: Array, order: Literal["mean", "ratio"]) -> Array:
    """Return E[T / f(H)] or E[T] / E[f(H)], where H is the number of visits and T is their total gain.

    Args:
        a: Arithmetic of the grades.
        user: Browsing model, gain and effort.
        grades: (..., N) grades in rank order, N >= 1.
        order: ``"mean"`` for E[T / f(H)], or ``"ratio"`` for E[T] / E[f(H)].

    Returns:
        Expectations of shape (...).

    """
    if isinstance(user.browsing, ForwardModel):
        return _forward(a, user, user.browsing, grades, order)
    gains = user.gains(a, grades)
    n = grades.shape[-1]
    if user.effort == "none":
        return (gains * a.discounts(TotalGain(user.browsing, user.loss, n), n)).sum(axis=-1)
    if order == "ratio":
        return (gains * a.discounts(ShareOfGain(user.browsing, user.loss, n), n)).sum(axis=-1)
    weights = a.discounts(MeanGain(user.browsing, user.loss, n), n)
    if user.loss != 0:
        return (gains * weights).sum(axis=-1)
    # Without loss, the weights sum to 1. In this form, a ranking whose documents have equal grades scores exactly that
    # grade.
    last = gains[..., -1]
    return _plus(last, ((gains - last[..., None]) * weights)[..., :-1].sum(axis=-1))


def _plus(x: Array, y: Array) -> Array:
    """Return x + y, or x itself if y is zero, so that adding a zero ball does not turn a rational x into a ball."""
    if isinstance(x, Series):
        return Series({k: _plus(c, y.terms[k]) for k, c in x.terms.items()}, x.keep, x.dropped or y.dropped)
    return x + y if np.asarray(y).dtype != object else _OBJECTS(x, y)


_OBJECTS = np.frompyfunc(lambda x, y: x if y == 0 else x + y, 2, 1)


def _forward(a: Arithmetic, user: User, browsing: ForwardModel, grades: Array, order: str) -> Array:
    n, gains = grades.shape[-1], user.gains(a, grades)
    reach = browsing.reach(a, grades)
    ranks = a.integers(np.arange(1, n + 1))
    if user.gain == "first":
        if user.effort == "none":
            return reach[..., 0]
        stops = browsing.stops(a, grades)
        return (stops / ranks).sum(axis=-1) if order == "mean" else _inverse(reach.sum(axis=-1), n)
    if user.effort == "none":
        return (gains * reach).sum(axis=-1)
    if order == "ratio":
        return divide((gains * reach).sum(axis=-1), reach.sum(axis=-1))
    collected = earlier_total(gains) + gains
    return (collected * (browsing.stops(a, grades) / ranks)).sum(axis=-1)


def _inverse(steps: Array, n: int) -> Array:
    """Return 1 / E[H] for a ranking of n documents. If E[H] is a series in eps, the result is a series with n orders.

    E[H] is a polynomial in eps of degree below n, with the constant term n. Two different polynomials of this kind
    differ at an order below n. Their inverses first differ at the same order, with the opposite sign. The first n
    orders of the inverse are therefore enough to compare two rankings.
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
        depth: Number of steps at which random walks are cut off, >= 1. Longer walks are not listed.

    Returns:
        ``(values, masses, rest)``. ``values`` is the support (..., S), possibly unsorted and with repeated values.
        ``masses`` has its probabilities (..., S). ``rest`` is the total probability of walks that are not listed, which
        is 0 for models without steps back.

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
    anywhere = np.zeros(n, dtype=bool)  # only visits to these ranks give a gain
    for c in gains.terms.values() if isinstance(gains, Series) else (gains,):
        anywhere |= np.not_equal(c, 0).astype(bool).reshape(-1, n).any(axis=0)
    anywhere[0] |= not anywhere.any()  # an empty sum would be a plain numpy integer
    paths = paths_within(user.browsing, n, tuple(int(i) + 1 for i in np.flatnonzero(anywhere)), depth)
    values = gains[..., anywhere] @ _collected(a, user, paths).T
    masses, rest = paths.masses, paths.rest
    if isinstance(a, Floats):
        masses, rest = np.array([float_of(m) for m in masses]), float_of(rest)
    return values, np.broadcast_to(masses, values.shape), rest


def _collected(a: Arithmetic, user: User, paths: Paths) -> Array:
    """Return the contribution of each class of paths to P@H, per unit of the grade at each tracked rank, as (S, T)."""
    most = int(paths.steps.max(initial=0))
    by_visits = [Fraction(0)]
    for k in range(most):
        by_visits.append(by_visits[-1] + (1 - user.loss) ** k)
    collected = np.array([a.number(x) for x in by_visits])[paths.visits]
    return collected / a.integers(paths.steps)[:, None] if user.effort == "steps" else collected


@dataclass(frozen=True)
class Paths:
    """Paths of a random walk, grouped into S classes with equal numbers of steps and of visits to each tracked rank.

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
    """Return the classes of paths with at most ``depth`` steps in a ranking of n documents.

    Args:
        model: Browsing model.
        n: Number of documents, N.
        tracked: Ranks at which visits are counted.
        depth: Largest number of steps, >= 1.

    """
    forward, backward = model.chain(n)
    ends = [1 - p - q for p, q in zip(forward, backward, strict=True)]
    # Integers over a common denominator, unit**h after h steps, are much faster to add than fractions.
    unit = lcm(*(x.denominator for x in (*forward, *backward)))
    up, down, out = ([int(x * unit) for x in side] for side in (forward, backward, ends))
    # A class is encoded as a number in this base. Each digit is the number of visits to one tracked rank.
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
