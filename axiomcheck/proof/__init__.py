"""Proofs: symbolic instances, certificates and their independent check."""
