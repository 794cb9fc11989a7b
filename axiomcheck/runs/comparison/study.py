"""All pairs of runs by all metrics: differences, their significance, and what that says of the metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.ledger import LedgerFile, key_of
from axiomcheck.runs.comparison.correlation import in_steps, kendall, step_of, tau_ap
from axiomcheck.runs.comparison.testing import Significance, holm, p_values, pairs_of, tukey
from axiomcheck.runs.pieces import Listener, finish
from axiomcheck.runs.trec import ScoreGrid

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
        metric: its name.
        scores: (runs, topics)
        p: (P,) of each pair of `axiomcheck.runs.comparison.testing.pairs_of`, not corrected.
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
        topics: their names.
        how: the test.
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
    found = finish(tested, how, pieces, keys, kind="compare", jobs=jobs, kept=kept, listen=listen)
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
