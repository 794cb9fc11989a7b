"""What must hold: the ten constraints, one module each (the two thresholds share one), and those of plugins."""

from axiomcheck.axioms.aspdiv import AspectDiversity
from axiomcheck.axioms.asprel import AspectRelevance
from axiomcheck.axioms.base import Axiom, Draft, PairAxiom, Shape
from axiomcheck.axioms.conf import Confidence
from axiomcheck.axioms.deep import Deepness
from axiomcheck.axioms.mred import MonotonicRedundancy
from axiomcheck.axioms.plugins import plugin_axiom, plugin_names
from axiomcheck.axioms.pri import Priority
from axiomcheck.axioms.red import Redundancy
from axiomcheck.axioms.sat import Saturation
from axiomcheck.axioms.thresholds import ClosenessThreshold, DeepnessThreshold, ThresholdAxiom
from axiomcheck.errors import UnknownName

__all__ = [
    "AXIOMS",
    "Axiom",
    "Draft",
    "PairAxiom",
    "Shape",
    "ThresholdAxiom",
    "axiom_names",
    "find_axiom",
    "installed_axioms",
]

AXIOMS: dict[str, Axiom] = {
    axiom.name: axiom
    for axiom in (
        Priority(),
        Deepness(),
        DeepnessThreshold(),
        ClosenessThreshold(),
        Confidence(),
        AspectDiversity(),
        Redundancy(),
        MonotonicRedundancy(),
        Saturation(),
        AspectRelevance(),
    )
}
"""The ten constraints by short name, in the paper's order."""


def find_axiom(name: str) -> Axiom:
    """The constraint of a short name or number, or of an installed plugin, folding case.

    Raises:
        UnknownName: no such constraint; the message has the nearest names.
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
    """The constraints of installed plugins by name, loaded and checked.

    Raises:
        InvalidInput: one of them is not usable; the message says which and why.

    """
    return {name: find_axiom(name) for name in sorted(plugin_names())}
