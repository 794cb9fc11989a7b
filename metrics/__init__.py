"""What is measured: the catalogue of metrics, one module per family."""

from axiomcheck.metrics.base import Abilities, Claims, FoldMetric, Metric, SingleAspectMetric, Tail
from axiomcheck.metrics.catalogue import CATALOGUE, ROWS, metric_names, paper_rows, parse, row_of
from axiomcheck.metrics.fold import Fold

__all__ = [
    "CATALOGUE",
    "ROWS",
    "Abilities",
    "Claims",
    "Fold",
    "FoldMetric",
    "Metric",
    "SingleAspectMetric",
    "Tail",
    "metric_names",
    "paper_rows",
    "parse",
    "row_of",
]
