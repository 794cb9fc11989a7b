"""Quotients of polynomials: signs are right wherever they are told, whoever tells them, and texts read back."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import fmpq, fmpz_poly

from axiomcheck.numbers import polynomials
from axiomcheck.numbers.arithmetic import to_fmpq
from axiomcheck.numbers.polynomials import Range, Ring, Term, Undecided, Variables, positivity, powers_of, sum_text
from axiomcheck.studies.region.algebraic import factors, roots_between, separate
from axiomcheck.studies.region.polynomials import BoxSymbols
from tests.support.suites import each

INSIDE = {
    Range.UNIT: (Fraction(0), Fraction(1, 3), Fraction(1)),
    Range.ABOVE_ZERO: (Fraction(1, 9), Fraction(1)),
    Range.BELOW_ONE: (Fraction(0), Fraction(8, 9)),
    Range.OPEN: (Fraction(1, 9), Fraction(8, 9)),
    Range.NONNEGATIVE: (Fraction(0), Fraction(7)),
    Range.POSITIVE: (Fraction(1, 99), Fraction(9)),
    Range.ANY: (Fraction(-3), Fraction(0), Fraction(3)),
}


def small_terms(x: Term, y: Term) -> list[Term]:
    """c0 + c1 x + c2 y + c3 x y + c4 x^2 with every c in -1, 0, 1."""
    return [a + b * x + c * y + d * x * y + e * x * x for a, b, c, d, e in product((-1, 0, 1), repeat=5)]


def wrong_signs(first: Range, second: Range, variables: Variables | None = None) -> tuple[int, int]:
    """Return how many signs are told, and how many of them a value in the ranges contradicts."""
    variables = variables or Variables()
    told = wrong = 0
    points = [(*map(to_fmpq, p), *[fmpq(0)] * 62) for p in product(INSIDE[first], INSIDE[second])]
    for term in small_terms(variables.new("x", first), variables.new("y", second)):
        for strict in (True, False):
            seen = positivity(term.numerator, variables, strict) is not None
            wrong += (variables.shows(term.numerator, strict) is not None) is not seen
            if seen:
                told += 1
                values = (term.numerator(*point) for point in points)
                wrong += not all(v > 0 if strict else v >= 0 for v in values)
    return told, wrong


@each("first", list(Range), 8)
def test_positivity_is_never_contradicted_by_a_value(first: Range) -> None:
    counts = [wrong_signs(first, second) for second in (Range.UNIT, Range.POSITIVE)]
    assert sum(told for told, _ in counts) > 10
    assert all(wrong == 0 for _, wrong in counts)


def test_positivity_that_forgets_the_faces_is_contradicted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polynomials, "_faces", lambda degrees, ranges: [])
    assert wrong_signs(Range.UNIT, Range.OPEN)[1] > 0


class Forgetful(Variables):
    """Variables that do not note which ranges have an end."""

    def _note(self) -> None:
        super()._note()
        self._ends = False


def test_signs_told_by_coefficients_before_the_substitution_know_of_ends() -> None:
    assert wrong_signs(Range.UNIT, Range.POSITIVE, Forgetful())[1] > 0
    assert wrong_signs(Range.OPEN, Range.POSITIVE, Forgetful())[1] == 0


def test_signs_on_the_ends_of_ranges_are_told_or_left_open() -> None:
    """A variable that cancels at 1 is 0 there."""
    variables = Variables()
    zero_or_more, unit, open_ = (variables.new(r.name, r) for r in (Range.NONNEGATIVE, Range.ABOVE_ZERO, Range.OPEN))
    u, v = variables.new("u", Range.UNIT), variables.new("v", Range.BELOW_ONE)
    assert zero_or_more.at_least_zero()
    assert (1 - u).at_least_zero()
    assert (unit.sign(), (unit * open_ * (1 - open_)).sign(), (-unit).sign(), (1 - v).sign()) == (1, 1, -1, 1)
    open_signs = (zero_or_more, 1 - unit, unit - open_, variables.new("x", Range.ANY), 1 - u, 1 - u * v - (1 - v))
    for unsettled in open_signs:
        with pytest.raises(Undecided):
            unsettled.sign()
    assert isinstance(unit / (1 + zero_or_more), Term)


def rings() -> list[tuple[Ring, Term, Term]]:
    variables = Variables()
    symbols = BoxSymbols(dict.fromkeys(("x", "y"), (Fraction(0), Fraction(1))))
    return [
        (variables, variables.new("x", Range.UNIT), variables.new("y", Range.UNIT)),
        (symbols, symbols.variable("x"), symbols.variable("y")),
    ]


def sign_or_none(term: Term) -> int | None:
    try:
        return term.sign()
    except Undecided:
        return None


def test_the_two_ways_to_tell_a_sign_do_not_contradict_each_other() -> None:
    ((_, *mine), (_, *others)) = rings()
    pairs = [(sign_or_none(a), sign_or_none(b)) for a, b in zip(small_terms(*mine), small_terms(*others), strict=True)]
    both = [pair for pair in pairs if None not in pair]
    assert len(both) > 30
    assert all(a == b for a, b in both)


def test_comparisons_answer_only_where_there_is_one_answer() -> None:
    for _, x, y in rings():
        assert 2 + x > y
        assert x * y <= 1 + x
        assert not x * y > 1 + x
        assert (x + 1) / (x + 1) == 1
        assert x != x + 1
        for asked in (lambda: x > y, lambda: x == 1, lambda: bool(x), lambda: 1 / (x - y)):  # noqa: B023 - at once
            with pytest.raises(Undecided):
                asked()
        with pytest.raises(ZeroDivisionError):
            x / (x - x)
        with pytest.raises(TypeError):
            x + 0.5


def test_lowest_terms_are_over_a_positive_denominator() -> None:
    for ring, x, y in rings():
        whole = Term(((x - 1) * (x + 2)).numerator, ((x - 1) * (-y - 1)).numerator, ring)
        lowest = whole.lowest()
        assert lowest.numerator == (-x - 2).numerator
        assert lowest.denominator == (y + 1).numerator
        with pytest.raises(Undecided):
            Term((x * x).numerator, (x * (x - y)).numerator, ring).lowest()
        # a factor whose sign is not known is not cancelled
        open_ = Term(x.numerator, ring.one, ring) / (1 + y)
        kept = Term((open_ * (x - y)).numerator, (x - y).numerator, ring) * y
        assert kept.denominator == (x - y).numerator


def test_a_sum_reads_back_as_the_polynomial() -> None:
    _, x, y = rings()[0]
    for term in small_terms(x, y):
        terms = [(powers_of(e), c) for e, c in term.numerator.to_dict().items()]
        at: dict[str, Any] = {"x": Fraction(2, 7), "y": Fraction(3)}
        value = term.numerator(fmpq(2, 7), fmpq(3), *[fmpq(0)] * 62)
        assert to_fmpq(Fraction(eval(sum_text(terms, ["x", "y"]), at))) == value


def test_more_than_sixty_four_variables_are_given_up() -> None:
    variables = Variables()
    for k in range(64):
        variables.new(f"x{k}", Range.UNIT)
    with pytest.raises(Undecided):
        variables.new("one more", Range.UNIT)


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
