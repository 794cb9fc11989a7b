"""Assumptions that can be added to an axiom's premises, and axioms with added assumptions."""

from axiomcheck.studies.weakest.assumptions import ASSUMPTIONS, Assumption, implies, offered, weaker_or_equal
from axiomcheck.studies.weakest.restricted import Restricted

__all__ = [
    "ASSUMPTIONS",
    "Assumption",
    "Restricted",
    "implies",
    "offered",
    "weaker_or_equal",
]
