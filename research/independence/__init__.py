"""Study the axioms themselves: which sets of axioms are contradictory, and which axioms are independent."""
