"""TREC runs scored against judgments, and users simulated on rankings."""
