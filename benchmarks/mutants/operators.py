"""The mutation operators on source, by name: importing the modules that have them is what fills the table."""

from __future__ import annotations

from mutants import formulas, parts
from mutants.rewriting import OPERATORS

__all__ = ["OPERATORS", "formulas", "parts"]
