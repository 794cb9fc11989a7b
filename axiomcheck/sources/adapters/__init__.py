"""Turn measures from installed libraries into metrics: ``ir_measures:nDCG@10``, ``sklearn:ndcg_score``, ...

Each module converts rankings to its library's input and calls the real library. A module is imported only when a metric
name uses its prefix. Other packages can ship adapters as entry points in the group ``axiomcheck.adapters``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.packages import not_installed, shipped, shipper

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from axiomcheck.metrics import Metric

__all__ = ["ADAPTERS", "GROUP", "adapter_names", "load_shipped", "measure", "module_of"]

_OF_TABLE = "axiomcheck.sources.adapters.function_adapter"

ADAPTERS: dict[str, str] = {
    "ir_measures": "axiomcheck.sources.adapters.ir_measures_adapter",
    "ranx": "axiomcheck.sources.adapters.ranx_adapter",
    "sklearn": "axiomcheck.sources.adapters.sklearn_adapter",
    **dict.fromkeys(("cornac", "haystack", "implicit", "llama_index", "rectools"), _OF_TABLE),
}
"""Prefix that users type -> module with a function ``measure(text) -> Metric``. The prefix is also the extra's name.

In the module with the table of functions, ``measure`` takes the prefix as its first argument.
"""

GROUP = "axiomcheck.adapters"
"""Entry-point group of adapters. The name of an entry point is the prefix, and its object is a function `measure`."""


def adapter_names() -> list[str]:
    """Return the prefixes of all adapters, without loading the adapters.

    axiomcheck's own adapters come before those of installed packages.
    """
    return list(dict.fromkeys([*ADAPTERS, *shipped(GROUP)]))


def module_of(prefix: str) -> str:
    """Return the name of the adapter module for a prefix, which must be one of `adapter_names`."""
    return ADAPTERS.get(prefix) or shipped(GROUP)[prefix][0].module


def measure(prefix: str, text: str) -> Metric:
    """Return a metric that computes a library's measure.

    Raises:
        InvalidInput: The library is not installed or has no such measure, or the adapter of an installed package cannot
            be used. The message gives the reason.

    """
    points = [point for name, same in shipped(GROUP).items() if name.casefold() == prefix.casefold() for point in same]
    if points:
        return _shipped_measure(prefix, text, points)
    try:
        module = import_module(ADAPTERS[prefix])
        found: Metric = module.measure(*([prefix] if ADAPTERS[prefix] == _OF_TABLE else []), text)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("axiomcheck"):
            raise
        raise not_installed(f"{prefix}:{text}", error.name or prefix, prefix) from None
    return found


def _shipped_measure(prefix: str, text: str, points: list[EntryPoint]) -> Metric:
    where = f"adapter {prefix!r} ({shipper(*points)})"
    if prefix.casefold() in ADAPTERS:
        raise InvalidInput(f"{where}: axiomcheck already has an adapter with this name; rename the adapter")
    if prefix.endswith(".py"):
        raise InvalidInput(f"{where}: names that end in .py are reserved for files; rename the adapter")
    from axiomcheck.sources.function_metrics import as_metric  # lazy: parsing names does not need it

    make = load_shipped(where, points, "an adapter")
    if not callable(make):
        raise InvalidInput(
            f"{where} is of type {type(make).__name__}; expected a function that takes the name of a measure"
        )
    try:
        return as_metric(make(text), f"{prefix}:{text}")
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error}") from None
    except Exception as error:
        raise InvalidInput(f"{where} raised {type(error).__name__} for {text!r}: {error}") from None


def load_shipped(where: str, points: list[EntryPoint], what: str) -> object:
    """Load the object that an installed package ships under a name.

    Error messages refer to the object as ``where``, and to its kind as ``what``.

    Raises:
        InvalidInput: Several packages ship an object of this name, or it cannot be loaded.

    """
    if len(points) > 1:
        raise InvalidInput(f"{where}: several packages ship {what} with this name; uninstall all but one")
    try:
        return points[0].load()
    except Exception as error:
        raise InvalidInput(f"{where} cannot be loaded: {type(error).__name__}: {error}") from None
