"""Shows the instances that one search of an axiom tries to all settings of a metric at once, in floats.

What does not depend on the setting is worked out once. What documents earn in a fold depends on the fold's own
parameters (alpha), not on discounts, scale and cost: settings that differ in these alone share the gains of every rank,
and their totals are one product of matrices.
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
"""Comparisons whose arrays are held at a time."""

_ORDERS = 2
"""Orders of eps that are looked at where r << 1 is assumed."""

_CLEAR = 1e-12
_NOISE = 4e-15
"""Shares of a score: a reversal by less than the first is none here, whoever searches closer; a difference of no more
than the second may pass for zero, so that the next order of eps decides, as in `axiomcheck.decide.scores`."""


@dataclass(frozen=True)
class Suspect:
    """An instance on which floats have the worse ranking ahead.

    Args:
        batch: the instance (B = 1).
        settings: number of each for which it is so -> whether floats are sure of it.

    """

    batch: Batch
    settings: dict[int, bool]


@dataclass
class Screened:
    """Holds what was seen of all settings.

    Args:
        suspects: an instance for every setting that is reversed somewhere, the earliest one; few for all of them.
        reversed: (S,) how many of the sampled instances are reversed.
        sampled: how many there were.
        compared: how many instances there were, enumerated ones included.

    """

    suspects: list[Suspect]
    reversed: Integers
    sampled: int = 0
    compared: int = 0


def screened(axiom: PairAxiom, metrics: Sequence[Metric], reading: Reading, settings: Settings) -> Screened:
    """Compares by every setting what the search of `axiomcheck.engine.cells` tries of each.

    Args:
        axiom: which one is asked.
        metrics: settings of one metric that are searched on the same instances.
        reading: regime and domain.
        settings: seed and budgets.

    Raises:
        MetricError: a metric raised.

    """
    scores = SharedScores(metrics)
    seen = Screened([], np.zeros(len(metrics), dtype=np.int64))
    open_ = np.ones(len(metrics), dtype=bool)

    class ShownToAll(Tally):
        """Books nothing: what its search comes across is looked at by all settings."""

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
        while new.any():  # the instance that speaks against most of them first
            column = int(behind[new].sum(axis=0).argmax())
            rows = np.flatnonzero(new & behind[:, column])
            single = Batch(batch.axiom, batch.draft.pick(np.array([column])), batch.small)
            found = dict(zip(numbers[rows].tolist(), sure[rows, column].tolist(), strict=True))
            seen.suspects.append(Suspect(single, found))
            open_[numbers[rows]] = new[rows] = False


class SharedScores:
    """Compares both rankings of instances by many settings.

    Args:
        metrics: settings of one metric, with one cutoff.

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
        """Return what floats say, in portions: (numbers of settings (S,), worse is ahead (S, B), and surely so (S, B)).

        Raises:
            MetricError: a metric raised.

        """
        for group in self._groups:
            yield from group.compared(batch)
        for number in self._alone:
            found = compare(self._metrics[number], batch)
            behind = found.sign == -1
            yield np.array([number]), behind[None, :], (behind & found.sure)[None, :]


def _earning(metric: Metric) -> Any:
    """Return what the gains of a metric depend on, where they are the same whatever its discounts, scale and cost are.

    None of a metric that is no such fold.
    """
    if not isinstance(metric, FoldMetric) or metric.normalised or metric.pooling != "no":
        return None
    fold: Any = metric.fold()
    plain = type(metric).kernel in (FoldMetric.kernel, SingleAspectMetric.kernel) and type(fold).total is Fold.total
    if not (plain and is_own_class(type(metric)) and is_own_class(type(fold)) and is_dataclass(fold)):
        return None
    return type(fold), metric.weighted, *(getattr(fold, f.name) for f in fields(fold) if f.name != "discount")


class _FoldGroup:
    """Settings that share the gains of every rank."""

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
        """Order of eps -> what the documents at every rank earn, summed over aspects: (n, B)."""
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
        """Order of eps -> the scores (S, B) of some settings."""
        n = min(length, self._first.cutoff or length)
        discounts = self._discounts_to(n)[some]
        totals = {order: scales * (discounts @ part) for order, part in gains.items()}
        if self._costs.any():
            cost = (self._costs[some] * discounts.sum(axis=1))[:, None]
            totals[0] = totals[0] - cost if 0 in totals else -cost
        return totals

    def _discounts_to(self, n: int) -> Reals:
        """(S, n) the discounts of all settings."""
        if self._discounts.shape[1] < n:
            folds = [metric.fold() for metric in self._folds]
            self._discounts = np.array([[fold.discount.real(i) for i in range(1, n + 1)] for fold in folds])
        return self._discounts[:, :n]


def _behind(worse: dict[int, Array], better: dict[int, Array], shape: tuple[int, int]) -> tuple[Mask, Mask]:
    """(S, B) where the worse ranking is clearly ahead, and where no lower order of eps had to pass for zero."""
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
