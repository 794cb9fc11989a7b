"""What a metric is on block pairs: folds on symbols, derived from the metric and compared with its own scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from flint import arb, fmpq

from axiomcheck.core.errors import InvalidInput, NotRational
from axiomcheck.metrics import Metric
from axiomcheck.metrics.base import FoldMetric
from axiomcheck.metrics.coverage import DSharpMeasure, SubtopicReciprocalRank
from axiomcheck.metrics.fold import Cascade, Fold, State
from axiomcheck.numbers.arithmetic import Arithmetic, Balls, Rationals, to_fmpq
from axiomcheck.numbers.discount import Discount, Geometric, InverseLog, Reciprocal
from axiomcheck.numbers.series import Series
from axiomcheck.proof.check.own_code import check_fold, check_own_code, check_scores
from axiomcheck.proof.check.threshold_symbols import Exact, Room, Symbolic, require, scalar
from axiomcheck.sources.provenance import runs_catalogue_code

__all__ = ["Part", "discount_at", "number_sign", "parts_of", "probe", "together"]

Array = Any
Poly = Any


_PROBED = 4
"""Up to which n the scores themselves are compared with the fold's."""


@dataclass(frozen=True)
class Part:
    """One fold of a metric, on one aspect, in the symbols of a room.

    Args:
        room: the symbols.
        fold: the fold.
        cutoff: how many ranks are looked at; None looks at all.
        grade: r: a symbol, or one number.

    """

    room: Room
    fold: Fold
    cutoff: int | None
    grade: Any

    def start(self) -> tuple[Poly, ...]:
        """The state before rank 1."""
        return tuple(self.room.constant(scalar(x)) for x in self.fold.start(Exact()))

    def step(self, state: Sequence[Poly], grade: Any) -> tuple[Poly, tuple[Poly, ...]]:
        """One document: what it earns and the state after it."""
        given = np.empty(1, dtype=object)
        given[0] = grade
        wrapped: State = tuple(np.array([Symbolic(self.room, x)], dtype=object) for x in state)
        gain, after = self.fold.step(Exact(), wrapped, given)
        return self.room.constant(scalar(gain)), tuple(self.room.constant(scalar(x)) for x in after)

    def gains(self, count: int) -> list[Poly]:
        """What relevant documents in a row earn, exactly."""
        state, gains = self.start(), []
        for _ in range(count):
            gain, state = self.step(state, self.grade)
            gains.append(gain)
        return gains

    def weights(self, n: int, gains: Sequence[Poly]) -> dict[int, Poly]:
        """T - L(n) as the factor of each D_i."""
        deepest = 2 * n if self.cutoff is None else min(self.cutoff, 2 * n)
        factors = {1: gains[0]} | {rank: -gains[rank - n - 1] for rank in range(n + 1, deepest + 1)}
        return {rank: factor for rank, factor in factors.items() if factor}

    def terms(self, n: int, gains: Sequence[Poly]) -> Poly | dict[tuple[int, ...], Any]:
        """T - L(n): a polynomial where the discounts are rational, else its monomials with certified coefficients."""
        factors = self.weights(n, gains)
        discounts = {rank: discount_at(self.fold.discount, rank) for rank in factors}
        if not any(isinstance(d, arb) for d in discounts.values()):
            return sum((factors[i] * self.room.constant(discounts[i]) for i in factors), self.room.ring.constant(0))
        monomials: dict[tuple[int, ...], Any] = {}
        for rank, factor in factors.items():
            for exponents, c in factor.to_dict().items():
                key = tuple(int(e) for e in exponents)
                monomials[key] = monomials.get(key, arb(0)) + discounts[rank] * arb(c)
        return monomials

    def ahead(self, n: int, gains: Sequence[Poly]) -> int | None:
        """The sign of T - L(n) wherever the symbols may be: 1 where the top is ahead; None if that is not known."""
        terms = self.terms(n, gains)
        if not isinstance(terms, dict):
            return self.room.sign(terms)
        order = min((e[0] for e in terms), default=0) if self.room.small else None
        deciding = [c for e, c in terms.items() if order is None or e[0] == order]
        # Every symbol is positive, so coefficients of one sign decide.
        signs = {1 if c > 0 else -1 if c < 0 else None for c in deciding}
        return 0 if not terms else signs.pop() if len(signs) == 1 else None


def discount_at(discount: Discount, rank: int) -> Any:
    """D_i: rational, a term, or a ball."""
    if isinstance(discount, Geometric):
        ratio, scale = (to_fmpq(x) if isinstance(x, Fraction) else x for x in (discount.ratio, discount.scale))
        return scale * ratio ** (rank - 1)
    if isinstance(discount, InverseLog) and isinstance(discount.base, Symbolic):
        raise InvalidInput("certificate: exact values are asked of a logarithm whose base is left open")
    value = discount.rational(rank)
    return discount.ball(rank) if value is None else to_fmpq(value)


def parts_of(
    metric: Metric, ranges: dict[str, tuple[Fraction, Fraction | None]], small: bool, rc: Fraction | None
) -> list[Part]:
    """The folds whose positively weighted sum a metric is on one aspect (of weight 1), less what cancels.

    Raises:
        InvalidInput: the metric is not known to be such a sum.

    """
    room = Room(ranges, small)
    grade = room.symbols[0] if small or rc is None else room.symbols[0] * 0 + rc
    open_ = metric.at({name: room.parameter(name) for name in ranges})
    if isinstance(open_, DSharpMeasure | SubtopicReciprocalRank):
        require(runs_catalogue_code(metric), f"{metric} has code of its own, and no lemma speaks of it")
    if isinstance(open_, DSharpMeasure):
        shares = [(room.constant(share), part) for share, part in open_.parts()]
        mixed = [(share, part) for share, part in shares if share]
        require(all(room.positive(share) for share, _ in mixed), f"a share of {metric} may be negative")
        return [_part_of(room, part, grade) for _, part in mixed]
    if isinstance(open_, SubtopicReciprocalRank):
        fold = Cascade(Reciprocal(), binary=True)
        _check_reduction(metric, fold)
        return [Part(room, fold, metric.cutoff, grade)]
    return [_part_of(room, open_, grade)]


def _part_of(room: Room, metric: Metric, grade: Any) -> Part:
    """A metric that is one fold, on the symbols of a room."""
    if not isinstance(metric, FoldMetric):
        raise InvalidInput(f"certificate: {metric.name} is not scored by a fold, and no lemma speaks of it")
    check_own_code(metric)
    fold = metric.fold()
    check_fold(fold, metric.name)
    require(room.positive(room.constant(metric.scale(1))), f"the scale of {metric.name} is not positive")
    return Part(room, fold, metric.cutoff, grade)


def _constant(poly: Poly) -> fmpq:
    require(poly.is_constant(), "a number came out of the fold with symbols in it")
    number: fmpq = (poly.coeffs() or [fmpq(0)])[0]
    return number


@lru_cache(maxsize=16)
def _check_reduction(metric: Metric, fold: Fold) -> None:
    """Checks that with one aspect the metric's scores are those of the fold, on every pattern of up to 8 ranks."""
    a = Rationals()
    for n in range(1, 9):
        bits = np.array([[(row >> i) & 1 for i in range(n)] for row in range(2**n)])
        grades = a.integers(bits)[..., None]
        scores = metric.score(a, grades, a.integers(np.ones((1, 1), dtype=np.int64)), grades)
        folded = fold.total(a, grades[:, : metric.cutoff])[..., 0]
        require(bool(np.all(scores == folded)), f"{metric} is not its fold on one aspect, n = {n}")


def probe(metric: Metric, small: bool, rc: Fraction) -> None:
    """Checks the reading of the metric as folds against its scores: on the shortest block pairs, and at random."""
    if runs_catalogue_code(metric):
        _probed(metric, small, rc)
    else:  # what was true of the object before need not be true now
        _probed.__wrapped__(metric, small, rc)


@lru_cache(maxsize=256)
def _probed(metric: Metric, small: bool, rc: Fraction) -> None:
    if isinstance(metric, FoldMetric) and not runs_catalogue_code(metric):
        room = Room({}, False)

        def symbol(grade: Any) -> Any:
            one = np.empty(1, dtype=object)
            one[0] = Symbolic(room, room.constant(grade))
            return one

        check_scores(metric, Exact(), symbol, lambda gain: _constant(room.constant(scalar(gain))))
    parts = parts_of(metric, {}, small, rc)
    for n in range(1, _PROBED + 1):
        folded = together([part.ahead(n, part.gains(n)) for part in parts])
        for extras in (0, 1):
            scored = _scored(metric, n, extras, to_fmpq(Fraction(1) if small else rc), small)
            agree = scored is None or folded is None or scored == folded
            require(agree, f"the fold of {metric} and its scores disagree at n = {n}")


def _scored(metric: Metric, n: int, extras: int, one: Any, small: bool) -> int | None:
    """The sign of Q(top) - Q(block) by the metric's own scores; None where a ball does not tell."""
    zero = fmpq(0)

    def column(values: list[Any]) -> Any:
        array = np.empty((1, len(values), 1), dtype=object)
        array[0, :, 0] = values
        return Series({1: array}) if small else array

    top, block = column([one] + [zero] * (2 * n - 1)), column([zero] * n + [one] * n)
    pool = column([one] * (n + extras) + [zero] * (2 * n - 1))
    weights = np.array([[fmpq(1)]], dtype=object)

    def difference(a: Arithmetic) -> dict[int, Any]:
        value = metric.score(a, top, weights, pool) - metric.score(a, block, weights, pool)
        terms = value.terms if isinstance(value, Series) else {0: value}
        return {order: scalar(c) for order, c in terms.items()}

    try:
        terms = difference(Rationals())
    except NotRational:
        terms = difference(Balls())
    for order in sorted(terms):
        sign = number_sign(terms[order])
        if sign != 0:
            return sign
    return 0


def together(signs: Sequence[int | None]) -> int | None:
    """The sign of a positively weighted sum; None if one is not known or they pull apart."""
    if None in signs or {1, -1} <= set(signs):
        return None
    return next((sign for sign in signs if sign), 0)


# Side conditions


def number_sign(value: Any) -> int | None:
    """The sign of an exact or certified number; None where a ball does not tell."""
    if isinstance(value, arb):
        return 1 if value > 0 else -1 if value < 0 else 0 if value == 0 else None
    return int(value > 0) - int(value < 0)
