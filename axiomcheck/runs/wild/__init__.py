"""Axioms on real runs: the edits that an axiom applies to, and the frequency of violations by a metric."""

from axiomcheck.runs.wild.edits import Extent
from axiomcheck.runs.wild.study import WildCell, WildStudy, WildWitness, wild

__all__ = ["Extent", "WildCell", "WildStudy", "WildWitness", "wild"]
