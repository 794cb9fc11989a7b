"""Check that the code of an external fold cannot detect the type of a number.

A proof runs the fold on symbols. Code that selects a function by the type of a number could call one for symbols and
another for numbers, with the same instructions. Therefore, external code may use only known names: plain values,
functions whose instructions can be followed, and functions of a few libraries that treat all numbers in the same way.
"""

from __future__ import annotations

import builtins
import dis
import logging
import sys
from collections.abc import Iterator
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cached_property
from types import CellType, CodeType, FunctionType, MappingProxyType, MethodType, ModuleType

import numpy as np
from flint import arb, fmpq, fmpz

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.own_code import is_own_class
from axiomcheck.metrics import FoldMetric
from axiomcheck.numbers.arithmetic import Arithmetic
from axiomcheck.sources.modules import codes_of, is_installed

_LIBRARIES = frozenset(
    (
        *("abc", "axiomcheck", "collections", "dataclasses", "flint", "fractions", "itertools", "math", "numpy"),
        *("operator", "typing"),
    )
)
"""Packages whose functions and classes may be used, except for names that reveal types."""

_BUILTINS = frozenset(
    (
        *("abs", "all", "any", "bool", "dict", "divmod", "enumerate", "filter", "float", "frozenset", "int", "len"),
        *("list", "map", "max", "min", "object", "pow", "property", "range", "reversed", "round", "set", "slice"),
        *("sorted", "staticmethod", "sum", "super", "tuple", "zip", "NotImplemented"),
        *("format", "hash", "repr", "str"),  # these raise an error for symbols
    )
)

_EXCEPTIONS = {name for name, one in vars(builtins).items() if isinstance(one, type) and issubclass(one, Exception)}

_ATTRIBUTES = frozenset(
    (
        *("absolute", "accumulate", "add", "all", "any", "append", "arange", "argmax", "argmin", "argsort", "array"),
        *("asarray", "astype", "broadcast_to", "cached_property", "ceil", "chain", "clip", "comb", "concatenate"),
        *("copy", "count", "cumprod", "cumsum", "dataclass", "debug", "denominator", "diff", "divide", "dot", "e"),
        *("empty", "empty_like", "equal", "exp", "exp2", "expand_dims", "extend", "fill", "flatten", "float64"),
        *("floor", "fmpq", "Fraction", "full", "full_like", "get", "greater", "greater_equal", "index", "inf"),
        *("insert", "items", "keys", "less", "less_equal", "log", "log10", "log1p", "log2", "logical_and"),
        *("logical_not", "logical_or", "matmul", "max", "maximum", "mean", "min", "minimum", "moveaxis", "mul"),
        *("multiply", "ndarray", "ndim", "neg", "negative", "newaxis", "not_equal", "numerator", "ones", "ones_like"),
        *("pi", "pos", "power", "prod", "ravel", "reciprocal", "repeat", "reshape", "shape", "sign", "size", "sort"),
        *("sqrt", "square", "squeeze", "stack", "sub", "subtract", "sum", "swapaxes", "T", "take", "transpose"),
        *("true_divide", "truediv", "values", "where", "zeros", "zeros_like"),
    )
)
"""Attributes of numbers, arrays, containers and libraries that do not reveal the type of a number."""

_GETTERS = frozenset(("attrgetter", "methodcaller"))
"""Classes whose instances read an attribute whose name is given as a string."""

_PLAIN = frozenset((int, float, bool, str, bytes, type(None), type(...), Fraction, Decimal, fmpq, fmpz, arb))
_GENERATED = "__dataclass_fields__"
_HEAP_TYPE = 1 << 9
"""Py_TPFLAGS_HEAPTYPE: flag of classes created by a class statement or a call to `type`, which built-in types lack."""


def check_own_types(metric: FoldMetric) -> None:
    """Check that an external metric's code, and that of its fold, uses only known names.

    Raises:
        InvalidInput: The code may detect the type of a number. The message names the function and the name that it
            uses.

    """
    with_code = _Reached()
    for owner in (metric, metric.fold()):
        with_code.add(owner, f"metric: {type(metric).__name__}")
    with_code.check()


class _Reached:
    """Collection of the functions and classes that code can reach. Each is checked once."""

    def __init__(self) -> None:
        self._pending: list[FunctionType] = []
        self._seen: set[int] = set()
        self._kept: list[object] = []  # so that no id is used twice
        self._attributes = set(_ATTRIBUTES) | set(dir(Arithmetic)) | set(dir(FoldMetric))

    def add(self, value: object, where: str) -> None:
        """Check a value that code can reach, and collect the functions in it.

        Raises:
            InvalidInput: The value is neither plain data nor code that can be followed.

        """
        if id(value) in self._seen or type(value) in _PLAIN:
            return
        if isinstance(value, np.generic) and _is_of_a_library(type(value)):
            return
        self._seen.add(id(value))
        self._kept.append(value)
        if isinstance(value, FunctionType) and not is_installed(value.__code__.co_filename):
            self._pending.append(value)
        elif isinstance(value, Enum) or (isinstance(value, type) and issubclass(value, Enum)):
            self._add_enum(value if isinstance(value, type) else type(value), where)
        elif isinstance(value, type) and not _is_of_a_library(value):
            self._add_class(value, where)
        elif type(value) in (tuple, list, set, frozenset, dict, MappingProxyType) or type(value) is np.ndarray:
            for part in _parts(value):
                self.add(part, where)
            if isinstance(value, dict | MappingProxyType) and not all(_is_plain(key) for key in value):
                raise InvalidInput(f"{where} uses a dictionary whose keys are not plain values")
        elif isinstance(value, staticmethod | classmethod):
            self.add(value.__func__, where)
        elif isinstance(value, property):
            self.add((value.fget, value.fset, value.fdel), where)
        elif isinstance(value, cached_property):
            self.add(value.func, where)
        elif type(value) is MethodType:
            self.add((value.__func__, value.__self__), where)
        elif not _is_of_a_library(value):
            self._add_instance(value, where)

    def check(self) -> None:
        """Check the collected functions, and those that they reach.

        Raises:
            InvalidInput: A function uses a name that may reveal the type of a number.

        """
        while self._pending:
            function = self._pending.pop()
            where = f"metric: {function.__qualname__} in {function.__code__.co_filename.rpartition('/')[2]}"
            cells = [cell.cell_contents for cell in function.__closure__ or () if cell != CellType()]
            self.add((function.__defaults__, function.__kwdefaults__, vars(function), tuple(cells)), where)
            for code in codes_of(function.__code__):
                self._check_code(code, function, where)

    def _add_class(self, cls: type, where: str) -> None:
        for base in cls.__mro__:
            if is_own_class(base) or base is object:
                continue
            if not base.__flags__ & _HEAP_TYPE:
                raise InvalidInput(f"{where} uses {cls.__qualname__}, a subclass of {base.__qualname__}")
            if _is_of_a_library(base):
                continue
            self._attributes |= vars(base).keys()
            generated = _GENERATED in vars(base)
            for name, value in vars(base).items():
                if name in _OF_CLASSES or (generated and name in _OF_DATACLASSES and _is_generated(value)):
                    continue
                self.add(value, f"{where}: {name}")

    def _add_enum(self, cls: type[Enum], where: str) -> None:
        self._attributes |= {"name", "value", *vars(cls)}
        for member in cls:
            self.add(member.value, where)
        for function in vars(cls).values():
            if isinstance(function, FunctionType) and not is_installed(function.__code__.co_filename):
                self.add(function, where)

    def _add_instance(self, value: object, where: str) -> None:
        cls = type(value)
        if cls is logging.Logger and vars(value).keys() <= vars(logging.getLogger("axiomcheck")).keys():
            return
        if not is_own_class(cls) and (_is_of_a_library(cls) or not hasattr(value, "__dict__")):
            raise InvalidInput(f"{where} uses {value!r:.60}, whose code cannot be followed")
        self._add_class(cls, where)
        if hasattr(value, "__dict__"):
            self._attributes |= vars(value).keys()
            for name, part in vars(value).items():
                self.add(part, f"{where}: {name}")

    def _check_code(self, code: CodeType, function: FunctionType, where: str) -> None:
        before: dis.Instruction | None = None
        holder: ModuleType | None = None
        for instruction in dis.get_instructions(code):
            name, found = instruction.argval, None
            if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                if name in function.__globals__:
                    found = function.__globals__[name]
                    self.add(found, f"{where}: {name}")
                elif name not in _BUILTINS and name not in _EXCEPTIONS:
                    raise InvalidInput(f"{where} uses {name}, which may distinguish symbols from numbers")
            elif instruction.opname in ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "STORE_ATTR"):
                if name not in self._attributes or (name.startswith("__") and name not in _OF_SUPER):
                    raise InvalidInput(f"{where} reads .{name}, which may distinguish symbols from numbers")
                if holder is not None:
                    found = getattr(holder, name, None)
                    self.add(found, f"{where}: {name}")
            elif instruction.opname == "IS_OP" and not (
                before and before.opname == "LOAD_CONST" and before.argval is None
            ):
                raise InvalidInput(f"{where} compares objects with 'is', which may distinguish symbols from numbers")
            elif instruction.opname == "IMPORT_NAME":
                raise InvalidInput(f"{where} imports {name}; expected the import at the top of the file")
            elif instruction.opname == "MATCH_CLASS":
                raise InvalidInput(f"{where} matches a class, which may distinguish symbols from numbers")
            before, holder = instruction, found if isinstance(found, ModuleType) else None


_OF_CLASSES = frozenset(
    (
        *("__abstractmethods__", "__annotations__", "__dataclass_fields__", "__dataclass_params__", "__dict__"),
        *("__doc__", "__firstlineno__", "__match_args__", "__module__", "__orig_bases__", "__parameters__"),
        *("__qualname__", "__static_attributes__", "__weakref__", "_abc_impl"),
    )
)
"""Attributes of a class that Python sets."""

_OF_DATACLASSES = frozenset(
    (
        *("__delattr__", "__eq__", "__ge__", "__gt__", "__hash__", "__init__", "__le__", "__lt__", "__replace__"),
        *("__repr__", "__setattr__"),
    )
)
"""Methods that `dataclasses` generates."""

_OF_SUPER = frozenset(("__init__", "__post_init__"))


def _parts(value: object) -> Iterator[object]:
    if isinstance(value, dict | MappingProxyType):
        yield from value.values()
    elif isinstance(value, np.ndarray):
        yield from value.reshape(-1).tolist() if value.dtype == object else ()
    elif isinstance(value, tuple | list | set | frozenset):
        yield from value


def _is_plain(key: object) -> bool:
    return all(map(_is_plain, key)) if type(key) in (tuple, frozenset) else type(key) in _PLAIN  # type: ignore[call-overload]


def _is_generated(value: object) -> bool:
    """Return True if a method was generated by `dataclasses`."""
    file = value.__code__.co_filename if isinstance(value, FunctionType) else ""
    return file == "<string>" or is_installed(file)


def _is_of_a_library(value: object) -> bool:
    """Return True if a value is a module from a known library, or a permitted function or class from one."""
    if isinstance(value, ModuleType):
        return value.__name__.partition(".")[0] in _LIBRARIES
    name = getattr(value, "__name__", None)
    if isinstance(value, np.ufunc):
        return getattr(np, str(name), None) is value
    home = getattr(value, "__module__", None)
    if not isinstance(name, str) or not isinstance(home, str):
        return False
    if home == "builtins":
        return name in _BUILTINS and getattr(builtins, name) is value
    package = home.lstrip("_").split(".")
    module = sys.modules.get(home) if package[0] in _LIBRARIES else None
    if package[0] == "axiomcheck":
        known = package[1:2] in ([], ["metrics"], ["numbers"])
    else:
        known = name in _ATTRIBUTES or (isinstance(value, type) and name not in _GETTERS)
    return module is not None and known and getattr(module, name, None) is value
