"""Pieces of work: one search of one axiom for some metrics, that can be done anywhere."""

from __future__ import annotations

from dataclasses import dataclass

from axiomcheck.axioms import Axiom
from axiomcheck.core.domain import Reading
from axiomcheck.decide.search import Settings
from axiomcheck.metrics import Metric


@dataclass(frozen=True)
class Foreign:
    """A metric from outside the catalogue, by name: loaded and run in worker processes only.

    Args:
        canonical: as `axiomcheck.sources.resolve.resolve` takes it.

    """

    canonical: str


@dataclass(frozen=True)
class Task:
    """One axiom to be decided for several metrics, or searched further.

    What comes of it depends on nothing else, and for each metric on that one alone.

    Args:
        axiom, reading, settings: as `axiomcheck.engine.matrix.run_matrix` takes them.
        metrics: the catalogue's and metric objects; or a single foreign one.
        block: which of the searches of its cells, see `axiomcheck.decide.search.Search`.

    """

    axiom: Axiom
    metrics: tuple[Metric | Foreign, ...]
    reading: Reading
    settings: Settings
    block: int = 0

    @property
    def own(self) -> tuple[Metric, ...]:
        """Those that are there as objects."""
        return tuple(metric for metric in self.metrics if isinstance(metric, Metric))
