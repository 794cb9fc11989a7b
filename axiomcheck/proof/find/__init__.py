"""Provers: they find certificates, which count only after `axiomcheck.proof.check` has checked them."""
