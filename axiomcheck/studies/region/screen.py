"""Comparison of one search's instances in floats, for all settings of a metric at once.

Values that do not depend on the setting are computed once. The gains of a fold depend on its own parameters (alpha) but
not on discounts, scale and cost. Settings that differ only in discounts, scale and cost share the gains at every rank,
and one matrix product gives their scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from axiomcheck.axioms import PairAxiom
from axiomcheck.core.domain import Reading
from axiomcheck.core.own_code import is_own_class
from axiomcheck.core.typing import AnyNumbers, Array, Integers, Mask, Reals
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.comparison import compare
from axiomcheck.decide.search import Search, Settings
from axiomcheck.decide.tally import Tally
from axiomcheck.metrics import Fold, FoldMetric, Metric, SingleAspectMetric
from axiomcheck.numbers.arithmetic import Floats
from axiomcheck.numbers.series import Series

_FLOATS = Floats()
_AT_ONCE = 400_000
"""Maximum number of comparisons in memory at a time."""

_ORDERS = 2
"""Number of orders of eps that are compared if r << 1 is assumed."""

_CLEAR = 1e-12
_NOISE = 4e-15
"""Relative differences of scores. A reversal by less than `_CLEAR` is ignored here.

A difference of at most `_NOISE` counts as zero, so that the next order of eps decides, as in
`axiomcheck.decide.scores`.
"""


@dataclass(frozen=True)
class Suspect:
    """An instance on which the worse ranking is ahead in floats.

    Args:
        batch: Instance (B = 1).
        settings: Maps the index of each affected setting to whether floats are certain.

    """

    batch: Batch
    settings: dict[int, bool]


@dataclass
class Screened:
    """The results for all settings.

    Args:
        suspects: For every setting with a reversal, a suspect from the first batch that has one. Settings share
            suspects, so there are few.
        reversed: Number of reversed sampled instances by setting, shape (S,).
        sampled: Number of sampled instances that were compared.
        compared: Number of sampled and enumerated instances.

    """

    suspects: list[Suspect]
    reversed: Integers
    sampled: int = 0
    compared: int = 0


def screened(axiom: PairAxiom, metrics: Sequence[Metric], reading: Reading, settings: Settings) -> Screened:
    """Compare the instances that the search of `axiomcheck.engine.cells` tries, for all settings at once.

    Args:
        axiom: Axiom to search.
        metrics: Settings of one metric, all searched on the same instances.
        reading: Regime and domain.
        settings: Seed and budgets.

    Raises:
        MetricError: A metric raised an error.

    """
    scores = SharedScores(metrics)
    seen = Screened([], np.zeros(len(metrics), dtype=np.int64))
    open_ = np.ones(len(metrics), dtype=bool)

    class ShownToAll(Tally):
        """Tally that counts nothing, but passes each batch on to all settings."""

        def look(self, batch: Batch, sampled: bool) -> None:
            _look(scores, seen, open_, batch, sampled)

    search = Search(axiom, metrics[:1], reading, settings)
    search.tallies = [ShownToAll(metrics[0], axiom)]
    search.run()
    return seen


def _look(scores: SharedScores, seen: Screened, open_: Mask, batch: Batch, sampled: bool) -> None:
    seen.compared += batch.size
    seen.sampled += batch.size * sampled
    for numbers, behind, sure in scores.compared(batch):
        if sampled:
            seen.reversed[numbers] += behind.sum(axis=1)
        new = open_[numbers] & behind.any(axis=1)
        while new.any():  # first the instance that is reversed for most of them
            column = int(behind[new].sum(axis=0).argmax())
            rows = np.flatnonzero(new & behind[:, column])
            single = Batch(batch.axiom, batch.draft.pick(np.array([column])), batch.small)
            found = dict(zip(numbers[rows].tolist(), sure[rows, column].tolist(), strict=True))
            seen.suspects.append(Suspect(single, found))
            open_[numbers[rows]] = new[rows] = False


class SharedScores:
    """Comparison of both rankings of instances for many settings.

    Args:
        metrics: Settings of one metric, with one cutoff.

    """

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self._metrics = metrics
        self._alone: list[int] = []
        groups: dict[Any, list[int]] = {}
        for number, metric in enumerate(metrics):
            key = _earning(metric)
            if key is None:
                self._alone.append(number)
            else:
                groups.setdefault(key, []).append(number)
        self._groups = [_FoldGroup(metrics, numbers) for numbers in groups.values()]

    def compared(self, batch: Batch) -> Iterator[tuple[Integers, Mask, Mask]]:
        """Yield the results in portions.

        A portion has the indices of settings, shape (S,), a mask of where the worse ranking is ahead, and a mask of
        where it is certainly ahead, shape (S, B) each.

        Raises:
            MetricError: A metric raised an error.

        """
        for group in self._groups:
            yield from group.compared(batch)
        for number in self._alone:
            found = compare(self._metrics[number], batch)
            behind = found.sign == -1
            yield np.array([number]), behind[None, :], (behind & found.sure)[None, :]


def _earning(metric: Metric) -> Any:
    """Return a key that is equal for metrics with the same gains, whatever their discounts, scales and costs are.

    The key is None for a metric whose scores are not a plain sum of discounted gains.
    """
    if not isinstance(metric, FoldMetric) or metric.normalised or metric.pooling != "no":
        return None
    fold: Any = metric.fold()
    plain = type(metric).kernel in (FoldMetric.kernel, SingleAspectMetric.kernel) and type(fold).total is Fold.total
    if not (plain and is_own_class(type(metric)) and is_own_class(type(fold)) and is_dataclass(fold)):
        return None
    return type(fold), metric.weighted, *(getattr(fold, f.name) for f in fields(fold) if f.name != "discount")


class _FoldGroup:
    """Settings that share the gains at every rank."""

    def __init__(self, metrics: Sequence[Metric], numbers: Sequence[int]) -> None:
        self._numbers = np.array(numbers)
        self._folds: list[FoldMetric] = [
            m for m in (metrics[number] for number in numbers) if isinstance(m, FoldMetric)
        ]
        self._first = self._folds[0]
        self._costs = np.array([float(metric.cost()) for metric in self._folds])
        self._discounts: Reals = np.zeros((len(numbers), 0))

    def compared(self, batch: Batch) -> Iterator[tuple[Integers, Mask, Mask]]:
        worse, better = (self._gains(batch, ranking) for ranking in batch.rankings)
        scales = np.array([float(metric.scale(batch.draft.shape.aspects)) for metric in self._folds])
        step = max(1, _AT_ONCE // max(1, batch.size))
        for start in range(0, len(self._numbers), step):
            some = slice(start, start + step)
            left, right = (
                self._totals(gains, ranking.shape[1], some, scales[some, None])
                for gains, ranking in zip((worse, better), batch.rankings, strict=True)
            )
            yield self._numbers[some], *_behind(left, right, (len(scales[some]), batch.size))

    def _gains(self, batch: Batch, ranking: AnyNumbers) -> dict[int, Array]:
        """Return the gains at every rank, summed over aspects, shape (n, B), by order of eps."""
        metric, fold = self._first, self._first.fold()
        grades = batch.wrap(ranking[:, : metric.cutoff, :], _ORDERS)
        n = grades.shape[-2]
        gains: dict[int, Array] = {}
        state = fold.start(_FLOATS)
        for rank in range(n):
            earned, state = fold.step(_FLOATS, state, grades[..., rank, :])
            summed: Any = (earned * batch.weights if metric.weighted else earned).sum(axis=-1)
            for order, part in summed.terms.items() if isinstance(summed, Series) else ((0, summed),):
                gains.setdefault(order, np.zeros((n, batch.size)))[rank] = part
        return gains

    def _totals(self, gains: dict[int, Array], length: int, some: slice, scales: Reals) -> dict[int, Array]:
        """Return the scores of some settings, shape (S, B), by order of eps."""
        n = min(length, self._first.cutoff or length)
        discounts = self._discounts_to(n)[some]
        totals = {order: scales * (discounts @ part) for order, part in gains.items()}
        if self._costs.any():
            cost = (self._costs[some] * discounts.sum(axis=1))[:, None]
            totals[0] = totals[0] - cost if 0 in totals else -cost
        return totals

    def _discounts_to(self, n: int) -> Reals:
        """Return the discounts of all settings, shape (S, n)."""
        if self._discounts.shape[1] < n:
            folds = [metric.fold() for metric in self._folds]
            self._discounts = np.array([[fold.discount.real(i) for i in range(1, n + 1)] for fold in folds])
        return self._discounts[:, :n]


def _behind(worse: dict[int, Array], better: dict[int, Array], shape: tuple[int, int]) -> tuple[Mask, Mask]:
    """Return where the worse ranking is clearly ahead, and where the lowest order of eps decides, shape (S, B) each."""
    behind, sure, open_ = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool), np.ones(shape, dtype=bool)
    for number, order in enumerate(sorted({*worse, *better})):
        w, b = (np.broadcast_to(side.get(order, 0.0), shape) for side in (worse, better))
        gap, scale = b - w, np.maximum(np.abs(b), np.abs(w))
        now = open_ & (gap < -_CLEAR * (scale + scale.max(axis=1, keepdims=True, initial=0.0)))
        behind |= now
        if number == 0:
            sure |= now
        open_ &= np.abs(gap) <= _NOISE * scale
        if not open_.any():
            break
    return behind, sure
