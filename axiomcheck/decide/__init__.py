"""Comparison of rankings by metrics, and the search for instances that violate an axiom."""
