"""Find the definition of a user's function, and the exact values of the names that it uses."""

from __future__ import annotations

import ast
import builtins
import linecache
import os
import sys
from abc import ABC, ABCMeta
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial
from math import isfinite
from operator import attrgetter
from pathlib import Path
from types import FunctionType, ModuleType, NoneType
from typing import Generic, TypeGuard

import numpy as np
from flint import fmpq

from axiomcheck.derivation import values as v
from axiomcheck.derivation.constants import Floating, beside
from axiomcheck.derivation.cutoffs import LONGEST
from axiomcheck.derivation.forms import ZERO, Form, Quantity, Underivable, number, of_atom, power
from axiomcheck.numbers.closed import Closed
from axiomcheck.numbers.natural import Number
from axiomcheck.sources.modules import is_installed
from axiomcheck.sources.natural.reading import is_compiled_from_its_text

_TYPED_DIGITS = 15
"""Every decimal of up to 15 digits survives conversion to a float."""

Definition = ast.FunctionDef | ast.Lambda


def definition_of(function: FunctionType) -> Definition:
    """Return the syntax tree of a function's definition.

    Raises:
        Underivable: The source is unavailable or ambiguous, or overflow in numpy may raise an error.

    """
    code = function.__code__
    linecache.checkcache(code.co_filename)  # another file may have had its name
    lines = tuple(linecache.getlines(code.co_filename))
    try:
        definitions = _definitions(lines, code.co_filename) if is_compiled_from_its_text(code) else None
    except (SyntaxError, ValueError):
        definitions = None
    if definitions is None:
        if code.co_filename == "<string>":  # of a dataclass with __post_init__, for example
            raise Underivable(f"uses {code.co_name}, which was generated: write it in the class")
        raise Underivable(f"uses code without a readable source file: {code.co_name}")
    where = os.path.basename(code.co_filename) if _raises_on_overflow(lines, code.co_filename) else ""
    if where or not _USUAL.issuperset(np.geterr().values()):
        raise Underivable(
            f"cannot be followed, because {where or 'the process'} makes numpy or warnings raise an error or call a "
            "function when floats overflow or underflow: remove the call of seterr, simplefilter or filterwarnings"
        )
    found = definitions.get(code.co_firstlineno, [])
    if len(found) != 1:
        found = [node for node in found if getattr(node, "name", "<lambda>") == code.co_name]
    if len(found) != 1:
        raise Underivable(f"uses {code.co_name}, which shares its line with another function: put each on its own line")
    return found[0]


def large_numbers(metric: object) -> tuple[int, ...]:
    """Return a few integer constants above `LONGEST` in the file of a function, class or object.

    The code may treat ranks beyond such a number differently, which short rankings do not reveal.
    """
    while isinstance(metric, partial):
        metric = metric.func
    owner = getattr(metric, "__func__", metric)
    kind = owner if isinstance(owner, type) else type(owner)
    code = getattr(owner, "__code__", None)
    file = code.co_filename if code else getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
    return _large_constants(tuple(linecache.getlines(file)), file)


@lru_cache(maxsize=64)
def _large_constants(lines: tuple[str, ...], file: str) -> tuple[int, ...]:
    """Return the smallest integer constants above `LONGEST` in a file."""
    constants = (x for x in ast.walk(_parsed(lines, file)) if isinstance(x, ast.Constant))
    found = {int(x.value) for x in constants if isinstance(x.value, int | float) and LONGEST < x.value <= _LARGEST}
    return tuple(sorted(found)[:_MOST_LARGE])


_LARGEST, _MOST_LARGE = 10_000, 4


@lru_cache(maxsize=64)
def _parsed(lines: tuple[str, ...], file: str) -> ast.Module:
    tree = ast.parse("".join(lines), file)
    _rename_private(tree, "")
    return tree


def _rename_private(node: ast.AST, owner: str) -> None:
    """Rename names such as ``__k`` within a class to ``_Class__k``, as Python does.

    Args:
        node: Part of a file's syntax tree.
        owner: Name of the class around it, without leading underscores; empty outside classes.

    """
    within = node.name.lstrip("_") if isinstance(node, ast.ClassDef) else owner
    keys = {ast.keyword: (), ast.alias: ("asname",)}.get(type(node), ("id", "attr", "arg", "name"))
    if isinstance(node, ast.alias) and node.name.startswith("__"):
        node.asname = node.asname or node.name  # Python renames the variable, not the module or its attribute
    for key in keys:
        name = getattr(node, key, None)
        if owner and isinstance(name, str) and name.startswith("__") and not name.endswith("__"):
            setattr(node, key, f"_{owner}{name}")
    body = node.body if isinstance(node, ast.ClassDef) else ()
    for child in ast.iter_child_nodes(node):
        _rename_private(child, within if child in body else owner)


_SETTERS = ("seterr", "seterrcall", "simplefilter", "filterwarnings")
"""Functions of numpy and warnings that set how overflow and underflow are handled."""

_USUAL = {"ignore", "warn", "print", "default", "always", "all", "module", "once"}
"""Ways to handle overflow in numpy and warnings that neither change results nor run user code."""


@lru_cache(maxsize=64)
def _raises_on_overflow(lines: tuple[str, ...], file: str) -> bool:
    """Return True if a file may turn numpy warnings into exceptions or function calls, inside or outside functions."""
    for node in ast.walk(_parsed(lines, file)):
        if isinstance(node, ast.alias) and node.asname and node.name in _SETTERS:
            return True  # its calls have another name
        name = getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and name in _SETTERS:
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            if name in ("simplefilter", "filterwarnings"):  # only the action matters
                given = [*node.args[:1], *(k.value for k in node.keywords if k.arg in ("action", None))]
            if not given or not all(isinstance(x, ast.Constant) and x.value in _USUAL for x in given):
                return True
    return False


@lru_cache(maxsize=64)
def _definitions(lines: tuple[str, ...], file: str) -> dict[int, list[Definition]]:
    """Return the definitions in a file by the number of their first line."""
    found: dict[int, list[Definition]] = {}
    for node in ast.walk(_parsed(lines, file)):
        if isinstance(node, Definition):
            decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
            found.setdefault(min([node.lineno, *(each.lineno for each in decorators)]), []).append(node)
    return found


def written(node: ast.AST) -> str:
    """Return the first part of an expression's or a statement's source, for messages."""
    first, *_ = ast.unparse(node).splitlines()
    return f"'{first if len(first) <= _MOST_WRITTEN else first[:_MOST_WRITTEN] + '...'}'"


_MOST_WRITTEN = 40


def place_of(function: FunctionType, line: int) -> str:
    """Describe a line of a function's file for messages, such as ``line 3 of mine.py``."""
    return f"line {line} of {Path(function.__code__.co_filename).name}"


def is_user_function(value: object) -> TypeGuard[FunctionType]:
    """Return True for a Python function that is not from the standard library, axiomcheck or an installed package."""
    return isinstance(value, FunctionType) and not is_installed(value.__code__.co_filename)


def is_user_class(value: object) -> bool:
    """Return True for a plain class in a user's file whose bases are also such classes."""
    if not isinstance(value, type):
        return False
    bases = (value, *own_bases(value))
    files = [getattr(sys.modules.get(base.__module__), "__file__", None) for base in bases]
    kinds = (type, ABCMeta)
    return all(file and not is_installed(file) and type(base) in kinds for base, file in zip(bases, files, strict=True))


def own_bases(kind: type) -> list[type]:
    """Return the classes of the MRO in which members are looked up, except object, ABC and Generic."""
    return [base for base in kind.__mro__ if base not in (object, ABC, Generic)]


UNKNOWN = object()
"""Stands for a value in floats that is unknown."""


def exact_value(value: object, name: str, held: object = UNKNOWN) -> object:
    """Convert a value from a user's module or object to a plain value with fractions for floats.

    Args:
        value: Value in the code that was recompiled to use exact numbers, or in the original code.
        name: Name of the value for messages.
        held: Value in the original code, in floats; `UNKNOWN` if it is unknown.

    Raises:
        Underivable: The value is not a number, a string, or a tuple, list or dictionary of these.

    """
    if type(value) in (bool, int, str) and type(held) in (bool, int, str, float) and value != held:
        raise Underivable(f"uses {name}, which depends on whether numbers are floats or exact")
    plain = held is UNKNOWN or type(held) in _PLAIN
    if not (plain or (isinstance(held, np.generic | np.ndarray) and type(held).__module__ == "numpy")):
        raise Underivable(f"uses {name}, whose type {type(held).__name__} may have its own operators")
    sizes = [len(x) for x in (value, held) if isinstance(x, tuple | list | dict)]
    if held is not UNKNOWN and ((value is None) != (held is None) or len(set(sizes)) > 1 or len(sizes) == 1):
        raise Underivable(f"uses {name}, which has a different value when its file is loaded again")
    if isinstance(held, np.generic):
        if held.dtype not in (bool, np.int64, np.float64):
            raise Underivable(f"uses {name}, whose dtype {held.dtype} is not supported: use float64 or int64")
        return v.made_by(exact_value(value, name, held.item()), "numpy")
    if value is None or type(value) in (bool, int, str, Fraction):
        return value
    if isinstance(value, Number):
        if type(value.raw) is fmpq:
            return beside(Fraction(int(value.raw.p), int(value.raw.q)), None if held is UNKNOWN else held)
        if isinstance(value.raw, Closed):
            return v.scalar(_of_logarithms(value.raw, name))
        raise Underivable(f"uses {name}, which is not a rational number")
    if type(value) is float and isfinite(value) and len(Decimal(repr(value)).as_tuple().digits) <= _TYPED_DIGITS:
        return Floating(repr(value), value)
    if isinstance(value, tuple | list) and type(value) in (tuple, list):
        alike = isinstance(held, tuple | list) and len(held) == len(value)
        parts = held if isinstance(held, tuple | list) and alike else [UNKNOWN] * len(value)
        made = (exact_value(inner, name, part) for inner, part in zip(value, parts, strict=True))
        return v.PythonList(made) if isinstance(value, list) else tuple(made)
    if type(value) is dict:
        known = held if isinstance(held, dict) else {}
        return {key: exact_value(inner, name, known.get(key, UNKNOWN)) for key, inner in value.items()}
    raise Underivable(f"uses {name}, whose type {type(value).__name__} is not supported")


_PLAIN = (bool, int, float, str, Fraction, Decimal, tuple, list, dict, NoneType)
"""Types of values whose operators are Python's own."""


def _of_logarithms(value: Closed, name: str) -> Form:
    """Convert a sum of products of logarithms of primes to a form."""
    total = ZERO
    for product, coefficient in value.terms.items():
        term = number(Fraction(int(coefficient.p), int(coefficient.q)))
        for atom, exponent in product:
            if atom.kind != "log" or not isinstance(exponent, int):
                raise Underivable(f"uses {name}, which is neither rational nor computed with logarithms")
            term = term * power(of_atom(Quantity("ln", (atom.prime,))), exponent)
        total = total + term
    return total


def global_of(function: FunctionType, exact: object, name: str) -> object:
    """Return the value of a name that is not local: modules, callables and objects unchanged, other values exactly.

    Args:
        function: Function that uses the name.
        exact: The same function, recompiled to use exact numbers.
        name: Name in the function's closure or module, or of a builtin.

    Raises:
        Underivable: The name has no value, or an unsupported one.

    """
    spaces = [names_of(one, name) for one in (function, exact)]
    if name not in spaces[0]:
        own = attrgetter("__builtins__")(function)
        if hasattr(builtins, name) and own.get(name) is getattr(builtins, name):
            return getattr(builtins, name)
        raise Underivable(f"uses {name}, which is undefined")
    value = spaces[0][name]
    if isinstance(value, ModuleType) and type(value) is not ModuleType:
        raise Underivable(f"uses {name}, a module object whose class is a subclass of ModuleType")
    if isinstance(value, ModuleType) or callable(value) or value is ... or is_user_class(type(value)):
        return value
    return exact_value(spaces[1].get(name, value), name, value)


def names_of(function: object, name: str) -> dict[str, object]:
    """Return the values of the names that are not local to a function.

    Raises:
        Underivable: The given name has no value yet.

    """
    if not isinstance(function, FunctionType):
        return {}
    space: dict[str, object] = dict(function.__globals__)
    for free, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            space[free] = cell.cell_contents
        except ValueError:
            if free == name:
                raise Underivable(f"uses {name} before it has a value") from None
    return space
