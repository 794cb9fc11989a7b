"""Results about the axioms themselves: contradictory sets of axioms, and implications between axioms."""
