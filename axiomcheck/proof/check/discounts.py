"""Check the assumptions of a proof about a metric's discount: Lemmas 6 and 7 of docs/lemmas/induction.md."""

from __future__ import annotations

from typing import Any

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.own_code import is_own_value, is_patched
from axiomcheck.numbers.discount import Constant, Discount, Geometric, InverseLog, Reciprocal
from axiomcheck.proof.check.quotients import Quotient, variable

DISCOUNTS = ("constant", "positive", "decreasing", "convex", "reciprocal")
_DISCOUNTS = (Constant, Geometric, InverseLog, Reciprocal)


def check_discount_class(discount: Any) -> None:
    """Check that the lemmas cover the class of a discount; subclasses of covered classes are rejected.

    Raises:
        InvalidInput: The lemmas do not cover the class.

    """
    if type(discount) not in _DISCOUNTS or not is_own_value(discount) or is_patched(type(discount)):
        known = ", ".join(cls.__name__ for cls in _DISCOUNTS)
        raise InvalidInput(f"discount: no lemma covers {type(discount).__name__}; the lemmas cover {known}")


def check_discount(discount: Discount, assumed: str) -> None:
    """Check the assumption of a certificate about a metric's discount (Lemma 7).

    Args:
        discount: Discount of the metric; a geometric one may contain symbols.
        assumed: One of `DISCOUNTS`.

    Raises:
        InvalidInput: The discount cannot be proved to satisfy the assumption.

    """
    kind = type(discount)
    shapes: set[str] = set()
    if kind is Constant:
        shapes = {"constant", "positive"}
    elif kind is Reciprocal:
        x = variable("x", "[0, oo)")
        shapes = {"reciprocal", *_shapes(*(1 / (x + k) for k in (1, 2, 3)))}
    elif isinstance(discount, Geometric) and kind is Geometric:
        ratio, scale = Quotient.of(discount.ratio), Quotient.of(discount.scale)
        if not (scale.shown(">") and ratio.shown(">")):
            raise InvalidInput(f"discount: {kind.__name__} is not shown to be positive")
        # each rank's discount is a positive number times those of ranks 1 to 3
        shapes = _shapes(scale, scale * ratio, scale * ratio * ratio)
        if (ratio - 1).is_zero:
            shapes |= {"constant"}
    elif isinstance(discount, InverseLog) and kind is InverseLog:
        increasing = discount.base is None or discount.base > 1
        if not (increasing and discount.shift >= 0 and discount.offset >= 0 and discount.shift + discount.offset > 0):
            raise InvalidInput(f"discount: {kind.__name__} is not shown to be positive from rank 1 on")
        # the divisors of three ranks are a, a + (s + u) and a + (s + u) + s
        a, s, u = (variable(name, "(0, oo)") for name in "asu")
        shapes = _shapes(1 / a, 1 / (a + s + u), 1 / (a + s + u + s))
    if assumed not in shapes:
        raise InvalidInput(f"discount: {kind.__name__} is not shown to be {assumed}")


def _shapes(first: Quotient, second: Quotient, third: Quotient) -> set[str]:
    """Return the properties that hold for any three neighbouring discounts."""
    shapes = set()
    if third.shown(">"):
        shapes |= {"positive"}
        if (first - second).shown(">") and (second - third).shown(">"):
            shapes |= {"decreasing"}
            if (first - second * 2 + third).shown(">"):
                shapes |= {"convex"}
    return shapes
