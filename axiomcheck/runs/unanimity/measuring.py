"""Metric unanimity, MU: how much a metric tells of the improvements that all other metrics agree on.

Over ordered pairs of different systems on the same topic,

    MU(m) = log2( P(m and others) / (P(m) P(others)) ),

where m is that m scores the first system higher, a tie counted as a half, and others that no other metric scores it
lower. P(m) is 1/2, since ties are halves (Amigo et al. 2018, section 6.1).
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import AnyNumbers, Integers, Reals
from axiomcheck.metrics import CATALOGUE
from axiomcheck.metrics.base import Metric
from axiomcheck.runs.trec import ScoreGrid
from axiomcheck.sources.provenance import is_genuine

TOLERANCE = 1000 * 2.0**-53
"""The largest difference of two scores, relative to the larger one, that is a tie.

A sum of 1,000 numbers that are not negative, in whatever order, is off by at most that. So metrics that are equal in
exact numbers (DCG and nDCG, or the sum over aspects begun at another aspect) tie on the same pairs. Scores that do
differ, and by less, tie as well: floats are not trusted to tell them apart.
"""

LEVEL = 95
"""The confidence of the intervals, in percent."""


@dataclass(frozen=True)
class Counts:
    """Ordered pairs of different systems, per topic.

    Args:
        unanimous: (metrics, topics) pairs whose first system no *other* metric scores lower.
        captured: (metrics, topics) those of them whose first system the metric itself scores higher; a tie is a half.
        tied: (topics,) pairs on which all metrics tie.
        rounding: (metrics,) pairs whose scores differ and are a tie by the `TOLERANCE`.

    """

    unanimous: Integers
    captured: Reals
    tied: Integers
    rounding: Integers


def count_pairs(values: Reals) -> Counts:
    """Counts the pairs.

    All others agree on a pair where the metrics that are against it, the metric itself left out, are none. So it takes
    one count per pair, and neither memory nor time for pairs of metrics.

    Args:
        values: (metrics, systems, topics)

    Raises:
        InvalidInput: fewer than two metrics or systems, no topic, a score that is not finite.

    """
    if values.ndim != 3 or min(values.shape[:2]) < 2 or values.shape[2] < 1:
        raise InvalidInput(f"scores of shape {values.shape}; expected two metrics, two systems and a topic, or more")
    if not np.isfinite(values).all():
        raise InvalidInput("a score that is not a finite number; expected finite ones")
    metrics, systems, topics = values.shape
    unanimous = np.zeros((metrics, topics), dtype=np.int64)
    halves = np.zeros((metrics, topics), dtype=np.int64)
    tied = np.zeros(topics, dtype=np.int64)
    rounding = np.zeros(metrics, dtype=np.int64)
    for first in range(systems - 1):
        left, right = values[:, first, None], values[:, first + 1 :]
        ahead = signs(left, right)
        rounding += 2 * ((left != right) & (ahead == 0)).sum(axis=(1, 2))
        tied += 2 * (ahead == 0).all(axis=0).sum(axis=0)
        for sign in (ahead, -ahead):
            against = (sign < 0).sum(axis=0)
            agreed = against == 0
            alone = (against == 1) & (sign < 0)
            unanimous += (agreed | alone).sum(axis=1)
            halves += np.where(agreed, 1 + sign, 0).sum(axis=1)
    return Counts(unanimous, halves / 2, tied, rounding)


def signs(left: Reals, right: Reals) -> Integers:
    """1 where the left score is the larger, -1 where it is the smaller, 0 at a tie, as `TOLERANCE` says.

    Args:
        left: finite.
        right: finite; the shapes broadcast.

    """
    with np.errstate(over="ignore"):  # a difference too large for floats is infinite, and no tie
        difference = left - right
    larger = np.maximum(np.abs(left), np.abs(right))
    ties = np.abs(difference) <= TOLERANCE * larger
    ahead: Integers = np.where(ties, 0, np.sign(difference)).astype(np.int8)
    return ahead


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
    shares = [(100 - LEVEL) / 200, (100 + LEVEL) / 200]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of metrics that are undefined in every sample
        # One of the values: between them may lie minus infinity.
        low, high = np.nanquantile(drawn, shares, axis=0, method="inverted_cdf")
    # A sample where nothing is defined has no first metric; NaN is equal to nothing.
    best = np.where(np.isnan(drawn), -np.inf, drawn).max(axis=1, keepdims=True)
    return Unanimity(
        grid, families, counts, resamples, low, high, np.isnan(drawn).sum(axis=0), (drawn == best).mean(axis=0)
    )


def families_of(metrics: Sequence[Metric]) -> tuple[str, ...]:
    """Return the family of each metric: its name in the catalogue without parameters and cutoff; its own of others."""
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
