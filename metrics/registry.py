"""The register of the catalogue: a metric is entered beside its class, under the name that users type."""

from __future__ import annotations

from typing import TypeVar

from axiomcheck.metrics.base import Metric

M = TypeVar("M", bound=type[Metric])

CATALOGUE: dict[str, type[Metric]] = {}
"""Metric class by the name that users type before parameters and cutoff, family by family."""


def catalogued(cls: M) -> M:
    """Enters a class under its name.

    Raises:
        ValueError: another class has that name.

    """
    if cls.name in CATALOGUE:
        raise ValueError(f"{cls.__qualname__}: {CATALOGUE[cls.name].__qualname__} is called {cls.name!r} as well")
    CATALOGUE[cls.name] = cls
    return cls
