"""Compare all pairs of runs by several metrics: differences, their significance, and rank correlation of metrics.

Tests are paired two-sided resampling tests. A p-value is the share of resamples that are at least as extreme as the
observed difference. The observation counts as one of the resamples, so a p-value is never 0. All pairs of runs, and
all metrics, use the same resamples of the topics.

- Randomization: under the null hypothesis, a topic's two scores are exchangeable, and an exchange flips the sign of
  their difference (Fisher; for retrieval Smucker, Allan and Carterette, CIKM 2007). If the number of possible sign
  flips is at most the number of samples, all sign flips are used.
- Tukey's honestly significant difference, randomized: every topic's scores are shuffled among all runs, and a pair's
  difference is compared with the largest one that results (Carterette, TOIS 2012). The test already corrects for
  multiple pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Literal, get_args

import numpy as np
from scipy import stats

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.limits import CELLS
from axiomcheck.core.printable import counted
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.runs.trec import ScoreGrid

_STEPS = 2.0**-30
"""Rounding step relative to a metric's largest score, about `axiomcheck.core.limits.ROUNDING`.

It is a power of two, so that typical scores, which are simple fractions, do not lie halfway between two steps. There,
numbers that differ only by rounding would get different steps.
"""


def step_of(scores: Reals) -> float:
    """Return the rounding step for comparing a metric's scores. It grows with the largest score."""
    largest = float(np.abs(scores).max(initial=0.0))
    if largest == 0:
        return _STEPS
    return max(float(np.ldexp(_STEPS, np.frexp(largest)[1])), float(np.finfo(np.float64).tiny))


def in_steps(values: Reals, step: float) -> Reals:
    """Divide scores, means or differences by a step and round to integers, so that rounding errors vanish."""
    return np.rint(values / step)


def kendall(x: Reals, y: Reals) -> float | None:
    """Return Kendall's tau-b between two metrics; None if a metric gives all systems the same score.

    Args:
        x: One metric's scores for the systems, shape (N,); equal scores are ties.
        y: The other metric's scores, shape (N,).

    """
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    return float(stats.kendalltau(x, y, variant="b").statistic)


def tau_ap(x: Reals, y: Reals) -> float | None:
    """Return the symmetric AP correlation coefficient of Yilmaz, Aslam and Robertson (SIGIR 2008).

    Neither ranking is the ground truth, so the result is the mean over both choices of the reference ranking. Ties are
    handled as in tau_AP,b of Urbano and Marrero (ICTIR 2017): a system is compared only with systems ranked strictly
    above it, and a pair that is tied in the other ranking does not count as agreement. The result is None if a metric
    gives all systems the same score.

    Args:
        x: Scores, as in `kendall`.
        y: Scores, as in `kendall`.

    """
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    return (_tau_ap_against(x, y) + _tau_ap_against(y, x)) / 2


def _tau_ap_against(x: Reals, y: Reals) -> float:
    """Return tau-AP of the ranking by x, with the ranking by y as the reference.

    For each system that y ranks below another, take the systems that y ranks above it, and the share of these that x
    also ranks above it. The result is twice the mean of these shares, minus 1.
    """
    above_x, above_y = (scores[None, :] > scores[:, None] for scores in (x, y))
    several = above_y.sum(axis=1)
    agreeing = (above_x & above_y).sum(axis=1)
    below = several > 0
    return float(2 * np.mean(agreeing[below] / several[below]) - 1)


Correction = Literal["holm", "tukey", "none"]


@dataclass(frozen=True)
class Significance:
    """Settings of the randomization test for differences between runs.

    Args:
        correction: Correction for comparing multiple pairs of runs.
        samples: Number of resamples. If there are at most this many sign flips, all of them are used.
        seed: Seed for the resampling, >= 0.

    Raises:
        InvalidInput: There is no such correction, or a number is out of range.

    """

    correction: Correction = "holm"
    samples: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.correction not in get_args(Correction):
            raise InvalidInput(f"correction {self.correction!r}: expected {' or '.join(get_args(Correction))}")
        if self.samples < 1 or self.seed < 0:
            raise InvalidInput(
                f"{counted(self.samples, 'sample')}, seed {self.seed}: expected at least 1 sample and a seed >= 0"
            )

    def exact(self, topics: int) -> bool:
        """Return True if the test on ``topics`` topics tries all sign flips instead of a sample."""
        return bool(2**topics <= self.samples)

    def smallest(self, topics: int, pairs: int) -> float:
        """Return the smallest corrected p-value that is possible with the given numbers of topics and pairs of runs."""
        if self.correction == "tukey":
            return 1 / (self.samples + 1)
        alone = 2.0 ** (1 - topics) if self.exact(topics) else 1 / (self.samples + 1)
        return min(1.0, alone * (pairs if self.correction == "holm" else 1))


def pairs_of(runs: int) -> Integers:
    """Return all pairs of runs, shape (P, 2), with the earlier run first."""
    return np.array(list(combinations(range(runs), 2)), dtype=np.intp).reshape(-1, 2)


def p_values(scores: Reals, how: Significance) -> Reals:
    """Return the uncorrected p-value of the randomization test for every pair of runs, shape (P,).

    Args:
        scores: Scores, shape (runs, topics), for at least two topics.
        how: Number of resamples, and seed.

    """
    pairs, step = pairs_of(len(scores)), step_of(scores)
    differences = scores[pairs[:, 0]] - scores[pairs[:, 1]]

    def size(x: Reals, axis: int) -> Reals:
        # Use absolute differences, in steps, so that rounding does not hide a sample as large as the observation.
        return in_steps(np.abs(x.mean(axis=axis)), step)

    def tested(portion: Reals) -> Reals:
        found = stats.permutation_test(
            (portion,),
            size,
            permutation_type="samples",  # one sample: permutes its signs
            alternative="greater",
            axis=-1,
            n_resamples=how.samples,
            batch=max(1, CELLS // portion.size),
            vectorized=True,
            rng=np.random.default_rng(how.seed),  # use the same signs for every portion
        )
        return np.asarray(found.pvalue, dtype=np.float64)

    # The values of every pair in every sample are kept until the end.
    several = max(1, CELLS // how.samples)
    return np.concatenate([tested(differences[k : k + several]) for k in range(0, len(differences), several)])


def tukey(scores: Reals, how: Significance) -> Reals:
    """Return the p-value of the randomized Tukey test for every pair of runs, shape (P,).

    The test corrects for multiple pairs by construction.

    Args:
        scores: Scores, shape (runs, topics), for at least two topics.
        how: Number of resamples, and seed.

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
    """Return p-values corrected by the method of Holm (1979).

    If all pairs with a p-value up to a level are called significant, the probability of any false positive is at most
    that level. Like Bonferroni's correction, it is valid for dependent tests, such as tests of pairs that share a run.
    Holm's method never finds fewer significant pairs than Bonferroni's.

    Args:
        p: Uncorrected p-values, shape (P,).

    """
    order = np.argsort(p, kind="stable")
    factors = np.arange(len(p), 0, -1)
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * factors))
    return corrected


_LARGEST = 1e150
"""Largest score whose sums and squares do not overflow."""

LEVEL = 0.05
"""Significance level of p-values."""

Matrix = tuple[tuple[float | None, ...], ...]
"""Coefficient for each pair of metrics; None if it is undefined."""


@dataclass(frozen=True)
class MetricComparison:
    """Comparison of all pairs of runs by one metric.

    Args:
        scores: Scores, shape (runs, topics).
        p: Uncorrected p-value of each pair in `pairs_of`, shape (P,).
        corrected: Corrected p-values, shape (P,).

    """

    metric: str
    scores: Reals
    p: Reals
    corrected: Reals

    @cached_property
    def means(self) -> Reals:
        """Mean score of each run over the topics, shape (runs,)."""
        return np.asarray(self.scores.mean(axis=1))

    @cached_property
    def ranked(self) -> Reals:
        """Mean scores as integer multiples of the step, shape (runs,). Means that differ only by rounding are equal."""
        return in_steps(self.means, step_of(self.scores))

    @cached_property
    def tests(self) -> PairedTests:
        """Results of the t-test and Wilcoxon's test for each pair in `pairs_of`, with effect sizes and intervals."""
        pairs = pairs_of(len(self.scores))
        differences = self.scores[pairs[:, 0]] - self.scores[pairs[:, 1]]
        return paired_tests(differences, in_steps(differences, step_of(self.scores)))

    @property
    def best(self) -> int:
        """Index of the run with the largest mean; the first such run if there is a tie."""
        return int(np.argmax(self.ranked))

    def place(self, one: int, other: int) -> int:
        """Return the row of `pairs_of` that holds a pair of different runs, given in either order."""
        first, second = sorted((one, other))
        return first * len(self.scores) - first * (first + 1) // 2 + second - first - 1

    def differences(self, run: int, baseline: int) -> Reals:
        """Return a run's scores minus the baseline's, shape (topics,); differences within rounding are 0."""
        found: Reals = self.scores[run] - self.scores[baseline]
        found[in_steps(found, step_of(self.scores)) == 0] = 0.0
        return found

    def counts(self, run: int, baseline: int) -> tuple[int, int, int]:
        """Return the numbers of topics on which a run scores above, equal to, and below the baseline."""
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
        """Uncorrected p-values, shape (P,), in descending order: Sakai's curve of achieved significance levels."""
        return np.sort(self.p)[::-1]


@dataclass(frozen=True)
class RunComparison:
    """Comparison of runs by several metrics.

    Args:
        runs: Distinct names of the runs.
        metrics: Comparison of all pairs of runs, for each metric.
        notes: Sentences about the data and settings that affect the numbers.

    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    how: Significance
    metrics: tuple[MetricComparison, ...]
    notes: tuple[str, ...] = ()

    @property
    def pairs(self) -> Integers:
        """All pairs of runs, shape (P, 2), with the earlier run first."""
        return pairs_of(len(self.runs))

    @property
    def exact(self) -> bool:
        """True if all sign flips were tried."""
        return self.how.exact(len(self.topics))

    @cached_property
    def tau(self) -> Matrix:
        """Kendall's tau-b for each pair of metrics."""
        return self._matrix(kendall)

    @cached_property
    def tau_ap(self) -> Matrix:
        """tau-AP for each pair of metrics."""
        return self._matrix(tau_ap)

    def _matrix(self, coefficient: Callable[[Reals, Reals], float | None]) -> Matrix:
        rankings = [one.ranked for one in self.metrics]
        return tuple(tuple(coefficient(x, y) for y in rankings) for x in rankings)


def compare_runs(
    grid: ScoreGrid, names: Sequence[str], how: Significance, listen: Callable[[int, int], None] | None = None
) -> RunComparison:
    """Compare all pairs of runs by every metric in a score grid.

    Args:
        grid: Scores by metric, run and topic.
        names: Distinct names of the runs.
        how: Significance test.
        listen: Callback that receives the number of finished metrics and the total.

    Raises:
        InvalidInput: There are fewer than two runs or topics, or a score exceeds 1e150.

    """
    if len(grid.runs) < 2 or len(grid.topics) < 2:
        raise InvalidInput(
            f"{counted(len(grid.runs), 'run')} and {counted(len(grid.topics), 'topic')}; expected at least two of each"
        )
    for name, values in zip(grid.metrics, grid.values, strict=True):
        if (largest := float(np.abs(values).max())) > _LARGEST:
            raise InvalidInput(f"{name}: a score of {largest:.3g}; expected at most {_LARGEST:g}")
    compared: list[MetricComparison] = []
    for name, values in zip(grid.metrics, grid.values, strict=True):
        if listen is not None:
            listen(len(compared), len(grid.metrics))
        scores = np.ascontiguousarray(values)
        p = p_values(scores, how)
        corrected = tukey(scores, how) if how.correction == "tukey" else holm(p) if how.correction == "holm" else p
        compared.append(MetricComparison(name, values, p, corrected))
    notes = [*grid.notes, *_too_few(how, len(grid.topics), len(compared[0].p))]
    return RunComparison(tuple(names), grid.topics, how, tuple(compared), tuple(notes))


def _too_few(how: Significance, topics: int, pairs: int) -> Iterator[str]:
    """Yield a note if no difference can be significant because there are too few topics or samples."""
    smallest = how.smallest(topics, pairs)
    if smallest > LEVEL:
        corrected = "" if how.correction == "none" else ", corrected"
        more = "more topics" if how.exact(topics) and how.correction != "tukey" else "more --samples"
        least = f"the smallest possible p-value is {smallest:.2g}{corrected}"
        yield f"no difference can be significant: {least}; use {more}"


CONFIDENCE = 0.95
"""Confidence level of the intervals."""


@dataclass(frozen=True)
class PairedTests:
    """Test results for each pair of runs, shape (P,), on the scores of the first run minus those of the second.

    A result is NaN if it is undefined, because all differences are equal or, for Wilcoxon's test, all are 0.

    Args:
        t: Uncorrected p-values of the t-test.
        wilcoxon: Uncorrected p-values of Wilcoxon's test.
        effect: Cohen's d for paired samples (d_z): the mean difference divided by the standard deviation of the
            differences, computed with N - 1.
        low, high: Endpoints of the confidence interval for the mean difference, from Student's t.

    """

    t: Reals
    wilcoxon: Reals
    effect: Reals
    low: Reals
    high: Reals


def paired_tests(differences: Reals, steps: Reals) -> PairedTests:
    """Test the differences of every pair of runs by Student's t-test and Wilcoxon's signed-rank test.

    Both are SciPy's two-sided tests with default settings. Wilcoxon's test drops topics without a difference. It is
    exact for up to 50 topics without ties and for up to 13 topics with ties, and otherwise uses the normal
    approximation.

    Args:
        differences: Differences by topic, shape (P, topics), for at least two topics.
        steps: The differences in rounding steps, as integers; differences that differ only by rounding are equal.

    """
    found = np.full((5, len(differences)), np.nan)
    for pair in np.flatnonzero(np.ptp(steps, axis=1) > 0).tolist():
        row = differences[pair]
        tested = stats.ttest_1samp(row, 0.0)
        interval = tested.confidence_interval(CONFIDENCE)
        found[[0, 2, 3, 4], pair] = tested.pvalue, row.mean() / row.std(ddof=1), interval.low, interval.high
    for pair in np.flatnonzero(steps.any(axis=1)).tolist():
        found[1, pair] = stats.wilcoxon(steps[pair]).pvalue
    return PairedTests(*found)
