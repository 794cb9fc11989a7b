"""Check that a recompiled function has the same source as the original, and the same values for the names it uses.

The two may differ if a file was edited after its import, if a global name was reassigned, or if the expression of a
default now has a different value. The recompiled code then defines a different function.
"""

from __future__ import annotations

import ast
import dis
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
from flint import fmpq

from axiomcheck.core.errors import AxiomcheckError
from axiomcheck.core.typing import Reals
from axiomcheck.numbers.closed import Closed
from axiomcheck.numbers.natural import Number
from axiomcheck.sources.modules import codes_of, names_in

_CLOSE = 1e-9
"""Relative tolerance between a value computed in floats and its exact value."""

_STORES = frozenset({"update", "append", "setdefault", "add", "extend", "insert", "pop", "clear"})


class Unreadable(AxiomcheckError):
    """Raised when source cannot be recompiled, or differs from the original code. The message gives the reason."""


def check_same_source(function: object, again: object) -> None:
    """Check that a recompiled function matches the original.

    Raises:
        Unreadable: The two differ in source, defaults, or the value of a name that is used.

    """
    _Readings().same(function, again, getattr(function, "__name__", type(function).__name__))


class _Readings:
    """Recursive comparison of values with their recompiled versions. A difference raises `Unreadable`."""

    def __init__(self) -> None:
        self.seen: set[tuple[int, int]] = set()

    def same(self, one: object, other: object, name: str) -> None:
        if one is other or (id(one), id(other)) in self.seen:
            return
        self.seen.add((id(one), id(other)))
        if isinstance(one, FunctionType) and isinstance(other, FunctionType):
            self._functions(one, other)
        elif isinstance(one, MethodType) and isinstance(other, MethodType):
            self.same(one.__func__, other.__func__, name)
            self.same(one.__self__, other.__self__, name)
        elif isinstance(one, partial) and isinstance(other, partial):
            self.same(one.func, other.func, name)
            self._rows(one.args, other.args, name)
            self._tables(one.keywords, other.keywords, name)
        elif isinstance(one, type) and isinstance(other, type):
            self._classes(one, other)
        elif hasattr(one, "__wrapped__") and hasattr(other, "__wrapped__"):  # a cache around a function
            self.same(one.__wrapped__, other.__wrapped__, name)
        else:
            self._values(one, other, name)

    def _functions(self, one: FunctionType, other: FunctionType) -> None:
        what = one.__name__
        code = one.__code__
        exact = not any(isinstance(constant, float) for constant in code.co_consts)
        generated = code.co_filename == "<string>" and what.startswith("__") and code == other.__code__ and exact
        if not generated and code not in _codes_of_file(*_file_now(code)):
            raise Unreadable(f"{what} differs from its file; load it again")
        if (code.co_name, code.co_firstlineno) != (other.__code__.co_name, other.__code__.co_firstlineno):
            line = other.__code__.co_firstlineno
            raise Unreadable(f"its file defines a different {what} on line {line}")
        self._rows(one.__defaults__ or (), other.__defaults__ or (), f"a default of {what}")
        self._tables(one.__kwdefaults__ or {}, other.__kwdefaults__ or {}, f"a default of {what}")
        self._tables(_closure(one), _closure(other), what)
        steps = {step.opname for part in codes_of(code) for step in dis.get_instructions(part)}
        attributes = names_in(code)
        stores = "STORE_SUBSCR" in steps or bool(_STORES & attributes)  # the function may fill a cache
        for name in globals_of(code):
            if name not in one.__globals__:
                continue  # a builtin, or a name that is missing in both
            if name not in other.__globals__:
                raise Unreadable(f"it uses {name}, which is undefined when its file is loaded")
            first, second = one.__globals__[name], other.__globals__[name]
            if stores and isinstance(first, dict | list | set) and len(first) > 0 and len(second) == 0:
                continue  # a cache that earlier calls filled
            if isinstance(first, ModuleType):
                self._modules(first, second, attributes)
            else:
                self.same(first, second, name)

    def _modules(self, one: ModuleType, other: object, attributes: set[str]) -> None:
        """Compare the attributes that code may read from a user module and from its recompiled version."""
        if not isinstance(other, ModuleType) or "exact original" not in vars(other):
            return
        for name in attributes & vars(one).keys():
            value = vars(one)[name]
            if name not in vars(other):
                if not isinstance(value, ModuleType):
                    raise Unreadable(f"it uses {one.__name__}.{name}, which the file of {one.__name__} does not define")
            elif isinstance(value, ModuleType):
                self._modules(value, vars(other)[name], attributes)
            else:
                self.same(value, vars(other)[name], f"{one.__name__}.{name}")

    def _classes(self, one: type, other: type) -> None:
        for cls, again in zip(one.__mro__, other.__mro__, strict=False):
            if cls is again:
                continue
            for name, value in vars(cls).items():
                value, second = (_unwrapped(v) for v in (value, vars(again).get(name)))
                if isinstance(value, FunctionType | bool | int | float | str | tuple | list | dict | np.ndarray) and (
                    isinstance(value, FunctionType) or not name.startswith("__")
                ):
                    if second is None:
                        raise Unreadable(f"its file does not define {name} in {cls.__name__}")
                    self.same(value, second, f"{cls.__name__}.{name}")

    def _values(self, one: object, other: object, name: str) -> None:
        if isinstance(one, tuple | list) and isinstance(other, tuple | list):
            self._rows(one, other, name)
        elif isinstance(one, dict) and isinstance(other, dict):
            self._tables(one, other, name)
        elif isinstance(one, bool | int | float | np.number | np.bool_ | np.ndarray):
            self._numbers(one, other, name)
        elif isinstance(one, frozenset | set):
            has_floats = any(isinstance(each, float) for each in one)
            alike = isinstance(other, frozenset | set) and len(one) == len(other)
            _require(alike and (has_floats or one == other), name)
        elif isinstance(one, str | bytes | None):
            _require(type(one) is type(other) and one == other, name)
        elif hasattr(one, "function") and hasattr(other, "function"):  # decorated
            self.same(one.function, other.function, name)
        elif type(one).__name__ == type(other).__name__ and type(one) is not type(other):  # a class of the file
            self.same(type(one), type(other), name)
            self._tables(_state(one), _state(other), name)
        else:
            _require(not isinstance(one, tuple | list | dict), name)  # the recompiled value is not a container

    def _numbers(self, one: object, other: object, name: str) -> None:
        same = False
        with suppress(TypeError, ValueError):
            first, second = np.asarray(one, dtype=float), _as_floats(other)
            same = first.shape == second.shape and np.allclose(first, second, rtol=_CLOSE, atol=0.0, equal_nan=True)
        _require(same, name)

    def _rows(self, one: Sequence[object], other: Sequence[object], name: str) -> None:
        _require(len(one) == len(other), name)
        for first, second in zip(one, other, strict=True):
            self.same(first, second, name)

    def _tables(self, one: Mapping[Any, object], other: Mapping[Any, object], name: str) -> None:
        _require(len(one) == len(other), name)
        if one.keys() == other.keys():
            for key, value in one.items():
                self.same(value, other[key], f"{name}, {key}" if isinstance(key, str) else name)
        else:  # numeric keys are exact numbers in the recompiled version
            for first, second in zip(one.items(), other.items(), strict=True):
                self._rows(first, second, name)


def _closure(function: FunctionType) -> dict[str, object]:
    cells = function.__closure__ or ()
    return dict(zip(function.__code__.co_freevars, (cell.cell_contents for cell in cells), strict=True))


def _require(same: bool, name: str) -> None:
    if not same:
        raise Unreadable(f"it uses {name}, whose value has changed since its file was loaded")


def _as_floats(value: object) -> Reals:
    if isinstance(value, Number):
        return np.asarray(_as_float(value))
    found = np.asarray(value)
    if found.dtype != object:
        return np.asarray(found, dtype=float)
    return np.array([_as_float(each) for each in found.ravel().tolist()]).reshape(found.shape)


def _as_float(value: Any) -> float:
    raw = value.raw if isinstance(value, Number) else value
    if isinstance(raw, fmpq):
        return int(raw.p) / int(raw.q)
    return float(raw.ball().mid()) if isinstance(raw, Closed) else float(raw)


def _state(value: object) -> dict[str, object]:
    return dict(vars(value)) if hasattr(value, "__dict__") else {}


def _unwrapped(value: object) -> object:
    if isinstance(value, staticmethod | classmethod):
        return value.__func__
    return value.fget if isinstance(value, property) else value


def _file_now(code: CodeType) -> tuple[str, int, int]:
    path = Path(code.co_filename)
    try:
        told = path.stat()
    except OSError:
        raise Unreadable(f"the source file {path.name} cannot be read") from None
    return code.co_filename, told.st_mtime_ns, told.st_size


@cache
def _codes_of_file(file: str, changed: int, size: int) -> frozenset[CodeType]:
    """Return all code objects of a file in its current state."""
    tree = ast.parse(Path(file).read_bytes(), file)
    return frozenset(codes_of(compile(tree, file, "exec", dont_inherit=True)))


def globals_of(code: CodeType, *instructions: str) -> list[str]:
    """Return the global names that code looks up, or that the given instructions refer to."""
    wanted = instructions or ("LOAD_GLOBAL", "LOAD_NAME")
    steps = (step for part in codes_of(code) for step in dis.get_instructions(part))
    return list(dict.fromkeys(step.argval for step in steps if step.opname in wanted))
