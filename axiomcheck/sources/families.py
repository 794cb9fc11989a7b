"""Families of metrics: the headings of a table of many, whatever the metrics come from."""

from __future__ import annotations

from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics.base import Metric
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
