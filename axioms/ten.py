"""The ten axioms of the paper."""

from __future__ import annotations

from axiomcheck.axioms.aspdiv import AspectDiversity
from axiomcheck.axioms.asprel import AspectRelevance
from axiomcheck.axioms.base import Axiom
from axiomcheck.axioms.conf import Confidence
from axiomcheck.axioms.deep import Deepness
from axiomcheck.axioms.mred import MonotonicRedundancy
from axiomcheck.axioms.pri import Priority
from axiomcheck.axioms.red import Redundancy
from axiomcheck.axioms.sat import Saturation
from axiomcheck.axioms.thresholds import ClosenessThreshold, DeepnessThreshold

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
"""The ten axioms by short name, in the paper's order."""
