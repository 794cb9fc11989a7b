"""Decide which axioms an evaluation metric satisfies, with a counterexample to each axiom that it violates.

>>> import axiomcheck
>>> result = axiomcheck.matrix(["RBP", "P@10"], "Pri", examples=1000)
>>> [(cell.metric, cell.axiom, cell.verdict.value) for cell in result.cells]
[('RBP(p=0.8)', 'Pri', 'proved'), ('P@10', 'Pri', 'refuted')]
"""

from __future__ import annotations

TYPE_CHECKING = False  # to load typing or importlib takes milliseconds, in which Ctrl-C would show a traceback
if TYPE_CHECKING:
    from typing import Any

    from axiomcheck import strategies as strategies
    from axiomcheck.api.check import check
    from axiomcheck.api.gate import gate
    from axiomcheck.api.matrix import matrix
    from axiomcheck.api.prove import prove
    from axiomcheck.api.region import region
    from axiomcheck.api.score import score
    from axiomcheck.axioms import AXIOMS, find_axiom
    from axiomcheck.axioms.pair_functions import AxiomTopic, pair_axiom
    from axiomcheck.core.domain import Domain, Instance, Reading, Regime, Topic
    from axiomcheck.core.errors import AxiomcheckError, InternalDisagreement, InvalidInput, MetricError, UnknownName
    from axiomcheck.core.verdict import Verdict
    from axiomcheck.decide.witness import Witness, read_witness
    from axiomcheck.engine.events import CellDecided, Progress
    from axiomcheck.metrics import Metric, SingleAspectMetric, paper_rows, parse
    from axiomcheck.pytest_plugin.cells import parametrize
    from axiomcheck.records.cells import Cell, Ledger
    from axiomcheck.runs.trec import Scores
    from axiomcheck.sources.abilities import exactly
    from axiomcheck.sources.external_metrics import FloatTopic
    from axiomcheck.sources.function_metrics import as_metric, metric

    __version__: str

__all__ = [
    "AXIOMS",
    "AxiomTopic",
    "AxiomcheckError",
    "Cell",
    "CellDecided",
    "Domain",
    "FloatTopic",
    "Instance",
    "InternalDisagreement",
    "InvalidInput",
    "Ledger",
    "Metric",
    "MetricError",
    "Progress",
    "Reading",
    "Regime",
    "Scores",
    "SingleAspectMetric",
    "Topic",
    "UnknownName",
    "Verdict",
    "Witness",
    "__version__",
    "as_metric",
    "check",
    "exactly",
    "find_axiom",
    "gate",
    "matrix",
    "metric",
    "pair_axiom",
    "paper_rows",
    "parametrize",
    "parse",
    "prove",
    "read_witness",
    "region",
    "score",
]

# Modules of public names. They are imported on first use, since --help and completions need no numpy, flint or
# hypothesis.
_HOMES = {
    "axiomcheck.api.check": ("check",),
    "axiomcheck.api.gate": ("gate",),
    "axiomcheck.api.matrix": ("matrix",),
    "axiomcheck.api.prove": ("prove",),
    "axiomcheck.api.region": ("region",),
    "axiomcheck.api.score": ("score",),
    "axiomcheck.axioms": ("AXIOMS", "find_axiom"),
    "axiomcheck.axioms.pair_functions": ("AxiomTopic", "pair_axiom"),
    "axiomcheck.core.domain": ("Domain", "Instance", "Reading", "Regime", "Topic"),
    "axiomcheck.core.errors": ("AxiomcheckError", "InternalDisagreement", "InvalidInput", "MetricError", "UnknownName"),
    "axiomcheck.core.verdict": ("Verdict",),
    "axiomcheck.decide.witness": ("Witness", "read_witness"),
    "axiomcheck.engine.events": ("CellDecided", "Progress"),
    "axiomcheck.metrics": ("Metric", "SingleAspectMetric", "paper_rows", "parse"),
    "axiomcheck.pytest_plugin.cells": ("parametrize",),
    "axiomcheck.records.cells": ("Cell", "Ledger"),
    "axiomcheck.runs.trec": ("Scores",),
    "axiomcheck.sources.abilities": ("exactly",),
    "axiomcheck.sources.external_metrics": ("FloatTopic",),
    "axiomcheck.sources.function_metrics": ("as_metric", "metric"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "__version__":
        from importlib.metadata import version

        # Cached, because `version` reads a file, and digests of metrics need the version a thousand times.
        return globals().setdefault(name, version("axiomcheck"))
    if name == "strategies":
        return import_module("axiomcheck.strategies")
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(_HOME_OF[name]), name)
    except ModuleNotFoundError as error:
        if error.name != "pytest":
            raise
        from axiomcheck.core.packages import not_installed

        raise not_installed(f"axiomcheck.{name}", "pytest") from None


def __dir__() -> list[str]:
    return [*globals(), *__all__]
