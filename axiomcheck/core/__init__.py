"""Topics and rankings, errors, verdicts, documents and files: modules that import nothing else of axiomcheck."""
