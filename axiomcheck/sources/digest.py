"""Compute the digest of an external metric: its classes' code, its attributes, and all objects they refer to."""

from __future__ import annotations

import functools
import hashlib
import logging
import sys
import warnings
from collections.abc import Iterable, Iterator
from enum import Enum
from fractions import Fraction
from pathlib import Path
from types import CodeType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import TypeAlias

import numpy as np

from axiomcheck.sources.modules import is_installed, names_in, without_package

_PLAIN = (type(None), bool, int, float, complex, str, bytes, Fraction, type(Ellipsis), range, np.generic, np.dtype)
_NOT_CODE = {
    *("__dict__", "__weakref__", "__doc__", "__module__", "__annotations__", "_abc_impl", "__firstlineno__"),
    "__slotnames__",  # set by the first copy of an object
}
_MADE_AT_RUN_TIME = 1 << 9
"""Py_TPFLAGS_HEAPTYPE: flag of classes created by a class statement or a call to `type`."""
_PARTS = {property: ("fget", "fset"), classmethod: ("__func__",), staticmethod: ("__func__",)} | {
    functools.cached_property: ("func",),
    functools.partial: ("func", "args", "keywords"),
    MethodType: ("__func__", "__self__"),
}


_Seen: TypeAlias = dict[int, tuple[int, object]]
"""Id of a value -> number of its first occurrence, and the value itself, which keeps the id in use."""


def digest(value: object) -> str:
    """Return a digest that differs between values whose code or data can make them behave differently.

    Objects of the standard library, axiomcheck and installed packages are represented only by name and version. Code is
    represented by its bytecode in this version of Python. The digest is the same in every process that loads the same
    code.

    Args:
        value: Any object. An object with neither attributes nor a plain value is represented by its type alone.

    """
    found = hashlib.sha256()
    for piece in _pieces(value, {}):
        found.update(piece.encode("utf-8", "surrogatepass"))
        found.update(b"\0")
    return f"sha256:{found.hexdigest()}"


def _pieces(value: object, seen: _Seen) -> Iterator[str]:
    """Yield, in pieces, the text to digest for a value.

    A repeated value is written as the number of its first occurrence.
    """
    kind = type(value)
    if kind in _PLAIN or isinstance(value, np.generic | np.dtype):
        yield f"{kind.__name__} {value!r}"
        return
    if id(value) in seen:
        yield f"again {seen[id(value)][0]}"
        return
    seen[id(value)] = (len(seen), value)  # kept alive, so that its id is not reused
    # The names of user modules depend on their folder.
    yield f"{without_package(str(kind.__module__))}.{kind.__qualname__}" if _is_known(kind) else kind.__qualname__
    if isinstance(value, logging.Logger):
        return  # a logger caches enabled levels, which affect no score
    if isinstance(value, ModuleType):
        yield from _of_module(value)
    elif type(value) is FunctionType or isinstance(value, type):
        if _is_known(value) if isinstance(value, type) else is_installed(value.__code__.co_filename):
            module = str(value.__module__)
            yield f"{without_package(module)}.{value.__qualname__} {_version(module)}"
        else:
            yield from _of_class(value, seen) if isinstance(value, type) else _of_function(value, seen)
    elif type(value) is CodeType:
        yield f"{sys.version_info[:2]} {value.co_code.hex()} {value.co_names} {value.co_varnames} {value.co_flags}"
        yield from _each(value.co_consts, seen)  # includes frozensets of membership tests, which are unordered
    elif isinstance(value, np.ndarray) and value.dtype != object:
        yield f"{value.dtype} {value.shape} {hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
    elif isinstance(value, Enum):
        yield value.name
    elif isinstance(value, dict | MappingProxyType):
        yield from _each((part for item in value.items() for part in item), seen)
        yield from _of_derived(value, seen)
    elif isinstance(value, set | frozenset):
        yield from sorted("\1".join(_pieces(item, {})) for item in value)
        yield from _of_derived(value, seen)
    elif isinstance(value, list | tuple | np.ndarray):
        yield from _each(value.tolist() if isinstance(value, np.ndarray) else value, seen)
        yield from _of_derived(value, seen)
    elif kind in _PARTS:
        yield from _each((getattr(value, name) for name in _PARTS[kind]), seen)
    else:
        yield from _of_attributes(value, seen)


def _each(values: Iterable[object], seen: _Seen) -> Iterator[str]:
    for value in values:
        yield from _pieces(value, seen)
    yield "end"


def _of_derived(value: object, seen: _Seen) -> Iterator[str]:
    """Yield the text of a container's attributes, which it has only if its class is derived from a built-in class."""
    if hasattr(value, "__dict__"):
        yield from _of_attributes(value, seen)


def _of_attributes(value: object, seen: _Seen) -> Iterator[str]:
    if not _is_known(type(value)):
        yield from _pieces(type(value), seen)
    try:
        own = ((name, part) for name, part in vars(value).items() if name not in _NOT_CODE)
        caches = functools.cached_property
        kept = ((name, part) for name, part in own if not isinstance(getattr(type(value), name, None), caches))
        yield from _each((part for item in kept for part in item), seen)
    except TypeError:  # no __dict__, such as an iterator, which is described by __reduce_ex__ instead
        yield from _of_the_rest(value, seen)
    for cls in type(value).__mro__:
        slots = vars(cls).get("__slots__", ())
        names = (slots,) if isinstance(slots, str) else tuple(slots)
        yield from _each((getattr(value, name, None) for name in names), seen)


def _of_the_rest(value: object, seen: _Seen) -> Iterator[str]:
    try:
        with warnings.catch_warnings(action="ignore", category=DeprecationWarning):  # iterators, since Python 3.12
            made = value.__reduce_ex__(2)
    except Exception:  # an object that cannot be reduced counts by its type
        yield "whole"
        return
    yield from _each(made if isinstance(made, tuple) else (made,), seen)


def _of_class(cls: type, seen: _Seen) -> Iterator[str]:
    yield cls.__qualname__
    yield from _each(cls.__mro__[1:], seen)
    yield from _pieces(type(cls), seen)
    own = ((name, part) for name, part in vars(cls).items() if name not in _NOT_CODE)
    yield from _each((part for item in own for part in item), seen)


def _of_function(function: FunctionType, seen: _Seen) -> Iterator[str]:
    """Yield the code, defaults, closure and named globals of a function."""
    yield from _pieces(function.__code__, seen)
    yield from _each((function.__defaults__, function.__kwdefaults__, function.__dict__), seen)
    for cell in function.__closure__ or ():
        try:
            yield from _pieces(cell.cell_contents, seen)
        except ValueError:  # not bound yet
            yield "empty"
    for name in sorted(names_in(function.__code__)):
        if name in function.__globals__:
            yield name
            yield from _pieces(function.__globals__[name], seen)


def _of_module(module: ModuleType) -> Iterator[str]:
    if _counts_by_name(module.__name__):
        yield f"{without_package(module.__name__)} {_version(module.__name__)}"
        return
    try:
        yield hashlib.sha256(Path(str(module.__file__)).read_bytes()).hexdigest()
    except OSError:
        yield "no file"


def _version(module: str) -> str:
    return str(getattr(sys.modules.get(module.partition(".")[0]), "__version__", ""))


def _is_known(cls: type) -> bool:
    """Return True if a class can be looked up by name in the standard library, axiomcheck or an installed package."""
    if not _counts_by_name(cls.__module__):
        return False
    if not cls.__flags__ & _MADE_AT_RUN_TIME:
        return True
    found: object = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is cls


def _counts_by_name(module: object) -> bool:
    """Return True if name and version identify a module: one of Python, axiomcheck or an installed package."""
    if not isinstance(module, str):
        return False
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names or top == "axiomcheck":
        return top != "__main__"
    file = getattr(sys.modules.get(module), "__file__", None)
    return isinstance(file, str) and is_installed(file)
