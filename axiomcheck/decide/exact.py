"""Decides pairs in exact or certified arithmetic; the only place from which a refutation may come.

Metrics of which floats are all there is are asked again here, in floats; the judgement says ``"numerical"``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from flint import arb, ctx, fmpq

from axiomcheck.axioms.drafts import exact_draft
from axiomcheck.core.errors import MetricError, NotRational
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.dominance import certain_sign
from axiomcheck.decide.exact_dominance import relations
from axiomcheck.decide.floats_only import FloatPairs, float_of, numbers
from axiomcheck.decide.pairs import Pairs
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import Arithmetic, Balls, Rationals, Symbols
from axiomcheck.numbers.series import Series
from axiomcheck.records.values import ArithmeticName

__all__ = ["Judgement", "at_eps", "judge", "judge_pair", "pair_signs", "signs"]

Array = Any

_PRECISIONS = (128, 1024)
"""Bits of the certified balls, tried in turn where a difference straddles zero."""


@dataclass(frozen=True)
class Judgement:
    """What exact arithmetic says of one pair.

    Args:
        sign: of Q(better) - Q(worse): +1, -1, or 0 for an exact tie; `axiomcheck.decide.dominance.APART` where the
            metric's distributions are incomparable; None where it could not be decided.
        order: in the limit regime the order of eps that decided (0 for a tie, as outside that regime).
        worse, better: the scores, or their coefficients of that order, as exact fractions or certified decimals.
        arithmetic: ``"rational"``, ``"certified"`` (balls), ``"identity"`` (a tie whatever the logarithms are), or
            ``"numerical"`` (floats, where they are all there is of the metric).
        of: ``"score"``, or ``"distribution"`` where the metric compares rankings by dominance; ``worse`` and
            ``better`` are then probabilities at the thresholds that decide.

    """

    sign: int | None
    order: int
    worse: str
    better: str
    arithmetic: ArithmeticName
    of: Literal["score", "distribution"] = "score"


def _scores(metric: Metric, pairs: Pairs, arithmetic: Arithmetic) -> tuple[Any, Any]:
    """(worse, better) scores, as arrays or series of (B,) coefficients with every order kept."""

    def wrap(grades: Array) -> Any:
        return Series({1: grades}) if pairs.small else grades

    try:
        worse, better = (
            metric.score(arithmetic, wrap(ranking), pairs.weights, wrap(pairs.pool))
            for ranking in (pairs.worse, pairs.better)
        )
    except (NotRational, MetricError):
        raise
    except Exception as error:
        raise MetricError(f"{metric} raised {type(error).__name__} in exact arithmetic: {error}") from error
    return worse, better


def _terms(score: Any, size: int) -> dict[int, Array]:
    terms = score.terms if isinstance(score, Series) else {0: score}
    for c in terms.values():
        if np.shape(c) not in ((), (1,), (size,)):
            raise MetricError(f"returned shape {np.shape(c)} in exact arithmetic; expected {(size,)}")
    return {k: np.broadcast_to(np.asarray(c, dtype=object), (size,)) for k, c in terms.items()}


def _one_by_one(worse: Any, better: Any, size: int) -> list[tuple[int | None, int]]:
    """(sign, deciding order) of every pair, from exact or ball coefficients.

    What ties in every order of a series that was cut off is not decided: (None, 0).
    """
    tie = None if _cut_off(worse) or _cut_off(better) else 0
    w, b = _terms(worse, size), _terms(better, size)
    orders = sorted({*w, *b})
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


def signs(metric: Metric, batch: Batch) -> list[int | None]:
    """The exact sign of Q(better) - Q(worse) for every instance of a batch; None where it could not be decided.

    Raises:
        MetricError: the metric cannot be run in exact arithmetic.

    """
    return pair_signs(metric, Pairs.of(batch))


def pair_signs(metric: Metric, pairs: Pairs) -> list[int | None]:
    """As `signs`, on pairs of rankings."""
    if metric.partial:
        return [relation.sign for relation in relations(metric, pairs)]
    if metric.numerical(pairs.small):
        found = numbers(metric, _in_floats(pairs))
        return [None if open_ else int(sign) for sign, open_ in zip(found.sign, found.open, strict=True)]
    return [sign for sign, _, _ in _decide(metric, pairs)]


def _decide(metric: Metric, pairs: Pairs) -> list[tuple[int | None, int, str]]:
    """(sign, deciding order, arithmetic) of every pair."""
    size = pairs.size
    try:
        found = _one_by_one(*_scores(metric, pairs, Rationals()), size)
        return [
            _at_any_eps(metric, pairs.pick([index])) if s is None else (s, k, "rational")
            for index, (s, k) in enumerate(found)
        ]
    except NotRational:
        pass
    results: list[tuple[int | None, int, str]] = [(None, 0, "certified")] * size
    open_ = list(range(size))
    for precision in _PRECISIONS:
        with ctx.workprec(precision):
            part = pairs.pick(open_)
            scores = _scores(metric, part, Balls())
            for index, (sign, order) in zip(open_, _one_by_one(*scores, part.size), strict=True):
                results[index] = (sign, order, "certified")
            for index in [k for k in open_ if results[k][0] is None]:
                results[index] = _past_identities(metric, pairs.pick([index]))
        open_ = [k for k in open_ if results[k][0] is None]
        if not open_:
            break
    return results


def _past_identities(metric: Metric, pairs: Pairs) -> tuple[int | None, int, str]:
    """As `_one_by_one` on one pair, but a coefficient that cancels whatever the logarithms are counts as zero.

    A ball around zero never shows that a number is zero; an identity in independent symbols for the irrational
    discounts does.
    """
    scores = _scores(metric, pairs, Balls())
    symbolic = [_terms(s, 1) for s in _scores(metric, pairs, _symbols(metric, pairs))]
    balls = [_terms(s, 1) for s in scores]
    zero = [fmpq(0)]
    for order in sorted({*balls[0], *balls[1]}):
        worse, better = (side.get(order, zero)[0] for side in symbolic)
        if better - worse == 0:
            continue
        left, right = (side.get(order, zero)[0] for side in balls)
        return certain_sign(right - left), order, "certified"
    return _at_any_eps(metric, pairs) if any(map(_cut_off, scores)) else (0, 0, "identity")


def _at_any_eps(metric: Metric, pairs: Pairs) -> tuple[int | None, int, str]:
    """Whether one pair whose series in eps were cut off ties at every eps: as an identity in eps; else undecided."""
    symbols = _symbols(metric, pairs)
    worse, better, pool = (grades * symbols.eps for grades in (pairs.worse, pairs.better, pairs.pool))
    at_eps_ = replace(pairs, worse=worse, better=better, pool=pool, small=False)
    try:
        left, right = (_terms(s, 1)[0][0] for s in _scores(metric, at_eps_, symbols))
    except MetricError:  # code that does not run on an indeterminate shows nothing
        return None, 0, "certified"
    return (0, 0, "identity") if right - left == 0 else (None, 0, "certified")


def _cut_off(score: Any) -> bool:
    return isinstance(score, Series) and score.dropped


def _symbols(metric: Metric, pairs: Pairs) -> Symbols:
    return Symbols(max(pairs.worse.shape[1], pairs.better.shape[1], pairs.pool.shape[1], metric.cutoff or 1))


def _in_floats(pairs: Pairs) -> FloatPairs:
    """The same pairs in floats, each ranked document found again in the pool by its grades."""
    pool, worse, better = (_array(x) for x in (pairs.pool, pairs.worse, pairs.better))

    def rows(side: Array) -> Array:
        order = np.empty(side.shape[:2], dtype=np.int64)
        for b in range(side.shape[0]):
            free: dict[tuple[float, ...], list[int]] = {}
            for row in reversed(range(pool.shape[1])):
                free.setdefault(tuple(pool[b, row]), []).append(row)
            order[b] = [free[tuple(grades)].pop() for grades in side[b]]
        return order

    return FloatPairs(pool, _array(pairs.weights), rows(worse), rows(better), pairs.small)


def _array(values: Array) -> Array:
    return np.vectorize(float_of, otypes=[np.float64])(values) if values.size else np.zeros(values.shape)


def _text(value: Any) -> str:
    return value.str(20, radius=False) if isinstance(value, arb) else str(value)


def judge(metric: Metric, batch: Batch) -> Judgement:
    """The full judgement on a batch of one instance.

    Raises:
        MetricError: the metric cannot be run in exact arithmetic.

    """
    return judge_pair(metric, Pairs.of(batch))


def judge_pair(metric: Metric, pairs: Pairs) -> Judgement:
    """As `judge`, on one pair of rankings."""
    if metric.partial:
        (found_,) = relations(metric, pairs)
        return Judgement(found_.sign, 0, found_.worse, found_.better, found_.arithmetic, "distribution")
    if metric.numerical(pairs.small):
        found = numbers(metric, _in_floats(pairs))
        sign_ = None if found.open[0] else int(found.sign[0])
        return Judgement(sign_, 0, repr(float(found.worse[0])), repr(float(found.better[0])), "numerical")
    sign, order, arithmetic = _decide(metric, pairs)[0]
    with ctx.workprec(_PRECISIONS[0]):
        worse, better = _scores(metric, pairs, Rationals() if arithmetic == "rational" else Balls())
        if sign == 0 and pairs.small:  # show where a tie's common score begins
            order = min(_terms(worse, 1), default=0)
        zero = np.array([fmpq(0)], dtype=object)
        texts = [_text(_terms(s, 1).get(order, zero)[0]) for s in (worse, better)]
    return Judgement(sign, order, texts[0], texts[1], arithmetic)


def at_eps(batch: Batch, eps: fmpq) -> Batch:
    """The instance of the limit regime at one concrete eps: grades eps * rho, r << 1 no longer assumed."""
    exact = exact_draft(batch.draft)
    return Batch(batch.axiom, replace(exact, grades=exact.grades * eps, top=exact.top * eps), False)
