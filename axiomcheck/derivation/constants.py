"""Compute constants exactly and in floats, and refuse code whose result depends on the difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise

from axiomcheck.derivation.forms import Underivable
from axiomcheck.numbers.open_numbers import OpenNumber


class Floating(Fraction):
    """Exact constant with the float that represents it in the code. Arithmetic on it returns plain fractions.

    Args:
        exact: The exact value.
        near: The float.

    """

    near: float

    def __new__(cls, exact: Fraction | str, near: float) -> Floating:
        """Create the constant from its exact value and its float."""
        made = super().__new__(cls, exact)
        made.near = near
        return made

    def __repr__(self) -> str:
        return str(self)


_ROUNDING = Fraction(1, 10**9)
_LARGEST = 2**53
"""Largest integer up to which floats represent all integers. It fits into numpy's 64-bit integers."""


def is_exact(value: int | Fraction) -> bool:
    """Return True for a constant that the code is known to represent without rounding."""
    return isinstance(value, int) or (isinstance(value, Floating) and Fraction(value.near) == value)


def beside(exact: object, near: object) -> object:
    """Return a constant with its float in the code, if the code represents it as a float.

    Raises:
        Underivable: The constant and the float differ by more than rounding.

    """
    if not isinstance(exact, Fraction) or type(near) is not float:
        return exact
    if not abs(near) < float("inf") or abs(Fraction(near) - exact) > _ROUNDING * abs(exact):
        raise Underivable("computes with constants that floats round to different values")
    return Floating(exact, near)


def computed(operation: Callable[..., object], exact: object, *operands: object, known: bool = True) -> object:
    """Return the exact result of an operation, together with the float that the code computes.

    Args:
        operation: Function of the numbers.
        exact: Its exact result. A result that is not a fraction is returned unchanged.
        operands: The numbers.
        known: False if floats may round differently on different machines.

    Raises:
        Underivable: The result in floats differs by more than rounding, or an integer is so large that numpy may
            overflow.

    """
    if isinstance(exact, int) and abs(exact) > _LARGEST:
        raise Underivable("computes with integers so large that numpy integers overflow: use floats")
    if not isinstance(exact, Fraction) or any(isinstance(value, OpenNumber) for value in (exact, *operands)):
        return exact
    floats = [value.near if isinstance(value, Floating) else value for value in operands]
    known = known and not any(isinstance(value, Fraction) for value in floats)
    try:
        near = operation(*(float(x) if isinstance(x, Fraction) else x for x in floats))
    except ArithmeticError as error:
        raise Underivable(f"raises {type(error).__name__} in floating point: {error}") from None
    made = beside(exact, near)
    largest = max((abs(Fraction(x)) for x in operands if isinstance(x, int | Fraction)), default=Fraction(0))
    if not known and largest and abs(exact) <= _ROUNDING * largest:
        raise Underivable("computes with constants that floats may round to different values")
    return made if known else exact


def refuse_rounded(one: object, two: object) -> None:
    """Check that the comparison of two constants has the same result in floats.

    Raises:
        Underivable: The result may differ.

    """
    if not isinstance(one, Fraction | int) or not isinstance(two, Fraction | int):
        return
    if isinstance(one, OpenNumber) or isinstance(two, OpenNumber):
        if not all(x.is_parameter if isinstance(x, OpenNumber) else is_exact(x) for x in (one, two)):
            raise Underivable("compares a number that depends on a parameter")
        return
    if all(isinstance(value, int | Floating) for value in (one, two)):
        x, y = (value.near if isinstance(value, Floating) else value for value in (one, two))
        rounded = (x < y, x == y) != (one < two, one == two)
    else:
        a, b = Fraction(one), Fraction(two)
        rounded = abs(a - b) <= _ROUNDING * (abs(a) + abs(b) + 1)
    if rounded:
        raise Underivable("compares constants that floats cannot represent exactly")


def is_true(value: object) -> bool:
    """Return the truth value of a constant.

    Raises:
        Underivable: Rounding may decide whether the constant is 0.

    """
    refuse_rounded(value, 0)
    return bool(value)


def has_fraction(value: object) -> bool:
    """Return True if a value is a fraction, or a tuple that contains one."""
    return any(map(has_fraction, value)) if isinstance(value, tuple) else isinstance(value, Fraction)


def refuse_rounded_order(value: tuple[object, ...]) -> None:
    """Check that constants have the same order in floats.

    Raises:
        Underivable: The order may differ.

    """
    for one, two in pairwise(sorted(_numbers_in(value))):
        refuse_rounded(one, two)


def _numbers_in(value: object) -> Iterator[int | Fraction]:
    if isinstance(value, int | Fraction):
        yield value
    for part in value if isinstance(value, tuple) else ():
        yield from _numbers_in(part)
