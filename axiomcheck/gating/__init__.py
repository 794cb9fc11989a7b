"""Compare metrics with a recorded contract, so that CI can fail a build that changes a verdict."""
