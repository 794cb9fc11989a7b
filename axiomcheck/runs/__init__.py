"""Score TREC runs against judgments, and study runs."""
