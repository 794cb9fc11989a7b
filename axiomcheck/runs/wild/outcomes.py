"""What a metric says of edits: in order, a tie, a reversal, or not told.

As everywhere, a difference counts if it is beyond rounding, and what floats cannot tell is decided in exact or
certified arithmetic where the metric has one.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from axiomcheck.core.limits import CELLS, ROUNDING
from axiomcheck.core.typing import AnyNumbers, Integers, Mask, Reals
from axiomcheck.decide import comparison
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.numerical import FloatPairs, numbers, vanishing_ties
from axiomcheck.metrics import Metric
from axiomcheck.sources.provenance import is_genuine

_TOGETHER = 256
"""Pairs that are decided in exact arithmetic at a time."""


class EditOutcome(IntEnum):
    """What comes of comparing the two rankings of an edit."""

    REVERSAL = -1
    TIE = 0
    IN_ORDER = 1
    OPEN = 2


def outcomes(metric: Metric, batch: Batch) -> Integers:
    """(B,) an `EditOutcome` for every instance of a batch.

    Args:
        metric: one that gives scores.
        batch: instances of one topic, whose pools are the same but for their order.

    Raises:
        MetricError: the metric raised, or returned what is no score.

    """
    draft = batch.draft
    step = max(1, CELLS // max(1, draft.shape.documents * draft.shape.aspects))
    parts = []
    for start in range(0, batch.size, step):
        rows = np.arange(start, min(batch.size, start + step))
        part = batch if len(rows) == batch.size else Batch(batch.axiom, draft.pick(rows), batch.small)
        parts.append(_outcomes(metric, part))
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int8)


def _outcomes(metric: Metric, batch: Batch) -> Integers:
    out = np.zeros(batch.size, dtype=np.int8)
    alike = _alike(metric, batch)
    asked = np.flatnonzero(~alike)
    if not len(asked):
        return out
    rest = Batch(batch.axiom, batch.draft.pick(asked), batch.small)
    found = comparison.compare(metric, rest)
    sign = found.sign.astype(np.int8)
    if metric.numerical(batch.small):
        tied = sign == EditOutcome.TIE
        told = tied & found.equal & ~vanishing_ties(metric, rest, tied & found.equal)
        sign[tied & ~told] = EditOutcome.OPEN
    else:
        near = (sign == EditOutcome.TIE) | (np.abs(found.margin) <= ROUNDING)
        doubtful = np.flatnonzero(near | ((sign == EditOutcome.REVERSAL) & ~found.sure))
        sign[doubtful] = _decided(metric, rest, doubtful)
    out[asked] = sign
    return out


def _alike(metric: Metric, batch: Batch) -> Mask:
    """(B,) whether the metric is shown the same twice: it has no way to tell the rankings apart.

    Documents of grade 0 at the end are left out where the metric says that they change nothing.
    """
    if not is_genuine(metric):
        return np.zeros(batch.size, dtype=bool)
    worse, better = (side[:, : metric.cutoff] for side in batch.rankings)
    length = max(worse.shape[1], better.shape[1])
    if worse.shape[1] != better.shape[1] and metric.blanks != "nothing":
        return np.zeros(batch.size, dtype=bool)
    same: Mask = (_padded(worse, length) == _padded(better, length)).all(axis=(1, 2))
    return same


def _padded(side: AnyNumbers, length: int) -> AnyNumbers:
    return np.pad(side, ((0, 0), (0, length - side.shape[1]), (0, 0)))


def _decided(metric: Metric, batch: Batch, rows: Integers) -> Integers:
    """Outcomes of some rows in exact or certified arithmetic; of the catalogue's metrics equal pairs once."""
    if not len(rows):
        return np.zeros(0, dtype=np.int8)
    some = Batch(batch.axiom, batch.draft.pick(rows), batch.small)
    first, again = np.arange(some.size), np.arange(some.size)
    if is_genuine(metric):
        sides = [side.reshape(some.size, -1) for side in some.rankings]
        _, first, again = np.unique(np.concatenate(sides, axis=1), axis=0, return_index=True, return_inverse=True)
    signs: list[int] = []
    for start in range(0, len(first), _TOGETHER):
        part = Batch(some.axiom, some.draft.pick(first[start : start + _TOGETHER]), some.small)
        signs += [EditOutcome.OPEN if sign is None else sign for sign in comparison.signs(metric, part)]
    return np.array(signs, dtype=np.int8)[again.reshape(-1)]


def scores_of(metric: Metric, batch: Batch) -> tuple[Reals, Reals]:
    """(worse, better): the scores of both rankings in floats, (B,) each."""
    found = numbers(metric, FloatPairs.of(batch))
    return found.worse, found.better
