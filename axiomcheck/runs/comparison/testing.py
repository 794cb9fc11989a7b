"""Paired tests of whether two runs differ in the mean of a metric, two-sided, by resampling.

A p-value is the share of resamples that are at least as extreme as what was observed, the observation among them, so
that it is never 0. All pairs of runs, and all metrics, see the same resamples of the topics.

- Randomization: under the null hypothesis a topic's two scores might as well be exchanged, which flips the sign of
  their difference (Fisher; for retrieval Smucker, Allan and Carterette, CIKM 2007). All sign flips where they are no
  more than the samples.
- Tukey's honestly significant difference, randomized: every topic's scores are shuffled among all runs, and a pair is
  held against the largest difference that comes about (Carterette, TOIS 2012). It corrects for all pairs by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal, get_args

import numpy as np
from scipy import stats

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.limits import CELLS
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.runs.comparison.correlation import in_steps, step_of

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
