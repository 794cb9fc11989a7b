"""Runs of TREC's kind scored against judgments, and users simulated on rankings."""
