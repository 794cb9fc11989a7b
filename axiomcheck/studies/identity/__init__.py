"""Decide whether two metrics are equal, proportional, of one order, or different, with a proof or a witness."""
