"""Score TREC runs against relevance judgments, compare the runs, and measure the unanimity of metrics on them."""
