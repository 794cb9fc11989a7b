"""Topics and rankings, errors, verdicts, documents and files: modules that import no other package of axiomcheck."""
