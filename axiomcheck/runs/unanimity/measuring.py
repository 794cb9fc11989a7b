"""Metric unanimity, MU: how much a metric tells of the improvements that all other metrics agree on.

Over ordered pairs of different systems on the same topic,

    MU(m) = log2( P(m and others) / (P(m) P(others)) ),

where m is that m scores the first system higher, a tie counted as a half, and others that no other metric scores it
lower. P(m) is 1/2, since ties are halves (Amigo et al. 2018, section 6.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import AnyNumbers, Integers, Reals
from axiomcheck.metrics import CATALOGUE
from axiomcheck.metrics.base import Metric
from axiomcheck.runs.grid import ScoreGrid
from axiomcheck.runs.unanimity.counts import Counts, count_pairs
from axiomcheck.sources.provenance import is_genuine

LEVEL = 95
"""Of the intervals, in percent."""


@dataclass(frozen=True)
class Unanimity:
    """The MU of every metric of a set, with bootstrap intervals over topics.

    Args:
        grid: the scores.
        families: (metrics,) what each is a variant of.
        counts: of pairs.
        resamples: how many bootstrap samples of the topics there were; 0 is no intervals.
        low: (metrics,) the lower ends, NaN where MU is undefined in every sample.
        high: (metrics,) the upper ends.
        undefined: (metrics,) samples in which MU is undefined; the interval is that of the others.
        first: (metrics,) the share of the samples in which no metric has a larger MU.

    """

    grid: ScoreGrid
    families: tuple[str, ...]
    counts: Counts
    resamples: int
    low: Reals
    high: Reals
    undefined: Integers
    first: Reals

    @property
    def pairs(self) -> int:
        """Ordered pairs of different systems, over all topics."""
        systems = len(self.grid.runs)
        return systems * (systems - 1) * len(self.grid.topics)

    @cached_property
    def values(self) -> Reals:
        """(metrics,) MU; NaN where it is undefined."""
        return mu(self.counts.captured.sum(axis=1), self.counts.unanimous.sum(axis=1))


def measure(grid: ScoreGrid, families: tuple[str, ...], resamples: int = 0, seed: int = 0) -> Unanimity:
    """The MU of every metric with regard to all others of the grid, its own variants among them.

    Args:
        grid: the scores.
        families: (metrics,) what each is a variant of.
        resamples: bootstrap samples of the topics.
        seed: of the samples, 0 or more.

    Raises:
        InvalidInput: as `count_pairs`; a number of samples or a seed below 0.

    """
    if resamples < 0 or seed < 0:
        raise InvalidInput(f"{counted(resamples, 'sample')}, seed {seed}: expected 0 or more of both")
    counts = count_pairs(grid.values)
    metrics, topics = counts.unanimous.shape
    if not resamples:
        none = np.full(metrics, np.nan)
        return Unanimity(grid, families, counts, 0, none, none, np.zeros(metrics, dtype=np.int64), none)
    # How often a sample has each topic, so that its counts are sums of the topics'.
    times = np.random.default_rng(seed).multinomial(topics, np.full(topics, 1 / topics), size=resamples)
    drawn = mu(times @ counts.captured.T, times @ counts.unanimous.T)
    low, high = (_quantile(drawn, share) for share in ((100 - LEVEL) / 200, (100 + LEVEL) / 200))
    # A sample where nothing is defined has no first metric; NaN is equal to nothing.
    best = np.where(np.isnan(drawn), -np.inf, drawn).max(axis=1, keepdims=True)
    return Unanimity(
        grid, families, counts, resamples, low, high, np.isnan(drawn).sum(axis=0), (drawn == best).mean(axis=0)
    )


def families_of(metrics: Sequence[Metric]) -> tuple[str, ...]:
    """What each metric is a variant of: its name in the catalogue without parameters and cutoff; its own of others."""
    return tuple(metric.name if metric.name in CATALOGUE and is_genuine(metric) else str(metric) for metric in metrics)


def mu(captured: AnyNumbers, unanimous: AnyNumbers) -> Reals:
    """MU from counts: NaN where no pair is unanimous, minus infinity where none of them is captured.

    Args:
        captured: unanimous pairs that the metric captures, ties as halves.
        unanimous: pairs that all others agree on.

    """
    shares = np.full(np.shape(captured), np.nan)
    np.divide(captured, unanimous, out=shares, where=np.asarray(unanimous) > 0)
    with np.errstate(divide="ignore"):  # log2(0), which is what MU is where nothing is captured
        found: Reals = np.log2(2 * shares)
    return found


def _quantile(drawn: Reals, share: float) -> Reals:
    """The quantile of each column without its NaN, one of the values: between them may lie minus infinity."""
    out = np.full(drawn.shape[1], np.nan)
    for column, values in enumerate(drawn.T):
        defined = np.sort(values[~np.isnan(values)])
        if len(defined):
            out[column] = np.quantile(defined, share, method="inverted_cdf")
    return out
