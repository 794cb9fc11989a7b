"""Search for assumptions that, added to an axiom's premises, make a metric satisfy it."""
