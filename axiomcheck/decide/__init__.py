"""Compare rankings by metrics, and search for instances that violate an axiom."""
