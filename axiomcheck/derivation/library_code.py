"""Replace functions of Python's standard library with equivalent Python code."""

from __future__ import annotations

import ast
import functools
import itertools
import operator
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

from axiomcheck.derivation import values as v
from axiomcheck.derivation.environment import Environment
from axiomcheck.derivation.forms import Underivable
from axiomcheck.derivation.functions import Function
from axiomcheck.derivation.handlers import handles, reads
from axiomcheck.derivation.iterators import read
from axiomcheck.derivation.values import Value

if TYPE_CHECKING:
    from axiomcheck.derivation.interpreter import Interpreter

_CODE = """
def reduce(function, iterable, value):
    for element in iterable:
        value = function(value, element)
    return value

def accumulate(function, iterable, value):
    for element in iterable:
        value = function(value, element)
        yield value
"""

_DEFINITIONS = {node.name: node for node in ast.parse(_CODE).body if isinstance(node, ast.FunctionDef)}


def _missing(name: str) -> NoReturn:
    raise Underivable(f"uses {name}, which is undefined")


def _run(run: Interpreter, name: str, arguments: Sequence[Value]) -> Value:
    function = Function(None, None, defined_in=Environment({}, _missing), node=_DEFINITIONS[name])
    return read(run.apply(function, arguments, {}))


_NEUTRAL = {operator.add: 0, operator.mul: 1}
"""Functions, each with its neutral element."""


def _neutral(function: Value) -> Value:
    return next((number for known, number in _NEUTRAL.items() if known is function), None)


@reads(functools.reduce)
def _reduce(run: Interpreter, function: Value, iterable: Value, start: Value = None, /) -> Value:
    elements = iterable if isinstance(iterable, tuple) else (iterable,)
    if any(isinstance(x, v.Array) and x.kind == "b" and start is None for x in elements):
        raise Underivable("calls reduce on booleans, whose sum keeps their narrow type: convert them to float")
    start = _neutral(function) if start is None else start
    if start is None:
        raise Underivable("calls reduce without an initial value for a function other than operator.add and mul")
    return _run(run, "reduce", [function, iterable, start])


@reads(itertools.accumulate, lazy=True)
def _accumulate(
    run: Interpreter, iterable: Value, function: Value = operator.add, /, *, initial: Value = None
) -> Value:
    start = initial
    if initial is None:
        start = _neutral(function)
    if start is None:
        raise Underivable("calls accumulate without an initial value for a function other than + and *")
    if isinstance(iterable, v.Array) and iterable.kind == "b":
        raise Underivable("calls accumulate on booleans, whose sum keeps their narrow type: convert them to float")
    made = v.as_array(_run(run, "accumulate", [function, iterable, start]))
    return made if initial is None else replace(run.shifted(v.as_array(start), made, 0), listed=True)


def _by_operator(op: ast.operator, run: Interpreter, one: Value, two: Value, /) -> Value:
    return run.binary(op, one, two)


for _op, _function in {
    ast.Add(): operator.add,
    ast.Sub(): operator.sub,
    ast.Mult(): operator.mul,
    ast.Div(): operator.truediv,
}.items():
    handles(_function)(functools.partial(_by_operator, _op))
