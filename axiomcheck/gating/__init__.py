"""Gate that compares metrics with a recorded contract and fails a build if a verdict changes."""
