"""Scoring of TREC runs against judgments, and simulation of users on rankings."""
