"""Compute metric unanimity (MU): how well a metric captures the improvements that all other metrics agree on.

Over ordered pairs of different systems on the same topic,

    MU(m) = log2( P(m and others) / (P(m) P(others)) ),

where the event m is that m scores the first system higher (a tie counts as a half), and the event others is that no
other metric scores it lower. P(m) is 1/2, since each tie counts as a half (Amigo et al. 2018, section 6.1).

The paper gives four properties of MU:

1. A metric that captures every pair that the others agree on has the largest MU.
2. A metric with constant or random scores has the MU 0.
3. MU is asymmetric: one metric can agree with all others while they do not agree with all others.
4. Copies of another metric change nothing.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted
from axiomcheck.core.typing import AnyNumbers, Integers, Reals

TOLERANCE = 1000 * 2.0**-53
"""Largest difference between two scores, relative to the larger one, that counts as a tie.

In floats, a sum of 1,000 nonnegative numbers in any order has at most this error. So metrics that are equal in exact
arithmetic (DCG and nDCG, or the sum over aspects in a different order) tie on the same pairs. Smaller differences count
as ties as well, since floats cannot reliably distinguish such scores.
"""

LEVEL = 95
"""Confidence level of the intervals, in percent."""


@dataclass(frozen=True)
class ScoreGrid:
    """Scores by metric, run and topic.

    Args:
        values: Scores, shape (metrics, runs, topics).
        notes: Sentences about topics that are missing from runs.

    """

    metrics: tuple[str, ...]
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    values: Reals
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Counts:
    """Counts, per topic, of ordered pairs of different systems on which the other metrics agree.

    Args:
        unanimous: Number of pairs in which no *other* metric scores the first system lower, shape (metrics, topics).
        captured: Number of unanimous pairs in which the metric itself scores the first system higher, shape (metrics,
            topics). A tie counts as a half.
        tied: Number of pairs on which all metrics tie, shape (topics,).
        rounding: Number of pairs whose scores differ but count as a tie within `TOLERANCE`, shape (metrics,).

    """

    unanimous: Integers
    captured: Reals
    tied: Integers
    rounding: Integers


def count_pairs(values: Reals) -> Counts:
    """Count, for each metric, the pairs of systems on which all other metrics agree, and how many of these it captures.

    It is enough to count, for each pair of systems, the metrics that score the first one lower: all other metrics agree
    if no metric does, or only the metric itself. Pairs of metrics need not be enumerated.

    Args:
        values: Scores, shape (metrics, systems, topics).

    Raises:
        InvalidInput: There are fewer than two metrics or systems, there is no topic, or a score is not finite.

    """
    if values.ndim != 3 or min(values.shape[:2]) < 2 or values.shape[2] < 1:
        raise InvalidInput(
            f"the scores have the shape {values.shape}; expected at least two metrics, two systems and one topic"
        )
    if not np.isfinite(values).all():
        raise InvalidInput("a score is NaN or infinite; expected finite numbers")
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
    """Return 1 where the left score is larger, -1 where it is smaller, and 0 where both tie within `TOLERANCE`.

    Args:
        left: Finite scores.
        right: Finite scores, broadcastable with ``left``.

    """
    with np.errstate(over="ignore"):  # a difference that overflows is infinite, so it is not a tie
        difference = left - right
    larger = np.maximum(np.abs(left), np.abs(right))
    ties = np.abs(difference) <= TOLERANCE * larger
    ahead: Integers = np.where(ties, 0, np.sign(difference)).astype(np.int8)
    return ahead


@dataclass(frozen=True)
class Unanimity:
    """MU of every metric in a set, with bootstrap intervals over topics.

    Args:
        families: Family that each metric is a variant of, shape (metrics,).
        resamples: Number of bootstrap samples of the topics; 0 for no intervals.
        low: Lower endpoints of the intervals, shape (metrics,); NaN if MU is undefined in every sample.
        high: Upper endpoints of the intervals, shape (metrics,); NaN if MU is undefined in every sample.
        undefined: Number of samples in which MU is undefined, shape (metrics,). The interval is computed from the other
            samples.
        first: Share of the samples in which no metric has a larger MU, shape (metrics,).

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
        """Number of ordered pairs of different systems, over all topics."""
        systems = len(self.grid.runs)
        return systems * (systems - 1) * len(self.grid.topics)

    @cached_property
    def values(self) -> Reals:
        """MU of each metric, shape (metrics,); NaN where it is undefined."""
        return mu(self.counts.captured.sum(axis=1), self.counts.unanimous.sum(axis=1))


def measure(grid: ScoreGrid, families: tuple[str, ...], resamples: int = 0, seed: int = 0) -> Unanimity:
    """Compute the MU of every metric in a score grid against all others, including its own variants.

    Args:
        grid: Scores.
        families: Family that each metric is a variant of, shape (metrics,).
        resamples: Number of bootstrap samples of the topics.
        seed: Seed for the resampling, >= 0.

    Raises:
        InvalidInput: The scores are invalid (see `count_pairs`), or the number of samples or the seed is negative.

    """
    if resamples < 0 or seed < 0:
        raise InvalidInput(f"{counted(resamples, 'sample')}, seed {seed}: expected at least 0 for both")
    counts = count_pairs(grid.values)
    metrics, topics = counts.unanimous.shape
    if not resamples:
        none = np.full(metrics, np.nan)
        return Unanimity(grid, families, counts, 0, none, none, np.zeros(metrics, dtype=np.int64), none)
    # Number of times that a sample contains each topic: a sample's counts are weighted sums of the topics' counts.
    times = np.random.default_rng(seed).multinomial(topics, np.full(topics, 1 / topics), size=resamples)
    drawn = mu(times @ counts.captured.T, times @ counts.unanimous.T)
    shares = [(100 - LEVEL) / 200, (100 + LEVEL) / 200]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # for metrics that are undefined in every sample
        # Take one of the values, without interpolation, as some may be minus infinity.
        low, high = np.nanquantile(drawn, shares, axis=0, method="inverted_cdf")
    # A sample in which no MU is defined has no first metric, as NaN equals nothing.
    best = np.where(np.isnan(drawn), -np.inf, drawn).max(axis=1, keepdims=True)
    return Unanimity(
        grid, families, counts, resamples, low, high, np.isnan(drawn).sum(axis=0), (drawn == best).mean(axis=0)
    )


def mu(captured: AnyNumbers, unanimous: AnyNumbers) -> Reals:
    """Return MU from counts: NaN if no pair is unanimous, minus infinity if no unanimous pair is captured.

    Args:
        captured: Number of unanimous pairs that the metric captures; each tie counts as a half.
        unanimous: Number of pairs that all other metrics agree on.

    """
    shares = np.full(np.shape(captured), np.nan)
    np.divide(captured, unanimous, out=shares, where=np.asarray(unanimous) > 0)
    with np.errstate(divide="ignore"):  # log2(0) is the MU if no pair is captured
        found: Reals = np.log2(2 * shares)
    return found
