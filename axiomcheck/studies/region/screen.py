"""The instances that one search of an axiom tries, shown to all settings of a metric at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from axiomcheck.axioms import PairAxiom
from axiomcheck.core.domain import Reading, assumes_small
from axiomcheck.core.typing import Integers, Mask
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.search import DEEPEST, Search, Settings, domain_seen
from axiomcheck.decide.tally import Tally
from axiomcheck.metrics import Metric
from axiomcheck.studies.region.shared import SharedScores


@dataclass(frozen=True)
class Suspect:
    """An instance on which floats have the worse ranking ahead.

    Args:
        batch: the instance (B = 1).
        settings: number of each for which it is so -> whether floats are sure of it.

    """

    batch: Batch
    settings: dict[int, bool]


@dataclass
class Screened:
    """What was seen of all settings.

    Args:
        suspects: an instance for every setting that is reversed somewhere, the earliest one; few for all of them.
        reversed: (S,) how many of the sampled instances are reversed.
        sampled: how many there were.
        compared: how many instances there were, enumerated ones included.

    """

    suspects: list[Suspect]
    reversed: Integers
    sampled: int = 0
    compared: int = 0


def screened(axiom: PairAxiom, metrics: Sequence[Metric], reading: Reading, settings: Settings) -> Screened:
    """Compares by every setting what the search of `axiomcheck.engine.cells` tries of each.

    Args:
        axiom: which one is asked.
        metrics: settings of one metric that are searched on the same instances.
        reading: regime and domain.
        settings: seed and budgets.

    Raises:
        MetricError: a metric raised.

    """
    first, small = metrics[0], assumes_small(axiom, reading)
    scores = SharedScores(metrics)
    seen = Screened([], np.zeros(len(metrics), dtype=np.int64))
    open_ = np.ones(len(metrics), dtype=bool)

    class ShownToAll(Tally):
        """Books nothing: what its search comes across is looked at by all settings."""

        def look(self, batch: Batch, sampled: bool) -> None:
            _look(scores, seen, open_, batch, sampled)

    depth = min(first.cutoff or DEEPEST, DEEPEST)
    search = Search(axiom, [first], domain_seen(first, reading), small, depth, first.binary_only, settings)
    search.tallies = [ShownToAll(first, axiom)]
    search.run()
    return seen


def _look(scores: SharedScores, seen: Screened, open_: Mask, batch: Batch, sampled: bool) -> None:
    seen.compared += batch.size
    seen.sampled += batch.size * sampled
    for numbers, behind, sure in scores.compared(batch):
        if sampled:
            seen.reversed[numbers] += behind.sum(axis=1)
        new = open_[numbers] & behind.any(axis=1)
        while new.any():  # the instance that speaks against most of them first
            column = int(behind[new].sum(axis=0).argmax())
            rows = np.flatnonzero(new & behind[:, column])
            single = Batch(batch.axiom, batch.draft.pick(np.array([column])), batch.small)
            found = dict(zip(numbers[rows].tolist(), sure[rows, column].tolist(), strict=True))
            seen.suspects.append(Suspect(single, found))
            open_[numbers[rows]] = new[rows] = False
