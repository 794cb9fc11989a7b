"""Study parameter regions, added assumptions, identities of metrics, and differences between reports."""
