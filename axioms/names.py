"""From the name of an axiom to the axiom: one of the ten, or an installed plugin's."""

from __future__ import annotations

from axiomcheck.axioms.base import Axiom
from axiomcheck.axioms.plugins import plugin_axiom, plugin_names
from axiomcheck.axioms.ten import AXIOMS
from axiomcheck.core.errors import UnknownName


def find_axiom(name: str) -> Axiom:
    """The axiom of a short name or number, or of an installed plugin, folding case.

    Raises:
        UnknownName: no such axiom; the message has the nearest names.
        InvalidInput: a plugin of that name is there and not usable.

    """
    wanted = name.strip().casefold()
    for axiom in AXIOMS.values():
        if wanted in (axiom.name.casefold(), str(axiom.number)):
            plugin_axiom(axiom.name)  # whoever installed another one of that name must not get this one unawares
            return axiom
    found = plugin_axiom(wanted)
    if found is None:
        raise UnknownName("axiom", name, axiom_names())
    return found


def axiom_names() -> list[str]:
    """The names that `find_axiom` knows: the ten, then those of plugins, which are not loaded."""
    return [*AXIOMS, *(name for name in plugin_names() if name not in AXIOMS)]


def installed_axioms() -> dict[str, Axiom]:
    """The axioms of installed plugins by name, loaded and checked.

    Raises:
        InvalidInput: one of them is not usable; the message says which and why.

    """
    return {name: find_axiom(name) for name in sorted(plugin_names())}
