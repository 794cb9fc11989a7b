"""Handle elementwise functions from math and numpy."""

from __future__ import annotations

import ast
import builtins
import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from axiomcheck.derivation import arithmetic
from axiomcheck.derivation import values as v
from axiomcheck.derivation.forms import ZERO, Form, Underivable, inverse, number
from axiomcheck.derivation.handlers import TAKING_INFINITY, handles, unlisted
from axiomcheck.derivation.logarithms import logarithm
from axiomcheck.derivation.reductions import places_of_entries
from axiomcheck.derivation.values import Array, Value

if TYPE_CHECKING:
    from axiomcheck.derivation.interpreter import Interpreter


def _logarithm(base: Form | None, _run: Interpreter, value: Value, /) -> Value:
    array = value if isinstance(value, Array) else v.as_array(value)
    if array.kind == "b":
        raise Underivable("takes the logarithm of booleans: convert them to float64")
    form = logarithm(array.form)
    if base is not None:
        form = form * inverse(logarithm(base))
    return v.simplified(replace(array, form=form, kind="f", listed=False, root=None))


handles(math.log2, np.log2)(partial(_logarithm, number(2)))
handles(math.log10, np.log10)(partial(_logarithm, number(10)))


@handles(math.log1p, np.log1p)
def _log1p(run: Interpreter, value: Value, /) -> Value:
    return _logarithm(None, run, arithmetic.add(v.as_array(value), v.as_array(1)))


handles(np.log)(partial(_logarithm, None))


@handles(math.log)
def _log(run: Interpreter, value: Value, base: Value = None, /) -> Value:
    return _logarithm(None if base is None else v.as_array(base).form, run, value)


@handles(builtins.pow)
def _power(run: Interpreter, base: Value, exponent: Value, /) -> Value:
    return run.binary(ast.Pow(), base, exponent)


@handles(np.power)
def _power_of_numpy(run: Interpreter, base: Value, exponent: Value, /) -> Value:
    return _power(run, *(v.made_by(unlisted(x), "numpy") for x in (base, exponent)))


@handles(math.pow)
def _power_of_floats(run: Interpreter, base: Value, exponent: Value, /) -> Value:
    return _power(run, *(run.call(float, [x], {}) for x in (base, exponent)))


def _by_operator(op: ast.operator | ast.cmpop, run: Interpreter, one: Value, two: Value, /) -> Value:
    x, y = unlisted(one), unlisted(two)
    return run.compare(op, x, y) if isinstance(op, ast.cmpop) else run.binary(op, x, y)


_OPERATORS: dict[ast.operator | ast.cmpop, tuple[object, ...]] = {
    ast.Add(): (np.add,),
    ast.Sub(): (np.subtract,),
    ast.Mult(): (np.multiply,),
    ast.BitAnd(): (np.logical_and, np.bitwise_and),
    ast.BitOr(): (np.logical_or, np.bitwise_or),
    ast.Gt(): (np.greater,),
    ast.GtE(): (np.greater_equal,),
    ast.Lt(): (np.less,),
    ast.LtE(): (np.less_equal,),
    ast.Eq(): (np.equal,),
    ast.NotEq(): (np.not_equal,),
}
for _op, _functions in _OPERATORS.items():
    handles(*_functions)(partial(_by_operator, _op))


def _as_condition(run: Interpreter, value: Value) -> Array:
    """Return a boolean array that is True where the value is nonzero."""
    array = v.as_array(unlisted(value))
    return array if array.kind == "b" else v.as_array(run.compare(ast.NotEq(), array, 0))


@handles(np.logical_not)
def _not(run: Interpreter, value: Value, /) -> Value:
    return arithmetic.opposite(_as_condition(run, value))


@handles(np.divide)
def _divide(run: Interpreter, dividend: Value, divisor: Value, /, *, out: Value = None, where: Value = None) -> Value:
    quotient = partial(run.binary, ast.Div(), unlisted(dividend), unlisted(divisor))
    if out is None and where is None:
        return quotient()
    # the array passed as out is new, and nothing else refers to it: see Expressions._called
    before, condition = v.as_array(out), v.as_array(where)
    if condition.kind != "b" or before.form.constant is None:
        raise Underivable(
            "calls np.divide with an out= array that is not one constant, or a where= that is not boolean"
        )
    return run.chosen_anew(condition.form, quotient(), before)


@handles(np.where)
def _where(run: Interpreter, /, *arguments: Value) -> Value:
    if len(arguments) == 1:
        return places_of_entries(run, v.as_array(unlisted(arguments[0])))
    test, yes, no = arguments
    condition = _as_condition(run, test)
    x, y = (v.as_array(unlisted(value), infinite=True) for value in (yes, no))
    axes = arithmetic.broadcast(condition, Array(arithmetic.broadcast(x, y), ZERO))
    chosen = v.as_array(run.choose(condition.form, x, y, by_entry=True), infinite=True)
    if not axes:
        raise Underivable("calls np.where on numbers, which returns a 0-d array: use if and else")
    return replace(chosen, axes=axes, listed=False, root=None, origin=None)


TAKING_INFINITY |= {_divide, _where}
