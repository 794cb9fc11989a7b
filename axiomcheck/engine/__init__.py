"""Runs: cells are planned, decided in worker processes, and reported as events."""
