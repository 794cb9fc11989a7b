"""What is measured: the catalogue of metrics, one module per family."""

from axiomcheck.metrics.base import Abilities, Claims, FoldMetric, LiftedMetric, Metric, SingleAspectMetric, Tail
from axiomcheck.metrics.catalogue import (
    CATALOGUE,
    ROWS,
    USER_MODEL_ROWS,
    metric_names,
    paper_rows,
    parse,
    row_of,
    user_model_rows,
)
from axiomcheck.metrics.fold import Fold

__all__ = [
    "CATALOGUE",
    "ROWS",
    "USER_MODEL_ROWS",
    "Abilities",
    "Claims",
    "Fold",
    "FoldMetric",
    "LiftedMetric",
    "Metric",
    "SingleAspectMetric",
    "Tail",
    "metric_names",
    "paper_rows",
    "parse",
    "row_of",
    "user_model_rows",
]
