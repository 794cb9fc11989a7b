"""Assumptions that can be added to an axiom's premises, and axioms with such additions."""

from axiomcheck.studies.weakest.listed import ASSUMPTIONS, implies, offered, weaker_or_equal
from axiomcheck.studies.weakest.parts import Assumption
from axiomcheck.studies.weakest.restricted import Restricted, named_restriction

__all__ = [
    "ASSUMPTIONS",
    "Assumption",
    "Restricted",
    "implies",
    "named_restriction",
    "offered",
    "weaker_or_equal",
]
