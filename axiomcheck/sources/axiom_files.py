"""Axioms of files and modules: ``my_axioms.py:name``, as ``-a`` takes it."""

from __future__ import annotations

import copy
import copyreg
from typing import Any

from axiomcheck.axioms import AXIOMS, Axiom, find_axiom
from axiomcheck.axioms.names import register
from axiomcheck.axioms.pair_functions import FunctionAxiom, renamed
from axiomcheck.axioms.validation import checked
from axiomcheck.core.errors import InvalidInput
from axiomcheck.sources.names import Home, read_name
from axiomcheck.sources.resolve import load_object

_LOADED: dict[str, tuple[object, Axiom]] = {}
"""Name -> what the file had under it, and the axiom that was made of that."""


def axiom_of(given: object) -> Axiom:
    """Return the axiom that is meant by a name, an axiom or its class, or a function with `pair_axiom`.

    Raises:
        InvalidInput: as `resolve_axiom`; an axiom that contradicts itself; and anything else.

    """
    if isinstance(given, FunctionAxiom):
        return register(given)
    if isinstance(given, type) and issubclass(given, Axiom):
        return register(checked(given, getattr(given, "name", given.__name__), f"axiom {given.__name__}"))
    if isinstance(given, Axiom):
        if type(AXIOMS.get(given.name)) is type(given):
            return given
        return register(checked(given, given.name, f"axiom {given.name}"))
    if isinstance(given, str):
        return resolve_axiom(given)
    hint = "; decorate it with @axiomcheck.pair_axiom" if callable(given) else ""
    raise InvalidInput(f"an axiom: expected a name such as 'Red', got {type(given).__name__}{hint}")


def resolve_axiom(text: str) -> Axiom:
    """Return the axiom of a name; loads the file or module that the name says.

    Args:
        text: one of the ten, an installed plugin's, ``path/to/file.py:name`` or ``package.module:name``.

    Raises:
        InvalidInput: nothing there, it cannot be loaded, or it is no axiom.
        UnknownName: no such axiom; the message has the nearest names.

    """
    if text.endswith(".py"):
        raise InvalidInput(f"axiom {text}: it is a file; expected the name of an axiom in it, as in {text}:name")
    if ":" not in text or read_name(text).home not in (Home.FILE, Home.MODULE):
        return find_axiom(text)
    if text in _LOADED:
        return _LOADED[text][1]
    found = load_object(text)
    if isinstance(found, FunctionAxiom):
        axiom: Axiom = renamed(found, text)
    elif isinstance(found, Axiom) or (isinstance(found, type) and issubclass(found, Axiom)):
        axiom = checked(_called(found, text), text, f"axiom {text}")
    elif callable(found):
        raise InvalidInput(f"axiom {text}: it is a function; decorate it with @axiomcheck.pair_axiom")
    else:
        raise InvalidInput(f"axiom {text}: it is {found!r:.60}; expected a function with @axiomcheck.pair_axiom")
    _LOADED[text] = found, axiom
    copyreg.pickle(type(axiom), _reduced)  # worker processes load it by its name, too
    return register(axiom)


def _called(found: Axiom | type[Axiom], name: str) -> Axiom | type[Axiom]:
    """Return a class, or an object with whatever it holds, under another name."""
    kind = found if isinstance(found, type) else type(found)
    named = type(kind.__name__, (kind,), {"name": name})
    if isinstance(found, type):
        return named
    again = copy.copy(found)
    again.__class__ = named
    return again


def _reduced(axiom: Axiom) -> tuple[Any, ...]:
    return resolve_axiom, (axiom.name,)
