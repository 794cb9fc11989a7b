"""From the name of an axiom to the axiom: one of the ten, or an installed plugin's."""

from __future__ import annotations

from axiomcheck.axioms.base import Axiom
from axiomcheck.axioms.plugins import plugin_axiom, plugin_names
from axiomcheck.axioms.ten import AXIOMS
from axiomcheck.core.errors import InvalidInput, UnknownName


def find_axiom(name: str) -> Axiom:
    """The axiom of a short name or number, or of an installed plugin, folding case.

    Raises:
        UnknownName: no such axiom; the message has the nearest names.
        InvalidInput: a plugin of that name is there and not usable.

    """
    if (named := _NAMED.get(name)) is not None:
        return named
    wanted = name.strip().casefold()
    for axiom in AXIOMS.values():
        if wanted in (axiom.name.casefold(), str(axiom.number)):
            plugin_axiom(axiom.name)  # whoever installed another one of that name must not get this one unawares
            return axiom
    found = plugin_axiom(wanted)
    if found is None and ":" in name:
        raise InvalidInput(f"the axiom {name!r} would load code; name it yourself, as in --axiom {name}")
    if found is None:
        raise UnknownName("axiom", name, axiom_names())
    return found


_NAMED: dict[str, Axiom] = {}
"""Axioms of files, modules and functions, by the name under which the user named them in this process."""


def register(axiom: Axiom) -> Axiom:
    """Make an axiom known to `find_axiom` in this process; return it."""
    _NAMED[axiom.name] = axiom
    return axiom


def guessed_axiom(text: str) -> Axiom | None:
    """The axiom that has this title, or the only one whose name or title begins so, folding case; None if none is.

    Of installed plugins, which are not loaded for that, the name alone counts.
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
    """The names that `find_axiom` knows: the ten, then those of plugins, which are not loaded."""
    return [*AXIOMS, *(name for name in plugin_names() if name not in AXIOMS)]


def installed_axioms() -> dict[str, Axiom]:
    """The axioms of installed plugins by name, loaded and checked.

    Raises:
        InvalidInput: one of them is not usable; the message says which and why.

    """
    return {name: find_axiom(name) for name in sorted(plugin_names())}
