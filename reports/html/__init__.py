"""Render reports as HTML pages, each a single self-contained file."""
