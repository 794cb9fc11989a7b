"""Foundations without dependencies on other rooms: domain, errors, verdicts, documents and files."""
