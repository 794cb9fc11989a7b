"""Define the space of instances on which metrics are tested, and repair drafts so that they belong to the space."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom
from axiomcheck.core.domain import Domain, Reading, assumes_small
from axiomcheck.core.limits import LONGEST_RANKING
from axiomcheck.core.typing import Keys, Mask
from axiomcheck.decide.batch import Batch
from axiomcheck.metrics import Abilities, Metric

DEEPEST = LONGEST_RANKING - 2
"""Deepest rank that the search tests, for metrics whose cutoff allows it."""

_MIX = np.random.default_rng(0x5EED).integers(1, 2**63, size=4096, dtype=np.uint64) * np.uint64(2) + np.uint64(1)


@dataclass(frozen=True)
class Grid:
    """Grades and weights whose combinations are enumerated.

    Args:
        grades: Positive grades. Grade 0 is always included. A binary instance uses only one positive grade, rc.
        weights: Integers that aspect weights are proportional to.
        binary: True if all positive grades of an instance are equal.

    """

    grades: tuple[float, ...]
    weights: tuple[int, ...]
    binary: bool

    def text(self) -> str:
        """Describe the grid in words."""
        values = ", ".join(f"{g:g}" for g in self.grades)
        kind = f"grades 0 and one of {values}" if self.binary and len(self.grades) > 1 else f"grades 0, {values}"
        return f"{kind}; weights proportional to {' or '.join(map(str, self.weights))}"


@dataclass(frozen=True)
class InstanceSpace:
    """Set of instances of an axiom on which one metric is tested, or several metrics that need the same instances.

    If a library accepts only integer grades or equal aspect weights, other instances are not in the space. Drafts are
    rounded to the library's grades, repaired to meet the premises, and discarded if they still do not meet them.

    Args:
        axiom: Axiom whose premises the instances meet.
        domain: Graded or binary.
        small: True if r << 1 is assumed.
        max_rank: Deepest rank that the axiom may refer to; None for any rank.
        support_only: True if the metrics only distinguish positive grades from 0.
        abilities: Grades and weights that the metrics accept.

    """

    axiom: PairAxiom
    domain: Domain = Domain.GRADED
    small: bool = False
    max_rank: int | None = DEEPEST
    support_only: bool = False
    abilities: Abilities = Abilities()  # noqa: RUF009 - immutable

    @classmethod
    def of(cls, metric: Metric, axiom: PairAxiom, reading: Reading) -> InstanceSpace:
        """Return the space of instances for a metric. It is binary if the metric accepts or uses only binary grades."""
        binary = metric.binary_only or metric.abilities.levels == 1
        return cls(
            axiom,
            Domain.BINARY if binary else reading.domain,
            assumes_small(axiom, reading),
            min(metric.cutoff or DEEPEST, DEEPEST),
            metric.binary_only,
            metric.abilities,
        )

    @property
    def binary(self) -> bool:
        """True if all positive grades of an instance are equal."""
        return self.axiom.domain_of(self.domain) is Domain.BINARY

    def reach(self, ranked: int) -> int:
        """Return the deepest rank that the axiom may refer to in a ranking of ``ranked`` documents."""
        return ranked if self.max_rank is None else min(ranked, self.max_rank)

    @cached_property
    def grid(self) -> Grid:
        """Grid to enumerate, with the grades 1/2 and 1. For binary instances, rc is 1, or also 1/2 if that matters."""
        axiom = self.axiom
        weights = (1,) if axiom.balanced or axiom.max_aspects == 1 or not self.abilities.weights else (1, 2)
        if self.binary:
            one = self.small or self.support_only or not axiom.can_be_small or self.abilities.levels == 1
            return Grid((1.0,) if one else (1.0, 0.5), weights, True)
        return Grid((0.5, 1.0), weights, False)

    def instances(self, draft: Draft) -> Batch:
        """Return the drafts that meet the premises, and in which the axiom refers to no rank below ``max_rank``."""
        keep = self.axiom.premises(draft)
        met = draft if keep.all() else draft.pick(keep)
        if self.max_rank is not None and met.size:
            fits = self.axiom.last_rank(met) <= self.max_rank
            met = met if fits.all() else met.pick(fits)
        return Batch(self.axiom, met, self.small)

    def repaired(self, draft: Draft) -> Batch:
        """Change float drafts in place to meet the premises, and return those that then belong to the space."""
        levels = self.abilities.levels
        if levels is not None:
            draft.grades[:] = np.rint(draft.grades * levels) / levels
            draft.top[:] = np.maximum(np.rint(draft.top * levels), 1) / levels
        if not self.abilities.weights:
            draft.weights[:] = 1
        self.axiom.repair(draft)
        batch = self.instances(draft)
        fits = expressible(batch.draft, self.abilities)
        return batch if fits.all() else batch.pick(fits)


def instance_keys(batch: Batch, support_only: bool) -> Keys:
    """Return (B,) 64-bit keys for counting distinct instances. Equivalent instances have equal keys.

    Instances are equivalent if they differ only in a common factor of the weights or, if r << 1 is assumed, of the
    grades. If ``support_only``, all positive grades are equivalent.
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


def expressible(draft: Draft, abilities: Abilities) -> Mask:
    """Return a (B,) mask of the drafts that a metric with these abilities can score."""
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
