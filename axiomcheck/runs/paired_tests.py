"""Student's t-test and Wilcoxon's signed-rank test of paired differences, with effect sizes and intervals.

Both are scipy's, two-sided, with its defaults. Wilcoxon's test drops topics without a difference. It is exact for up to
50 topics without ties and for up to 13 topics with ties, and else approximate by the normal distribution.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from axiomcheck.core.typing import Reals

CONFIDENCE = 0.95
"""Confidence level of the intervals."""


@dataclass(frozen=True)
class PairedTests:
    """Results for each pair of runs, shape (P,), about the scores of the first run minus those of the second.

    A result is NaN if it is undefined: all topics have the same difference, or for Wilcoxon's test no difference.

    Args:
        t: Uncorrected p-values of the t-test.
        wilcoxon: Uncorrected p-values of Wilcoxon's test.
        effect: Cohen's d of paired samples (d_z): the mean difference over the standard deviation of the differences,
            with N - 1.
        low, high: Ends of the interval of the mean difference, by Student's t.

    """

    t: Reals
    wilcoxon: Reals
    effect: Reals
    low: Reals
    high: Reals


def paired_tests(differences: Reals, steps: Reals) -> PairedTests:
    """Test the differences of every pair of runs.

    Args:
        differences: Differences by topic, shape (P, topics), of two topics or more.
        steps: The same as whole numbers, which are equal if the differences differ by rounding only.

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
