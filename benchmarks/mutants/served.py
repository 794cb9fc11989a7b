"""Wrapped rows by name, ``OPERATOR_NUMBER``, for the processes that load a metric by name."""

from __future__ import annotations

from axiomcheck.metrics import ROWS, Metric
from mutants.building import original
from mutants.wrappers import WRAPPERS, UnspoiledElsewhere


def __getattr__(name: str) -> Metric:
    operator, _, number = name.rpartition("_")
    wrapper = UnspoiledElsewhere if operator == UnspoiledElsewhere.operator else WRAPPERS.get(operator)
    if wrapper is None or not number.isdecimal():
        raise AttributeError(name)
    return original(list(ROWS)[int(number)], wrapper)
