"""Decides which axioms an evaluation metric satisfies, and hands over the counterexample when it does not.

>>> import axiomcheck
>>> ledger = axiomcheck.run_matrix(
...     [axiomcheck.parse("RBP"), axiomcheck.parse("P@10")],
...     [axiomcheck.find_axiom("Pri")],
...     settings=axiomcheck.Settings(examples=1000),
... )
>>> [(cell.metric, cell.axiom, cell.verdict.value) for cell in ledger.cells]
[('RBP(p=0.8)', 'Pri', 'proved'), ('P@10', 'Pri', 'refuted')]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from axiomcheck.axioms import AXIOMS, find_axiom
    from axiomcheck.check import check_metric
    from axiomcheck.domain import Domain, Instance, Reading, Regime, Topic
    from axiomcheck.engine import CellDecided, Foreign, Interrupted, Limits, Progress, run_matrix
    from axiomcheck.errors import AxiomcheckError, InternalDisagreement, InvalidInput, MetricError, UnknownName
    from axiomcheck.metrics import Metric, SingleAspectMetric, paper_rows, parse
    from axiomcheck.metrics.own import FloatTopic, as_metric, exactly, metric
    from axiomcheck.pytest_plugin.cells import parametrize
    from axiomcheck.search import Settings
    from axiomcheck.strategies import instances
    from axiomcheck.trec import Scores, score
    from axiomcheck.verdict import Cell, Ledger, Verdict
    from axiomcheck.witness import Witness, read_witness

__all__ = [
    "AXIOMS",
    "AxiomcheckError",
    "Cell",
    "CellDecided",
    "Domain",
    "FloatTopic",
    "Foreign",
    "Instance",
    "InternalDisagreement",
    "Interrupted",
    "InvalidInput",
    "Ledger",
    "Limits",
    "Metric",
    "MetricError",
    "Progress",
    "Reading",
    "Regime",
    "Scores",
    "Settings",
    "SingleAspectMetric",
    "Topic",
    "UnknownName",
    "Verdict",
    "Witness",
    "as_metric",
    "check_metric",
    "exactly",
    "find_axiom",
    "instances",
    "metric",
    "paper_rows",
    "parametrize",
    "parse",
    "read_witness",
    "run_matrix",
    "score",
]

# Imported on first use: the command line answers --help and completions without numpy, flint or hypothesis.
_HOMES = {
    "axiomcheck.axioms": ("AXIOMS", "find_axiom"),
    "axiomcheck.check": ("check_metric",),
    "axiomcheck.domain": ("Domain", "Instance", "Reading", "Regime", "Topic"),
    "axiomcheck.engine": ("CellDecided", "Foreign", "Interrupted", "Limits", "Progress", "run_matrix"),
    "axiomcheck.errors": ("AxiomcheckError", "InternalDisagreement", "InvalidInput", "MetricError", "UnknownName"),
    "axiomcheck.metrics": ("Metric", "SingleAspectMetric", "paper_rows", "parse"),
    "axiomcheck.metrics.own": ("FloatTopic", "as_metric", "exactly", "metric"),
    "axiomcheck.pytest_plugin.cells": ("parametrize",),
    "axiomcheck.search": ("Settings",),
    "axiomcheck.strategies": ("instances",),
    "axiomcheck.trec": ("Scores", "score"),
    "axiomcheck.verdict": ("Cell", "Ledger", "Verdict"),
    "axiomcheck.witness": ("Witness", "read_witness"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
