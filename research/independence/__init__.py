"""Results about the axioms themselves: which of them contradict each other, and which follow from others."""
