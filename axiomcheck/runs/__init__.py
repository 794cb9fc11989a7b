"""Scoring of TREC runs against judgments, and studies of runs."""
