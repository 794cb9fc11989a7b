"""Gate that compares metrics with a recorded contract, so that a build fails if a verdict changes."""
