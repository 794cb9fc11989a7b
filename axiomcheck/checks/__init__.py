"""Check one metric: decide all its axioms, run the contract checks, and name the known definition that it computes."""
