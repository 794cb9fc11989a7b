"""The ten axioms (a module for each, except that the two thresholds share one), plugin axioms, and base classes."""

from axiomcheck.axioms.base import Axiom, PairAxiom
from axiomcheck.axioms.drafts import Draft, Shape
from axiomcheck.axioms.kinds import ScoreAxiom, about_blocks, about_pairs, about_scores
from axiomcheck.axioms.names import axiom_names, find_axiom, guessed_axiom, installed_axioms
from axiomcheck.axioms.ten import AXIOMS
from axiomcheck.axioms.thresholds import ThresholdAxiom

__all__ = [
    "AXIOMS",
    "Axiom",
    "Draft",
    "PairAxiom",
    "ScoreAxiom",
    "Shape",
    "ThresholdAxiom",
    "about_blocks",
    "about_pairs",
    "about_scores",
    "axiom_names",
    "find_axiom",
    "guessed_axiom",
    "installed_axioms",
]
