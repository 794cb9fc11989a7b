"""Exact numbers that behave like floats: what a metric's own code computes with, where it was written for floats.

A `Number` is a rational, a number in closed form (logarithms, roots), a symbol of a proof, or a germ in eps of these;
or one of the three floats that are no numbers (nan, inf, -inf). What has no exact value raises `Inexact`, with what
would help; no float ever comes in or out.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from flint import fmpq, fmpz

from axiomcheck.numbers import closed
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.numbers.closed import Closed
from axiomcheck.numbers.germs import Germ, GermArithmetic, expanded_power, germ
from axiomcheck.numbers.refusals import Inexact, Unproved, one_run, running

Value = Any
"""What a `Number` holds."""


_LIFT: ContextVar[Callable[[Closed], Any] | None] = ContextVar("lift", default=None)
_ORDER: ContextVar[Callable[[list[Any]], list[Any]] | None] = ContextVar("order", default=None)
_HELP_FLOAT = "a float whose decimal text is not known came in; let it come from a literal, numpy or math"


@contextmanager
def running_on(a: Arithmetic) -> Iterator[None]:
    """Has numbers in closed form become symbols of an arithmetic where they meet one, and symbols sorted as it does."""
    tokens = _LIFT.set(a.closed), _ORDER.set(a.in_order)
    try:
        with one_run():
            yield
    finally:
        _LIFT.reset(tokens[0])
        _ORDER.reset(tokens[1])


def _is_symbol(value: Value) -> bool:
    return type(value) is not fmpq and type(value) is not Closed


def _alike(x: Value, y: Value) -> tuple[Value, Value]:
    """Two values that can be combined: a closed form beside a symbol becomes a symbol."""
    lift = _LIFT.get()
    if type(x) is Closed and _is_symbol(y):
        x = lift(x) if lift else x
    elif type(y) is Closed and _is_symbol(x):
        y = lift(y) if lift else y
    return x, y


MOST_BITS = 50_000
"""Digits, in bits, that a rational may have: code that goes on until floats no longer change would never end."""


def _of_a_size(value: fmpq) -> fmpq:
    if value.height_bits() > MOST_BITS:
        raise Inexact("a number of more digits than are worked with; floats end there")
    return value


def _add(x: Value, y: Value) -> Value:
    if type(x) is fmpq and type(y) is fmpq:
        return _of_a_size(x + y)
    if type(x) is Germ or type(y) is Germ:
        return _GERMS.add(x, y)
    x, y = _alike(x, y)
    return x + y


def _multiply(x: Value, y: Value) -> Value:
    if type(x) is fmpq and type(y) is fmpq:
        return _of_a_size(x * y)
    if (type(x) is fmpq and x == 0) or (type(y) is fmpq and y == 0):
        return fmpq(0)
    if type(x) is Germ or type(y) is Germ:
        return _GERMS.multiply(x, y)
    x, y = _alike(x, y)
    return x * y


def _divide(x: Value, y: Value) -> Value:
    if type(y) is fmpq and y == 0:
        raise ZeroDivisionError("division by zero")
    if type(x) is Germ or type(y) is Germ:
        return _GERMS.divide(x, y, _leading)
    x, y = _alike(x, y)
    return x / y


_GERMS = GermArithmetic(_add, _multiply, _divide)


def _leading(value: Germ) -> int:
    for order in sorted(value.terms):
        if sign_of(value.terms[order]):
            return order
    if value.known is None:
        raise ZeroDivisionError("division by zero")
    raise Inexact("a divisor of which every known term in eps is zero")


def sign_of(value: Value) -> int:
    """+1, -1 or 0; where it is one and the same for a symbol, which raises what it does otherwise."""
    if type(value) is fmpq:
        return int(value > 0) - int(value < 0)
    if isinstance(value, Closed):
        return value.sign()
    if isinstance(value, Germ):
        return value.sign(sign_of)
    return 1 if value > 0 else -1 if value < 0 else 0


def _power(base: Value, exponent: Value) -> Value:
    if type(exponent) is fmpq and exponent.q == 1:
        return _whole_power(base, int(exponent.p))
    if type(exponent) is Germ:
        constant = exponent.terms.get(0, fmpq(0))
        if exponent.first < 0:
            raise Inexact("a power whose exponent grows without bound as eps -> 0")
        rest = germ({k: c for k, c in exponent.terms.items() if k}, exponent.known)
        whole, log = _power(base, constant), _applied("log", base)
        return _multiply(whole, _exponential(_multiply(rest, log)))
    if _is_symbol(exponent) or (_is_symbol(base) and type(base) is not Germ):
        raise Unproved("powers of, or to, symbols have no proof here")
    sign = sign_of(base)
    if sign == 0:
        if sign_of(exponent) < 0:
            raise ZeroDivisionError("0 to a negative power")
        return fmpq(0)
    if sign < 0:
        raise Inexact("a root of a number below 0, which floats make nan")
    if type(base) is not Germ:
        return closed.power(base, exponent)
    if type(exponent) is Closed:
        return _exponential(_multiply(exponent, _applied("log", base)))
    order = _leading(base)
    shift = order * exponent
    if shift.q != 1:
        raise Inexact("a root of grades has no expansion in whole powers of eps")
    first, u = _split(base, order)
    expanded = _GERMS.composed(u, expanded_power(exponent))
    scaled = _multiply(closed.power(first, exponent), expanded)
    return _multiply(germ({int(shift.p): fmpq(1)}), scaled)


def _split(base: Germ, order: int) -> tuple[Value, Value]:
    """(c, u) of c * eps^order * (1 + u)."""
    first = base.terms[order]
    known = None if base.known is None else base.known - order
    return first, germ({k - order: _divide(c, first) for k, c in base.terms.items() if k > order}, known)


def _whole_power(base: Value, exponent: int) -> Value:
    if exponent < 0:
        return _divide(fmpq(1), _whole_power(base, -exponent))
    if type(base) is fmpq:
        if base.height_bits() * exponent > MOST_BITS:
            raise Inexact("a power of more digits than are worked with")
        return base**exponent
    if not isinstance(base, Germ | Closed):
        return base**exponent if exponent else fmpq(1)
    result: Value = fmpq(1)
    while exponent:
        if exponent & 1:
            result = _multiply(result, base)
        exponent >>= 1
        base = _multiply(base, base) if exponent else base
    return result


def _exponential(value: Value) -> Value:
    if type(value) is not Germ:
        return _applied("exp", value)
    if value.first < 0:
        raise Inexact("an exponential that grows without bound as eps -> 0")
    constant = value.terms.get(0, fmpq(0))
    rest = germ({k: c for k, c in value.terms.items() if k}, value.known)
    expanded = _GERMS.composed(rest, lambda k: fmpq(1, math.factorial(k)))
    return _multiply(_applied("exp", constant), expanded)


def _logarithm(value: Value) -> Value:
    if type(value) is not Germ:
        if sign_of(value) <= 0:
            raise Inexact("a logarithm of a number that is not above 0, which floats make nan or -inf")
        return closed.logarithm(value)
    order = _leading(value)
    if order:
        raise Inexact("a logarithm of grades grows without bound as eps -> 0; log(1 + grade) does not")
    first, u = _split(value, 0)
    return _add(_logarithm(first), _GERMS.composed(u, lambda k: fmpq((-1) ** (k + 1), k) if k else fmpq(0)))


def _applied(name: str, value: Value) -> Value:
    if name == "log":
        if _is_symbol(value) and type(value) is not Germ:
            raise Unproved("logarithms of symbols have no proof here")
        return _logarithm(value)
    if name == "exp" and type(value) is Germ:
        return _exponential(value)
    if type(value) is not fmpq and type(value) is not Closed:
        raise Unproved(f"{name} of symbols has no proof here, and of grades no series in eps")
    return closed.exponential(value) if name == "exp" else closed.function(name, value)


def _floor(value: Value) -> int:
    if type(value) is fmpq:
        return int(value.floor())
    if type(value) is Germ:
        if value.first < 0:
            raise Inexact("the whole part of a number that grows without bound as eps -> 0")
        constant = value.terms.get(0, fmpq(0))
        below = _floor(constant)
        rest = germ({k: c for k, c in value.terms.items() if k}, value.known)
        on = type(constant) is fmpq and constant == below
        return below - 1 if on and type(rest) is Germ and sign_of(rest) < 0 else below
    if type(value) is Closed:
        guess = math.floor(float(value.ball()))
        for whole in (guess - 1, guess, guess + 1):
            if value >= fmpq(whole) and value < fmpq(whole + 1):
                return whole
        raise Inexact("the whole part of a number that is too large")
    raise Unproved("the whole part of a symbol has no proof here")


class Number:
    """An exact number.

    Args:
        value: as `float` takes it: a number, or its text; a float that is no number (nan, inf) stays what it is.

    Raises:
        Inexact: a float, whose decimal text is not known.

    """

    __slots__ = ("raw",)

    raw: Value
    rules: ClassVar[Callable[..., Any]]
    """What numpy's ufuncs make of numbers, which `axiomcheck.numbers.natural_arrays` sets: it needs this module."""

    def __init__(self, value: Any = 0) -> None:
        made = number(_parsed(value) if isinstance(value, str) else value)
        if made is None:
            raise Inexact(f"float() of {type(value).__name__} has no exact value")
        self.raw = made.raw

    # ------------------------------------------------------------------------------------------------ arithmetic

    def __add__(self, other: Any) -> Any:
        return _binary(self, other, _add)

    def __radd__(self, other: Any) -> Any:
        return _binary(other, self, _add)

    def __sub__(self, other: Any) -> Any:
        return _binary(self, other, _subtract)

    def __rsub__(self, other: Any) -> Any:
        return _binary(other, self, _subtract)

    def __mul__(self, other: Any) -> Any:
        return _binary(self, other, _multiply)

    def __rmul__(self, other: Any) -> Any:
        return _binary(other, self, _multiply)

    def __truediv__(self, other: Any) -> Any:
        return _binary(self, other, _divide)

    def __rtruediv__(self, other: Any) -> Any:
        return _binary(other, self, _divide)

    def __pow__(self, other: Any, modulus: None = None) -> Any:
        return _binary(self, other, _power)

    def __rpow__(self, other: Any) -> Any:
        return _binary(other, self, _power)

    def __floordiv__(self, other: Any) -> Any:
        return _binary(self, other, lambda x, y: fmpq(_floor(_divide(x, y))))

    def __rfloordiv__(self, other: Any) -> Any:
        return _binary(other, self, lambda x, y: fmpq(_floor(_divide(x, y))))

    def __mod__(self, other: Any) -> Any:
        return _binary(self, other, _remainder)

    def __rmod__(self, other: Any) -> Any:
        return _binary(other, self, _remainder)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __neg__(self) -> Number:
        return _made(-self.raw)

    def __pos__(self) -> Number:
        return self

    def __abs__(self) -> Number:
        return -self if self < 0 else self

    # ----------------------------------------------------------------------------------------------- comparisons

    def __lt__(self, other: Any) -> Any:
        return _compared(self, other, lambda s: s < 0, lambda x, y: x < y)

    def __le__(self, other: Any) -> Any:
        return _compared(self, other, lambda s: s <= 0, lambda x, y: x <= y)

    def __gt__(self, other: Any) -> Any:
        return _compared(self, other, lambda s: s > 0, lambda x, y: x > y)

    def __ge__(self, other: Any) -> Any:
        return _compared(self, other, lambda s: s >= 0, lambda x, y: x >= y)

    def __eq__(self, other: object) -> Any:
        return _compared(self, other, lambda s: s == 0, lambda x, y: x == y)

    def __ne__(self, other: object) -> Any:
        return _compared(self, other, lambda s: s != 0, lambda x, y: x != y)

    def __bool__(self) -> bool:
        return isinstance(self.raw, float) or sign_of(self.raw) != 0

    def __hash__(self) -> int:
        raw = self.raw
        if type(raw) is fmpq:
            return hash(Fraction(int(raw.p), int(raw.q)))
        if isinstance(raw, Closed | float):
            return hash(raw)
        raise Inexact("a symbol or a number that depends on eps as a key of a dictionary or set")

    # --------------------------------------------------------------------------------------------- whole numbers

    def __int__(self) -> int:
        return self.__trunc__()

    def __trunc__(self) -> int:
        return -_floor(-self.raw) if self < 0 else _floor(self._finite())

    def __floor__(self) -> int:
        return _floor(self._finite())

    def __ceil__(self) -> int:
        return -_floor(-self._finite())

    def __round__(self, digits: int | None = None) -> Any:
        scale = fmpq(10) ** (digits or 0)
        scaled = _multiply(self._finite(), scale)
        below = _floor(scaled)
        twice = sign_of(_add(_multiply(_add(scaled, fmpq(-below)), fmpq(2)), fmpq(-1)))
        whole = below + (twice > 0 or (twice == 0 and below % 2 == 1))
        return int(whole) if digits is None else _made(fmpq(whole) / scale)

    def _finite(self) -> Value:
        if isinstance(self.raw, float):
            raise ValueError(f"cannot convert {self.raw} to a whole number")
        return self.raw

    def is_integer(self) -> bool:
        """As of floats."""
        return not isinstance(self.raw, float) and bool(_made(fmpq(_floor(self.raw))) == self)

    # ------------------------------------------------------------------------------------------- floats and numpy

    def __float__(self) -> float:
        raise Inexact("code that is not the metric's own wants a float here; put what it does into the metric's file")

    def __format__(self, spec: str) -> str:
        if running() or not isinstance(self.raw, fmpq):
            raise Inexact("the digits of a number as text are rounded; compute with the number itself")
        return format(int(self.raw.p) / int(self.raw.q), spec)  # a name or a message, made when the file is loaded

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return Number.rules(ufunc, method, inputs, options)

    def __repr__(self) -> str:
        return format(self) if running() or isinstance(self.raw, fmpq) else repr(self.raw)

    @property
    def real(self) -> Number:
        """As of floats."""
        return self

    @property
    def shape(self) -> tuple[()]:
        """As of numpy's scalars."""
        return ()

    ndim = 0
    size = 1

    def item(self) -> Number:
        """As of numpy's scalars."""
        return self

    def astype(self, dtype: Any) -> Any:
        """As of numpy's scalars."""
        return dtype(self)

    def round(self, decimals: int = 0) -> Any:
        """As of numpy's scalars."""
        return round(self, decimals)

    def _itself(self, *args: Any, **options: Any) -> Number:
        """As of numpy's scalars: a fold over one number."""
        return self

    sum = mean = max = min = prod = copy = conjugate = squeeze = _itself


numbers.Real.register(Number)


def _made(raw: Value) -> Number:
    made = object.__new__(Number)
    made.raw = raw
    return made


def _parsed(text: str) -> Any:
    try:
        return Fraction(text.strip().replace("_", ""))
    except ValueError:
        value = float(text)
        if math.isfinite(value):
            raise Inexact(f"float({text!r})") from None
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


def number(value: Any) -> Number | None:
    """A number of Python's or numpy's, or a symbol of a proof, exactly; None of what is no number.

    Raises:
        Inexact: a finite float.

    """
    kind = type(value)
    if kind is Number:
        return value  # type: ignore[no-any-return]
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


def _subtract(x: Value, y: Value) -> Value:
    return _add(x, -y)


def _remainder(x: Value, y: Value) -> Value:
    return _subtract(x, _multiply(y, fmpq(_floor(_divide(x, y)))))


def _binary(left: Any, right: Any, operation: Callable[[Value, Value], Value]) -> Any:
    """An operation on two numbers, of which one is exact already."""
    x, y = number(left), number(right)
    if x is None or y is None:
        return NotImplemented
    if isinstance(x.raw, float) or isinstance(y.raw, float):
        return _special(x.raw, y.raw, operation)
    return _made(operation(x.raw, y.raw))


_FLOAT_OPERATIONS: dict[Any, Callable[[float, float], float]] = {
    _add: lambda x, y: x + y,
    _subtract: lambda x, y: x - y,
    _multiply: lambda x, y: x * y,
    _divide: lambda x, y: x / y,
}


def _special(x: Value, y: Value, operation: Any) -> Number:
    """What floats make of nan and infinities: of the other number only the sign counts."""
    one, other = (v if isinstance(v, float) else float(sign_of(v)) for v in (x, y))
    if operation not in _FLOAT_OPERATIONS:
        raise Inexact("nan or an infinity in a power or remainder")
    value = _FLOAT_OPERATIONS[operation](one, other)
    return _made(value) if not math.isfinite(value) else _made(fmpq(int(value)))


def _compared(left: Number, right: Any, exact: Callable[[int], bool], special: Callable[[Any, Any], bool]) -> Any:
    other = number(right)
    if other is None:
        return NotImplemented
    x, y = left.raw, other.raw
    if type(x) is fmpq and type(y) is fmpq:
        return special(x, y)  # one comparison, where a sign takes two
    if isinstance(x, float) or isinstance(y, float):
        one, two = (v if isinstance(v, float) else 0.0 for v in (x, y))
        return special(one, two)
    if type(x) is not Germ and type(y) is not Germ and (_is_symbol(x) or _is_symbol(y)):
        return special(*_alike(x, y))  # a symbol may know that it is at least another without knowing which
    return exact(sign_of(_subtract(x, y)))


def in_order(values: list[Number]) -> list[Number]:
    """Numbers in ascending order; where symbols cannot be put in order, what their arithmetic has for them sorted."""
    order, raws = _ORDER.get(), [n.raw for n in values]
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
    except BaseException:  # an arithmetic's own for a sign that is not known; it may know those of the opposites
        try:
            found = [-c for c in order([-c for c in coefficients])][::-1]
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:
            return sorted(values)
    power = next(iter(orders), 0)
    return [_made(germ({power: c}) if power else c) for c in found]


# ---------------------------------------------------------------------------------------------------- for arrays


def quotient(left: Any, right: Any) -> Number:
    """left / right as numpy has it: nan and infinities where the divisor is 0."""
    x, y = _certainly(left), _certainly(right)
    try:
        return x / y  # type: ignore[no-any-return]
    except ZeroDivisionError:
        sign = math.nan if isinstance(x.raw, float) and math.isnan(x.raw) else sign_of(x.raw)
        return _made(sign * math.inf if sign else math.nan)


def _log(value: fmpq) -> float:
    return math.log(int(value.p)) - math.log(int(value.q))


def ratio_of_logs(x: Number, base: Number) -> Number:
    """The logarithm of x to a base: rational where one is a power of the other."""
    one, other = x.raw, base.raw
    if type(one) is fmpq and type(other) is fmpq and one > 0 and other > 0 and other != 1:
        return _made(_ratio_of_logs(one, other))
    found: Number = applied("log", x) / applied("log", base)
    return found


@lru_cache(maxsize=4096)
def _ratio_of_logs(x: fmpq, base: fmpq) -> Value:
    """Kept, since a discount asks for the logarithms of the same ranks again and again."""
    near = Fraction(_log(x)) / Fraction(_log(base))
    guess = near.limit_denominator(12)
    if abs(guess.numerator) < 2_000 and abs(near - guess) < Fraction(1, 10**9):
        whole, root = guess.numerator, guess.denominator
        if x**root == base**whole:
            return fmpq(whole, root)
    return _divide(_logarithm(x), _logarithm(base))


def raised(left: Any, right: Any) -> Number:
    """left ** right as numpy has it."""
    try:
        return _certainly(left) ** _certainly(right)  # type: ignore[no-any-return]
    except ZeroDivisionError:
        return _made(math.inf)


def _certainly(value: Any) -> Number:
    found = number(value)
    if found is None:
        raise Inexact(f"{type(value).__name__} among numbers")
    return found


def applied(name: str, value: Any) -> Number:
    """A function of one number: ``exp``, ``log`` or one of `axiomcheck.numbers.closed.FUNCTIONS`.

    Raises:
        Inexact: it has no value there, or none in closed form.

    """
    x = _certainly(value)
    if isinstance(x.raw, float):
        return x if not (name == "exp" and x.raw == -math.inf) else _made(fmpq(0))
    return _made(_applied(name, x.raw))
