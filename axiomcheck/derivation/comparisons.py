"""Convert comparisons of forms to indicators (forms with the value 0 or 1)."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor

from axiomcheck.derivation.cutoffs import check_rank, within
from axiomcheck.derivation.forms import (
    COUNTED,
    INDICATORS,
    LENGTH,
    ONE,
    POOL,
    TOTALS,
    UNKNOWN_SIGN,
    ZERO,
    Form,
    Quantity,
    Underivable,
    least_of,
    linear_in_rank,
    number,
    of_atom,
    positive,
)
from axiomcheck.derivation.values import Array
from axiomcheck.numbers.open_numbers import OpenNumber

COMPARISONS: dict[type[ast.cmpop], Callable[..., bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
"""Comparisons of numbers by their operators in the syntax tree."""

_ROUNDING = Fraction(1, 10**9)
"""Largest difference between a constant and 0 or 1 that may be due to rounding alone."""

MIRRORED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.Eq, ast.NotEq: ast.NotEq}
"""Operators that express the same comparison after its operands are swapped."""


def comparison(op: ast.cmpop, x: Array, y: Array) -> Form:
    """Return the indicator of a comparison between two forms, the first of which is not a constant.

    Raises:
        Underivable: A number other than an indicator, a rank or a length is compared with a value other than 0.

    """
    compare, bound = COMPARISONS[type(op)], y.form.constant
    difference = x.form - y.form
    if isinstance(difference.constant, OpenNumber):
        raise Underivable("compares a number that depends on a parameter")
    if difference.constant is not None:
        if difference.rounded:
            raise Underivable("compares numbers that are equal except for rounding")
        return number(compare(difference.constant, 0))
    for part, whole, in_order in ((x.form, y.form, op), (y.form, x.form, MIRRORED[type(op)]())):
        limit = least_of(part)
        if limit is not None and limit[0] == whole:  # it is smaller than the whole where that is longer than the limit
            smaller = of_atom(Quantity("longer", limit, whole.each))
            if isinstance(in_order, ast.Gt | ast.LtE):
                return ZERO if isinstance(in_order, ast.Gt) else ONE
            return smaller if isinstance(in_order, ast.Lt | ast.NotEq) else ONE - smaller
    if x.form.is_indicator() and bound is not None:
        if x.form.rounded or (y.form.rounded and min(abs(bound), abs(bound - 1)) < _ROUNDING):
            raise Underivable("compares with a constant that floats cannot represent exactly")
        low, high = number(compare(0, bound)), number(compare(1, bound))
        return low + (high - low) * x.form
    line = linear_in_rank(difference)
    lengths = (LENGTH, POOL, -LENGTH, -POOL)
    if difference.rounded and (line or any((difference - x).constant is not None for x in lengths)):
        raise Underivable("compares ranks or lengths with a constant that floats cannot represent exactly")
    indicator = _length_comparison(op, difference) if line is None else _rank_comparison(op, *line)
    if indicator is not None:
        return indicator
    if bound == 1 and x.kind == "i" and isinstance(op, ast.GtE | ast.Lt) and _is_count(x.form):
        op, bound = (ast.Gt() if isinstance(op, ast.GtE) else ast.LtE()), Fraction(0)
    if bound == 0 and y.form.rounded:
        raise Underivable("compares with a constant so small that floats may round it to 0")
    if bound == 0 and isinstance(op, ast.GtE | ast.Lt):
        if not is_known_not_negative(x.form):
            raise Underivable(UNKNOWN_SIGN)
        return ONE if isinstance(op, ast.GtE) else ZERO
    if bound == 0:
        some = positive(x.form)
        return some if isinstance(op, ast.Gt | ast.NotEq) else ONE - some
    kinds = {atom.kind for atom in difference.atoms()}
    quantity = "a grade" if "grade" in kinds else "a count or a running total" if kinds & TOTALS else "numbers"
    raise Underivable(f"compares {quantity} with a value other than 0, which is not supported")


def is_known_not_negative(form: Form) -> bool:
    """Return True if a form only adds products of grades, indicators and positive numbers."""
    kinds = {*COUNTED, *INDICATORS, "grade"}
    return all(c > 0 and all(atom.kind in kinds for atom, _ in product) for product, c in form.terms.items())


def _is_count(form: Form) -> bool:
    """Return True if a form is a sum of indicators and totals with positive integer coefficients."""
    kinds = {*INDICATORS, "state", "final", "sum"}
    return all(
        c > 0 and c.denominator == 1 and all(atom.kind in kinds for atom, _ in product)
        for product, c in form.terms.items()
    )


def _length_comparison(op: ast.cmpop, difference: Form) -> Form | None:
    """Return the indicator of length - constant (op) 0, or of constant - length (op) 0; None for other differences."""
    for whole in (LENGTH, POOL):
        if (difference + whole).constant is not None:
            return _length_comparison(MIRRORED[type(op)](), -difference)
        rest = (difference - whole).constant
        if rest is None:
            continue
        bound = -rest  # length (op) bound
        if bound < 1 or (bound == 1 and isinstance(op, ast.GtE | ast.Lt)):
            return number(COMPARISONS[type(op)](1, bound))
        return count_comparison(op, whole, bound)
    return None


def count_comparison(op: ast.cmpop, count: Form, bound: Fraction) -> Form | None:
    """Return the indicator of count (op) bound as that of count > k or its opposite; None if no k >= 1 fits."""
    most = floor(bound) if isinstance(op, ast.Gt | ast.LtE) else ceil(bound) - 1
    if most < 1 or isinstance(op, ast.Eq | ast.NotEq):
        return None
    check_rank(most)
    longer = of_atom(Quantity("longer", (count, most), count.each))
    return longer if isinstance(op, ast.Gt | ast.GtE) else ONE - longer


def _rank_comparison(op: ast.cmpop, slope: Fraction, shift: Fraction) -> Form:
    """Return the indicator of slope * rank + shift (op) 0."""
    if slope < 0:
        op, slope, shift = MIRRORED[type(op)](), -slope, -shift
    point = -shift / slope  # rank (op) point
    check_rank(ceil(abs(point)))
    up_to, before = within(floor(point)), within(ceil(point) - 1)
    if isinstance(op, ast.Lt):
        return before
    if isinstance(op, ast.LtE):
        return up_to
    if isinstance(op, ast.Gt):
        return ONE - up_to
    if isinstance(op, ast.GtE):
        return ONE - before
    at = up_to - before
    return at if isinstance(op, ast.Eq) else ONE - at
