"""Look up the ten axioms and plugin axioms (entry points in the group ``axiomcheck.axioms``) by name."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from axiomcheck.axioms.base import Axiom
from axiomcheck.axioms.ten import AXIOMS
from axiomcheck.axioms.validation import checked
from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.core.packages import shipped, shipper

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def find_axiom(name: str) -> Axiom:
    """Return the axiom with a given short name or number, or the plugin axiom with that name, ignoring case.

    Raises:
        UnknownName: There is no such axiom; the message lists similar names.
        InvalidInput: A plugin of that name is installed but unusable, or the name is not a string.

    """
    if not isinstance(name, str):
        raise InvalidInput(f"expected the name of an axiom, such as 'Red', got {type(name).__name__}")
    if (named := _NAMED.get(name)) is not None:
        return named
    wanted = name.strip().casefold()
    for axiom in AXIOMS.values():
        if wanted in (axiom.name.casefold(), str(axiom.number)):
            plugin_axiom(axiom.name)  # raises if a plugin has the same name
            return axiom
    found = plugin_axiom(wanted)
    if found is None and ":" in name:
        raise InvalidInput(f"the axiom is {name!r}, which would load code; name it with --axiom {name}")
    if found is None:
        raise UnknownName("axiom", name, axiom_names())
    return found


_NAMED: dict[str, Axiom] = {}
"""Axioms of files, modules and functions, keyed by the name that the user gave in this process."""


def register(axiom: Axiom) -> Axiom:
    """Register an axiom for `find_axiom` in this process, and return it."""
    _NAMED[axiom.name] = axiom
    return axiom


def guessed_axiom(text: str) -> Axiom | None:
    """Return the only axiom whose name or title is ``text``, or else starts with it; None unless there is exactly one.

    Case is ignored. Plugins are not loaded, so only the names of their axioms are compared.
    """
    wanted = text.strip().casefold()
    known = {
        name: [name.casefold(), *([AXIOMS[name].title.casefold()] if name in AXIOMS else [])] for name in axiom_names()
    }
    for matches in (str.__eq__, str.startswith):
        found = [name for name, spellings in known.items() if any(matches(spelling, wanted) for spelling in spellings)]
        if wanted and len(found) == 1:
            return find_axiom(found[0])
    return None


def axiom_names() -> list[str]:
    """Return the names that `find_axiom` accepts: the ten axioms, then plugin axioms. No plugin is loaded."""
    return [*AXIOMS, *(name for name in plugin_names() if name not in AXIOMS)]


def installed_axioms() -> dict[str, Axiom]:
    """Load and check the axioms of installed plugins, and return them by name.

    Raises:
        InvalidInput: One of the axioms is unusable; the message says which one, and why.

    """
    return {name: find_axiom(name) for name in sorted(plugin_names())}


GROUP = "axiomcheck.axioms"
"""Entry-point group. An entry point has the axiom's name and refers to the axiom or its class."""


@cache
def _points() -> dict[str, list[EntryPoint]]:
    """Map each case-folded axiom name to its entry points. A name with several entry points cannot be used."""
    found: dict[str, list[EntryPoint]] = {}
    for name, points in shipped(GROUP).items():
        found.setdefault(name.casefold(), []).extend(points)
    return found


def plugin_names() -> list[str]:
    """Return the names of the plugin axioms as spelled in their entry points, without loading any plugin."""
    return [points[0].name for points in _points().values()]


def plugin_axiom(name: str) -> Axiom | None:
    """Load and check the plugin axiom with a given name, ignoring case; return None if there is none.

    Raises:
        InvalidInput: The plugin cannot be loaded, or its axiom is unusable; the message says why.

    """
    return _loaded(name.casefold()) if name.casefold() in _points() else None


@cache
def _loaded(folded: str) -> Axiom:
    point, *others = _points()[folded]
    where = f"axiom plugin {point.name!r} ({shipper(point)})"
    if others:
        raise InvalidInput(f"{where}: {shipper(others[0])} has an axiom of the same name; uninstall one of them")
    try:
        found = point.load()
    except Exception as error:
        raise InvalidInput(f"{where} cannot be loaded: {type(error).__name__}: {error}") from None
    return checked(found, point.name, where)
