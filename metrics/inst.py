"""INST: the rate of gain of a user who wants T units of relevance, and adapts to the relevance found so far.

Source: Moffat, Bailey, Scholer and Thomas, ADCS 2015. After the document at rank i, the user continues with probability
C(i) = ((x_i - 1) / x_i)^2, where x_i = i + T + T_i = i + 2T - R_i and R_i is the gain of the first i documents
(equation 1). Weights are W(i) = W(1) C(1) ... C(i - 1), scaled to sum to 1 (equations 2 and 3).

The sum of the weights of all ranks beyond n has a closed form if their gains are equal. With u = C(1) ... C(n) x_n^2,

- if all these gains are 0, x grows by 1 per rank, the weights are W(1) u / (x_n + k)^2 for k = 0, 1, ..., and their
  sum is W(1) u psi_1(x_n), where psi_1 is the trigamma function;
- if all of them are 1, x is constant, C is the same at all these ranks, and the sum is W(1) u / (2 x_n - 1).

R_i <= i implies x_i - 1 >= 2T - 1, which must not be negative. Below T = 1/2, a smaller T would make the user *more*
likely to go on after a fully relevant document. Below T = 1/4, C would exceed 1. T must therefore be at least 1/2. At
T = 1/2, a user who has seen only fully relevant documents stops with certainty.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from axiomcheck.core.typing import Array
from axiomcheck.metrics.base import Claims, LiftedMetric, Tail, catalogued
from axiomcheck.metrics.cwl import InstModel
from axiomcheck.metrics.parameters import Parameter, Real
from axiomcheck.metrics.tails import vanishing_tail
from axiomcheck.numbers.arithmetic import Arithmetic, expanded_ratio, trigamma
from axiomcheck.numbers.series import Series
from axiomcheck.numbers.zeta import zeta_floats

TARGET = Real(
    "T",
    Fraction(3),
    "amount of relevance that the user expects to need; below 1/2, C(i) would increase as T decreases",
    low=Fraction(1, 2),
    high=None,
    low_open=False,
)

_ORDERS = 2
"""Highest order of eps to which scores are expanded in the limit regime. If two scores are equal up to this order, they
are a tie only if they are proved to be identical. Otherwise the comparison is undecided."""


@dataclass(frozen=True)
class UserPath:
    """Sums over the ranks of a ranking of n documents, from which the scores of INST are computed.

    Args:
        reached: (..., n) C(1) ... C(i - 1) = W(i) / W(1), the share of users who reach rank i.
        earned: (...) sum of ``reached`` times the gain over all ranks.
        inspected: (...) sum of ``reached`` over all ranks.
        beyond: (...) C(1) ... C(n), the share of users who go beyond rank n.
        x: (...) x_n = n + T + T_n.

    """

    reached: Array
    earned: Array
    inspected: Array
    beyond: Array
    x: Array

    def irrelevant_tail(self, a: Arithmetic) -> Array:
        """Return sum_{i > n} W(i) / W(1) if all documents beyond rank n have gain 0."""
        return self.beyond * self.x * self.x * trigamma(a, self.x)

    def relevant_tail(self) -> Array:
        """Return sum_{i > n} W(i) / W(1) if all documents beyond rank n have gain 1."""
        return expanded_ratio(self.beyond * self.x * self.x, 2 * self.x - 1)


def walk(a: Arithmetic, gains: Array, target: Any, counted: Array | None = None, unit: Any = 1) -> UserPath:
    """Follow a user through a ranking: return the shares of users who reach each rank, and the sums over ranks.

    Args:
        a: Arithmetic of the gains.
        gains: (..., n) gains in [0, 1], in rank order.
        target: T, >= 1/2.
        counted: (..., n) mask. Last ranks at which it is False belong to the tail and change neither x nor the sums.
            None counts all ranks.
        unit: The number 1, by which shares are multiplied. If it is a ball, shares do not become long rationals.

    """
    if counted is None:
        counted = np.ones(gains.shape, dtype=bool)
    step = a.integers(counted)
    nothing = 0 * gains.sum(axis=-1, keepdims=True)
    x = a.number(2 * target) + a.integers(np.cumsum(counted, axis=-1)) - np.cumsum(gains, axis=-1)
    ratio = expanded_ratio(x - step, x) * unit
    share = np.cumprod(np.concatenate([nothing + a.number(Fraction(1)), ratio * ratio], axis=-1), axis=-1)
    reached, start = share[..., :-1], nothing + a.number(2 * target)
    # cumsum adds in rank order; sum adds floats in blocks, so that trailing zeros could change its rounding
    earned, inspected = (
        np.cumsum(np.concatenate([nothing, part], axis=-1), axis=-1)[..., -1]
        for part in (gains * reached, reached * step)
    )
    return UserPath(reached, earned, inspected, share[..., -1], np.concatenate([start, x], axis=-1)[..., -1])


def _cut(gains: Array) -> Array:
    return gains.cut(_ORDERS) if isinstance(gains, Series) and gains.keep is None else gains


def _last_relevant(gains: Array) -> Array:
    """Return a (..., n) mask of the ranks down to the last relevant document.

    Gains may be symbols, whose comparison with 0 can fail. Ranks are therefore compared from the last one up, and only
    until every ranking has a relevant document.
    """
    counted = np.ones(gains.shape, dtype=bool)
    below: Array = np.zeros(gains.shape[:-1], dtype=bool)
    for rank in reversed(range(gains.shape[-1])):
        below = below | np.asarray(gains[..., rank] != 0, dtype=bool)
        if np.all(below):
            break
        counted[..., rank] = below
    return counted


@catalogued
class Inst(LiftedMetric):
    """INST's base score: documents beyond the ranking have gain 0."""

    name = "INST"
    summary = "sum of W(i) r_i, C(i) = ((i + 2T - R_i - 1) / (i + 2T - R_i))^2, R_i = r_1 + ... + r_i; gain 0 beyond"
    source = "Moffat, Bailey, Scholer and Thomas 2015, equations 1 to 3; Bailey et al. 2015"
    declared: tuple[Parameter, ...] = (TARGET,)
    blanks = "length"
    claims = Claims(0.0, 1.0, monotone=True)

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return the expected gain divided by the expected number of inspected documents.

        Documents below the last relevant one are computed as part of the tail of gain 0. Rankings that differ only in
        the number of these documents therefore have exactly the same score.
        """
        gains = _cut(self.only_aspect(grades))
        way = walk(a, gains, self.values["T"], _last_relevant(gains), a.irrational_one())
        return expanded_ratio(way.earned, way.inspected + way.irrelevant_tail(a))

    def user_model(self) -> InstModel:
        """Return the model of a user who adapts to the gains found."""
        return InstModel(float(self.values["T"]))

    def tail(self) -> Tail | None:
        """Return the `Tail` with the bound L(n)/T <= z^2 psi_1(z) b(n) / (psi_1(z) - psi_1(2n + z)).

        z is twice the parameter T, and b is `_block_weight`. The proof is the *inst* lemma in docs/lemmas/blocks.md.
        """
        z = 2 * float(self.values["T"])
        top = float(zeta_floats(2, z))
        return vanishing_tail(
            lambda n: z * z * top * _block_weight(n, z) / (top - float(zeta_floats(2, 2 * n + z))),
            f"L(n)/T <= z^2 psi_1(z) b(n) / (psi_1(z) - psi_1(2n + z)) with z = 2T = {z:g}: the top scores at least "
            "rc / (z^2 psi_1(z)), and the block at most rc b(n) / (psi_1(z) - psi_1(2n + z)), rc times the share of "
            "the block's ranks in the weight of all 2n without relevant documents, which only move weight up; "
            "b(n) = 1 / (2m + 3c + c^2/m) with c = z - 1/2, m = max(n, c/sqrt(2)); decreases in n",
        )


def _block_weight(n: int, z: float) -> float:
    """Return a bound, not increasing in n, on sum_{k=n..2n-1} 1 / (z + k)^2 = psi_1(n + z) - psi_1(2n + z) from above.

    1/y^2 < 1 / ((y - 1/2)(y + 1/2)), whose sum telescopes to n / ((n + c)(2n + c)) = 1 / (2n + 3c + c^2/n) with
    c = z - 1/2. This expression decreases from n = c / sqrt(2) on. For smaller n, it is at most its value there.
    """
    c = z - 0.5
    m = max(n, c / math.sqrt(2))
    return 1 / (2 * m + 3 * c + c * c / m)


@catalogued
class InstUpper(Inst):
    """The upper bound on INST: documents beyond the ranking have gain 1."""

    name = "INST-upper"
    summary = "INST of the ranking followed by infinitely many documents of gain 1: the base score plus the residual"
    claims = Claims(0.0, 1.0)  # an appended document with a gain below 1 replaces a document of gain 1 in the tail

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return the score with a tail of gain 1, which is added to the gain and to the number of documents."""
        way = walk(a, _cut(self.only_aspect(grades)), self.values["T"])
        tail = way.relevant_tail()
        return expanded_ratio(way.earned + tail, way.inspected + tail)

    def tail(self) -> Tail | None:
        """Return the `Tail` with the bound L(n)/T <= B (1 + 2 g/H) (D + g) / (a H); its statement defines the symbols.

        L(n) and T are both reduced by the score of 2n non-relevant documents. The proof is in docs/lemmas/blocks.md.
        """
        z = 2 * float(self.values["T"])
        top = float(zeta_floats(2, z))

        def bound(n: int) -> float:
            early = z * z * (top - float(zeta_floats(2, n + z)))
            g, a = z * z / (4 * n + 2 * z - 1), (4 * n - 1) / (4 * n + 2 * z - 1)
            return z * z * _block_weight(n, z) * (1 + 2 * g / early) * (z * z * top + g) / (a * early)

        return vanishing_tail(
            bound,
            f"above the score of 2n non-relevant documents, L(n)/T <= B (1 + 2g/H) (D + g) / (a H) with "
            f"z = 2T = {z:g}, D = z^2 psi_1(z), H = D - z^2 psi_1(n + z), B = z^2 / (2m + 3c + c^2/m), c = z - 1/2, "
            "m = max(n, c/sqrt(2)), g = z^2 / (4n + 2z - 1), a = (4n - 1) / (4n + 2z - 1): the block adds at most B, "
            "its ranks' share of the weight without relevant documents, and the top adds at least a; decreases in n",
        )
