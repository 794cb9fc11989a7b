"""Compare rankings using metrics, and search for instances that violate an axiom."""
