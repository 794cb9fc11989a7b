"""Compute a digest of axiomcheck's code, and distinguish its classes from those of other code."""

from __future__ import annotations

import sys
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType


@cache
def engine_digest() -> str:
    """Return a digest of everything that results may depend on: axiomcheck's files, Python's version, the platform."""
    import hashlib  # lazy: no digest is needed to score runs
    import platform

    own = (import_module(name) for name in ("axiomcheck", "axiomcheck.axioms", "axiomcheck.metrics"))
    folders = {Path(folder).resolve() for package in own for folder in package.__path__}
    files = sorted({file for folder in folders for file in folder.rglob("*.py")})
    parts = [f"{file.name} {file_digest(file)}" for file in files]
    parts += [platform.python_implementation(), platform.python_version(), platform.system(), platform.machine()]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def file_digest(file: Path) -> str:
    """Return the SHA-256 digest of a file, or text that says why it cannot be read.

    The digest of a Python file does not depend on its line endings.
    """
    import hashlib

    try:
        content = file.read_bytes()
    except OSError as error:
        return f"unreadable: {error.strerror}"
    if file.suffix == ".py":  # a checkout may have other line endings
        content = content.replace(b"\r\n", b"\n")
    return hashlib.sha256(content).hexdigest()


def is_own_class(cls: type) -> bool:
    """Return True if axiomcheck defines a class, rather than other code that uses the name of an axiomcheck class."""
    module = sys.modules.get(cls.__module__) if cls.__module__.startswith("axiomcheck.") else None
    return module is not None and getattr(module, cls.__qualname__, None) is cls


def is_patched(cls: type) -> bool:
    """Return True if other code has added a method to an axiomcheck class, or replaced one."""
    home = vars(sys.modules[cls.__module__])
    for name, value in vars(cls).items():
        function = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
        if not isinstance(function, FunctionType) or function.__globals__ is home:
            continue
        made = function.__globals__.get("__name__", "").partition(".")[0] in sys.stdlib_module_names
        if not (made and name.startswith("__")):  # methods that dataclasses generate
            return True
    return False


def is_own_value(value: object) -> bool:
    """Return True if a value is an instance of an axiomcheck dataclass and has no attributes besides its fields.

    Equal values of this kind behave alike.
    """
    cls = type(value)
    return is_own_class(cls) and is_dataclass(cls) and vars(value).keys() == {field.name for field in fields(cls)}
