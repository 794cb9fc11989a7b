"""Provide foundations that depend on no other package of axiomcheck: domain, errors, verdicts, documents and files."""
