"""Axioms that other packages ship: entry points of the group ``axiomcheck.axioms``."""

from __future__ import annotations

from functools import cache

from axiomcheck.axioms.base import Axiom
from axiomcheck.axioms.validation import checked
from axiomcheck.core.entry_points import EntryPoint, shipped, shipper
from axiomcheck.core.errors import InvalidInput

GROUP = "axiomcheck.axioms"
"""The entry-point group; an entry point has the axiom's name and leads to it or to its class."""


@cache
def _points() -> dict[str, list[EntryPoint]]:
    """Folded name -> every entry point of that name; one is as it should be."""
    found: dict[str, list[EntryPoint]] = {}
    for name, points in shipped(GROUP).items():
        found.setdefault(name.casefold(), []).extend(points)
    return found


def plugin_names() -> list[str]:
    """The names of the installed axioms, as their entry points write them; none is loaded."""
    return [points[0].name for points in _points().values()]


def plugin_axiom(name: str) -> Axiom | None:
    """The installed axiom of a name, folding case, loaded and checked; None if there is none.

    Raises:
        InvalidInput: it cannot be loaded, or is not an axiom that axiomcheck can decide; the message says why.

    """
    return _loaded(name.casefold()) if name.casefold() in _points() else None


@cache
def _loaded(folded: str) -> Axiom:
    point, *others = _points()[folded]
    where = f"axiom plugin {point.name!r} ({shipper(point)})"
    if others:
        raise InvalidInput(f"{where}: {shipper(others[0])} has one of that name too; one of them has to go")
    try:
        found = point.load()
    except Exception as error:
        raise InvalidInput(f"{where} cannot be loaded: {type(error).__name__}: {error}") from None
    return checked(found, point.name, where)
