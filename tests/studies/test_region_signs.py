"""Signs of polynomials on boxes are those at points of the box; and real roots are those of SymPy."""

from fractions import Fraction
from itertools import product

import pytest
from flint import fmpq, fmpz_poly

from axiomcheck.studies.region.algebraic import factors, roots_between, separate
from axiomcheck.studies.region.boxes import Box, Ring
from tests.support.suites import each

UNIT = (Fraction(0), Fraction(1))
HALF = (Fraction(1, 2), Fraction(3, 4))


@pytest.mark.parametrize("box", [{"x": UNIT, "y": UNIT}, {"x": HALF, "y": UNIT}, {"x": HALF, "y": (HALF[0], HALF[0])}])
def test_bounds_are_those_of_the_values_in_the_box(box: Box) -> None:
    """Asks it of every c0 + c1 x + c2 y + c3 x y + c4 x^2 with coefficients -1, 0 and 1."""
    ring = Ring(("x", "y"))
    x, y = ring.variables.values()
    sides = [(low, (low + high) / 2, high) for low, high in box.values()]
    points = [dict(zip(box, at, strict=True)) for at in product(*sides)]
    decided = 0
    for a, b, c, d, e in product((-1, 0, 1), repeat=5):
        f = ring.context.constant(a) + b * x + c * y + d * x * y + e * x * x
        low, high = ring.bounds(f, box)
        values = [ring.value(f, point) for point in points]
        decided += low is not None or high is not None
        assert low is None or all(value > 0 if low == 1 else value >= 0 for value in values)
        assert high is None or all(value < 0 if high == -1 else value <= 0 for value in values)
        assert max(values) <= ring.upper(f, box)
    assert decided > 150


def test_an_end_that_is_left_out_may_be_zero() -> None:
    box = {"x": UNIT, "y": UNIT}
    ring, opened = (Ring(("x", "y"), open_ends) for open_ends in (frozenset(), frozenset({("x", Fraction(1))})))
    for of, positive in ((ring, 0), (opened, 1)):
        x, y = of.variables.values()
        assert of.bounds((1 - x) * (1 + y), box) == (positive, None)
        assert of.bounds((x - 1) * (1 + y), box) == (None, -positive)
        assert of.bounds((1 - x) * y, box) == (0, None)
    x, _ = ring.variables.values()
    assert ring.bounds(1 - x, box, frozenset({("x", Fraction(1))})) == (1, None)
    assert ring.upper(x - x * x, box) == fmpq(1, 2)


@each(
    "coefficients",
    [
        (-1, 0, 1, 1),
        (-2, 0, 1),
        (1, 0, 1),
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
