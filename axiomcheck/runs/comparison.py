"""All pairs of runs by all metrics: differences, their significance, and how alike metrics rank the runs.

A test is paired and two-sided, by resampling. A p-value is the share of resamples that are at least as extreme as what
was observed, the observation among them, so that it is never 0. All pairs of runs, and all metrics, see the same
resamples of the topics.

- Randomization: under the null hypothesis a topic's two scores might as well be exchanged, which flips the sign of
  their difference (Fisher; for retrieval Smucker, Allan and Carterette, CIKM 2007). All sign flips where they are no
  more than the samples.
- Tukey's honestly significant difference, randomized: every topic's scores are shuffled among all runs, and a pair is
  held against the largest difference that comes about (Carterette, TOIS 2012). It corrects for all pairs by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np
from scipy import stats

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.limits import CELLS
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.ledger import LedgerFile, key_of
from axiomcheck.runs.pieces import Listener, finished, gathered
from axiomcheck.runs.trec import ScoreGrid

_STEPS = 2.0**-30
"""About `axiomcheck.core.limits.ROUNDING`. A power of two: at halves of it, where numbers that differ by rounding go
apart, lie no fractions that metrics are made of."""


def step_of(scores: Reals) -> float:
    """Return the step of a metric, relative to the largest of its scores."""
    largest = float(np.abs(scores).max(initial=0.0))
    if largest == 0:
        return _STEPS
    return max(float(np.ldexp(_STEPS, np.frexp(largest)[1])), float(np.finfo(np.float64).tiny))


def in_steps(values: Reals, step: float) -> Reals:
    """Return sums, means or differences of a metric's scores as whole numbers of steps; elementwise."""
    return np.rint(values / step)


def kendall(x: Reals, y: Reals) -> float | None:
    """Return Kendall's tau-b; None where a metric gives all systems the same.

    Args:
        x: (N,) of each system the score by one metric; equal numbers are ties.
        y: (N,) by the other one.

    """
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    return float(stats.kendalltau(x, y, variant="b").statistic)


def tau_ap(x: Reals, y: Reals) -> float | None:
    """Return the AP correlation coefficient of Yilmaz, Aslam and Robertson (SIGIR 2008), symmetric.

    Neither ranking is the true one: the mean over either as the one that is walked through. With ties as tau_AP,b of
    Urbano and Marrero (ICTIR 2017): a system is held against those above its tie, and a tie in the other ranking is no
    agreement. None where a metric gives all systems the same.

    Args:
        x: as in `kendall`.
        y: as in `kendall`.

    """
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    return (_walked(x, y) + _walked(y, x)) / 2


def _walked(x: Reals, y: Reals) -> float:
    """Return tau-AP over the ranking by y: of the systems above each one, the share that x has above it, too."""
    above_x, above_y = (scores[None, :] > scores[:, None] for scores in (x, y))
    several = above_y.sum(axis=1)
    agreeing = (above_x & above_y).sum(axis=1)
    below = several > 0
    return float(2 * np.mean(agreeing[below] / several[below]) - 1)


Correction = Literal["holm", "tukey", "none"]


@dataclass(frozen=True)
class Significance:
    """A randomization test of differences.

    Args:
        correction: for there being many pairs of runs.
        samples: resamples; all sign flips where they are no more.
        seed: of the resamples.

    Raises:
        InvalidInput: no such correction; numbers out of range.

    """

    correction: Correction = "holm"
    samples: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.correction not in get_args(Correction):
            raise InvalidInput(f"correction {self.correction!r}: expected {' or '.join(get_args(Correction))}")
        if self.samples < 1 or self.seed < 0:
            raise InvalidInput(
                f"{counted(self.samples, 'sample')}, seed {self.seed}: expected 1 or more, and 0 or more"
            )

    def exact(self, topics: int) -> bool:
        """Return True if all sign flips of so many topics are tried."""
        return bool(2**topics <= self.samples)

    def smallest(self, topics: int, pairs: int) -> float:
        """Return the smallest p-value that there can be, corrected."""
        if self.correction == "tukey":
            return 1 / (self.samples + 1)
        alone = 2.0 ** (1 - topics) if self.exact(topics) else 1 / (self.samples + 1)
        return min(1.0, alone * (pairs if self.correction == "holm" else 1))


def pairs_of(runs: int) -> Integers:
    """Return all pairs of runs, (P, 2), the earlier one first."""
    return np.array(list(combinations(range(runs), 2)), dtype=np.intp).reshape(-1, 2)


def p_values(scores: Reals, how: Significance) -> Reals:
    """Return the p-value of every pair of runs by the randomization test, not corrected: (P,).

    Args:
        scores: (runs, topics), two topics or more.
        how: samples and seed.

    """
    pairs, step = pairs_of(len(scores)), step_of(scores)
    differences = scores[pairs[:, 0]] - scores[pairs[:, 1]]

    def size(x: Reals, axis: int) -> Reals:
        # Differences of either sign count; in steps, so that a sample as large as what was observed is seen to be.
        return in_steps(np.abs(x.mean(axis=axis)), step)

    def tested(portion: Reals) -> Reals:
        found = stats.permutation_test(
            (portion,),
            size,
            permutation_type="samples",  # of one sample: its signs
            alternative="greater",
            axis=-1,
            n_resamples=how.samples,
            batch=max(1, CELLS // portion.size),
            vectorized=True,
            rng=np.random.default_rng(how.seed),  # the same signs for every portion
        )
        return np.asarray(found.pvalue, dtype=np.float64)

    # What every pair has in every sample is kept until the end.
    several = max(1, CELLS // how.samples)
    return np.concatenate([tested(differences[k : k + several]) for k in range(0, len(differences), several)])


def tukey(scores: Reals, how: Significance) -> Reals:
    """Return the p-value of every pair of runs by the randomized test of Tukey, corrected by its nature: (P,).

    Args:
        scores: (runs, topics), two topics or more.
        how: samples and seed.

    """
    pairs, step = pairs_of(len(scores)), step_of(scores)
    means = scores.mean(axis=1)
    observed = in_steps(np.abs(means[pairs[:, 0]] - means[pairs[:, 1]]), step)
    rng = np.random.default_rng(how.seed)
    reached, left = np.zeros(len(pairs), dtype=np.int64), how.samples
    while left:
        portion = min(left, max(1, CELLS // scores.size))
        shuffled = rng.permuted(np.broadcast_to(scores, (portion, *scores.shape)), axis=1).mean(axis=2)
        widest = in_steps(np.ptp(shuffled, axis=1), step)
        reached += (widest[:, None] >= observed).sum(axis=0)
        left -= portion
    found: Reals = (reached + 1) / (how.samples + 1)
    return found


def holm(p: Reals) -> Reals:
    """Return p-values corrected by Holm (1979).

    By calling those up to a level significant, any is wrong at most that often. The correction, as Bonferroni's,
    assumes nothing of how the tests hang together, which pairs that share a run do, and never finds less.

    Args:
        p: (P,).

    """
    order = np.argsort(p, kind="stable")
    factors = np.arange(len(p), 0, -1)
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * factors))
    return corrected


_LARGEST = 1e150
"""Scores up to this have sums, and squares, that are floats."""

LEVEL = 0.05
"""Differences of a p-value up to this are called significant."""

Matrix = tuple[tuple[float | None, ...], ...]
"""A coefficient of every two metrics; None where there is none."""


@dataclass(frozen=True)
class MetricComparison:
    """All pairs of runs by one metric.

    Args:
        scores: (runs, topics)
        p: (P,) of each pair of `pairs_of`, not corrected.
        corrected: (P,) the same, corrected.

    """

    metric: str
    scores: Reals
    p: Reals
    corrected: Reals

    @cached_property
    def means(self) -> Reals:
        """(runs,) the mean of each run."""
        return np.asarray(self.scores.mean(axis=1))

    @cached_property
    def ranked(self) -> Reals:
        """(runs,) the means as whole numbers, equal where the means are but for rounding."""
        return in_steps(self.means, step_of(self.scores))

    @property
    def best(self) -> int:
        """The run of the largest mean, the first one of several."""
        return int(np.argmax(self.ranked))

    def place(self, one: int, other: int) -> int:
        """Return the number of the pair that two different runs are."""
        first, second = sorted((one, other))
        return first * len(self.scores) - first * (first + 1) // 2 + second - first - 1

    def differences(self, run: int, baseline: int) -> Reals:
        """Return how much a run is, (topics,), above another one; 0 where that is but rounding."""
        found: Reals = self.scores[run] - self.scores[baseline]
        found[in_steps(found, step_of(self.scores)) == 0] = 0.0
        return found

    def counts(self, run: int, baseline: int) -> tuple[int, int, int]:
        """Return on how many topics a run is above another one, equal, and below."""
        signs = np.sign(self.differences(run, baseline))
        return int((signs > 0).sum()), int((signs == 0).sum()), int((signs < 0).sum())

    def significant(self, corrected: bool = True) -> int:
        """Return the number of pairs whose difference is significant."""
        return int(((self.corrected if corrected else self.p) <= LEVEL).sum())

    def power(self, corrected: bool = True) -> float:
        """Return the discriminative power (Sakai, SIGIR 2006): the share of pairs whose difference is significant."""
        return self.significant(corrected) / len(self.p)

    @property
    def curve(self) -> Reals:
        """(P,) the p-values, not corrected, from the largest: Sakai's curve of achieved significance levels."""
        return np.sort(self.p)[::-1]


@dataclass(frozen=True)
class RunComparison:
    """Runs compared by several metrics.

    Args:
        runs: names, different from each other.
        metrics: of each metric, all pairs of runs.
        notes: in words, what else the numbers depend on.

    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    how: Significance
    metrics: tuple[MetricComparison, ...]
    notes: tuple[str, ...] = ()

    @property
    def pairs(self) -> Integers:
        """(P, 2) all pairs of runs, the earlier one first."""
        return pairs_of(len(self.runs))

    @property
    def exact(self) -> bool:
        """True if all sign flips were tried."""
        return self.how.exact(len(self.topics))

    @cached_property
    def tau(self) -> Matrix:
        """Kendall's tau-b of every two metrics."""
        return self._matrix(kendall)

    @cached_property
    def tau_ap(self) -> Matrix:
        """tau-AP of every two metrics."""
        return self._matrix(tau_ap)

    def _matrix(self, coefficient: Callable[[Reals, Reals], float | None]) -> Matrix:
        rankings = [one.ranked for one in self.metrics]
        return tuple(tuple(coefficient(x, y) for y in rankings) for x in rankings)


def compare_runs(
    grid: ScoreGrid,
    names: Sequence[str],
    how: Significance,
    *,
    jobs: int = 1,
    kept: LedgerFile | None = None,
    listen: Listener | None = None,
) -> RunComparison:
    """Compare all pairs of runs by all metrics.

    Args:
        grid: the scores.
        names: of the runs, different from each other.
        how: the test.
        jobs: worker processes, which share out the metrics; the result does not depend on them.
        kept: where finished metrics are looked for first, and put as they come.
        listen: is told how many metrics of how many are done.

    Raises:
        InvalidInput: fewer than two runs or topics; scores beyond 1e150.

    """
    if len(grid.runs) < 2 or len(grid.topics) < 2:
        raise InvalidInput(
            f"{counted(len(grid.runs), 'run')} and {counted(len(grid.topics), 'topic')}; expected two or more of both"
        )
    for name, values in zip(grid.metrics, grid.values, strict=True):
        if (largest := float(np.abs(values).max())) > _LARGEST:
            raise InvalidInput(f"{name}: a score of {largest:.3g}; expected at most {_LARGEST:g}")
    pieces = [np.ascontiguousarray(values) for values in grid.values]
    keys = [
        key_of(what="compare", how=asdict(how), shape=list(values.shape), values=values.tobytes()) for values in pieces
    ]
    done = finished(tested, how, pieces, keys, kind="compare", jobs=jobs, kept=kept)
    found = gathered(done, len(pieces), listen)
    compared = tuple(
        MetricComparison(name, values, np.array(p), np.array(corrected))
        for name, values, (p, corrected) in zip(grid.metrics, pieces, found, strict=True)
    )
    notes = [*grid.notes, *_too_few(how, len(grid.topics), len(compared[0].p))]
    return RunComparison(tuple(names), grid.topics, how, compared, tuple(notes))


def _too_few(how: Significance, topics: int, pairs: int) -> Iterator[str]:
    """Say if no difference whatsoever could be significant."""
    smallest = how.smallest(topics, pairs)
    if smallest > LEVEL:
        corrected = "" if how.correction == "none" else ", corrected"
        more = "more topics" if how.exact(topics) and how.correction != "tukey" else "more --samples"
        yield f"no difference can be significant here: no p-value is below {smallest:.2g}{corrected}; take {more}"


def tested(how: Significance, scores: Any) -> list[list[float]]:
    """Return the p-values of one metric, and the corrected ones; a piece of work."""
    p = p_values(scores, how)
    if how.correction == "tukey":
        return [p.tolist(), tukey(scores, how).tolist()]
    return [p.tolist(), (holm(p) if how.correction == "holm" else p).tolist()]
