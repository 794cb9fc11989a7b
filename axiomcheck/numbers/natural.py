"""Exact numbers that behave like floats, so that metric code written for floats runs on them.

The value of a `Number` is a rational, a number in closed form (logarithms, roots), a symbol of a proof, a series in eps
with such coefficients, or one of the special floats nan, inf and -inf. An operation whose result is not exact raises
`Inexact`. Finite floats are neither accepted nor returned.
"""

from __future__ import annotations

import math
import numbers
import operator
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

import numpy as np
from flint import fmpq, fmpz

from axiomcheck.numbers.closed import Closed
from axiomcheck.numbers.natural_values import (
    ORDER,
    Germ,
    Value,
    add,
    alike,
    divide,
    floor_of,
    function_of,
    germ,
    is_symbol,
    logarithm_of,
    multiply,
    power_of,
    sign_of,
)
from axiomcheck.numbers.refusals import Inexact, running

T = TypeVar("T")

_HELP_FLOAT = "the code uses a float whose decimal text is unknown; create it from a literal, numpy or math"


def _subtract(x: Value, y: Value) -> Value:
    return add(x, -y)


def _remainder(x: Value, y: Value) -> Value:
    return _subtract(x, multiply(y, fmpq(floor_of(divide(x, y)))))


def _operator(operation: Callable[[Value, Value], Value]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return the two methods of a binary operator, such as ``__add__`` and ``__radd__``."""

    def left(self: Number, other: object, modulus: None = None) -> Any:
        return _binary(self, other, operation)

    def right(self: Number, other: object) -> Any:
        return _binary(other, self, operation)

    return left, right


def _comparison(test: Callable[[Any, Any], bool]) -> Callable[[Number, object], Any]:
    """Return a comparison method of `Number`, such as ``__lt__`` for `operator.lt`."""

    def compare(self: Number, other: object) -> Any:
        return _compared(self, other, test)

    return compare


class Number:
    """Exact number that behaves like a float.

    Args:
        value: Number or its text, as for `float`. Of the floats, only nan and infinities are allowed.

    Raises:
        Inexact: The value is a finite float, whose text in the code is unknown, or is not a number.

    """

    __slots__ = ("raw",)

    raw: Value
    rules: ClassVar[Callable[..., object]]
    """Function that applies NumPy's ufuncs to numbers. `axiomcheck.numbers.natural_arrays`, which imports this module,
    sets it."""

    def __init__(self, value: object = 0) -> None:
        made = number(_parsed(value) if isinstance(value, str) else value)
        if made is None:
            raise Inexact(f"float() of a {type(value).__name__} object cannot be evaluated exactly")
        self.raw = made.raw

    # ------------------------------------------------------------------------------------------------ arithmetic

    __add__, __radd__ = _operator(add)
    __sub__, __rsub__ = _operator(_subtract)
    __mul__, __rmul__ = _operator(multiply)
    __truediv__, __rtruediv__ = _operator(divide)
    __pow__, __rpow__ = _operator(power_of)
    __floordiv__, __rfloordiv__ = _operator(lambda x, y: fmpq(floor_of(divide(x, y))))
    __mod__, __rmod__ = _operator(_remainder)

    def __divmod__(self, other: object) -> tuple[Number, Number]:
        return self // other, self % other

    def __rdivmod__(self, other: object) -> tuple[Number, Number]:
        return other // self, other % self

    def __neg__(self) -> Number:
        return _made(-self.raw)

    def __pos__(self) -> Number:
        return self

    def __abs__(self) -> Number:
        return -self if self < 0 else self

    # ----------------------------------------------------------------------------------------------- comparisons

    __lt__ = _comparison(operator.lt)
    __le__ = _comparison(operator.le)
    __gt__ = _comparison(operator.gt)
    __ge__ = _comparison(operator.ge)
    __eq__ = _comparison(operator.eq)
    __ne__ = _comparison(operator.ne)

    def __bool__(self) -> bool:
        return isinstance(self.raw, float) or sign_of(self.raw) != 0

    def __hash__(self) -> int:
        raw = self.raw
        if type(raw) is fmpq:
            return hash(Fraction(int(raw.p), int(raw.q)))
        if isinstance(raw, Closed | float):
            return hash(raw)
        raise Inexact("the code uses a symbol, or a number that depends on eps, as a dictionary key or set element")

    # --------------------------------------------------------------------------------------------- integers

    def __int__(self) -> int:
        return self.__trunc__()

    def __trunc__(self) -> int:
        return -floor_of(-self.raw) if self < 0 else floor_of(self._finite())

    def __floor__(self) -> int:
        return floor_of(self._finite())

    def __ceil__(self) -> int:
        return -floor_of(-self._finite())

    def __round__(self, digits: int | None = None) -> int | Number:
        scale = fmpq(10) ** (digits or 0)
        scaled = multiply(self._finite(), scale)
        below = floor_of(scaled)
        twice = sign_of(add(multiply(add(scaled, fmpq(-below)), fmpq(2)), fmpq(-1)))
        whole = below + (twice > 0 or (twice == 0 and below % 2 == 1))
        return int(whole) if digits is None else _made(fmpq(whole) / scale)

    def _finite(self) -> Value:
        if isinstance(self.raw, float):
            raise ValueError(f"cannot convert {self.raw} to an integer")
        return self.raw

    def is_integer(self) -> bool:
        """Return True if the number is an integer, like `float.is_integer`."""
        return not isinstance(self.raw, float) and bool(_made(fmpq(floor_of(self.raw))) == self)

    # ------------------------------------------------------------------------------------------- floats and numpy

    def __float__(self) -> float:
        raise Inexact("code outside the metric's file needs a float here; move that code into the metric's file")

    def __format__(self, spec: str) -> str:
        if running() or not isinstance(self.raw, fmpq):
            raise Inexact("the text of a number shows rounded digits; compute with the number itself")
        # When a module is imported, it may format numbers for names and messages.
        return format(int(self.raw.p) / int(self.raw.q), spec)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **options: object) -> object:
        return Number.rules(ufunc, method, inputs, options)

    def __repr__(self) -> str:
        return format(self) if running() or isinstance(self.raw, fmpq) else repr(self.raw)

    @property
    def real(self) -> Number:
        """The number itself, like `float.real`."""
        return self

    @property
    def shape(self) -> tuple[()]:
        """Empty shape, like that of NumPy scalars."""
        return ()

    ndim = 0
    size = 1

    def item(self) -> Number:
        """Return the number itself, like the `item` method of NumPy scalars."""
        return self

    def astype(self, dtype: Callable[[Number], T]) -> T:
        """Convert the number to a type, like the `astype` method of NumPy scalars."""
        return dtype(self)

    def round(self, decimals: int = 0) -> int | Number:
        """Round the number to some decimals, like the `round` method of NumPy scalars."""
        return round(self, decimals)

    def _itself(self, *args: object, **options: object) -> Number:
        """Return the number itself, as methods of NumPy scalars such as ``sum`` and ``mean`` do."""
        return self

    sum = mean = max = min = prod = copy = conjugate = squeeze = _itself


numbers.Real.register(Number)


def _made(raw: Value) -> Number:
    made = object.__new__(Number)
    made.raw = raw
    return made


def _parsed(text: str) -> Fraction | float:
    try:
        return Fraction(text.strip().replace("_", ""))
    except ValueError:
        value = float(text)
        if math.isfinite(value):
            raise Inexact(f"float({text!r}) cannot be evaluated exactly") from None
        return value


_KINDS: dict[type, Callable[[Any], Value]] = {
    int: fmpq,
    bool: fmpq,
    fmpq: lambda v: v,
    fmpz: fmpq,
    Closed: lambda v: v,
    Germ: lambda v: v,
    Fraction: lambda v: fmpq(v.numerator, v.denominator),
    Decimal: lambda v: fmpq(*v.as_integer_ratio()),
    np.bool_: lambda v: fmpq(int(v)),
}


def number(value: object) -> Number | None:
    """Convert a Python or NumPy number, or a value that a `Number` may have, to an equal `Number`; else return None.

    Raises:
        Inexact: The value is a finite float.

    """
    kind = type(value)
    if isinstance(value, Number):
        return value
    if kind in _KINDS:
        return _made(_KINDS[kind](value))
    if isinstance(value, float):
        if math.isfinite(value):
            raise Inexact(_HELP_FLOAT)
        return _made(float(value))
    if isinstance(value, np.integer | int):
        return _made(fmpq(int(value)))
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return number(value[()])
    return None


def _binary(left: object, right: object, operation: Callable[[Value, Value], Value]) -> Any:
    """Apply an operation to two numbers. Return NotImplemented if either operand is not a number."""
    x, y = number(left), number(right)
    if x is None or y is None:
        return NotImplemented
    if isinstance(x.raw, float) or isinstance(y.raw, float):
        return _special(x.raw, y.raw, operation)
    return _made(operation(x.raw, y.raw))


_FLOAT_OPERATIONS: dict[object, Callable[[float, float], float]] = {
    add: lambda x, y: x + y,
    _subtract: lambda x, y: x - y,
    multiply: lambda x, y: x * y,
    divide: lambda x, y: x / y,
}


def _special(x: Value, y: Value, operation: object) -> Number:
    """Apply an operation to nan or an infinity and another number, of which only the sign matters."""
    one, other = (v if isinstance(v, float) else float(sign_of(v)) for v in (x, y))
    if operation not in _FLOAT_OPERATIONS:
        raise Inexact("the code uses nan or an infinity in a power or remainder")
    value = _FLOAT_OPERATIONS[operation](one, other)
    return _made(value) if not math.isfinite(value) else _made(fmpq(int(value)))


def _compared(left: Number, right: object, test: Callable[[Any, Any], bool]) -> Any:
    other = number(right)
    if other is None:
        return NotImplemented
    x, y = left.raw, other.raw
    if type(x) is fmpq and type(y) is fmpq:
        return test(x, y)  # faster than the sign of the difference
    if isinstance(x, float) or isinstance(y, float):
        one, two = (v if isinstance(v, float) else 0.0 for v in (x, y))
        return test(one, two)
    if type(x) is not Germ and type(y) is not Germ and (is_symbol(x) or is_symbol(y)):
        return test(*alike(x, y))  # x >= y may be known for symbols although the sign of x - y is not
    return test(sign_of(_subtract(x, y)), 0)


def in_order(values: list[Number]) -> list[Number]:
    """Sort numbers in ascending order.

    If the order of symbols is unknown, the arithmetic of a proof may return new symbols for the sorted values.
    """
    order, raws = ORDER.get(), [n.raw for n in values]
    orders = {k for raw in raws if type(raw) is Germ for k in (*raw.terms, *(() if raw.known is None else (-1,)))}
    coefficients = [raw.terms[min(raw.terms)] if type(raw) is Germ and raw.terms else raw for raw in raws]
    plain = all(type(c) in (fmpq, Closed, float) for c in coefficients)
    if order is None or plain or len(orders) > 1 or any(type(c) is Germ for c in coefficients):
        return sorted(values)
    if orders and any(type(raw) is not Germ and not (type(raw) is fmpq and raw == 0) for raw in raws):
        return sorted(values)
    try:
        found = order(coefficients)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # a sign is unknown; the signs of the negated values may be known
        try:
            found = [-c for c in order([-c for c in coefficients])][::-1]
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:
            return sorted(values)
    power = next(iter(orders), 0)
    return [_made(germ({power: c}) if power else c) for c in found]


# ---------------------------------------------------------------------------------------------------- for arrays


def quotient(left: object, right: object) -> Number:
    """Return left / right as NumPy does. If the divisor is 0, return nan or an infinity."""
    x, y = _certainly(left), _certainly(right)
    try:
        return x / y  # type: ignore[no-any-return]
    except ZeroDivisionError:
        sign = math.nan if isinstance(x.raw, float) and math.isnan(x.raw) else sign_of(x.raw)
        return _made(sign * math.inf if sign else math.nan)


def _log(value: fmpq) -> float:
    return math.log(int(value.p)) - math.log(int(value.q))


def ratio_of_logs(x: Number, base: Number) -> Number:
    """Return the logarithm of x to a base, as a rational number if it is one with a small denominator."""
    one, other = x.raw, base.raw
    if type(one) is fmpq and type(other) is fmpq and one > 0 and other > 0 and other != 1:
        return _made(_ratio_of_logs(one, other))
    found: Number = applied("log", x) / applied("log", base)
    return found


@lru_cache(maxsize=4096)
def _ratio_of_logs(x: fmpq, base: fmpq) -> Value:
    """Return the logarithm of x to a base. It is cached, since all rankings need the discounts of the same ranks."""
    near = Fraction(_log(x)) / Fraction(_log(base))
    guess = near.limit_denominator(12)
    if abs(guess.numerator) < 2_000 and abs(near - guess) < Fraction(1, 10**9):
        whole, root = guess.numerator, guess.denominator
        if x**root == base**whole:
            return fmpq(whole, root)
    return divide(logarithm_of(x), logarithm_of(base))


def raised(left: object, right: object) -> Number:
    """Return left ** right as NumPy does. A negative power of 0 is infinity."""
    try:
        return _certainly(left) ** _certainly(right)  # type: ignore[no-any-return]
    except ZeroDivisionError:
        return _made(math.inf)


def _certainly(value: object) -> Number:
    found = number(value)
    if found is None:
        raise Inexact(f"expected a number, got {type(value).__name__}")
    return found


def applied(name: str, value: object) -> Number:
    """Apply a function of one number: ``exp``, ``log``, or a method of `flint.arb` such as ``erf``.

    Raises:
        Inexact: The function is not defined at this number, or its value is unknown.

    """
    x = _certainly(value)
    if isinstance(x.raw, float):
        return x if not (name == "exp" and x.raw == -math.inf) else _made(fmpq(0))
    return _made(function_of(name, x.raw))
