"""Questions across cells: parameters, added assumptions, identities, independence, and papers' claims."""
