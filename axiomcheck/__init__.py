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
    from axiomcheck.checks.metric import check_metric
    from axiomcheck.core.domain import Domain, Instance, Reading, Regime, Topic
    from axiomcheck.core.errors import AxiomcheckError, InternalDisagreement, InvalidInput, MetricError, UnknownName
    from axiomcheck.core.verdict import Verdict
    from axiomcheck.decide.search import Settings
    from axiomcheck.decide.strategies import instances
    from axiomcheck.decide.witness import Witness, read_witness
    from axiomcheck.engine.matrix import CellDecided, Foreign, Interrupted, Limits, Progress, run_matrix
    from axiomcheck.metrics import Metric, SingleAspectMetric, paper_rows, parse
    from axiomcheck.pytest_plugin.cells import parametrize
    from axiomcheck.records.cells import Cell, Ledger
    from axiomcheck.runs.trec import Scores, score
    from axiomcheck.sources.own import FloatTopic, as_metric, exactly, metric

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
    "axiomcheck.checks.metric": ("check_metric",),
    "axiomcheck.core.domain": ("Domain", "Instance", "Reading", "Regime", "Topic"),
    "axiomcheck.engine.matrix": ("CellDecided", "Foreign", "Interrupted", "Limits", "Progress", "run_matrix"),
    "axiomcheck.core.errors": ("AxiomcheckError", "InternalDisagreement", "InvalidInput", "MetricError", "UnknownName"),
    "axiomcheck.metrics": ("Metric", "SingleAspectMetric", "paper_rows", "parse"),
    "axiomcheck.sources.own": ("FloatTopic", "as_metric", "exactly", "metric"),
    "axiomcheck.pytest_plugin.cells": ("parametrize",),
    "axiomcheck.decide.search": ("Settings",),
    "axiomcheck.decide.strategies": ("instances",),
    "axiomcheck.runs.trec": ("Scores", "score"),
    "axiomcheck.core.verdict": ("Verdict",),
    "axiomcheck.records.cells": ("Cell", "Ledger"),
    "axiomcheck.decide.witness": ("Witness", "read_witness"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
