"""Families of metrics: the headings of a table of many, whatever the metrics come from."""

from __future__ import annotations

from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics.catalogue import FAMILIES as CATALOGUE_FAMILIES
from axiomcheck.metrics.catalogue import catalogue_family, parse
from axiomcheck.sources.names import Home, read_name

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
    named = read_name(metric_name)
    if named.home is Home.CATALOGUE:
        try:
            return catalogue_family(parse(metric_name))
        except InvalidInput:
            return OWN
    return LIBRARIES if named.home in (Home.LIBRARY, Home.PLUGIN) else OWN
