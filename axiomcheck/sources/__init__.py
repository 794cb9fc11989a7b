"""Resolve metric names, load metrics from libraries, files and functions, and test what their code can do."""
