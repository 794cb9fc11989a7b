"""Decide whether two metrics are equal, proportional, order-equivalent or different, with a proof or a witness."""
