"""Parse metric names to find the origin and family of a metric and the code that its name would load."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from axiomcheck.core.directory import named_in
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.packages import shipped
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.catalogue import FAMILIES as CATALOGUE_FAMILIES
from axiomcheck.metrics.catalogue import catalogue_family, parse
from axiomcheck.sources.adapters import ADAPTERS, adapter_names, module_of

GROUP = "axiomcheck.metrics"
"""Entry-point group of installed metrics. The name of an entry point is the metric's name."""


class Home(StrEnum):
    """Origin of a metric."""

    CATALOGUE = "catalogue"
    PLUGIN = "plugin"
    LIBRARY = "library"
    FILE = "file"
    MODULE = "module"


@dataclass(frozen=True)
class External:
    """Name of a metric outside the catalogue, which is loaded and run only in isolated worker processes.

    Args:
        canonical: Name for `axiomcheck.sources.resolve.resolve`.

    """

    canonical: str


@dataclass(frozen=True)
class TypedName:
    """Parsed name of a metric. The metric may not exist.

    Args:
        text: The whole name.
        home: Origin of the metric.
        prefix: Part before the colon: the library's adapter, the file or the module. Empty for other origins.
        name: Part after the colon, or the whole text if there is no prefix.

    """

    text: str
    home: Home
    prefix: str
    name: str

    @property
    def path(self) -> Path:
        """Absolute path of the file that the prefix names."""
        return Path(named_in(), self.prefix)

    @property
    def loads_code(self) -> bool:
        """True if the name loads code other than axiomcheck and installed adapters and plugins."""
        return self.home in (Home.FILE, Home.MODULE)


def read_name(text: str) -> TypedName:
    """Parse a metric's name: a name in the catalogue, the name of an installed plugin, or ``prefix:name``.

    A prefix is an adapter's name, a file that ends in ``.py``, or else a module.
    """
    prefix, colon, name = text.partition(":")
    if text in shipped(GROUP):
        return TypedName(text, Home.PLUGIN, "", text)
    if not colon:
        return TypedName(text, Home.CATALOGUE, "", text)
    if prefix in ADAPTERS or prefix in adapter_names():
        return TypedName(text, Home.LIBRARY, prefix, name)
    return TypedName(text, Home.FILE if prefix.endswith(".py") else Home.MODULE, prefix, name)


def is_foreign(text: str) -> bool:
    """Return True if a name is not in the catalogue, so that resolving it runs external code."""
    return read_name(text).home is not Home.CATALOGUE


def library_of(text: str) -> str:
    """Return the adapter module for a library measure, so that workers can import it once for many tasks.

    The result is empty for other metrics, and for adapters of other installed packages. Each task imports those by
    itself, within its limits.
    """
    named = read_name(text)
    return ADAPTERS.get(named.prefix, "") if named.home is Home.LIBRARY else ""


def package_of(text: str) -> str:
    """Return the module that an external metric is loaded from, or the path of its file."""
    named = read_name(text)
    if named.home is Home.PLUGIN:
        return shipped(GROUP)[text][0].module
    return module_of(named.prefix) if named.home is Home.LIBRARY else named.prefix


LIBRARIES = "Libraries"
OWN = "Your own"

FAMILIES: tuple[str, ...] = (*CATALOGUE_FAMILIES, LIBRARIES, OWN)
"""Families in display order: those of the catalogue, then external metrics."""


def family_of(metric_name: str) -> str:
    """Return the family of a metric, one of `FAMILIES`, without loading any code.

    Args:
        metric_name: Name as in a report. An unknown name, such as that of a user's function or of a plugin that is not
            installed, belongs to the user's own metrics.

    """
    metric = catalogue_metric(metric_name)
    if metric is not None:
        return catalogue_family(metric)
    return LIBRARIES if read_name(metric_name).home in (Home.LIBRARY, Home.PLUGIN) else OWN


def catalogue_metric(metric_name: str) -> Metric | None:
    """Return the catalogue metric for a name in a report.

    For other names, the result is None and no code is loaded.
    """
    if read_name(metric_name).home is not Home.CATALOGUE:
        return None
    try:
        return parse(metric_name)
    except InvalidInput:
        return None
