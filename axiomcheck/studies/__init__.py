"""Studies across cells: regions of parameters, added assumptions, identities, and differences between two reports."""
