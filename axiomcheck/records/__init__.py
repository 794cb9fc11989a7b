"""Records that are written down and read again: reports as JSON."""
