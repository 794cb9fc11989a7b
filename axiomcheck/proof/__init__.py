"""Prove axioms: find certificates, and check them independently."""
