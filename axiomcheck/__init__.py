"""axiomcheck."""
