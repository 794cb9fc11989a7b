"""Results about the constraints themselves: which of them contradict each other, and which follow from others."""
