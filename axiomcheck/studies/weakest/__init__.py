"""Assumptions that can be added to an axiom's premises, and axioms with added assumptions."""
