"""Batches: drafts that meet the premises, with both rankings laid out for the metrics."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom
from axiomcheck.core.typing import AnyNumbers, Array, Integers, Keys, Mask, Reals
from axiomcheck.metrics import Abilities
from axiomcheck.numbers.series import Series

_MIX = np.random.default_rng(0x5EED).integers(1, 2**63, size=4096, dtype=np.uint64) * np.uint64(2) + np.uint64(1)


Side = Literal["worse", "better"]


@dataclass(frozen=True)
class Bound:
    """A number in place of the score of one side: it bounds the score of the other side.

    Args:
        side: where the number stands; ``"worse"`` for one that the score must not be below.
        number: the bound.

    """

    side: Side
    number: Fraction

    def beside(self, score: Any, number: Any) -> tuple[Any, Any]:
        """Return (worse, better) of a score and the number, in the form of the score."""
        return (number, score) if self.side == "worse" else (score, number)


@dataclass(frozen=True)
class Batch:
    """B instances of one axiom and shape; the draft axis is innermost in memory.

    Args:
        axiom: which one is asked.
        draft: the drafts, all meeting its premises.
        small: whether grades stand for eps * grade, eps -> 0.
        bound: that the score of the better or the worse ranking is compared with; None where both are scored.

    """

    axiom: PairAxiom
    draft: Draft
    small: bool
    bound: Bound | None = None

    @property
    def comparisons(self) -> tuple[Batch, ...]:
        """Return what has to be compared: the batch itself, or of an axiom on scores one batch per bound."""
        least, most = self.axiom.least, self.axiom.most
        if least is None and most is None:
            return (self,)
        bounds = [Bound("worse", Fraction(least))] if least is not None else []
        bounds += [Bound("better", Fraction(most))] if most is not None else []
        return tuple(replace(self, bound=bound) for bound in bounds)

    @property
    def size(self) -> int:
        """B."""
        return self.draft.size

    def pick(self, rows: Mask | Integers) -> Batch:
        """Return some of the instances."""
        return replace(self, draft=self.draft.pick(rows))

    @cached_property
    def weights(self) -> Reals:
        """(B, m), summing to 1, as float64."""
        return self.draft.unit_weights()

    @cached_property
    def _rows(self) -> tuple[Integers, Integers]:
        """(worse, better): rows of the pool in rank order, (B, length) each."""
        return self.axiom.rankings(self.draft)

    @cached_property
    def rankings(self) -> tuple[AnyNumbers, AnyNumbers]:
        """(worse, better): grades of shape (B, length, m) each."""
        if self.pair is not None:
            return self.pair[0], self.pair[1]
        worse, better = (_laid_out(self.draft.grades, rows) for rows in self._rows)
        return worse.transpose(2, 0, 1), better.transpose(2, 0, 1)

    @cached_property
    def pair(self) -> AnyNumbers | None:
        """Both rankings as one array (2, B, length, m), worse first; None where their lengths differ."""
        worse, better = self._rows
        if worse.shape != better.shape:
            return None
        grades = self.draft.grades
        both = np.empty((worse.shape[1], grades.shape[2], 2, self.size), dtype=grades.dtype)
        for side, rows in enumerate(self._rows):
            _laid_out(grades, rows, both[:, :, side])
        return both.transpose(2, 3, 0, 1)

    def wrap(self, grades: AnyNumbers, keep: int | None) -> Array:
        """The grades as a metric is to see them: as they are, or times eps where r << 1 is assumed."""
        return Series({1: grades}, keep) if self.small else grades


def _laid_out(grades: AnyNumbers, rows: Integers, out: AnyNumbers | None = None) -> AnyNumbers:
    """(length, m, B) grades of documents in rank order: most are where they are in the draft, so few are gathered."""
    inner, length = np.moveaxis(grades, 0, -1), rows.shape[1]
    laid = np.empty((length, *inner.shape[1:]), dtype=inner.dtype) if out is None else out
    if rows.size and rows.strides[0] == 0:  # the same for all
        laid[...] = inner[rows[0]]
        return laid
    laid[...] = inner[:length]
    drafts, ranks = np.nonzero(rows != np.arange(length))
    laid[ranks, :, drafts] = inner[rows[drafts, ranks], :, drafts]
    return laid


def compile_batch(axiom: PairAxiom, draft: Draft, small: bool, max_rank: int | None) -> Batch:
    """Return the batch of those drafts that meet the premises and fit a cutoff of ``max_rank``."""
    keep = axiom.premises(draft)
    if max_rank is not None:
        keep &= axiom.last_rank(draft) <= max_rank
    return Batch(axiom, draft if keep.all() else draft.pick(keep), small)


def instance_keys(batch: Batch, support_only: bool) -> Keys:
    """(B,) 64-bit keys, equal for equal instances: what "distinct instances" counts.

    Where r << 1 is assumed, patterns that differ by a common factor are one instance. For metrics that see only
    whether a grade is positive (``support_only``), instances that differ in nothing else are one.
    """
    d = batch.draft
    inner = np.moveaxis(d.grades, 0, -1)
    if support_only:
        bits = (inner > 0).astype(np.uint64)
    else:
        if batch.small:
            peak = inner.max(axis=(0, 1))
            inner = inner / np.where(peak == 0, 1, peak)
        bits = np.ascontiguousarray(inner).view(np.uint64)
        bits = bits ^ (bits >> np.uint64(29))
    cells = bits.shape[0] * bits.shape[1]
    key: Keys = (bits.reshape(cells, d.size) * _MIX[:cells, None]).sum(axis=0, dtype=np.uint64)
    weights = d.weights // np.gcd.reduce(d.weights, axis=1)[:, None]
    columns = [weights[:, t] for t in range(d.shape.aspects)]
    columns += [getattr(d, choice) for choice in batch.axiom.choices]
    columns += [np.full(d.size, size) for size in (d.shape.documents, d.shape.aspects, d.shape.ranked)]
    for c, column in enumerate(columns):
        key = key * np.uint64(0x9E3779B97F4A7C15) + column.astype(np.uint64) * _MIX[4000 + c]
        key ^= key >> np.uint64(31)
    return key


# ------------------------------------------------------------------------------------ what a library can express
#
# Instances that a library of integer grades or equal aspect weights cannot express are no instances for it. Drafts are
# brought onto its grid before they are repaired, and their premises are checked afterwards, so nothing counts that
# stopped being an instance on the way.


def coarsen(draft: Draft, abilities: Abilities) -> None:
    """Round grades to the levels there are and level out weights, in place (drafts in floats)."""
    levels = abilities.levels
    if levels is not None:
        draft.grades[:] = np.rint(draft.grades * levels) / levels
        draft.top[:] = np.maximum(np.rint(draft.top * levels), 1) / levels
    if not abilities.weights:
        draft.weights[:] = 1


def expressible(draft: Draft, abilities: Abilities) -> Mask:
    """(B,) which drafts need no more than the abilities."""
    fits = np.ones(draft.size, dtype=bool)
    levels = abilities.levels
    if levels is not None:
        if draft.grades.dtype == object:
            whole = np.vectorize(lambda g: (g * levels).q == 1, otypes=[bool])(draft.grades)
        else:
            whole = draft.grades * levels == np.rint(draft.grades * levels)
        fits &= whole.all(axis=(1, 2))
    if not abilities.weights:
        fits &= (draft.weights == draft.weights[:, :1]).all(axis=1)
    return fits


def fitting(batch: Batch, abilities: Abilities) -> Batch:
    """Return the instances of a batch that the abilities reach."""
    if abilities.levels is None and abilities.weights:
        return batch
    fits = expressible(batch.draft, abilities)
    return batch if fits.all() else batch.pick(fits)
