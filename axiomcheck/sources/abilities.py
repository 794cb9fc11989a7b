"""Test on small instances whether a user's function runs in exact arithmetic and on series in eps.

Code that these instances do not reach, such as a branch on other values, may still fail. The function then raises an
error or returns an inexact number, which is reported as a `MetricError` and never as a verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from flint import arb, ctx, fmpq, fmpz

from axiomcheck.core.domain import Number, exact
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.limits import ROUNDING
from axiomcheck.core.typing import AnyNumbers, Array, ExactNumbers, Mask, Reals
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.scores import real_scores
from axiomcheck.numbers import natural
from axiomcheck.numbers.arithmetic import (
    Floats,
    Rationals,
    floats_of,
    in_exact_arithmetic,
    is_equal,
    rationals_of,
    to_fmpq,
)
from axiomcheck.numbers.refusals import Blurred, Inexact
from axiomcheck.numbers.series import Series
from axiomcheck.sources.natural.running import place_of

_NO_METHOD = re.compile(r"has no callable (\w+) method")
_EPS = fmpq(1, 2**60)
"""Value of eps at which series are compared with the scores of grades multiplied by eps. It is below any threshold on
grades."""
_NEARLY = arb(2) ** -40
_PRECISION = 320
"""Precision of balls in bits. It is high because scores computed as differences, such as (1 + eps) - 1, lose bits."""
_KEEP = 2
"""Highest order of eps that the search keeps in series of floats."""

_TOLD_APART = 1e-6
"""Tolerance for differences between float scores, relative to the largest difference between exact scores."""


def exactly(value: Number | Sequence[Number] | Array, *, like: Array) -> Array:
    """Convert numbers to floats if the grades are floats, and to exact numbers in exact arithmetic.

    Args:
        value: Number, sequence of numbers, or array of integers or booleans. A float is read as its decimal text (0.8
            is 4/5); write ``Fraction(1, 3)`` or ``"1/3"`` for a third.
        like: Grades that the metric was given, or any array computed from them.

    Returns:
        A number if the value is a number, otherwise an array.

    Raises:
        InvalidInput: The value is not a finite number, or is an array of floats, which are already rounded.

    """
    if isinstance(value, natural.Number):  # in code that was recompiled over exact numbers
        return value
    precise = like.is_exact if isinstance(like, Series) else np.asarray(like).dtype == object
    if isinstance(value, np.ndarray | np.generic) and not isinstance(value, float):
        if value.dtype.kind not in "biu":
            raise InvalidInput(
                f"exactly: got an array of {value.dtype}; expected an array of integers or a sequence of numbers"
            )
        counts = value.astype(np.int64)
        return Rationals().integers(counts) if precise else counts.astype(np.float64)
    if isinstance(value, list | tuple):
        out = np.empty(len(value), dtype=object if precise else np.float64)
        out[:] = [exactly(v, like=like) for v in value]
        return out
    number = exact(float(value) if isinstance(value, float) else value, "exactly")  # type: ignore[arg-type]
    return to_fmpq(number) if precise else float(number)


def rational_scores(scores: Array) -> ExactNumbers:
    """Convert scores from exact arithmetic to an object array of rationals.

    Raises:
        TypeError: A score is not an exact number.

    """
    values = np.asarray(scores, dtype=object)
    out = np.empty(values.shape, dtype=object)
    for index, value in np.ndenumerate(values):
        if not isinstance(value, fmpq | fmpz | int | np.integer | np.bool_):
            raise TypeError(f"returned {type(value).__name__} for exact grades")
        out[index] = value if isinstance(value, fmpq) else fmpq(int(value))
    return out


def why_not_rationals(metric: Metric) -> str:
    """Return the reason why a function cannot be trusted on exact rationals, or an empty string if it can.

    A function can be trusted if it runs on exact rationals and its exact scores agree with its float scores. Metric
    classes with irrational discounts run on certified balls instead.
    """
    for grades, weights, pool in _probes(metric):
        try:
            _, found = in_exact_arithmetic(lambda a: metric.score(a, grades, weights, pool))  # noqa: B023
            found = np.broadcast_to(np.asarray(found, dtype=object), grades.shape[:1])
            if not all(isinstance(score, fmpq | arb | int) for score in found):
                return "its function converts exact numbers to floats"
        except Exception as error:
            return f"its function cannot be run on exact rationals: {_cause(metric, error)}"
        try:
            floats = real_scores(metric, metric.score(Floats(), *map(floats_of, (grades, weights, pool))))
            floats = np.broadcast_to(floats, grades.shape[:1])
        except Exception as error:
            return f"its function cannot be run on floats: {_cause(metric, error)}"
        for row in np.flatnonzero(~same_but_for_rounding(found, floats)):
            return (
                f"its function scores {found[row]} in exact rationals, but {floats[row]:.6g} in floats on grades "
                f"{_shown(grades[row])}"
            )
    return ""


@ctx.workprec(_PRECISION)
def why_not_series(metric: Metric, in_floats: bool = True) -> str:
    """Return the reason why a metric that runs on exact numbers cannot be trusted on series in eps.

    The result is an empty string if the metric can be trusted.

    The untruncated series, evaluated at a small eps, must equal the score there. With ``in_floats``, the truncated
    series of floats that the search uses must have the same coefficients.
    """
    for grades, weights, pool in _probes(metric):
        a, expected = in_exact_arithmetic(lambda a: metric.score(a, grades * _EPS, weights, pool * _EPS))  # noqa: B023
        expected = np.broadcast_to(np.asarray(expected, dtype=object), grades.shape[:1])
        try:
            scored = metric.score(a, Series({1: grades}), weights, Series({1: pool}))
            found = _terms(scored, len(grades))
            short = [Series({1: floats_of(x)}, _KEEP) for x in (grades, pool)] if in_floats else []
            floats = (
                _terms(metric.score(Floats(), short[0], floats_of(weights), short[1]), len(grades)) if short else {}
            )
        except Exception as error:
            return f"its function cannot be run on series in eps: {_cause(metric, error)}"
        total = sum((c * _EPS**k for k, c in found.items()), np.full(expected.shape, fmpq(0)))
        # An infinite series is truncated, with a remainder of the order of eps.
        agree = _nearly_agree if isinstance(scored, Series) and scored.dropped else _agree
        for row in np.flatnonzero(~agree(total, expected)):
            return f"its series in eps differ from its scores for small grades in the ratios {_shown(grades[row])}"
        zeros = np.zeros(expected.shape)
        for order in {*found, *floats} if in_floats else ():
            x = floats_of(found[order]) if order in found else zeros
            if (order in floats or order <= _KEEP) and not _close(x, floats.get(order, zeros)).all():
                return "its series in eps differ between floats and exact rationals"
    return ""


def _terms(score: Array, size: int) -> dict[int, AnyNumbers]:
    terms = score.terms if isinstance(score, Series) else {0: score}
    return {order: np.broadcast_to(np.asarray(c), (size,)) for order, c in terms.items()}


def _agree(x: ExactNumbers, y: ExactNumbers) -> Mask:
    return np.array([is_equal(a, b) for a, b in zip(x, y, strict=True)])


def _nearly_agree(x: ExactNumbers, y: ExactNumbers) -> Mask:
    return np.array([bool(abs(arb(a) - arb(b)) <= abs(arb(b)) * _NEARLY) for a, b in zip(x, y, strict=True)])


def _cause(metric: Metric, error: Exception) -> str:
    text = str(error)
    if isinstance(error, Inexact | Blurred):
        return place_of(error)
    if isinstance(error, MetricError):
        return f"it {text.removeprefix(f'{metric} ')}"
    if isinstance(error, TypeError) and ("'float'" in text or text.startswith("floats cannot")):
        return "it combines floats with exact numbers"
    if text.startswith("Cannot cast ufunc"):
        return "it writes exact numbers into an array of floats"
    missing = _NO_METHOD.search(text)
    if missing:  # numpy's message for a function that exact numbers do not implement
        return f"np.{missing[1]} cannot be evaluated exactly"
    return f"{type(error).__name__}: {text}"


def same_but_for_rounding(exact: ExactNumbers, floats: Reals) -> Mask:
    """Return a mask of the float scores that agree with the exact scores and differ where the exact scores differ.

    Float scores that are all 0, or all equal to one large number, may be close to the exact scores without separating
    the rankings. Therefore their differences are also compared with the exact differences.

    Args:
        exact: (B,) exact scores of the same rankings, as rationals or balls.
        floats: (B,) float scores.

    """
    same: Mask = _close(floats_of(exact), floats)
    differences = exact - exact[0]
    # the midpoint of a ball around 0 may be nonzero, although there may be no difference
    around_0 = np.array([isinstance(x, arb) and bool(x.contains(0)) for x in differences], dtype=bool)
    apart = np.where(around_0, 0.0, floats_of(differences))
    largest = np.abs(apart).max(initial=0.0)
    if largest > 0:
        same &= np.abs(floats - floats[0] - apart) <= _TOLD_APART * largest
    else:
        same &= np.array([not bool(x != 0) for x in differences])  # a nonzero difference vanishes in floats
    return same


def _close(x: Reals, y: Reals) -> Mask:
    return np.abs(x - y) <= ROUNDING * np.maximum(1.0, np.abs(x))


def _shown(grades: ExactNumbers) -> str:
    return "[" + ", ".join(f"({','.join(map(str, row))})" for row in grades) + "]"


def _probes(metric: Metric) -> Iterator[tuple[ExactNumbers, ExactNumbers, ExactNumbers]]:
    """Yield grades (B, n, m), weights (B, m) and pools (B, P, m) as rationals, smallest rankings first.

    The first probes have no relevant documents, only grades of 1, ties, unretrieved documents, or random multiples of
    1/8. Sums of multiples of 1/8 are exact in floats, so that they reach a threshold if and only if the exact sums do.
    The next probe has every multiple of 1/10, because exact tenths never equal the floats that a function may compare
    them with. The last probes have grades of all magnitudes in full float precision, many aspects and large pools.
    """
    needs_relevant = _fails_without_relevant(metric)
    for grades, weights, pool in _all_probes(metric):
        some = np.array([not needs_relevant or bool((row != 0).any()) for row in pool[:, :, 0]], dtype=bool)
        if some.any():
            yield grades[some], weights[some], pool[some]


def _fails_without_relevant(metric: Metric) -> bool:
    """Return True if a function raises an exception or returns a non-finite score when no document is relevant."""
    pool = np.zeros((1, 3, 1))
    try:
        with np.errstate(all="ignore"):
            score = metric.score(Floats(), pool[:, :2], np.ones((1, 1)), pool)
        return not np.isfinite(np.asarray(score, dtype=float)).all()
    except Exception:  # any exception of the function
        return True


def _all_probes(metric: Metric) -> Iterator[tuple[ExactNumbers, ExactNumbers, ExactNumbers]]:
    """Yield probes as `_probes` does, including those without relevant documents."""
    rng = np.random.default_rng(1)
    rows = 8
    for n, m in ((1, 1), (2, 1), (3, 1), (9, 1), (1, 2), (3, 2), (5, 3), (23, 1)):
        if m > 1 and not metric.applies_to_aspects():
            continue
        levels = rng.integers(0, 9, (rows, n + 1, m))
        levels[0], levels[1], levels[2] = 0, 8, 3
        levels[3] = rng.choice((0, 3, 8), (n + 1, m))
        if n > 8:
            levels[4, :n, 0] = np.arange(n) % 9
        if metric.binary_only:
            levels = np.where(levels > 2, np.where(np.arange(rows) % 2, 8, 3)[:, None, None], 0)
        parts = np.array([range(1, m + 1) if b % 2 and metric.abilities.weights else [1] * m for b in range(rows)])
        pool = _RATIOS(levels, 8)
        yield pool[:, :n], _RATIOS(parts, parts.sum(axis=1, keepdims=True)), pool
    tenths = _RATIOS(np.arange(11).reshape(11, 1, 1) * [[1], [0]], 10)
    yield tenths[:, :1], _RATIOS(np.ones((11, 1), dtype=int), 1), tenths
    for n, m, extras in ((2, 1, 0), (7, 1, 4), (3, 1, 80), (22, 1, 2), (3, 4, 1), (2, 11, 3)):
        if m > 1 and not metric.applies_to_aspects():
            continue
        size = (rows, n + extras, m)
        fine = rng.random(size) * 2.0 ** -np.where(rng.random(size) < 0.3, rng.integers(1, 40, size), 0)
        fine = np.where(rng.random(size) < 0.3, np.rint(fine), fine)
        if metric.binary_only:
            fine = np.where(fine > 0.3, 0.75, 0.0)
        pool = rationals_of(fine)
        yield pool[:, :n], _RATIOS(np.ones((rows, m), dtype=int), m), pool


_RATIOS = np.frompyfunc(lambda k, scale: fmpq(int(k), int(scale)), 2, 1)
