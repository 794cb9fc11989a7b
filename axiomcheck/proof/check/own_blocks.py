"""Checks that code of somebody else's puts a block of relevant documents ahead at one n, for every grade.

CloseTh asks for one n and speaks of one aspect, whose weight is 1, and of one grade. So with a symbol for the grade,
and a pool that nothing can be read from, a single run of the code on each of the two rankings covers every instance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from flint import fmpq

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Array
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import float_of
from axiomcheck.numbers.series import Series, last_known
from axiomcheck.proof.check.bounded_symbols import Symbolic, Unread, World
from axiomcheck.proof.check.header import require
from axiomcheck.proof.check.polynomials import Variable
from axiomcheck.proof.check.quotients import Quotient, attempt
from axiomcheck.sources.code_inspection import require_one_way

_GRADES = (fmpq(1), fmpq(1, 2), fmpq(1, 1024))
"""At which floats have to say what the symbols do; infinitesimal ones are small multiples of them."""

G = TypeVar("G", fmpq, Quotient)

_SMALL = fmpq(1, 2**16)
_CLOSE = 1e-9
_TOLD_APART = 1e-6
_MOST_LEFT_OUT = 1024
"""Bound on what the coefficients of orders that were left out of a series may come to."""


def check_ahead(metric: Metric, small: bool, m: int) -> None:
    """Checks that the block is ahead at n = m for every grade, and whatever the pool.

    Args:
        metric: with code of its own; the caller has made sure of that.
        small: whether r << 1 is assumed.
        m: 1 or more.

    Raises:
        InvalidInput: that is not shown, or not of what the code does in floats; the message says why.

    """
    require_one_way(metric)
    world = World()
    grade = Quotient.of(1) if small else world.variable("r", "(0, 1]")
    arithmetic = Symbolic(world, "own", 2 * m, _no_zeta)
    scores = [attempt("metric", _scored, metric, arithmetic, ranking, small) for ranking in _rankings(m, grade)]
    block, top = (score.terms if isinstance(score, Series) else {0: score} for score in scores)
    last, zero = last_known(*scores), Quotient.of(0)
    ahead = {
        order: Quotient.of(_only(block.get(order, zero))) - Quotient.of(_only(top.get(order, zero)))
        for order in sorted({*block, *top})
        if last is None or order <= last
    }
    leading = next((difference for difference in ahead.values() if not difference.is_zero), zero)
    require(leading.shown(">"), f"the block is not shown to be ahead at n = {m} for every grade")
    point = arithmetic.where_between()
    for value in _GRADES:
        _compare_with_floats(metric, m, ahead, point, value, last if small else None, small)


def _rankings(m: int, grade: G) -> tuple[list[G], list[G]]:
    """The block, and the top."""
    zero = grade - grade
    return [zero] * m + [grade] * m, [grade] + [zero] * (2 * m - 1)


def _column(values: Sequence[object]) -> Array:
    array = np.empty((1, len(values), 1), dtype=object)
    array[0, :, 0] = values
    return array


def _scored(metric: Metric, arithmetic: Symbolic, ranking: Sequence[object], small: bool) -> Array:
    grades, weights = _column(ranking), np.array([[fmpq(1)]], dtype=object)
    return metric.score(arithmetic, Series({1: grades}) if small else grades, weights, Unread())


def _only(value: object) -> object:
    flat = np.asarray(value, dtype=object).reshape(-1)
    require(len(flat) == 1, "the score of one ranking is not one number")
    return flat[0]


def _no_zeta(s: int, x: Array) -> Array:
    raise InvalidInput("certificate: zeta values in code of one's own")


def _compare_with_floats(
    metric: Metric,
    m: int,
    ahead: dict[int, Quotient],
    point: dict[Variable, fmpq],
    value: fmpq,
    last: int | None,
    small: bool,
) -> None:
    """Check that the code means the same in floats, at one grade.

    Raises:
        InvalidInput: it does not.

    """
    grade = value * _SMALL if small else value
    found = []
    for ranking in _rankings(m, grade):
        column = _column(ranking).astype(np.float64)
        found.append(float(metric.evaluate(column, np.ones((1, 1)), np.arange(2 * m)[None])[0]))
    at = point | {v: grade for q in ahead.values() for v in q.numerator.degrees() if v.name == "r"}
    expected = sum(float_of(q.at(at)) * float_of(grade) ** order for order, q in ahead.items())
    left_out = 0.0 if last is None else _MOST_LEFT_OUT * float_of(grade) ** (last + 1)
    apart = abs(found[0] - found[1] - expected)
    told = (found[0] > found[1]) == (expected > 0) and apart <= _TOLD_APART * abs(expected) + left_out
    if not (told and apart <= _CLOSE * max(map(abs, found)) + left_out):
        raise InvalidInput(
            f"metric: {metric.name} gives {found[0] - found[1]!r} at n = {m} in floats where the symbols give "
            f"{expected!r}: its code does not mean the same on both"
        )
