"""Score TREC runs against relevance judgments, and measure the unanimity of metrics on them."""
