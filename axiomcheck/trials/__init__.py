"""Trials of an external metric before its cells are decided: it must be a single pure function."""
