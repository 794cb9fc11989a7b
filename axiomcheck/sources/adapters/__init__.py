"""Measures of installed libraries as metrics: ``ir_measures:nDCG@10``, ``sklearn:ndcg_score``, ...

Each module turns rankings into what its library takes and calls the real library; it is imported only when named.
"""

from __future__ import annotations

from importlib import import_module

from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import Metric

__all__ = ["ADAPTERS", "measure"]

ADAPTERS: dict[str, str] = {
    "ir_measures": "axiomcheck.sources.adapters.ir_measures_adapter",
    "ranx": "axiomcheck.sources.adapters.ranx_adapter",
    "sklearn": "axiomcheck.sources.adapters.sklearn_adapter",
    "pyevall": "axiomcheck.sources.adapters.pyevall_adapter",
    "cwl": "axiomcheck.sources.adapters.cwl_adapter",
}
"""Prefix that users type -> module with a function ``measure(text) -> Metric``. The extra to install has its name."""


def measure(prefix: str, text: str) -> Metric:
    """The measure of a library.

    Args:
        prefix: one of `ADAPTERS`.
        text: the measure as its library spells it.

    Raises:
        InvalidInput: the library is not installed, or has no such measure.

    """
    try:
        module = import_module(ADAPTERS[prefix])
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("axiomcheck"):
            raise
        raise InvalidInput(
            f"{prefix}:{text} needs {error.name}, which is not installed; pip install 'axiomcheck[{prefix}]'"
        ) from None
    found: Metric = module.measure(text)
    return found
