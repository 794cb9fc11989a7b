"""Axioms on real runs: which edits of them an axiom speaks of, and how often a metric violates it there."""

from axiomcheck.runs.wild.edits import Extent
from axiomcheck.runs.wild.study import WildCell, WildStudy, WildWitness, wild

__all__ = ["Extent", "WildCell", "WildStudy", "WildWitness", "wild"]
