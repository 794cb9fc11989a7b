"""Questions across cells: parameters, added assumptions, identities, and what changed between two reports."""
