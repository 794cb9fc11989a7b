"""Expected gain of the visits to each rank, for browsing models that do not depend on relevance.

For these models, E[T / f(H)] and E[T] / E[f(H)] are sums over ranks of a weight times the gain. The weights are
discounts that depend on the number of documents N. Let F_1i(z) be the generating function of the time of the first
visit to rank i, F_ii(z) that of the time of the return to rank i, A_i(z) that of the remaining steps at rank i, and
rho = 1 - loss. Then

    sum_h z^(h-1) E[gain of rank i's visits; H = h] / r[i] = F_1i(z) A_i(z) / (1 - rho F_ii(z)).

At z = 1 this is the expected gain. Its integral over z from 0 to 1 is the expectation of the gain divided by H. The
chain is absorbing and tridiagonal, so each function is a finite continued fraction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from axiomcheck.core.errors import MetricError
from axiomcheck.core.typing import Array
from axiomcheck.metrics.browsing import ChainModel
from axiomcheck.numbers.arithmetic import to_fmpq, to_fraction
from axiomcheck.numbers.discount import Discount

if TYPE_CHECKING:
    from flint import arb

_MOST_STEPS = 1 << 17
"""Largest number of steps to sum. A model is rejected if its users are too likely to continue for longer."""
_MOST_NODES = 1024

_TOO_LONG = "E[T/f(H)] cannot be expanded, since users hardly ever stop; order=ratio has no such limit"


def visit_functions(forward: Any, backward: Any, ends: Any, rho: Any, z: Any, one: Any) -> list[Any]:
    """Return F_1i(z) A_i(z) / (1 - rho F_ii(z)) for every rank i.

    Args:
        forward: Probabilities p_i.
        backward: Probabilities q_i.
        ends: Probabilities s_i of ending the search.
        rho: Share of a document's utility that remains at the next visit.
        z: Number with modulus at most 1, or a power series.
        one: Number 1 in the type of z.

    """
    n = len(forward)
    up: list[Any] = []  # generating functions of the time from i to i + 1
    first, so_far = [], one
    left: list[Any] = []  # those of the remaining steps at i without going on to i + 1
    for i in range(n):
        stay = one - z * backward[i] * up[i - 1] if i else one
        left.append((ends[i] * one + z * backward[i] * left[i - 1]) / stay if i else ends[i] * one)
        up.append(z * forward[i] / stay)
        first.append(so_far)
        so_far = so_far * up[i]
    out: list[Any] = [None] * n
    steps = down = one * 0  # those of the remaining steps, and of the time from i + 1 to i
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
    from flint import fmpq

    numbers = _numbers(model, n)
    found = visit_functions(*numbers, to_fmpq(1 - loss), fmpq(1), fmpq(1))
    return (*found, *[fmpq(0)] * (n - len(found)))


@lru_cache(maxsize=1024)
def _float_totals(model: ChainModel, loss: Fraction, n: int) -> tuple[float, ...]:
    forward, backward, ends = ([int(x.p) / int(x.q) for x in side] for side in _numbers(model, n))
    found = visit_functions(forward, backward, ends, float(1 - loss), 1.0, 1.0)
    return (*found, *[0.0] * (n - len(found)))


def expected_steps(model: ChainModel, n: int) -> Fraction:
    """Return the exact value of E[H] over n ranks."""
    return to_fraction(sum(_totals(model, Fraction(0), n)))


@lru_cache(maxsize=1024)
def _means(model: ChainModel, loss: Fraction, n: int, bits: int) -> tuple[arb, ...]:
    """Return balls of E[gain of rank i's visits / H] / r[i] with a precision of about ``bits`` bits.

    The generating functions are expanded at z = 0 to M terms, and the coefficient of z^(h-1) is divided by h. The
    remainder is at most P[H > M], since no visit has a gain above 1.

    Raises:
        MetricError: Users stop so rarely that the expansion would need too many terms.

    """
    from flint import arb, arb_series, ctx

    numbers = _numbers(model, n)
    terms, cap = _steps_until(model, n, bits), ctx.cap
    try:
        with ctx.workprec(bits + 32):
            ctx.cap = terms
            z, one = arb_series([0, 1]), arb_series([1])
            # Within `terms` steps nobody gets beyond rank `terms`.
            forward, backward, ends = (side[:terms] for side in numbers)
            steps = visit_functions(forward, backward, ends, 0 * ends[0], z, one)[0]  # the sum of P[H = h] z^(h-1)
            rest = 1 - sum(_coefficients(steps, terms), arb(0))
            margin = rest.upper() / 2
            far = margin + arb(0, margin) if len(numbers[0]) > terms else arb(0)
            found = []
            for series in visit_functions(forward, backward, ends, to_fmpq(1 - loss), z, one):
                total = sum((c / h for h, c in enumerate(_coefficients(series, terms), 1)), arb(0))
                found.append(total + margin + arb(0, margin))
    finally:
        ctx.cap = cap
    return (*found, *[far] * (n - len(found)))


@lru_cache(maxsize=1024)
def _float_means(model: ChainModel, loss: Fraction, n: int) -> tuple[float, ...]:
    """Return E[gain of rank i's visits / H] / r[i] in floats, by Gauss-Legendre quadrature.

    The integrands are the generating functions, whose poles are beyond z = 1.

    Raises:
        MetricError: Users stop so rarely that a pole is too close to 1.

    """
    forward, backward, ends = ([int(x.p) / int(x.q) for x in side] for side in _numbers(model, n))
    before: Array = None
    nodes = 16
    while nodes <= _MOST_NODES:
        x, weights = np.polynomial.legendre.leggauss(nodes)
        z = (x + 1) / 2
        found = np.array(visit_functions(forward, backward, ends, float(1 - loss), z, np.ones(nodes))) @ (weights / 2)
        # Doubling the nodes squares the error, so an error below 1e-12 becomes mere rounding.
        if before is not None and np.abs(found - before).max() < 1e-12:
            return (*found.tolist(), *[0.0] * (n - len(found)))
        before, nodes = found, 2 * nodes
    raise MetricError(_TOO_LONG)


def _steps_until(model: ChainModel, n: int, bits: int) -> int:
    """Return the number of steps after which about 2^-bits of the users remain, simulated in floats.

    Raises:
        MetricError: The number of steps is too large.

    """
    forward, backward, _ = ([int(x.p) / int(x.q) for x in side] for side in _numbers(model, n))
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
    from flint import arb

    found = list(series.coeffs())
    return found + [arb(0)] * (terms - len(found))


@dataclass(frozen=True)
class _OverRanks(Discount):
    """Base class of discounts that are given by the value of the visits to a rank, in a ranking of n documents.

    Args:
        model: The chain.
        loss: Share of a document's utility that is lost at every visit.
        n: Number of documents, N.

    """

    model: ChainModel
    loss: Fraction
    n: int


@dataclass(frozen=True)
class TotalGain(_OverRanks):
    """Discount E[gain of rank i's visits] / r[i] over n ranks."""

    def rational(self, rank: int) -> Fraction:
        """Compute the exact value by linear algebra."""
        return to_fraction(_totals(self.model, self.loss, self.n)[rank - 1]) if rank <= self.n else Fraction(0)

    def real(self, rank: int) -> float:
        """Return the value at a rank to double precision."""
        return _float_totals(self.model, self.loss, self.n)[rank - 1]


@dataclass(frozen=True)
class ShareOfGain(TotalGain):
    """Discount `TotalGain` divided by E[H], which gives the weights of the ratio of expectations (order 2)."""

    def rational(self, rank: int) -> Fraction:
        """Compute the exact value by linear algebra."""
        return super().rational(rank) / expected_steps(self.model, self.n)

    def real(self, rank: int) -> float:
        """Return the value at a rank to double precision."""
        return super().real(rank) / math.fsum(_float_totals(self.model, Fraction(0), self.n))


@dataclass(frozen=True)
class MeanGain(_OverRanks):
    """Discount E[gain of rank i's visits / H] / r[i] over n ranks.

    These are the weights of the expectation of the ratio (order 1). The value is rational for models without steps
    back, where H is a rank. For other models it counts as irrational, since sums over all h of terms in 1 / h give
    logarithms.
    """

    def rational(self, rank: int) -> Fraction | None:
        """Return the exact value for a model without steps back; None for other models."""
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
        """Return the value at a rank to double precision."""
        exact = self.rational(rank)
        if exact is not None:
            return float(exact)
        return _float_means(self.model, self.loss, self.n)[rank - 1]

    def ball(self, rank: int) -> arb:
        """Return a ball that contains the value at a rank, at flint's current precision."""
        if self.rational(rank) is not None:
            return super().ball(rank)
        from flint import ctx

        return _means(self.model, self.loss, self.n, ctx.prec)[rank - 1]
