"""Resolve metrics: what a name means, whose code it is, and libraries, files and functions as metrics."""
