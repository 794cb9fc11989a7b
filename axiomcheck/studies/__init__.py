"""Go beyond single cells: parameter regions, added assumptions, identities, and differences between reports."""
