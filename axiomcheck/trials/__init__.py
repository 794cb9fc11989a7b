"""Test that an external metric is a single pure function, before its cells are decided."""
