"""Resolve metric names, load metrics from libraries, files and functions, and determine whose code they run."""
