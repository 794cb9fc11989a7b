"""Call functions and methods that are not the user's, and read attributes of values."""

from __future__ import annotations

import ast
import functools
import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from types import FunctionType
from typing import TYPE_CHECKING

import numpy as np

from axiomcheck.derivation import array_calls, elementwise, library_code, orders, python_calls, reductions
from axiomcheck.derivation import values as v
from axiomcheck.derivation.aliases import READING
from axiomcheck.derivation.effects import runs_code
from axiomcheck.derivation.forms import Quantity, Underivable, of_atom
from axiomcheck.derivation.functions import resolved
from axiomcheck.derivation.handlers import FUNCTIONS, METHODS, READERS, apply
from axiomcheck.derivation.indexing import item_of, looked_up
from axiomcheck.derivation.iterators import read
from axiomcheck.derivation.lists_so_far import by_aspect
from axiomcheck.derivation.machine import JUDGED
from axiomcheck.derivation.plain_values import call_on_plain_values, is_plain, on_text
from axiomcheck.derivation.source import exact_value
from axiomcheck.derivation.values import Array, Document, Documents, First, Loop, Value

if TYPE_CHECKING:
    from axiomcheck.derivation.interpreter import Interpreter

HANDLER_MODULES = (array_calls, elementwise, library_code, orders, python_calls, reductions)
"""Modules that register handlers when they are imported."""

_OF_SETS: dict[str, tuple[ast.operator, bool]] = {
    "intersection": (ast.BitAnd(), False),
    "difference": (ast.Sub(), False),
    "isdisjoint": (ast.BitAnd(), True),
    "issubset": (ast.Sub(), True),
}
"""Methods of sets: the operator, and True if the method only tests whether the result is empty."""

_OF_TEXT = ("format", "join", "lower", "upper", "strip", "split", "replace", "startswith", "endswith")
"""String methods that are supported, for strings and integers."""

_PLAIN_FUNCTIONS = (abs, round, divmod, str, math.floor, math.ceil)
"""Functions that are supported for plain values only."""

_INSTEAD = dict.fromkeys(("round", "around", "rint", "floor", "ceil", "trunc"), ": omit it") | {
    "exp": ": use a power of a decimal number, as in 0.5 ** rank"
}
"""Advice on functions that are not supported, by name."""


def call(run: Interpreter, callee: Value, arguments: Sequence[Value], keywords: dict[str, Value]) -> Value:
    """Call a builtin or library function, usually through its registered handler.

    Raises:
        Underivable: The function or its arguments are not supported.

    """
    if type(callee) is functools.partial:  # a subclass may have another __call__
        bound = [_of_partial(value, "an argument of partial") for value in callee.args]
        named = {name: _of_partial(value, name) for name, value in callee.keywords.items()}
        return run.call(resolved(callee.func, None, "partial"), [*bound, *arguments], {**named, **keywords})
    values = (*arguments, *keywords.values())
    if id(callee) in FUNCTIONS:
        _, handler = FUNCTIONS[id(callee)]
        lazy = READERS.get(id(callee))
        if id(callee) in READERS:
            lazy = None if lazy is None else lazy or any(isinstance(x, v.Once) and x.lazy for x in arguments)
            arguments = [read(value) for value in arguments]
        for value in values:
            if isinstance(value, v.Failed):
                raise value.error
        if any(isinstance(value, First) for value in arguments):
            if any(map(runs_code, keywords.values())):
                raise Underivable("passes a function by keyword, together with the result of a loop that ends early")
            return run.lifted(lambda *cases: _marked(callee, cases, apply(handler, run, cases, keywords)), *arguments)
        found = _marked(callee, arguments, apply(handler, run, arguments, keywords))
        return found if lazy is None else v.Once(found, lazy)
    for function in _PLAIN_FUNCTIONS:
        if callee is function and all(map(is_plain, values)):
            return call_on_plain_values(function, arguments, keywords)
    name = getattr(callee, "__name__", type(callee).__name__)
    raise Underivable(f"calls {name}, which is not supported{_INSTEAD.get(name, '')}")


def _of_partial(value: object, name: str) -> Value:
    """Return the exact counterpart of a function or a constant that a global functools.partial holds."""
    return resolved(value, None, name) if isinstance(value, FunctionType) else exact_value(value, name)


def _marked(callee: object, arguments: Sequence[Value], result: Value) -> Value:
    """Return a library function's result, marked as a numpy number, a Python number or possibly either."""
    if callee is np.count_nonzero:  # its result depends on the version of numpy
        return v.made_by(result, "either")
    if isinstance(callee, np.ufunc) or str(getattr(callee, "__module__", "")).partition(".")[0] == "numpy":
        return v.made_by(result, "numpy")
    if any(callee is other for other in _OF_ARGUMENTS):
        parts = [part for x in arguments for part in (x if isinstance(x, tuple) else (x,))]
        return v.made_by(result, "Python" if v.maker_of(*parts) == "Python" else "either")
    return v.made_by(result, "Python") if getattr(callee, "__module__", "") in ("math", "builtins") else result


_OF_ARGUMENTS = (sum, min, max, abs, pow, next)
"""Builtins whose results have the type of their arguments, and may be numpy numbers."""


def method(
    run: Interpreter, owner: Value, name: str, arguments: Sequence[Value] | None, keywords: dict[str, Value]
) -> Value:
    """Call a method of a value, or return an attribute if ``arguments`` is None.

    Raises:
        Underivable: The method or attribute is not supported.

    """
    if isinstance(owner, v.Failed):
        raise owner.error
    if arguments is None:
        return _attribute(run, owner, name)
    if isinstance(owner, str) and name in _OF_TEXT:
        return on_text(owner, name, arguments, keywords)
    if owner is dict and name == "fromkeys" and not keywords:
        return _from_keys(run, *arguments)
    if isinstance(owner, dict):
        parts = {"keys": tuple(owner), "values": tuple(owner.values()), "items": tuple(owner.items())}
        if name in parts and not arguments:
            return parts[name]
        if name == "get" and isinstance(arguments[0], str | int):
            return owner.get(*arguments)
    if arguments and isinstance(owner, v.Builder) and run.is_aspect(arguments[0]):
        owner = by_aspect(run, owner) or owner
    if isinstance(owner, v.Mapping):
        return _method_of_mapping(run, owner, name, arguments)
    is_set = isinstance(owner, v.AspectSet | v.Tuples) or (isinstance(owner, Documents) and not owner.listed)
    if is_set and name in _OF_SETS and len(arguments) == 1:
        op, empty = _OF_SETS[name]
        other = run.call(set, arguments, {}) if isinstance(owner, v.Tuples) else arguments[0]
        made = run.binary(op, owner, replace(other, listed=False) if isinstance(other, Documents) else other)
        return run.negated(made) if empty else made
    if isinstance(owner, First) and (name in READING or name in METHODS):  # other methods may change the value
        return run.lifted(lambda value: method(run, value, name, arguments, keywords), owner)
    if isinstance(owner, Array) and owner.keyed:
        if name == "get":
            if owner.keyed == "made" or (owner.keyed == "some" and arguments[1:] not in ([0], [Fraction(0)])):
                raise Underivable("looks up an aspect that may be missing from the dictionary")
            return item_of(run, owner, arguments[0])
        entry = replace(owner, axes=(), listed=False, keyed="", root=owner.root or owner.memory)
        owner = v.Mapping(v.ASPECT_AXIS, entry) if owner.keyed == "all" else owner
    if isinstance(owner, Array) and owner.listed and (name, arguments) == ("index", [1]) and owner.form.is_indicator():
        return item_of(run, Array(owner.axes, v.PLACE, "i", keep=v.as_array(owner).form), 0)
    if (
        isinstance(owner, Array)
        and name in METHODS
        and (owner.maker == "numpy" if not owner.axes else not owner.listed)
    ):
        found = apply(METHODS[name], run, (owner, *arguments), keywords)
        return found if name in ("item", "tolist") else v.made_by(found, "numpy")
    raise Underivable(f"calls {name} on {v.described(owner)}, which is not supported")


def _from_keys(run: Interpreter, keys: Value, value: Value = None) -> Value:
    """Evaluate ``dict.fromkeys`` for a number, string or None; all keys would share any other value."""
    if not is_plain(value) or isinstance(value, tuple):
        raise Underivable("calls dict.fromkeys with a value that is neither a constant number nor a string")
    if isinstance(keys, tuple) and all(isinstance(key, str | int) for key in keys):
        return dict.fromkeys(keys, value)
    loop = run.loop_of(keys)
    return run.dictionary((loop.element, value), loop, loop.keep)


def _method_of_mapping(run: Interpreter, owner: v.Mapping, name: str, arguments: Sequence[Value]) -> Value:
    axis = owner.keys
    if name in ("values", "keys", "items"):
        v.refuse_filling(owner)
    if name == "values" and not arguments:
        return run.listed(Loop(axis, owner.value, owner.keep))
    if name == "keys" and not arguments:
        keys = run.listed(Loop(axis, owner.key, owner.keep))
        return replace(keys, listed=False) if isinstance(keys, Documents) else keys
    if name == "items" and not arguments:
        return Loop(axis, (owner.key, owner.value), owner.keep)
    if name == "get" and arguments and (isinstance(arguments[0], Document) or run.is_aspect(arguments[0])):
        document, default = arguments[0], arguments[1] if len(arguments) > 1 else None
        value = looked_up(run, owner, document)
        if owner.keep is None:
            return value
        if owner.zero and isinstance(value, Array) and v.is_number(default) and default == 0:
            return run.choose(owner.keep, value, replace(v.as_array(default), form=value.form))
        over = document.over if isinstance(document, Document) else owner.axis.over
        return run.choose(v.renamed(owner.keep, owner.axis.over, over), value, default)
    raise Underivable(f"calls {name} on a dictionary, which is not supported")


_DTYPES = {"b": np.dtype(bool), "i": np.dtype(int), "f": np.dtype(float)}


def _attribute(run: Interpreter, owner: Value, name: str) -> Value:
    if isinstance(owner, First) and name in ("T", "dtype"):
        one, other = (_attribute(run, case, name) for case in (owner.value, owner.default))
        if name == "dtype" and one != other:
            raise Underivable("reads the dtype of an array that may have several dtypes")
        return one if name == "dtype" else replace(owner, value=one, default=other)
    if isinstance(owner, v.Mapping | dict) and name == "get":
        return v.Method(owner, name)
    if isinstance(owner, v.UnknownTopic):
        if name == "pool":
            several = Array((v.ASPECT_AXIS,), v.grade(JUDGED, None), "f", listed=True, maker="Python")
            grades = (v.scalar(v.grade(JUDGED, 0), maker="Python"),) if owner.single else several
            return v.Mapping(v.rank_axis(JUDGED), grades)
        if name == "weights":
            several = Array(
                (v.ASPECT_AXIS,), of_atom(Quantity("weight", (), each=True)), "f", listed=True, maker="Python"
            )
            return (Fraction(1),) if owner.single else several
    filtered = isinstance(owner, Array) and owner.keep is not None and len(owner.axes) == 1 and not owner.listed
    if name in ("size", "shape") and (filtered or (isinstance(owner, Documents) and owner.listed)):
        length = run.call(len, [owner], {})
        return length if name == "size" else (length,)
    if isinstance(owner, Array) and (owner.maker == "numpy" if not owner.axes else not owner.listed):
        if owner.keep is not None:
            raise Underivable(f"reads the {name} of a filtered array, which is not supported")
        lengths = tuple(v.simplified(v.scalar(axis.length, "i", "Python")) for axis in owner.axes)
        if name == "shape":
            return lengths
        if name == "ndim":
            return len(lengths)
        if name == "size" and len(lengths) == 1:
            return lengths[0]
        if name == "dtype" and lengths and not run.mixtures and owner.kind in _DTYPES:
            return _DTYPES[owner.kind]
        if name == "T":
            return replace(owner, axes=owner.axes[::-1], root=owner.root or owner.memory)
    raise Underivable(f"reads the attribute {name} of {v.described(owner)}, which is not supported")
