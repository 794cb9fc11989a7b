"""The provers: certificates are found here, and count once `axiomcheck.proof.check` has checked them."""
