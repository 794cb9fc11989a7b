"""Operations on the values of exact numbers: rationals, closed forms, symbols of proofs, and germs in eps.

A germ is a number that depends on eps -> 0, stored as a Laurent series in eps. The code of external metrics computes
with germs if every grade is eps * rho. A germ is a single number, whereas a `Series` holds arrays and supports NumPy's
functions. Infinite series (quotients, logarithms, roots) are truncated, and the germ records the first unknown order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import reduce
from math import factorial, floor
from operator import mul
from typing import Any

from flint import fmpq

from axiomcheck.numbers import closed
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.numbers.closed import Closed
from axiomcheck.numbers.refusals import Inexact, Unproved, one_run
from axiomcheck.numbers.series import Truncated

Value = Any
"""Rational, `Closed`, symbol of a proof, or `Germ` whose coefficients are any of these."""

_ORDERS = 6
"""Number of orders of an infinite series that are computed."""

_LAST: ContextVar[int | None] = ContextVar("last", default=None)

_LIFT: ContextVar[Callable[[Closed], Any] | None] = ContextVar("lift", default=None)
ORDER: ContextVar[Callable[[list[Any]], list[Any]] | None] = ContextVar("order", default=None)


@contextmanager
def running_on(a: Arithmetic) -> Iterator[None]:
    """Run code with the rules of an arithmetic for converting closed forms to symbols and for sorting symbols.

    If the code continues after a refused operation, raise `Inexact`; see `one_run`.
    """
    tokens = _LIFT.set(a.closed), ORDER.set(a.in_order)
    try:
        with one_run():
            yield
    finally:
        _LIFT.reset(tokens[0])
        ORDER.reset(tokens[1])


@contextmanager
def cut_above(order: int | None) -> Iterator[None]:
    """Within the context, drop terms above ``order`` from products, and count them as unknown. None keeps all terms."""
    token = _LAST.set(order)
    try:
        yield
    finally:
        _LAST.reset(token)


class Germ:
    """Immutable sum_k terms[k] * eps**k, of which the terms of order ``known`` and above are unknown.

    Args:
        terms: Coefficients by order. Coefficients that are known to be 0 are left out.
        known: First unknown order; None if every order is known.

    """

    __slots__ = ("known", "terms")
    __hash__ = None  # type: ignore[assignment]  # == compares values, and raises where it cannot

    def __init__(self, terms: dict[int, Value], known: int | None = None) -> None:
        self.terms = terms
        self.known = known

    @property
    def first(self) -> int:
        """Lowest order of a known term, or the first unknown order if there is no known term.

        Raises:
            ZeroDivisionError: The germ is 0.

        """
        if self.terms:
            return min(self.terms)
        if self.known is None:
            raise ZeroDivisionError("division by zero")
        return self.known

    def __neg__(self) -> Germ:
        return Germ({k: -c for k, c in self.terms.items()}, self.known)


def germ(terms: dict[int, Value], known: int | None = None) -> Value:
    """Create a germ without zero and unknown terms. Return its constant term if it does not depend on eps."""
    kept = {k: c for k, c in terms.items() if (known is None or k < known) and not _is_zero(c)}
    if known is None:
        if not kept:
            return fmpq(0)
        if len(kept) == 1 and 0 in kept:
            return kept[0]
    return Germ(kept, known)


def _is_zero(value: Value) -> bool:
    return isinstance(value, fmpq) and value == 0


def _parts(value: Value) -> tuple[dict[int, Value], int | None]:
    if isinstance(value, Germ):
        return value.terms, value.known
    return ({} if _is_zero(value) else {0: value}), None


def _least(*orders: int | None) -> int | None:
    return min((k for k in orders if k is not None), default=None)


def _shifted(order: int | None, by: int) -> int | None:
    return None if order is None else order + by


def is_symbol(value: Value) -> bool:
    """Return True if a value is a symbol of a proof or a germ, which stand for more than one number."""
    return type(value) is not fmpq and type(value) is not Closed


def alike(x: Value, y: Value) -> tuple[Value, Value]:
    """Return the operands of an operation. If one is a symbol and the other a closed form, convert that to a symbol."""
    lift = _LIFT.get()
    if type(x) is Closed and is_symbol(y):
        x = lift(x) if lift else x
    elif type(y) is Closed and is_symbol(x):
        y = lift(y) if lift else y
    return x, y


MOST_BITS = 50_000
"""Maximum size of a rational in bits. Without it, code that iterates until floats stop changing would never end."""


def _of_a_size(value: fmpq) -> fmpq:
    if value.height_bits() > MOST_BITS:
        raise Inexact(f"an exact number has more than {MOST_BITS:,} bits")
    return value


def add(x: Value, y: Value) -> Value:
    """Return x + y. A rational result of more than `MOST_BITS` bits raises `Inexact`."""
    if type(x) is fmpq and type(y) is fmpq:
        return _of_a_size(x + y)
    if type(x) is Germ or type(y) is Germ:
        return _add_germs(x, y)
    x, y = alike(x, y)
    return x + y


def multiply(x: Value, y: Value) -> Value:
    """Return x * y. A rational result of more than `MOST_BITS` bits raises `Inexact`."""
    if type(x) is fmpq and type(y) is fmpq:
        return _of_a_size(x * y)
    if (type(x) is fmpq and x == 0) or (type(y) is fmpq and y == 0):
        return fmpq(0)
    if type(x) is Germ or type(y) is Germ:
        return _multiply_germs(x, y)
    x, y = alike(x, y)
    return x * y


def divide(x: Value, y: Value) -> Value:
    """Return x / y.

    Raises:
        ZeroDivisionError: y is the number 0.
        Inexact: y is a germ whose known terms are all 0, or a number has become too large.
        SignUnknown: y is a symbol of a proof that is not known to differ from 0.

    """
    if type(y) is fmpq and y == 0:
        raise ZeroDivisionError("division by zero")
    if type(x) is Germ or type(y) is Germ:
        return _divide_germs(x, y)
    x, y = alike(x, y)
    return x / y


def _add_germs(x: Value, y: Value) -> Value:
    (left, known), (right, other) = _parts(x), _parts(y)
    terms = dict(left)
    for k, c in right.items():
        terms[k] = add(terms[k], c) if k in terms else c
    return germ(terms, _least(known, other))


def _multiply_germs(x: Value, y: Value) -> Value:
    (left, known), (right, other) = _parts(x), _parts(y)
    if (not left and known is None) or (not right and other is None):
        return fmpq(0)
    lowest = [min(terms) if terms else k for terms, k in ((left, known), (right, other))]
    ends = [None if k is None else k + low for k, low in ((known, lowest[1]), (other, lowest[0])) if low is not None]
    end, last = _least(*ends), _LAST.get()
    if last is not None and left and right and max(left) + max(right) > last:
        end = _least(end, last + 1)
    terms: dict[int, Value] = {}
    for i, a in left.items():
        for j, b in right.items():
            if end is None or i + j < end:
                value = multiply(a, b)
                terms[i + j] = add(terms[i + j], value) if i + j in terms else value
    return germ(terms, end)


def _divide_germs(x: Value, y: Value) -> Value:
    if not isinstance(y, Germ):
        return germ({k: divide(c, y) for k, c in x.terms.items()}, x.known)
    start = _leading(y)
    terms, known = _parts(x)
    quotient = {k - start: divide(c, y.terms[start]) for k, c in terms.items()}
    if (len(y.terms) == 1 and y.known is None) or (not terms and known is None):
        return germ(quotient, _shifted(known, -start))
    # z = x / (first * eps^start * (1 + u)), where u has order >= 1: z[k] = quotient[k] - sum_j u[j] * z[k - j]
    rest, unknown = _parts(-_split(y, start)[1])
    first, last = (min(terms) if terms else known or 0) - start, _LAST.get()
    ends = [_shifted(known, -start), first + _ORDERS, _shifted(unknown, first)]
    end = min(k for k in ends if k is not None)
    for k in range(first, end):
        values = [multiply(c, quotient[k - j]) for j, c in rest.items() if k - j in quotient]
        quotient[k] = reduce(add, values, quotient.get(k, fmpq(0)))
        if last is not None and k > last and not _is_zero(quotient[k]):
            return germ(quotient, last + 1)
    return germ(quotient, end)


def _composed(u: Value, coefficient: Callable[[int], Value]) -> Value:
    """Return sum_k coefficient(k) * u**k for a germ u of order >= 1, truncated to a few orders.

    Raises:
        Truncated: The order of u may be below 1.

    """
    if not isinstance(u, Germ):
        return coefficient(0)
    if u.first < 1:
        raise Truncated("the code applies a function to a number of unknown order in eps")
    total: Value = germ({0: coefficient(0)}, _ORDERS)
    power: Value = u
    last = _least(_LAST.get(), _ORDERS - 1)
    with cut_above(last):  # the sum keeps no higher orders
        for k in range(1, _ORDERS):
            if not isinstance(power, Germ):
                break
            total = add(total, multiply(coefficient(k), power))
            power = multiply(power, u)
    return total


def _leading(value: Germ) -> int:
    for order in sorted(value.terms):
        if sign_of(value.terms[order]):
            return order
    if value.known is None:
        raise ZeroDivisionError("division by zero")
    raise Inexact("the code divides by a number whose known terms in eps are all 0")


def sign_of(value: Value) -> int:
    """Return the sign of a value, +1, -1 or 0; raise an error if the sign is unknown."""
    if type(value) is fmpq:
        return int(value > 0) - int(value < 0)
    if isinstance(value, Closed):
        return value.sign()
    if isinstance(value, Germ):
        sign = next(filter(None, (sign_of(value.terms[order]) for order in sorted(value.terms))), 0)
        if not sign and value.known is not None:
            raise Truncated("a comparison depends on orders of eps that were cut off")
        return sign
    return 1 if value > 0 else -1 if value < 0 else 0


def power_of(base: Value, exponent: Value) -> Value:
    """Return base ** exponent.

    Raises:
        Inexact: The power is not a real number, or has no finite limit as eps -> 0.
        Unproved: The base or the exponent is a symbol, for which no rule is known.

    """
    if type(exponent) is fmpq and exponent.q == 1:
        return _whole_power(base, int(exponent.p))
    if type(exponent) is Germ:
        constant = exponent.terms.get(0, fmpq(0))
        if exponent.first < 0:
            raise Inexact("the exponent of a power grows without bound as eps -> 0")
        rest = germ({k: c for k, c in exponent.terms.items() if k}, exponent.known)
        whole, log = power_of(base, constant), function_of("log", base)
        return multiply(whole, _exponential(multiply(rest, log)))
    if is_symbol(exponent) or (is_symbol(base) and type(base) is not Germ):
        raise Unproved("powers with a symbolic base or exponent are not supported in proofs")
    sign = sign_of(base)
    if sign == 0:
        if sign_of(exponent) < 0:
            raise ZeroDivisionError("0 is raised to a negative power")
        return fmpq(0)
    if sign < 0:
        raise Inexact("the root of a negative number is nan in floats")
    if type(base) is not Germ:
        return closed.power(base, exponent)
    if type(exponent) is Closed:
        return _exponential(multiply(exponent, function_of("log", base)))
    order = _leading(base)
    shift = order * exponent
    if shift.q != 1:
        raise Inexact("a root of grades has no expansion in integer powers of eps")
    first, u = _split(base, order)
    # the binomial coefficients of the expansion of (1 + u)**exponent
    expanded = _composed(u, lambda k: reduce(mul, (exponent - j for j in range(k)), fmpq(1)) / factorial(k))
    scaled = multiply(closed.power(first, exponent), expanded)
    return multiply(germ({int(shift.p): fmpq(1)}), scaled)


def _split(base: Germ, order: int) -> tuple[Value, Value]:
    """Return (c, u) such that a germ is c * eps^order * (1 + u), where ``order`` is the germ's lowest order."""
    first = base.terms[order]
    rest = {k - order: divide(c, first) for k, c in base.terms.items() if k > order}
    return first, germ(rest, _shifted(base.known, -order))


def _whole_power(base: Value, exponent: int) -> Value:
    if exponent < 0:
        return divide(fmpq(1), _whole_power(base, -exponent))
    if type(base) is fmpq:
        if base.height_bits() * exponent > MOST_BITS:
            raise Inexact("a power has too many digits")
        return base**exponent
    if not isinstance(base, Germ | Closed):
        return base**exponent if exponent else fmpq(1)
    result: Value = fmpq(1)
    while exponent:
        if exponent & 1:
            result = multiply(result, base)
        exponent >>= 1
        base = multiply(base, base) if exponent else base
    return result


def _exponential(value: Value) -> Value:
    if type(value) is not Germ:
        return function_of("exp", value)
    if value.first < 0:
        raise Inexact("an exponential grows without bound as eps -> 0")
    constant = value.terms.get(0, fmpq(0))
    rest = germ({k: c for k, c in value.terms.items() if k}, value.known)
    expanded = _composed(rest, lambda k: fmpq(1, factorial(k)))
    return multiply(function_of("exp", constant), expanded)


def logarithm_of(value: Value) -> Value:
    """Return the natural logarithm of a value; raise `Inexact` if the value is not positive."""
    if type(value) is not Germ:
        if sign_of(value) <= 0:
            raise Inexact("the logarithm of 0 or of a negative number is -inf or nan in floats")
        return closed.logarithm(value)
    order = _leading(value)
    if order:
        raise Inexact("the logarithm of a grade grows without bound as eps -> 0; log(1 + grade) does not")
    first, u = _split(value, 0)
    return add(logarithm_of(first), _composed(u, lambda k: fmpq((-1) ** (k + 1), k) if k else fmpq(0)))


def function_of(name: str, value: Value) -> Value:
    """Apply the function with a name such as ``exp``, ``log`` or ``sin``; raise `Unproved` if the value is a symbol."""
    if name == "log":
        if is_symbol(value) and type(value) is not Germ:
            raise Unproved("logarithms of symbols are not supported in proofs")
        return logarithm_of(value)
    if name == "exp" and type(value) is Germ:
        return _exponential(value)
    if type(value) is not fmpq and type(value) is not Closed:
        raise Unproved(f"proofs do not support {name} of symbols, and series in eps do not support {name} of grades")
    return closed.exponential(value) if name == "exp" else closed.function(name, value)


def floor_of(value: Value) -> int:
    """Return the floor of a value as an int; raise `Inexact` or `Unproved` if it is unknown."""
    if type(value) is fmpq:
        return int(value.floor())
    if type(value) is Germ:
        if value.first < 0:
            raise Inexact("the code uses the integer part of a number that grows without bound as eps -> 0")
        constant = value.terms.get(0, fmpq(0))
        below = floor_of(constant)
        rest = germ({k: c for k, c in value.terms.items() if k}, value.known)
        on = type(constant) is fmpq and constant == below
        return below - 1 if on and type(rest) is Germ and sign_of(rest) < 0 else below
    if type(value) is Closed:
        guess = floor(float(value.ball()))
        for whole in (guess - 1, guess, guess + 1):
            if value >= fmpq(whole) and value < fmpq(whole + 1):
                return whole
        raise Inexact("the code uses the integer part of a number that is too large")
    raise Unproved("the integer part of a symbol is not supported in proofs")
