"""Counts of violations by every metric on every edit of one topic.

A difference counts if it exceeds rounding. If floats are not enough, exact or certified arithmetic decides, provided
that the metric supports it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Any

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, about_pairs, find_axiom
from axiomcheck.core.documents import Record, document_of
from axiomcheck.core.domain import Domain
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.limits import CELLS, ROUNDING
from axiomcheck.core.typing import AnyNumbers, Integers, Mask, Reals
from axiomcheck.decide import comparison
from axiomcheck.decide.batch import Batch, Pairs
from axiomcheck.decide.numerical import numbers, vanishing_ties
from axiomcheck.decide.space import expressible
from axiomcheck.metrics import Metric
from axiomcheck.runs.trec import metrics_named
from axiomcheck.runs.wild.edits import Extent, TopicEdits, WildTopic, WorstEdit, as_seen, edits_of
from axiomcheck.sources.provenance import is_genuine, states
from axiomcheck.trials.consistency import as_probed, check_metric_is_one_function

_AGAIN = 8
"""Number of edits per batch on which an external metric is called twice."""

_TOGETHER = 256
"""Number of pairs per batch in exact arithmetic."""


class EditOutcome(IntEnum):
    """Outcome of comparing the two rankings of an edit."""

    REVERSAL = -1
    TIE = 0
    IN_ORDER = 1
    OPEN = 2


@dataclass(frozen=True)
class Asked:
    """Metrics, axioms and settings that all topics share.

    Args:
        metrics: Metrics, or names that workers resolve to metrics.
        axioms: Axioms on pairs, or their names.
        extent: Selection of edits.

    """

    metrics: tuple[Metric | str, ...]
    axioms: tuple[PairAxiom | str, ...]
    extent: Extent


class TopicTally(Record):
    """Counts of the edits on one topic, for one metric and axiom.

    Args:
        candidates, looked: Counts as in `axiomcheck.runs.wild.edits.TopicEdits`.
        applicable: Number of edits that meet the axiom's premises within the metric's cutoff.
        ties, reversals: Number of edits that violate the axiom, by kind of violation.
        open: Number of edits that could not be decided.
        lists: Number of rankings with an applicable edit.
        violated: Number of these rankings with a violation.
        worst: Violation with the least margin.

    """

    candidates: int
    looked: int
    applicable: int = 0
    ties: int = 0
    reversals: int = 0
    open: int = 0
    lists: int = 0
    violated: int = 0
    worst: WorstEdit | None = None


def applies(metric: Metric, axiom: PairAxiom) -> bool:
    """Return True if an axiom applies to a metric."""
    return axiom.group != "diversity" or metric.applies_to_aspects()


def is_binary(metric: Metric, extent: Extent) -> bool:
    """Return True if a metric is checked only on grade 0 and a single positive grade rc."""
    return extent.domain is Domain.BINARY or metric.binary_only


def is_whole(metric: Metric) -> bool:
    """Return True if a metric needs every judged document, since it does not declare that it ignores grade 0."""
    return metric.blanks == "any" or not states(metric, "blanks")


def examine(asked: Asked, topic: WildTopic) -> list[dict[str, Any]]:
    """Return a `TopicTally`, as JSON, for every metric and every axiom that applies to it, ordered by metric."""
    metrics = [_named(one) if isinstance(one, str) else one for one in asked.metrics]
    tallies: dict[tuple[int, int], TopicTally] = {}
    for a, axiom in enumerate(map(_axiom, asked.axioms)):
        shared: dict[tuple[bool, bool], TopicEdits] = {}
        for number, metric in enumerate(metrics):
            if applies(metric, axiom):
                kind = is_binary(metric, asked.extent), is_whole(metric)
                if kind not in shared:
                    shared[kind] = edits_of(axiom, as_seen(topic, axiom, *kind), asked.extent)
                tallies[number, a] = _tally(metric, axiom, shared[kind])
    return [document_of(tallies[key]) for key in sorted(tallies)]


def _tally(metric: Metric, axiom: PairAxiom, found: TopicEdits) -> TopicTally:
    counts = dict.fromkeys(("applicable", "ties", "reversals", "open"), 0)
    lists, violated = set[int](), set[int]()
    worst: WorstEdit | None = None
    for edits in found.edits:
        rows = np.flatnonzero(_within(metric, axiom, edits.draft))
        if not len(rows):
            continue
        batch = Batch(axiom, edits.draft.pick(rows), False)
        run, weight = edits.run[rows], edits.weight[rows]
        _check_repeats(metric, batch)
        outcome = outcomes(metric, batch)
        tie, reversal = (outcome == EditOutcome.TIE) & axiom.strict, outcome == EditOutcome.REVERSAL
        masks = np.ones(len(rows), dtype=bool), tie, reversal, outcome == EditOutcome.OPEN
        for name, mask in zip(counts, masks, strict=True):
            counts[name] += int(weight[mask].sum())
        lists |= set(run.tolist())
        broken = np.flatnonzero(tie | reversal)
        if not len(broken):
            continue
        violated |= set(run[broken].tolist())
        low, high = scores_of(metric, Batch(axiom, batch.draft.pick(broken), False))
        margins = np.where(tie[broken], 0.0, high - low)
        least = int(np.argmin(margins))
        if worst is None or margins[least] < worst.margin:
            place = int(broken[least])
            roles = (int(getattr(batch.draft, name)[place]) for name in "ijtu")
            incoming = list(edits.incoming[rows[place]])
            worst = WorstEdit(int(run[place]), float(margins[least]), incoming, batch.draft.n, *roles)
    return TopicTally(found.candidates, found.looked, **counts, lists=len(lists), violated=len(violated), worst=worst)


def _within(metric: Metric, axiom: PairAxiom, draft: Draft) -> Mask:
    """Return a mask, shape (B,), of the instances that the metric supports and that fit its cutoff."""
    fits = expressible(draft, metric.abilities)
    if metric.cutoff is not None:
        fits &= axiom.last_rank(draft) <= metric.cutoff
    return fits


@cache
def _named(name: str) -> Metric:
    return as_tried(metrics_named([name])[0])


def as_tried(metric: Metric) -> Metric:
    """Test a metric, and return it with its effective cutoff if it does not declare one.

    Raises:
        InvalidInput: The metric scores differently in exact arithmetic and in floats, or contradicts its declarations.

    """
    try:
        check_metric_is_one_function(metric, False)
    except MetricError as error:
        raise InvalidInput(str(error)) from None
    return as_probed(metric)


def _check_repeats(metric: Metric, batch: Batch) -> None:
    """Check that an external metric returns the same scores for part of a batch when called again.

    Raises:
        MetricError: The scores differ.

    """
    some = Batch(batch.axiom, batch.draft.pick(np.arange(min(batch.size, _AGAIN))), batch.small)
    if not is_genuine(metric) and not comparison.compare(metric, some).repeats(comparison.compare(metric, some)):
        raise MetricError(f"{metric} scores the same rankings differently when asked again")


def _axiom(given: PairAxiom | str) -> PairAxiom:
    found = find_axiom(given) if isinstance(given, str) else given
    assert about_pairs(found)
    return found


def outcomes(metric: Metric, batch: Batch) -> Integers:
    """Return an `EditOutcome` for every instance of a batch, shape (B,).

    Args:
        metric: Metric that returns scores.
        batch: Instances of one topic, whose pools are the same up to their order.

    Raises:
        MetricError: The metric raised an error, or returned a value that is not a score.

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
    """Return a mask, shape (B,), of the instances whose two rankings are the same to the metric.

    Documents of grade 0 at the end are ignored if the metric declares that they change nothing.
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
    """Return the outcomes of some rows in exact or certified arithmetic.

    Equal pairs are passed to a genuine metric only once.
    """
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
    """Return the float scores of the worse and of the better rankings, shape (B,) each."""
    found = numbers(metric, Pairs.floats_of(batch))
    return found.worse, found.better
