"""Gate for CI: compare metrics with a recorded contract, and fail the build if a verdict changes."""
