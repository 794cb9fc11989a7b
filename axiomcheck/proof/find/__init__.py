"""Find proof certificates. A certificate proves nothing until `axiomcheck.proof.check` has accepted it."""
