"""The catalogue of metrics, with one module per family, and the base classes for external metrics.

Each metric in the catalogue is an attribute of this package. Its name is spelled as a Python identifier:

>>> from axiomcheck.metrics import RBU, alpha_nDCG, nDCG
>>> nDCG @ 20, RBU(p=0.9) @ 10, alpha_nDCG
(nDCG@20, RBU(p=0.9, e=0.05)@10, alpha-nDCG(alpha=0.5)@20)
"""

from axiomcheck.metrics.base import (
    CATALOGUE,
    Abilities,
    Claims,
    FoldMetric,
    LiftedMetric,
    Metric,
    SingleAspectMetric,
    Tail,
)
from axiomcheck.metrics.catalogue import (
    NAMES,
    ROW_SETS,
    ROWS,
    USER_MODEL_ROWS,
    in_reading_order,
    metric_names,
    paper_rows,
    parse,
    row_of,
    rows_named,
    user_model_rows,
)
from axiomcheck.metrics.fold import Fold
from axiomcheck.metrics.parameters import Choice, Flag, Real
from axiomcheck.numbers.arithmetic import below, positive, select
from axiomcheck.numbers.discount import Constant, Geometric, InverseLog, Reciprocal

__all__ = [
    "CATALOGUE",
    "ROWS",
    "ROW_SETS",
    "USER_MODEL_ROWS",
    "Abilities",
    "Choice",
    "Claims",
    "Constant",
    "Flag",
    "Fold",
    "FoldMetric",
    "Geometric",
    "InverseLog",
    "LiftedMetric",
    "Metric",
    "Real",
    "Reciprocal",
    "SingleAspectMetric",
    "Tail",
    "below",
    "in_reading_order",
    "metric_names",
    "paper_rows",
    "parse",
    "positive",
    "row_of",
    "rows_named",
    "select",
    "user_model_rows",
]


def __getattr__(name: str) -> Metric:
    if name not in NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return parse(NAMES[name])  # a new object for each access, since callers may set attributes on it


def __dir__() -> list[str]:
    return [*__all__, *NAMES]
