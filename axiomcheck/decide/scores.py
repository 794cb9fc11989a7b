"""Compare rankings by scores in exact or certified arithmetic.

Floats are used only to search for violations. If floats cannot distinguish a difference from zero, the sign is 0. A
violation is only a candidate until it is confirmed in rationals, in certified balls, or as an identity in independent
symbols.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from flint import arb, ctx, fmpq

from axiomcheck.core.errors import MetricError, NotRational
from axiomcheck.core.typing import AnyNumbers, Array, Reals
from axiomcheck.decide.batch import Batch, Comparison, Judgement, Pairs
from axiomcheck.decide.dominance import certain_sign
from axiomcheck.metrics import Metric
from axiomcheck.metrics.base import FoldMetric
from axiomcheck.metrics.derived_fold import FoldOfFunction
from axiomcheck.metrics.scores import calling, finite_scores
from axiomcheck.numbers.arithmetic import Arithmetic, Balls, Floats, Rationals, Symbols
from axiomcheck.numbers.series import Series, Truncated, last_known
from axiomcheck.records.values import ArithmeticName
from axiomcheck.sources.provenance import is_genuine

Scores: TypeAlias = AnyNumbers | Series
"""Scores of B rankings, as an array (B,) or a series in eps with coefficients (B,)."""

_FLOATS = Floats()
_ORDERS = 2
"""Highest order of eps that the search in the limit regime compares. Pairs that still tie are compared exactly."""

_NOISE = 4e-15
_RELATIVE = 4e-14
_ABSOLUTE = 1e-14
"""Tolerances, as a share of the pair's larger score (`_NOISE`, `_RELATIVE`) or of the batch's largest score
(`_ABSOLUTE`). Scores of catalogue metrics are sums of at most a few hundred products, so their rounding errors are far
below these tolerances."""

_PRECISIONS = (128, 1024)
"""Precisions of certified balls in bits, tried in turn if the ball around a difference contains zero."""

_SYMBOLIC = 256
"""Largest number of pairs per call of a metric on symbols. Each call is expensive, but polynomials need memory."""


@dataclass(frozen=True)
class ExactScores:
    """Compares rankings by a metric's scores: in floats (`compare`) or exactly (`signs` and `judge`)."""

    metric: Metric

    def compare(self, batch: Batch) -> Comparison:
        """Compare the scores in floats, or their leading coefficients in the limit regime."""
        worse, better = _float_scores(self.metric, batch)
        size = batch.size
        sure, returned = np.ones(size, dtype=bool), list[Reals]()
        for number, order in enumerate(sorted({*_orders(worse), *_orders(better)})):
            w, b = _coefficients(worse, order, size, self.metric), _coefficients(better, order, size, self.metric)
            returned += [w, b]
            difference = b - w
            gap = np.abs(difference)
            scale = np.maximum(np.abs(b), np.abs(w))
            clear = gap > _RELATIVE * scale + _ABSOLUTE * scale.max(initial=0.0)
            ahead = np.sign(difference).astype(np.int8)
            share = difference / np.where(scale == 0, 1, scale)
            # Only differences within noise count as zero, so that the next order decides. Larger ones stay undecided.
            noise = gap <= _NOISE * scale
            if number == 0:
                sign, margin, equal, open_ = np.where(clear, ahead, np.int8(0)), share * clear, gap == 0, noise
            else:
                now = clear & open_
                sign, margin = np.where(now, ahead, sign), np.where(now, share, margin)
                sure &= ~now
                equal &= gap == 0
                open_ &= noise
            if not open_.any():
                break
        return Comparison(sign, margin, equal, sure, returned=tuple(returned))

    def signs(self, pairs: Pairs) -> list[int | None]:
        """Return the exact sign for every pair, or None where it could not be determined."""
        return [sign for sign, _, _ in _decide(self.metric, pairs)]

    def judge(self, pairs: Pairs) -> Judgement:
        """Compare one pair exactly, and return the sign with both scores as exact fractions or certified decimals."""
        again = self.metric.read_again is not None
        sign, order, arithmetic = (_decide if again else _decide_in_full)(self.metric, pairs)[0]
        with ctx.workprec(_PRECISIONS[0]):
            worse, better = _scores(self.metric, pairs, Rationals() if arithmetic == "rational" else Balls())
            if sign == 0 and pairs.small:  # show the leading order of a tie's common score
                order = min(_terms(worse, 1), default=0)
            zero = np.array([fmpq(0)], dtype=object)
            texts = [_text(_terms(s, 1).get(order, zero)[0]) for s in (worse, better)]
        return Judgement(sign, order, texts[0], texts[1], arithmetic)


def _float_scores(metric: Metric, batch: Batch) -> tuple[Scores, Scores]:
    pool = batch.wrap(batch.draft.grades, _ORDERS)

    def score(ranking: AnyNumbers) -> Scores:
        scored: Scores = metric.score(_FLOATS, batch.wrap(ranking, _ORDERS), batch.weights, pool)
        return scored

    with calling(metric):
        if batch.bound is not None:
            return batch.bound.beside(score(batch.rankings[0]), np.full(batch.size, float(batch.bound.number)))
        if batch.pair is None:
            worse, better = batch.rankings
            return score(worse), score(better)
        both = score(batch.pair)
        if isinstance(both, Series) or getattr(both, "shape", None) == (2, batch.size):
            return both[0], both[1]
        raise MetricError(f"{metric} returned shape {getattr(both, 'shape', None)}; expected {(2, batch.size)}")


def _orders(score: Scores) -> list[int]:
    return list(score.terms) if isinstance(score, Series) else [0]


def _coefficients(score: Scores, order: int, size: int, metric: Metric) -> Array:
    terms = score.terms if isinstance(score, Series) else {0: score}
    if order not in terms:
        return np.zeros(size)
    return finite_scores(metric, terms[order], size)


def _scores(metric: Metric, pairs: Pairs, arithmetic: Arithmetic, keep: int | None = None) -> tuple[Scores, Scores]:
    """Return the scores of both sides as (worse, better), each an array (B,) or a series with (B,) coefficients.

    ``keep`` is the highest order of eps that is computed; None for all orders.
    """

    def score(ranking: AnyNumbers) -> Scores:
        seen, pool = (Series({1: x}, keep) if pairs.small else x for x in (ranking, pairs.pool))
        scored: Scores = metric.score(arithmetic, seen, pairs.weights, pool)
        return scored

    with calling(metric, " in exact arithmetic", NotRational, *((Truncated,) if keep is not None else ())):
        if pairs.bound is not None:
            number = fmpq(pairs.bound.number.numerator, pairs.bound.number.denominator)
            return pairs.bound.beside(score(pairs.rankings[0]), np.array([number], dtype=object))
        worse, better = pairs.rankings
        return score(worse), score(better)


def _terms(score: Scores, size: int) -> dict[int, Array]:
    terms = score.terms if isinstance(score, Series) else {0: score}
    for c in terms.values():
        if np.shape(c) not in ((), (1,), (size,)):
            raise MetricError(f"the metric returned shape {np.shape(c)} in exact arithmetic; expected {(size,)}")
    return {k: np.broadcast_to(np.asarray(c, dtype=object), (size,)) for k, c in terms.items()}


def _one_by_one(worse: Scores, better: Scores, size: int) -> list[tuple[int | None, int]]:
    """Return (sign, order) for every pair: the lowest order of eps at which the scores differ, and the sign there.

    The result for a tie is (0, 0), or (None, 0) if a series was truncated. A sign is also None if a ball contains zero.
    """
    tie = None if _cut_off(worse) or _cut_off(better) else 0
    w, b = _terms(worse, size), _terms(better, size)
    last = last_known(worse, better)
    orders = sorted(k for k in {*w, *b} if last is None or k <= last)
    zero = fmpq(0)
    out: list[tuple[int | None, int]] = []
    for index in range(size):
        decided: tuple[int | None, int] = (tie, 0)
        for order in orders:
            left = w[order][index] if order in w else zero
            right = b[order][index] if order in b else zero
            sign = certain_sign(right - left)
            if sign != 0:
                decided = (sign, order)
                break
        out.append(decided)
    return out


def _decide(metric: Metric, pairs: Pairs) -> list[tuple[int | None, int, ArithmeticName]]:
    """Return (sign, order, arithmetic) for every pair. Higher orders of eps are computed only where they are needed."""
    if not pairs.small or (metric.read_again is None and not isinstance(metric, FoldMetric | FoldOfFunction)):
        return _decide_in_full(metric, pairs)
    # Most pairs differ in the first orders, and computing the other orders would take most of the time.
    try:
        results = _in_first_orders(metric, pairs)
    except (NotRational, Truncated):
        return _decide_in_full(metric, pairs)
    open_ = [k for k, (sign, _, _) in enumerate(results) if not sign]
    if open_:
        for k, one in zip(open_, _decide_in_full(metric, pairs.pick(open_)), strict=True):
            results[k] = one
    return results


def _in_first_orders(metric: Metric, pairs: Pairs) -> list[tuple[int | None, int, ArithmeticName]]:
    if metric.read_again is None:
        with suppress(NotRational):
            scores = _scores(metric, pairs, Rationals(), _ORDERS)
            return [(sign, order, "rational") for sign, order in _one_by_one(*scores, pairs.size)]
    return _in_balls(metric, pairs, _ORDERS)


def _in_balls(metric: Metric, pairs: Pairs, keep: int | None = None) -> list[tuple[int | None, int, ArithmeticName]]:
    """Return (sign, order, arithmetic) for every pair, from one run of the metric in balls.

    Code from `Metric.read_again` uses rationals instead of balls wherever it can. The arithmetic is ``"rational"`` for
    pairs whose scores contain no ball.
    """
    with ctx.workprec(_PRECISIONS[0]):
        scores = _scores(metric, pairs, Balls(), keep)
        signs = _one_by_one(*scores, pairs.size)
    values = [c for score in scores for c in _terms(score, pairs.size).values()]
    certified = [any(isinstance(c[index], arb) for c in values) for index in range(pairs.size)]
    return [(s, k, "certified" if yes else "rational") for (s, k), yes in zip(signs, certified, strict=True)]


def _decide_in_full(metric: Metric, pairs: Pairs) -> list[tuple[int | None, int, ArithmeticName]]:
    """Return (sign, order, arithmetic) for every pair, from all orders of eps."""
    size = pairs.size
    if metric.read_again is not None:
        results = _in_balls(metric, pairs)
        rational = all(arithmetic == "rational" for _, _, arithmetic in results)
    else:
        try:
            results = [(s, k, "rational") for s, k in _one_by_one(*_scores(metric, pairs, Rationals()), size)]
            rational = True
        except NotRational:
            results, rational = [(None, 0, "certified")] * size, False
    if rational:
        return [_at_any_eps(metric, pairs.pick([k])) if one[0] is None else one for k, one in enumerate(results)]
    open_ = [k for k, (sign, _, _) in enumerate(results) if sign is None]
    # The catalogue's folds run the same code on every pair. Other code may fail on some pairs only.
    at_once = _SYMBOLIC if isinstance(metric, FoldMetric) and is_genuine(metric) else 1
    for precision in _PRECISIONS:
        if not open_:
            break
        with ctx.workprec(precision):
            part = pairs.pick(open_)
            scores = _scores(metric, part, Balls())
            for index, (sign, order) in zip(open_, _one_by_one(*scores, part.size), strict=True):
                results[index] = (sign, order, "certified")
            undecided = [k for k in open_ if results[k][0] is None]
            for start in range(0, len(undecided), at_once):
                indices = undecided[start : start + at_once]
                for index, found_ in zip(indices, _past_identities(metric, pairs.pick(indices)), strict=True):
                    results[index] = found_
        open_ = [k for k in open_ if results[k][0] is None]
    return results


def _past_identities(metric: Metric, pairs: Pairs) -> list[tuple[int | None, int, ArithmeticName]]:
    """Return (sign, order, arithmetic) for every pair, skipping orders of eps in which the scores are identical.

    A ball around zero never proves that a number is zero. A difference counts as zero if it is identically zero after
    irrational numbers are replaced by independent symbols.
    """
    scores = _scores(metric, pairs, Balls())
    symbolic = [_terms(s, pairs.size) for s in _scores(metric, pairs, _symbols(metric, pairs))]
    balls = [_terms(s, pairs.size) for s in scores]
    zeros = np.full(pairs.size, fmpq(0), dtype=object)
    last = last_known(*scores)
    orders = sorted(k for k in {*balls[0], *balls[1]} if last is None or k <= last)
    found: list[tuple[int | None, int, ArithmeticName]] = []
    for index in range(pairs.size):
        for order in orders:
            worse, better = (side.get(order, zeros)[index] for side in symbolic)
            if better - worse == 0:
                continue
            left, right = (side.get(order, zeros)[index] for side in balls)
            found.append((certain_sign(right - left), order, "certified"))
            break
        else:
            cut_off = any(map(_cut_off, scores))
            found.append(_at_any_eps(metric, pairs.pick([index])) if cut_off else (0, 0, "identity"))
    return found


def _at_any_eps(metric: Metric, pairs: Pairs) -> tuple[int | None, int, ArithmeticName]:
    """Return (sign, order, arithmetic) for one pair whose series were truncated.

    The sign is 0 if the scores are identical for a symbolic eps, and None otherwise.
    """
    symbols = _symbols(metric, pairs)
    at_eps_ = replace(pairs, pool=pairs.pool * symbols.eps, small=False)
    try:
        left, right = (_terms(s, 1)[0][0] for s in _scores(metric, at_eps_, symbols))
    except MetricError:  # the code does not run on an indeterminate: undecided
        return None, 0, "certified"
    return (0, 0, "identity") if right - left == 0 else (None, 0, "certified")


def _cut_off(score: Scores) -> bool:
    return isinstance(score, Series) and score.dropped


def _symbols(metric: Metric, pairs: Pairs) -> Symbols:
    return Symbols(max(pairs.worse.shape[1], pairs.better.shape[1], pairs.pool.shape[1], metric.cutoff or 1))


def _text(value: object) -> str:
    return value.str(20, radius=False) if isinstance(value, arb) else str(value)
