"""Decide whether the scores of two metrics are equal, proportional or different, with a proof or a witness."""
