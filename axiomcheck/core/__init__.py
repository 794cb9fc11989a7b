"""Foundations that rely on nothing else: domain, errors, verdicts, documents, files."""
