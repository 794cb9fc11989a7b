"""Terms of regions: comparisons answer only what is so on the whole box; and real roots are those of SymPy."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import fmpz_poly

from axiomcheck.proof.check.quotients import Quotient, variable
from axiomcheck.studies.region.algebraic import factors, roots_between, separate
from axiomcheck.studies.region.symbols import BoxSymbols, Term, Undecided
from tests.support.suites import each


def terms() -> tuple[BoxSymbols, Term, Term]:
    symbols = BoxSymbols(dict.fromkeys(("x", "y"), (Fraction(0), Fraction(1))))
    return symbols, symbols.variable("x"), symbols.variable("y")


def small(x: Any, y: Any) -> list[Any]:
    """c0 + c1 x + c2 y + c3 x y + c4 x^2 with every c in -1, 0, 1."""
    return [a + b * x + c * y + d * x * y + e * x * x for a, b, c, d, e in product((-1, 0, 1), repeat=5)]


def sign_by_roots(term: Term) -> int | None:
    try:
        return term.sign()
    except Undecided:
        return None


def sign_by_coefficients(quotient: Quotient) -> int | None:
    return next((sign for relation, sign in ((">", 1), ("<", -1), ("=", 0)) if quotient.shown(relation)), None)


def test_the_two_ways_to_tell_a_sign_do_not_contradict_each_other() -> None:
    _, x, y = terms()
    others = small(variable("x", "[0, 1]"), variable("y", "[0, 1]"))
    pairs = [(sign_by_roots(a), sign_by_coefficients(b)) for a, b in zip(small(x, y), others, strict=True)]
    both = [pair for pair in pairs if None not in pair]
    assert len(both) > 30
    assert all(a == b for a, b in both)


def test_comparisons_answer_only_where_there_is_one_answer() -> None:
    _, x, y = terms()
    assert 2 + x > y
    assert x * y <= 1 + x
    assert not x * y > 1 + x
    assert (x + 1) / (x + 1) == 1
    assert x != x + 1
    for asked in (lambda: x > y, lambda: x == 1, lambda: bool(x), lambda: 1 / (x - y)):
        with pytest.raises(Undecided):
            asked()
    with pytest.raises(ZeroDivisionError):
        x / (x - x)
    with pytest.raises(TypeError):
        x + 0.5


def test_lowest_terms_are_over_a_positive_denominator() -> None:
    symbols, x, y = terms()
    whole = Term(((x - 1) * (x + 2)).numerator, ((x - 1) * (-y - 1)).numerator, symbols)
    lowest = whole.lowest()
    assert lowest.numerator == (-x - 2).numerator
    assert lowest.denominator == (y + 1).numerator
    with pytest.raises(Undecided):
        Term((x * x).numerator, (x * (x - y)).numerator, symbols).lowest()
    # a factor whose sign is not known is not cancelled
    open_ = Term(x.numerator, symbols.one, symbols) / (1 + y)
    kept = Term((open_ * (x - y)).numerator, (x - y).numerator, symbols) * y
    assert kept.denominator == (x - y).numerator


@each(
    "coefficients",
    [
        (-1, 0, 1, 1),
        (-2, 0, 1),
        (1, -3, 0, 1),
        (-6, 11, -6, 1),
        (1, 0, 1),
        (-1, 3),
        (6, -29, 46, -24),
        (-2, 0, 9, 0, 1),
    ],
    3,
)
def test_real_roots_are_those_of_sympy(coefficients: tuple[int, ...]) -> None:
    from sympy import Poly, real_roots, symbols

    x = symbols("x")
    low, high = Fraction(0), Fraction(2)
    expected = sorted(r for r in set(real_roots(Poly(coefficients[::-1], x))) if 0 <= r <= 2)
    found = [root for g in factors(fmpz_poly(list(coefficients))) for root in roots_between(g, low, high)]
    separate(found)
    assert len(found) == len(expected)
    for root, true in zip(found, expected, strict=True):
        assert root.low <= Fraction(str(true.evalf(60))) + Fraction(1, 10**50)
        assert Fraction(str(true.evalf(60))) - Fraction(1, 10**50) <= root.high
        assert root.rational is bool(true.is_rational)
        left, right = root.plain_interval()
        assert left <= true <= right
        assert root.sign_of(root.polynomial) == 0
        shifted = root.polynomial + root.polynomial.derivative() ** 2 + 1
        assert root.sign_of(shifted) == 1
        if not root.rational:
            assert str(true.evalf(45)).startswith(root.decimal())
