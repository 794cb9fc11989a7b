"""Find certificates of proofs. A certificate proves nothing until `axiomcheck.proof.check` has accepted it."""
