"""The arithmetic of the checks of certificates: sums and products, what symbols answer and what they do not."""

import random
from fractions import Fraction
from itertools import product
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest
from flint import fmpq

from axiomcheck.core.errors import InvalidInput
from axiomcheck.proof.check import polynomials
from axiomcheck.proof.check.polynomials import FREE, LIMIT, SMALL, Monomial, Polynomial, Variable, without_common_factor
from axiomcheck.proof.check.quotients import Exact, SignUnknown, attempt, every_outcome, settled, variable
from tests.support.suites import each

VARIABLES = [Variable(name, "[0, 1]") for name in "xyz"]


def made(rng: random.Random, size: int = 5) -> Polynomial:
    monomials = {tuple(sorted(rng.choices(VARIABLES, k=rng.randrange(5)))) for _ in range(size)}
    return Polynomial({m: fmpq(rng.choice([-3, -2, -1, 1, 2, 3]), rng.randrange(1, 4)) for m in monomials})


def test_sums_products_and_powers_have_the_values_that_they_should() -> None:
    rng = random.Random(0)
    for _ in range(60):
        p, q = made(rng), made(rng, 9)
        point = {v: fmpq(rng.randrange(-5, 6), 3) for v in VARIABLES}
        at_p, at_q = p.at(point), q.at(point)
        assert (p + q).at(point) == at_p + at_q
        assert (p - q).at(point) == at_p - at_q
        assert (p * q).at(point) == at_p * at_q == (q * p).at(point)
        assert (p**3).at(point) == at_p**3
        assert not (p - p).terms
        assert p * q - q * p == Polynomial({})


def test_the_expansion_has_the_values_of_the_polynomial_times_powers() -> None:
    rng = random.Random(1)
    for p in (made(rng) for _ in range(40)):
        s = {v: fmpq(rng.randrange(0, 9), 4) for v in VARIABLES}
        scale = fmpq(1)
        for v, degree in p.degrees().items():
            scale *= (1 + s[v]) ** degree
        expanded = Polynomial(p.expanded()).at(s)
        assert expanded == p.at({v: value / (1 + value) for v, value in s.items()}) * scale


INSIDE = {
    "[0, 1]": (fmpq(0), fmpq(1, 3), fmpq(1)),
    "(0, 1]": (fmpq(1, 9), fmpq(1)),
    "[0, 1)": (fmpq(0), fmpq(8, 9)),
    "(0, 1)": (fmpq(1, 9), fmpq(8, 9)),
    "[0, oo)": (fmpq(0), fmpq(7)),
    "(0, oo)": (fmpq(1, 99), fmpq(9)),
    FREE: (fmpq(-3), fmpq(0), fmpq(3)),
}


def wrong_signs(first: str, second: str) -> tuple[int, int]:
    """Return how many signs of small polynomials are shown, and how many of them a value in the ranges contradicts."""
    shown = wrong = 0
    x, y = Variable("x", first), Variable("y", second)
    monomials: list[Monomial] = [(), (x,), (y,), (x, y), (x, x)]
    for digits in product((-1, 0, 1), repeat=5):
        p = Polynomial({m: fmpq(d) for m, d in zip(monomials, digits, strict=True) if d})
        values = [p.at({x: a, y: b}) for a, b in product(INSIDE[first], INSIDE[second])]
        for relation in (">", ">="):
            if p.shown(relation):
                shown += 1
                wrong += not all(value > 0 or (value == 0 and relation == ">=") for value in values)
    return shown, wrong


@each("first", ["[0, 1]", "(0, oo)", FREE], 3)
def test_a_sign_that_is_shown_is_never_contradicted_by_a_value(first: str) -> None:
    counts = [wrong_signs(first, second) for second in INSIDE]
    assert sum(shown for shown, _ in counts) > 10
    assert all(wrong == 0 for _, wrong in counts)


def test_signs_shown_without_a_look_at_the_ends_are_contradicted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polynomials, "_somewhere_on_each", lambda monomials, ends: True)
    assert wrong_signs("[0, 1]", "(0, 1)")[1] > 0


def test_a_polynomial_as_text_reads_back() -> None:
    x, y = Variable("x", "[0, 1]"), Variable("y", "[0, 1]")
    monomials: list[Monomial] = [(), (x,), (y,), (x, y), (x, x)]
    for digits in product((-1, 0, 2), repeat=5):
        p = Polynomial({m: fmpq(d, 3) for m, d in zip(monomials, digits, strict=True) if d})
        value = eval(p.text(), {"x": Fraction(2, 7), "y": Fraction(3)})
        assert abs(float(value) - float(Fraction(str(p.at({x: fmpq(2, 7), y: fmpq(3)}))))) < 1e-12
    assert Polynomial({(): fmpq(1), (x,): fmpq(-1)}).text() == "1 - x"


def test_common_factors_are_divided_out() -> None:
    rng = random.Random(2)
    for _ in range(30):
        p, q, common = made(rng), made(rng), made(rng)
        first, second = without_common_factor(p * common, q * common)
        assert first * q == second * p
        assert max(map(len, first.terms)) <= max(map(len, p.terms))


def test_a_common_factor_that_is_none_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The greatest common divisor of a polynomial and any other is said to be its own square."""
    right = polynomials._in_one_ring

    def wrong(p: Polynomial, q: Polynomial) -> Any:
        variables, above, _ = right(p, q)
        return variables, MagicMock(gcd=lambda other: above * above), MagicMock()

    x, y = (Polynomial({(v,): fmpq(1)}) for v in VARIABLES[:2])
    p, q = x * y + x, x * y
    monkeypatch.setattr(polynomials, "_in_one_ring", wrong)
    with pytest.raises(ArithmeticError, match="does not divide both"):
        without_common_factor(p, q)


def test_denominators_are_positive_least_common_multiples_and_powers_may_be_negative() -> None:
    u, v = variable("u", "(0, oo)"), variable("v", "(0, oo)")
    total = 1 / (u * (1 + v)) + 1 / (v * (1 + v)) - u / (u * u * (1 + v) ** 2)
    assert total.denominator.shown(">")
    assert total.lowest() == ((u + v) * (1 + v) - v).numerator
    assert (1 / (u - u - 1)).shown("<")
    for denominator in (u - v, u - u):
        with pytest.raises(SignUnknown, match="nonzero"):
            1 / denominator
    assert u**-2 * u**2 == 1
    assert (u**0 - 1).is_zero
    assert 1 / (1 + u) <= 1
    assert u * v / u == v
    assert not u < 0
    with pytest.raises(TypeError):
        u**0.5


@pytest.mark.parametrize("other", [0.5, True, np.bool_(1), "1", None, 1j, VARIABLES[0]])
def test_only_exact_numbers_are_computed_with(other: Any) -> None:
    u = variable("u", "(0, oo)")
    for operation in (lambda: u + other, lambda: other * u, lambda: u == other, lambda: u != other, lambda: u > other):
        with pytest.raises(TypeError):
            operation()


def test_exact_numbers_of_every_kind_are_computed_with() -> None:
    u = variable("u", "(0, oo)")
    for half in (fmpq(1, 2), Fraction(1, 2), np.array(fmpq(1, 2), dtype=object)):
        assert (u * half + half * u - u).is_zero
    assert (u * np.int64(2) - u - u).is_zero
    column = np.array([u, u], dtype=object)
    assert all(x.is_zero for x in column * fmpq(2) - column - u)
    assert Exact().integers(np.array([2, 0])).tolist() == [2, 0]


def test_a_metric_that_catches_errors_does_not_catch_undecided_signs() -> None:
    u, v = variable("u", "[0, oo)"), variable("v", "[0, oo)")

    def careless() -> bool:
        try:
            return bool(u > v)
        except Exception:
            return False

    for asked in (careless, lambda: u == v, lambda: bool(u)):
        with pytest.raises(SignUnknown):
            asked()
        with pytest.raises(InvalidInput, match="here: it is unknown whether"), settled("here"):
            asked()
        with pytest.raises(InvalidInput, match="there: it is unknown whether"):
            attempt("there", asked)
    assert every_outcome(careless) == [True, False]
    assert sorted(every_outcome(lambda: 1 if u > 0 else 2 if v < u else 3)) == [1, 2, 3]


def test_too_many_outcomes_are_not_tried() -> None:
    symbols = [variable(f"s{k}", "[0, oo)") for k in range(7)]
    assert len(every_outcome(lambda: [s > 1 for s in symbols[:6]])) == 64
    with pytest.raises(SignUnknown, match="too many"):
        every_outcome(lambda: [s > 1 for s in symbols])


def test_small_quantities_are_compared_by_their_lowest_power() -> None:
    r, p, s = variable("r", SMALL), variable("p", "(0, 1)"), variable("s", LIMIT)
    assert r > 0
    assert r * p > 5 * r * r
    assert p > 7 * r
    assert 1 - 9 * r > 0
    assert 1 + s > 3 * r
    assert (r - r).shown(">=")
    assert not (p * p - p + r).shown(">")
    for asked in (
        lambda: s >= 0,  # where r is 0; elsewhere it may be a little less
        lambda: s > r,
        lambda: r * (1 + s) > 0,
        lambda: s == 0,
        lambda: (1 - 2 * p) * r > 0,
    ):
        with pytest.raises(SignUnknown):
            asked()
