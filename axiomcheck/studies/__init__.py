"""Studies of several cells: regions of parameters, added assumptions, identities, and differences between reports."""
