"""Violating instances that floats point at, kept until exact arithmetic confirms them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from axiomcheck.axioms import PairAxiom, Shape
from axiomcheck.core.documents import UNSET
from axiomcheck.core.errors import MetricError
from axiomcheck.core.typing import Mask
from axiomcheck.decide.batch import Batch, Judgement
from axiomcheck.decide.comparison import judge
from axiomcheck.decide.dominance import APART
from axiomcheck.decide.doubts import SettledBatch, contradicted
from axiomcheck.decide.numerical import ACROSS
from axiomcheck.decide.shrink import shrink
from axiomcheck.decide.witness import Witness, witness_of
from axiomcheck.metrics import Metric
from axiomcheck.records.witnesses import Further, WitnessScores

_MOST = 6
_READABLE = 12
"""Documents of the instance that violates by most: it is there to be looked at."""
_MARGIN_KEPT = Fraction(19, 20)
"""The share of the largest margin that stays where the instance is made small, which simple numbers are worth."""


@dataclass(order=True)
class Candidate:
    """A violating instance, ordered by size."""

    key: tuple[int, ...]
    batch: Batch = field(compare=False)
    sure: bool = field(compare=False)


class ViolationCandidates:
    """Violating instances of one metric.

    Attributes:
        grid_witness, grid_apart: the smallest confirmed instance of what was enumerated, that violates or is
            incomparable; None before there is one.
        tied_shapes: the shapes on which two scores tie that must not.

    """

    def __init__(self, metric: Metric, axiom: PairAxiom, own_code: bool) -> None:
        self.metric, self.axiom, self._own_code = metric, axiom, own_code
        self.tied_shapes: set[Shape] = set()
        self.grid_witness: Batch | None = None
        self.grid_apart: Batch | None = None
        self._violating: list[Candidate] = []
        self._apart: list[Candidate] = []
        self._reversals: list[Candidate] = []
        self._first_certain: Candidate | None = None
        self._first_reversal: Candidate | None = None
        self._largest: tuple[float, Batch] | None = None

    @property
    def violated(self) -> bool:
        """Tell whether a violation has been seen (in floats a reversal, or an exactly confirmed tie)."""
        return bool(self._violating)

    def add(self, known: SettledBatch) -> None:
        """Keep the smallest violating and incomparable instances of a batch, those that are certain first."""
        batch, reversed_ = known.batch, known.reversed
        if self.axiom.strict and known.tied.any():
            self.tied_shapes.add(batch.draft.shape)
        if known.apart.any() and self.grid_apart is None:
            _keep_smallest(self._apart, batch, known.apart, known.sure)
        if reversed_.any():
            _keep_smallest(self._reversals, batch, reversed_, known.sure)
            self._keep_largest(known)
        if known.broken.any():
            self.add_violations(batch, known.broken, reversed_, known.sure)

    def add_violations(self, batch: Batch, broken: Mask, reversed_: Mask, sure: Mask) -> None:
        """Keep the smallest violating instances of a batch: (B,) which are violating, reversed, certain."""
        if self._first_reversal is None and (reversed_ & sure).any():
            shape = batch.draft.shape
            single = batch.pick(np.flatnonzero(reversed_ & sure)[:1])
            self._first_reversal = Candidate((shape.documents, shape.aspects), single, True)
        if self.grid_witness is None:
            for candidate in _keep_smallest(self._violating, batch, broken, sure):
                if candidate.sure and self._first_certain is None:
                    self._first_certain = candidate

    def _keep_largest(self, known: SettledBatch) -> None:
        """Keep the instance that violates by most, of those that can be read."""
        rows = np.flatnonzero(known.behind_in_floats)
        if not rows.size or known.batch.draft.shape.documents > _READABLE:
            return
        margin = known.floats.margin
        most = rows[np.argmin(margin[rows])]
        if self._largest is None or -margin[most] > self._largest[0]:
            self._largest = float(-margin[most]), known.batch.pick(np.array([most]))

    def confirm_enumerated(self) -> None:
        """Confirm what a group of enumerated instances showed; smaller groups showed nothing.

        Raises:
            MetricError, InternalDisagreement: see `confirm`.

        """
        if self._violating or self._apart:
            self.grid_witness = self.confirm()
            self.grid_apart = self.grid_apart or self.confirm_apart()

    def confirm(self) -> Batch | None:
        """Return the smallest violating instance that exact arithmetic confirms; None without one.

        Raises:
            MetricError: the metric is not one function.
            InternalDisagreement: exact arithmetic contradicts what floats were sure of.

        """
        for candidate in [*self._violating, *(c for c in (self._first_certain, self._first_reversal) if c)]:
            judgement = judge(self.metric, candidate.batch)
            sign, numerical = judgement.sign, judgement.arithmetic == "numerical"
            if sign == -1 or (sign == 0 and self.axiom.strict and not numerical):
                return candidate.batch
            if sign == 0 and self.axiom.strict:
                if len(self.tied_shapes) >= ACROSS:
                    return candidate.batch
                continue
            if sign is not None and candidate.sure and numerical:
                raise MetricError(f"{self.metric} scores the same rankings differently when asked again")
            if sign is not None and candidate.sure:
                contradicted(self.metric, self._own_code, candidate.batch, -1, sign)
        return None

    def confirm_apart(self) -> Batch | None:
        """Return the smallest instance whose distributions exact arithmetic finds incomparable; None without one.

        Raises:
            MetricError, InternalDisagreement: see `confirm`.

        """
        for candidate in self._apart:
            sign = judge(self.metric, candidate.batch).sign
            if sign == APART:
                return candidate.batch
            if sign is not None and candidate.sure:
                contradicted(self.metric, self._own_code, candidate.batch, APART, sign)
        return None

    def further(self, smallest: Witness) -> Further | None:
        """Return other counterexamples than the smallest: a reversal beside a tie, and one of a large margin.

        They are made small and confirmed as a witness is. None where there is nothing more to show.

        Raises:
            MetricError: the metric raised.

        """
        if self.metric.partial:
            return None
        reversal = self._smallest_reversal(smallest) if smallest.kind == "tie" else None
        known = max(margin_of(one.judgement) for one in (smallest, reversal) if one)
        largest = self._largest_violation(smallest, known)
        if reversal is None and largest is None:
            return None
        return Further(*(UNSET if one is None else one.record() for one in (reversal, largest)))

    def _smallest_reversal(self, smallest: Witness) -> Witness | None:
        for candidate in self._reversals:
            if judge(self.metric, candidate.batch).sign == -1:
                return self._shrunk(candidate.batch, smallest, lambda judged: judged.sign == -1)
        return None

    def _largest_violation(self, smallest: Witness, known: Fraction) -> Witness | None:
        """Return the instance of the largest margin, made smaller; None if its margin is no larger than one known."""
        if self._largest is None:
            return None
        batch = self._largest[1]
        judged = judge(self.metric, batch)
        least = _MARGIN_KEPT * margin_of(judged) if judged.sign == -1 else Fraction(0)
        if least <= known:
            return None
        return self._shrunk(batch, smallest, lambda judged: judged.sign == -1 and margin_of(judged) >= least)

    def _shrunk(self, batch: Batch, smallest: Witness, keeps: Callable[[Judgement], bool]) -> Witness:
        shrunk = shrink(self.metric, batch, self.metric.cutoff, keeps=lambda each: keeps(judge(self.metric, each)))
        return witness_of(self.metric, shrunk, smallest.reading, None)


def margin_of(scores: Judgement | WitnessScores) -> Fraction:
    """Return by how much the worse ranking is ahead, as a share of the larger score; 0 where both score 0."""
    worse, better = Fraction(scores.worse), Fraction(scores.better)
    larger = max(abs(worse), abs(better))
    return (worse - better) / larger if larger else Fraction(0)


def _keep_smallest(candidates: list[Candidate], batch: Batch, wanted: Mask, sure: Mask) -> list[Candidate]:
    """Put the smallest of the wanted instances among the candidates; return those that were looked at."""
    d = batch.draft
    size = (d.shape.documents, d.shape.aspects)
    if len(candidates) == _MOST and candidates[-1].key[:2] < size:
        return []
    certain = wanted & sure
    index = np.flatnonzero(certain if certain.any() else wanted)
    grades = d.grades[index]
    support = (grades > 0).sum(axis=(1, 2))
    odd = ((grades > 0) & (grades < 1)).sum(axis=(1, 2)) + d.weights[index].sum(axis=1)
    looked = [
        Candidate(
            (*size, int(support[k]), int(odd[k]), int(index[k])), batch.pick(index[k : k + 1]), bool(sure[index[k]])
        )
        for k in np.lexsort((index, odd, support))[:2]
    ]
    candidates += looked
    candidates.sort()
    del candidates[_MOST:]
    return looked
