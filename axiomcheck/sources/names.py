"""Take metric names apart: where a metric is at home, which family it belongs to, what its name would load."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.packages import shipped
from axiomcheck.metrics.base import Metric
from axiomcheck.metrics.catalogue import FAMILIES as CATALOGUE_FAMILIES
from axiomcheck.metrics.catalogue import catalogue_family, parse
from axiomcheck.sources.adapters import ADAPTERS, adapter_names, module_of

GROUP = "axiomcheck.metrics"
"""The entry-point group of installed metrics; an entry point has the metric's name and leads to it."""


class Home(StrEnum):
    """Name where a metric is at home."""

    CATALOGUE = "catalogue"
    PLUGIN = "plugin"
    LIBRARY = "library"
    FILE = "file"
    MODULE = "module"


@dataclass(frozen=True)
class TypedName:
    """A metric's name, taken apart; whether there is such a metric is not asked.

    Args:
        prefix: what stands before the colon: the library's adapter, the file, or the module; empty of the others.
        name: what stands after it; the whole text of the others.

    """

    text: str
    home: Home
    prefix: str
    name: str

    @property
    def loads_code(self) -> bool:
        """Tell whether code is loaded that is neither axiomcheck's nor an installed adapter's or plugin's."""
        return self.home in (Home.FILE, Home.MODULE)


def read_name(text: str) -> TypedName:
    """Takes a metric's name apart: a catalogue's, an installed plugin's, or ``prefix:name``.

    A prefix that is an adapter's means that library, one that ends in ``.py`` a file, any other a module.
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
    """Tell whether a name is not of the catalogue, so that code from elsewhere would run."""
    return read_name(text).home is not Home.CATALOGUE


def library_of(text: str) -> str:
    """The module of axiomcheck's that a library's measure needs, to be imported once; empty for other metrics.

    What installed packages ship is imported within the limits on each piece of work.
    """
    named = read_name(text)
    return ADAPTERS.get(named.prefix, "") if named.home is Home.LIBRARY else ""


def package_of(text: str) -> str:
    """The module that a metric from outside the catalogue is loaded from; a file's path."""
    named = read_name(text)
    if named.home is Home.PLUGIN:
        return shipped(GROUP)[text][0].module
    return module_of(named.prefix) if named.home is Home.LIBRARY else named.prefix


LIBRARIES = "Libraries"
OWN = "Your own"

FAMILIES: tuple[str, ...] = (*CATALOGUE_FAMILIES, LIBRARIES, OWN)
"""In reading order: those of the catalogue, then metrics from outside."""


def family_of(metric_name: str) -> str:
    """The one of `FAMILIES` that a metric is of; nothing is loaded.

    Args:
        metric_name: as a report has it. One that means nothing here (an own function's, a plugin's that is not
            installed) is the user's own.

    """
    metric = catalogue_metric(metric_name)
    if metric is not None:
        return catalogue_family(metric)
    return LIBRARIES if read_name(metric_name).home in (Home.LIBRARY, Home.PLUGIN) else OWN


def catalogue_metric(metric_name: str) -> Metric | None:
    """The catalogue's metric of a name that a report has; None of any other, of which nothing is loaded."""
    if read_name(metric_name).home is not Home.CATALOGUE:
        return None
    try:
        return parse(metric_name)
    except InvalidInput:
        return None
