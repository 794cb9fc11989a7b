"""Score TREC runs against relevance judgments."""
