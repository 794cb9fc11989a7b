"""Finds which of two rankings a metric puts ahead, and the search for instances that violate an axiom."""
