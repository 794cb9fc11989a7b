"""Find certificates of proofs, which count only after `axiomcheck.proof.check` has accepted them."""
