"""Test before cells are decided that an external metric is a single pure function."""
