"""Load and try an external metric once, in a process that is then forked for each of its cells."""

from __future__ import annotations

import os

import psutil

from axiomcheck.core.errors import AxiomcheckError
from axiomcheck.metrics import Metric
from axiomcheck.metrics.derived_fold import FoldOfFunction
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric
from axiomcheck.sources.resolve import resolve
from axiomcheck.trials.fresh_process import FORKS
from axiomcheck.trials.passport import try_once

_PREPARED: dict[str, Metric] = {}
"""Metrics that were prepared in this process, by name."""

_FOLDS: set[str] = set()
"""Names of the metrics that were prepared in this process and from whose source a fold was derived."""


def prepare(name: str) -> bool:
    """Load and try a metric in a host; see `axiomcheck.processes.host`.

    Returns:
        True if cells may be decided in forks of this process. They may not be if the metric fails its trials, if it has
        started threads, which a fork does not have, or if it has opened files, which a fork shares.

    """
    files, children = _held()
    try:
        metric = resolve(name)
        if not FORKS or metric.partial or _held() != (files, children):
            return False
        if isinstance(metric, FunctionMetric | CallableMetric):
            import axiomcheck.proof.check.derived
            import axiomcheck.proof.find.bounded
            import axiomcheck.proof.find.induction
            import axiomcheck.proof.find.thresholds  # noqa: F401 - so that no fork has to import it
        if isinstance(try_once(metric), FoldOfFunction):
            _FOLDS.add(name)
    except AxiomcheckError:
        return False  # the process of each cell raises the error again and reports it
    _PREPARED[name] = metric
    threads = len(os.listdir("/proc/self/task"))
    return threads == 1 and _held() == (files + 1, children + 1)  # one more each: the fresh process and its channel


def prepared(name: str) -> Metric:
    """Return the metric that this process or its parent has prepared; if there is none, load it."""
    return _PREPARED.get(name) or resolve(name)


def is_known_fold(name: str) -> bool:
    """Return whether this process or its parent has derived a fold from a metric's source."""
    return name in _FOLDS


def _held() -> tuple[int, int]:
    """Return the numbers of this process's open files and child processes, which its forks share."""
    return len(os.listdir("/proc/self/fd")), len(psutil.Process().children())
