"""Look up axioms by name: the ten axioms, and plugin axioms (entry points in the group ``axiomcheck.axioms``)."""

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
    """Return one of the ten axioms by short name or number, or a plugin axiom by name. Case is ignored.

    Raises:
        UnknownName: There is no such axiom; the message lists similar names.
        InvalidInput: The plugin with this name is unusable, or the name is not a string.

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
        raise InvalidInput(f"the axiom is {name!r}, which would load code; to allow this, name it with --axiom {name}")
    if found is None:
        raise UnknownName("axiom", name, axiom_names())
    return found


_NAMED: dict[str, Axiom] = {}
"""Axioms that this process loaded from files, modules and functions, keyed by the name that the user typed."""


def register(axiom: Axiom) -> Axiom:
    """Make `find_axiom` find an axiom by its name in this process, and return the axiom."""
    _NAMED[axiom.name] = axiom
    return axiom


def guessed_axiom(text: str) -> Axiom | None:
    """Return the only axiom whose name or title equals or starts with a text; None if there are none or several.

    An equal name is preferred to one that starts with the text. Case is ignored. Plugins are not loaded, so their
    axioms have no titles to compare.
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
    """Return the names of the ten axioms, then those of plugin axioms. No plugin is loaded."""
    return [*AXIOMS, *(name for name in plugin_names() if name not in AXIOMS)]


def installed_axioms() -> dict[str, Axiom]:
    """Load and check the axioms of all installed plugins, and return them by name.

    Raises:
        InvalidInput: An axiom is unusable; the message says which, and why.

    """
    return {name: find_axiom(name) for name in sorted(plugin_names())}


GROUP = "axiomcheck.axioms"
"""Group of entry points. The name of an entry point is that of an axiom, and its object is the axiom or its class."""


@cache
def _points() -> dict[str, list[EntryPoint]]:
    """Return the entry points of plugin axioms, keyed by case-folded name. If a name has several, it is unusable."""
    found: dict[str, list[EntryPoint]] = {}
    for name, points in shipped(GROUP).items():
        found.setdefault(name.casefold(), []).extend(points)
    return found


def plugin_names() -> list[str]:
    """Return the names of plugin axioms as their entry points spell them. No plugin is loaded."""
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
