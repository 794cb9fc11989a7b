"""Candidate violations found in floating point, which exact arithmetic then confirms or rejects."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from axiomcheck.axioms import PairAxiom, Shape
from axiomcheck.core.errors import MetricError
from axiomcheck.core.typing import Mask
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.comparison import judge
from axiomcheck.decide.dominance import APART
from axiomcheck.decide.doubts import SettledBatch, contradicted
from axiomcheck.decide.numerical import ACROSS
from axiomcheck.metrics import Metric

_MOST = 6


@dataclass(order=True)
class Candidate:
    """Instance that seems to violate the axiom. Candidates are sorted by size.

    Args:
        key: Number of documents, number of aspects, and three numbers that order instances of one shape.
        batch: The instance (B = 1).
        sure: True if the float comparison was certain of the violation.

    """

    key: tuple[int, ...]
    batch: Batch = field(compare=False)
    sure: bool = field(compare=False)


class ViolationCandidates:
    """Candidate counterexamples of one metric and one axiom.

    Attributes:
        grid_witness: Smallest enumerated instance that exact arithmetic confirmed as a violation, or None.
        grid_apart: Smallest enumerated instance that exact arithmetic confirmed as incomparable rankings, or None.
        tied_shapes: Shapes of instances on which two scores tie although the axiom requires them to differ.

    """

    def __init__(self, metric: Metric, axiom: PairAxiom, own_code: bool) -> None:
        self.metric, self.axiom, self._own_code = metric, axiom, own_code
        self.tied_shapes: set[Shape] = set()
        self.grid_witness: Batch | None = None
        self.grid_apart: Batch | None = None
        self._violating: list[Candidate] = []
        self._apart: list[Candidate] = []
        self._first_certain: Candidate | None = None
        self._first_reversal: Candidate | None = None

    @property
    def violated(self) -> bool:
        """True if a violation has been seen, which is a reversal in floats or an exactly confirmed tie."""
        return bool(self._violating)

    def add(self, known: SettledBatch) -> None:
        """Keep the smallest violations and the smallest incomparable instances of a batch.

        Instances for which the float comparison was certain are preferred.
        """
        batch, reversed_ = known.batch, known.reversed
        if self.axiom.strict and known.tied.any():
            self.tied_shapes.add(batch.draft.shape)
        if known.apart.any() and self.grid_apart is None:
            _keep_smallest(self._apart, batch, known.apart, known.sure)
        if known.broken.any():
            self.add_violations(batch, known.broken, reversed_, known.sure)

    def add_violations(self, batch: Batch, broken: Mask, reversed_: Mask, sure: Mask) -> None:
        """Keep the smallest violating instances of a batch.

        Args:
            batch: The instances.
            broken: (B,) True for violating instances.
            reversed_: (B,) True for reversals.
            sure: (B,) True for instances for which the float comparison was certain.

        """
        if self._first_reversal is None and (reversed_ & sure).any():
            shape = batch.draft.shape
            single = batch.pick(np.flatnonzero(reversed_ & sure)[:1])
            self._first_reversal = Candidate((shape.documents, shape.aspects), single, True)
        if self.grid_witness is None:
            for candidate in _keep_smallest(self._violating, batch, broken, sure):
                if candidate.sure and self._first_certain is None:
                    self._first_certain = candidate

    def confirm_enumerated(self) -> None:
        """Confirm the candidates of one group of enumerated instances.

        Groups are enumerated in order of size, so no smaller group has a confirmed candidate.
        """
        if self._violating or self._apart:
            self.grid_witness = self.confirm()
            self.grid_apart = self.grid_apart or self.confirm_apart()

    def confirm(self) -> Batch | None:
        """Return the smallest violating instance that exact arithmetic confirms; None if there is none.

        Raises:
            MetricError: The metric scores the same rankings inconsistently.
            InternalDisagreement: Exact arithmetic contradicts a float result that was marked as certain.

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
                raise MetricError(f"{self.metric} scores the same rankings differently when it is called again")
            if sign is not None and candidate.sure:
                contradicted(self.metric, self._own_code, candidate.batch, -1, sign)
        return None

    def confirm_apart(self) -> Batch | None:
        """Return the smallest instance confirmed as incomparable by exact arithmetic; None if there is none.

        Raises:
            MetricError, InternalDisagreement: See `confirm`.

        """
        for candidate in self._apart:
            sign = judge(self.metric, candidate.batch).sign
            if sign == APART:
                return candidate.batch
            if sign is not None and candidate.sure:
                contradicted(self.metric, self._own_code, candidate.batch, APART, sign)
        return None


def _keep_smallest(candidates: list[Candidate], batch: Batch, wanted: Mask, sure: Mask) -> list[Candidate]:
    """Add the two smallest wanted instances of a batch to the candidates, and return these two."""
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
