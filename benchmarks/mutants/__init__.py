"""Mutants of the catalogue's metrics, and which of axiomcheck's three layers notices each."""
