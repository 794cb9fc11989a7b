"""What everything else may rely on, and what relies on nothing: domain, errors, verdicts, files."""
