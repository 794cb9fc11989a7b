"""Runs compared with each other by several metrics, and the metrics by how they compare them."""

from __future__ import annotations

from axiomcheck.runs.comparison.study import LEVEL, MetricComparison, RunComparison, compare_runs
from axiomcheck.runs.comparison.testing import Significance

__all__ = ["LEVEL", "MetricComparison", "RunComparison", "Significance", "compare_runs"]
