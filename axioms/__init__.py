"""What must hold: the ten constraints, one module each (the two thresholds share one)."""

from axiomcheck.axioms.aspdiv import AspectDiversity
from axiomcheck.axioms.asprel import AspectRelevance
from axiomcheck.axioms.base import Axiom, Draft, PairAxiom, Shape
from axiomcheck.axioms.conf import Confidence
from axiomcheck.axioms.deep import Deepness
from axiomcheck.axioms.mred import MonotonicRedundancy
from axiomcheck.axioms.pri import Priority
from axiomcheck.axioms.red import Redundancy
from axiomcheck.axioms.sat import Saturation
from axiomcheck.axioms.thresholds import ClosenessThreshold, DeepnessThreshold, ThresholdAxiom
from axiomcheck.errors import UnknownName

__all__ = ["AXIOMS", "Axiom", "Draft", "PairAxiom", "Shape", "ThresholdAxiom", "find_axiom"]

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
    """The constraint of a short name or number, folding case.

    Raises:
        UnknownName: no such constraint; the message has the nearest names.

    """
    for axiom in AXIOMS.values():
        if name.strip().casefold() in (axiom.name.casefold(), str(axiom.number)):
            return axiom
    raise UnknownName("axiom", name, AXIOMS)
