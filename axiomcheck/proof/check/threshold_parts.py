"""Write a metric's scores on block pairs as sums of folds on symbols, and compare the sums with the metric's scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

import numpy as np
from flint import arb, fmpq

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Array
from axiomcheck.metrics import Metric
from axiomcheck.metrics.base import FoldMetric, Mixture
from axiomcheck.metrics.coverage import SubtopicReciprocalRank
from axiomcheck.metrics.fold import Cascade, Fold
from axiomcheck.numbers.arithmetic import Rationals, in_exact_arithmetic, to_fmpq
from axiomcheck.numbers.discount import Discount, Geometric, InverseLog, Reciprocal
from axiomcheck.numbers.series import Series
from axiomcheck.proof.check.fold_conditions import fold_of
from axiomcheck.proof.check.header import require
from axiomcheck.proof.check.polynomials import SMALL, Monomial
from axiomcheck.proof.check.quotients import Exact, Quotient, variable

_PROBED = 4
"""Largest n at which the metric's own scores are compared with those of the folds."""


@dataclass(frozen=True)
class ThresholdPart:
    """Fold whose total is one term of a metric's score, with symbols for the grade and the open parameters.

    Args:
        fold: Fold over the ranks.
        cutoff: Number of ranks that are counted; None for all.
        grade: Grade r: an infinitesimal symbol, a symbol in (0, 1], or a number.
        open: Symbols of the open parameters, by name.

    """

    fold: Fold
    cutoff: int | None
    grade: Quotient
    open: Mapping[str, Quotient]

    def start(self) -> tuple[Quotient, ...]:
        """Return the state before rank 1."""
        return tuple(_polynomial(x) for x in self.fold.start(Exact()))

    def step(self, state: Sequence[Quotient], grade: Quotient | fmpq) -> tuple[Quotient, tuple[Quotient, ...]]:
        """Return the gain of one document and the state after it."""
        gain, after = self.fold.step(Exact(), tuple(_column(x) for x in state), _column(grade))
        return _polynomial(gain), tuple(_polynomial(x) for x in after)

    def finite(self) -> ThresholdPart:
        """Replace an infinitesimal grade by a symbol for any grade in (0, 1]; return any other part unchanged."""
        return replace(self, grade=variable("r", "(0, 1]")) if self.is_small else self

    @property
    def is_small(self) -> bool:
        """True if the grade is infinitesimal."""
        return any(v.range == SMALL for v in self.grade.numerator.degrees())

    def leading(self, term: Quotient) -> tuple[int, Quotient]:
        """Return (order, coefficient) of the lowest power of r if r is infinitesimal, or (0, term) otherwise."""
        if not self.is_small:
            return 0, term
        (r,) = self.grade.numerator.degrees()
        order, lead = term.numerator.lowest(r)
        return order, Quotient(lead)

    def coefficient(self, term: Quotient, order: int) -> Quotient:
        """Return the coefficient of r^order if r is infinitesimal, or the whole term otherwise."""
        if not self.is_small:
            return term
        (r,) = self.grade.numerator.degrees()
        return Quotient(term.numerator.coefficient(r, order))

    def gains(self, count: int) -> list[Quotient]:
        """Return the gains g_1, ..., g_count of the relevant documents in a block."""
        state, gains = self.start(), []
        for _ in range(count):
            gain, state = self.step(state, self.grade)
            gains.append(gain)
        return gains

    def weights(self, n: int, gains: Sequence[Quotient]) -> dict[int, Quotient]:
        """Map each rank i to the factor of its discount D_i in T - L(n), without factors of 0."""
        deepest = 2 * n if self.cutoff is None else min(self.cutoff, 2 * n)
        factors = {1: gains[0]} | {rank: -gains[rank - n - 1] for rank in range(n + 1, deepest + 1)}
        return {rank: factor for rank, factor in factors.items() if not factor.is_zero}

    def terms(self, n: int, gains: Sequence[Quotient]) -> Quotient | dict[Monomial, arb]:
        """Return T - L(n): a quotient if no discount is a ball, otherwise the coefficients (balls) by monomial."""
        factors = self.weights(n, gains)
        discounts = {rank: discount_at(self.fold.discount, rank) for rank in factors}
        if not any(isinstance(d, arb) for d in discounts.values()):
            return sum((factors[i] * discounts[i] for i in factors), Quotient.of(0))
        monomials: dict[Monomial, arb] = {}
        for rank, factor in factors.items():
            for monomial, c in factor.numerator.terms.items():
                monomials[monomial] = monomials.get(monomial, arb(0)) + discounts[rank] * arb(c)
        return monomials

    def ahead(self, n: int, gains: Sequence[Quotient]) -> int | None:
        """Return the sign of T - L(n), or None if it is unknown or depends on the values of the symbols."""
        terms = self.terms(n, gains)
        if isinstance(terms, Quotient):
            return 0 if terms.is_zero else 1 if terms.shown(">") else -1 if terms.shown("<") else None
        orders = {m: sum(v.range == SMALL for v in m) for m in terms}
        deciding = [c for m, c in terms.items() if orders[m] == min(orders.values()) or not self.is_small]
        # Every symbol is positive, so the sum has a sign that all its coefficients share.
        signs = {1 if c > 0 else -1 if c < 0 else None for c in deciding}
        return 0 if not terms else signs.pop() if len(signs) == 1 else None


def _column(value: object) -> Array:
    """Convert a number to an array of length 1, as folds expect."""
    column = np.empty(1, dtype=object)
    column[0] = value
    return column


def scalar(value: object, otherwise: str = "the fold returned several numbers for one grade") -> Any:
    """Return the only number in an array.

    Raises:
        InvalidInput: The array has several numbers or none. The message is ``otherwise``.

    """
    flat = np.asarray(value, dtype=object).reshape(-1)
    require(len(flat) == 1, otherwise)
    return flat[0]


def _polynomial(value: object) -> Quotient:
    """Convert a fold's result to a polynomial, because the lemmas need powers of the grade."""
    return Quotient(Quotient.of(scalar(value)).polynomial())


def discount_at(discount: Discount, rank: int) -> Any:
    """Return the discount at a rank as a rational, a quotient of symbols or a ball."""
    if isinstance(discount, Geometric):
        ratio, scale = (to_fmpq(x) if isinstance(x, Fraction) else x for x in (discount.ratio, discount.scale))
        return scale * ratio ** (rank - 1)
    if isinstance(discount, InverseLog) and isinstance(discount.base, Quotient):
        raise InvalidInput("certificate: the base of the logarithm is left open, so the discounts have no values")
    value = discount.rational(rank)
    return discount.ball(rank) if value is None else to_fmpq(value)


def parts_of(
    metric: Metric, ranges: dict[str, tuple[Fraction, Fraction | None]], small: bool, rc: Fraction | None
) -> list[ThresholdPart]:
    """Return the folds whose totals, multiplied by positive numbers, add up to a metric's score on one aspect.

    Terms that are the same for both rankings of a block pair are omitted.

    Raises:
        InvalidInput: The score is not known to be such a sum.

    """
    grade = variable("r", SMALL) if small else variable("r", "(0, 1]") if rc is None else Quotient.of(rc)
    symbols = {
        name: low + (variable(name, "(0, oo)") if high is None else variable(name, "(0, 1)") * (high - low))
        for name, (low, high) in ranges.items()
    }
    open_ = metric.at(symbols)
    if isinstance(open_, Mixture):
        shares = [(Quotient.of(share), part) for share, part in open_.parts()]
        mixed = [(share, part) for share, part in shares if not share.is_zero]
        require(all(share.shown(">") for share, _ in mixed), f"a share of {metric} may be negative")
        return [_part_of(part, grade, symbols) for _, part in mixed]
    if isinstance(open_, SubtopicReciprocalRank):
        fold = Cascade(Reciprocal(), binary=True)
        _check_reduction(metric, fold)
        return [ThresholdPart(fold, metric.cutoff, grade, symbols)]
    return [_part_of(open_, grade, symbols)]


def _part_of(metric: Metric, grade: Quotient, symbols: Mapping[str, Quotient]) -> ThresholdPart:
    """Convert a metric that is a single fold to a part."""
    fold = fold_of(metric)
    assert isinstance(metric, FoldMetric)
    require(Quotient.of(metric.scale(1)).shown(">"), f"the scale of {metric.name} is not positive")
    return ThresholdPart(fold, metric.cutoff, grade, symbols)


@lru_cache(maxsize=16)
def _check_reduction(metric: Metric, fold: Fold) -> None:
    """Check that a metric's scores on one aspect equal a fold's totals for all binary rankings of up to 8 ranks."""
    a = Rationals()
    for n in range(1, 9):
        bits = np.array([[(row >> i) & 1 for i in range(n)] for row in range(2**n)])
        grades = a.integers(bits)[..., None]
        scores = metric.score(a, grades, a.integers(np.ones((1, 1), dtype=np.int64)), grades)
        folded = fold.total(a, grades[:, : metric.cutoff])[..., 0]
        require(bool(np.all(scores == folded)), f"{metric} and its fold differ on one aspect at n = {n}")


@lru_cache(maxsize=256)
def compare_with_scores(metric: Metric, small: bool, rc: Fraction) -> None:
    """Check that a metric's own scores give the same signs of T - L(n) as its folds, for small n.

    Raises:
        InvalidInput: The signs differ at some n.

    """
    parts = parts_of(metric, {}, small, rc)
    for n in range(1, _PROBED + 1):
        folded = sign_of_sum([part.ahead(n, part.gains(n)) for part in parts])
        for extras in (0, 1):
            scored = _scored(metric, n, extras, to_fmpq(Fraction(1) if small else rc), small)
            agree = scored is None or folded is None or scored == folded
            require(agree, f"the scores of {metric} differ from those of its fold at n = {n}")


def _scored(metric: Metric, n: int, extras: int, one: fmpq, small: bool) -> int | None:
    """Return the sign of Q(top) - Q(block) from the metric's own scores, or None if a ball contains 0."""
    top, block = top_and_block(n, one)
    pool = [one] * (n + extras) + [one - one] * (2 * n - 1)
    rankings = [Series({1: one_aspect(row)}) if small else one_aspect(row) for row in (top, block, pool)]
    _, scores = in_exact_arithmetic(lambda a: [metric.score(a, row, WHOLE, rankings[2]) for row in rankings[:2]])
    return leading_sign(*(orders_of(score) for score in scores))


G = TypeVar("G", fmpq, Quotient)

WHOLE = np.array([[fmpq(1)]], dtype=object)
"""Weights of a topic with a single aspect, shape (1, 1)."""

Terms: TypeAlias = dict[int, fmpq | arb]
"""Order of eps -> coefficient."""


def top_and_block(n: int, grade: G) -> tuple[list[G], list[G]]:
    """Return the grades of both rankings: one relevant document on top, and n relevant documents below n others."""
    zero = grade - grade
    return [grade] + [zero] * (2 * n - 1), [zero] * n + [grade] * n


def one_aspect(values: Sequence[object]) -> Array:
    """Return the grades of one ranking on one aspect as an array of shape (1, n, 1)."""
    array = np.empty((1, len(values), 1), dtype=object)
    array[0, :, 0] = values
    return array


def orders_of(value: object) -> Terms:
    """Return the coefficients of a number by order of eps, without those that are unknown or known to be 0."""
    terms = value.terms if isinstance(value, Series) else {0: value}
    if isinstance(value, Series) and value.dropped:
        terms = {k: c for k, c in terms.items() if value.keep is None or k <= value.keep}
    flat = {k: scalar(c, "the metric returned several numbers for one ranking") for k, c in terms.items()}
    return {k: c for k, c in flat.items() if isinstance(c, arb) or c != 0}


def leading_sign(left: Terms, right: Terms) -> int | None:
    """Return the sign of left - right for every sufficiently small eps, or None if it is unknown."""
    for order in sorted({*left, *right}):
        sign = number_sign(left.get(order, fmpq(0)) - right.get(order, fmpq(0)))
        if sign != 0:
            return sign
    return 0


def sign_of_sum(signs: Sequence[int | None]) -> int | None:
    """Return the sign of a sum from the signs of its terms, or None if two are opposite or one is unknown."""
    if None in signs or {1, -1} <= set(signs):
        return None
    return next((sign for sign in signs if sign), 0)


def number_sign(value: fmpq | arb) -> int | None:
    """Return the sign of an exact or certified number, or None if a ball contains 0."""
    if isinstance(value, arb):
        return 1 if value > 0 else -1 if value < 0 else 0 if value == 0 else None
    return int(value > 0) - int(value < 0)
