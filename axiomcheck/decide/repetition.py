"""Asks a metric about the same rankings again, to find out whether it is one function of a ranking."""

from __future__ import annotations

import numpy as np

from axiomcheck.core.errors import MetricError
from axiomcheck.core.limits import ROUNDING
from axiomcheck.decide.batch import Batch, Comparison
from axiomcheck.decide.comparison import compare, way_of
from axiomcheck.metrics import Metric
from axiomcheck.sources.external_metrics import is_single

_SAMPLED = 8
_SAMPLED_OF_FEW = 2
_FEW = 100
_ANOTHER_BATCH = "in another batch, or later"


class Repetition:
    """Keeps a few of the instances that a metric was asked about, and what it said, to ask again."""

    def __init__(self, metric: Metric, own_code: bool) -> None:
        self.metric = metric
        self._samples_batches = own_code and not metric.partial
        self._batches = 0
        self._samples: list[tuple[Batch, Comparison]] = []

    def check(self, batch: Batch, said: Comparison) -> None:
        """Ask again at once about the first batch, and keep some instances of the 1st, 2nd, 4th, 8th ... batch.

        Raises:
            MetricError: the metric says something else.

        """
        metric = self.metric
        self._batches += 1
        if self._batches == 1 and not way_of(metric, batch.small).repeats(batch):
            raise MetricError(f"{metric} scores the same rankings differently when asked again")
        if self._samples_batches and self._batches & (self._batches - 1) == 0:
            wanted = _SAMPLED if metric.most_examples is None or metric.most_examples >= _FEW else _SAMPLED_OF_FEW
            rows = np.linspace(0, batch.size - 1, min(wanted, batch.size)).astype(np.intp)
            few = batch.pick(rows)
            first = compare(metric, few)
            hold_alike(metric, said.pick(rows), first, _ANOTHER_BATCH)
            self._samples.append((few, first))

    def ask_again(self) -> None:
        """Score what was sampled once more: late, in another order, and one at a time.

        A metric that counts its calls, looks at the clock, or at what else is scored in the same call, shows itself.

        Raises:
            MetricError: it says something else.

        """
        for batch, first in reversed(self._samples):
            backwards = np.arange(batch.size)[::-1]
            for rows in (np.arange(batch.size), backwards, backwards[:1], backwards[-1:]):
                how = "when asked again" if rows is not backwards and len(rows) > 1 else _ANOTHER_BATCH
                hold_alike(self.metric, first.pick(rows), compare(self.metric, batch.pick(rows)), how)


def hold_alike(metric: Metric, one: Comparison, other: Comparison, how: str) -> None:
    """Check that two answers about the same pairs agree.

    Floats that are told apart in one batch may pass for noise beside the larger scores of another, so that nothing or
    the next order of eps decides there: what is noise in either says nothing, unless the scores are the same.

    Raises:
        MetricError: they differ.

    """
    told = one.sure == other.sure
    for each in (one, other):
        told &= each.equal | (each.sign != 0)
    # In single precision a margin beside small scores is good for its sign.
    here, there = (np.sign(x.margin) * (x.sign != 0) if is_single(metric) else x.margin for x in (one, other))
    if not np.allclose(here[told], there[told], rtol=0, atol=ROUNDING):
        raise MetricError(f"{metric} scores the same rankings differently {how}")
