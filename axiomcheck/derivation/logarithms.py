"""Write logarithms of ranks and of constants as forms."""

from __future__ import annotations

from fractions import Fraction

from axiomcheck.derivation.forms import ZERO, Form, Quantity, Underivable, linear_in_rank, number, of_atom

_MOST_FACTORED = 10**6


def logarithm(form: Form) -> Form:
    """Return the natural logarithm of a rank plus a number, or of a rational constant.

    Raises:
        Underivable: The form is something else.

    """
    value = form.constant
    if value is not None and value > 0:
        return _log_of_number(value)
    line = linear_in_rank(form)
    if line is None or line[0] <= 0 or line[1] < 0 or line[0] + line[1] < 1:
        raise Underivable("takes the logarithm of a value that is neither a rank nor a constant")
    slope, shift = line
    return of_atom(Quantity("log", (shift / slope,))) + _log_of_number(slope)


def _log_of_number(value: Fraction) -> Form:
    total = ZERO
    for part, sign in ((value.numerator, 1), (value.denominator, -1)):
        if part > _MOST_FACTORED:
            raise Underivable("takes the logarithm of a constant that is too large")
        prime = 2
        while part > 1:
            if prime * prime > part:
                prime = part
            if part % prime == 0:
                total = total + of_atom(Quantity("ln", (prime,))) * number(sign)
                part //= prime
            else:
                prime += 1
    return total
