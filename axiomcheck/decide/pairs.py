"""Pairs of rankings in exact numbers, as they are decided."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from axiomcheck.axioms import Draft
from axiomcheck.axioms.drafts import exact_draft
from axiomcheck.core.typing import ExactNumbers
from axiomcheck.decide.batch import Batch, Bound


@dataclass(frozen=True)
class Pairs:
    """B pairs of rankings in exact numbers (object arrays of rationals).

    Args:
        worse, better: (B, length, m) each, in rank order.
        weights: (B, m), summing to 1.
        pool: (B, P, m).
        small: whether grades stand for eps * grade, eps -> 0.
        bound: in place of the score of one side; None where both are scored.

    """

    worse: ExactNumbers
    better: ExactNumbers
    weights: ExactNumbers
    pool: ExactNumbers
    small: bool
    bound: Bound | None = None

    @classmethod
    def of(cls, batch: Batch) -> Pairs:
        """The pairs of a batch."""
        exact = Batch(batch.axiom, exact_draft(batch.draft), batch.small)
        return cls(*exact.rankings, _exact_weights(exact.draft), exact.draft.grades, batch.small, batch.bound)

    @property
    def size(self) -> int:
        """B."""
        return int(self.worse.shape[0])

    def pick(self, rows: list[int]) -> Pairs:
        """The pairs of some rows."""
        columns = (self.worse[rows], self.better[rows], self.weights[rows], self.pool[rows])
        return Pairs(*columns, self.small, self.bound)


def _exact_weights(draft: Draft) -> ExactNumbers:
    out = np.empty(draft.weights.shape, dtype=object)
    for b, row in enumerate(draft.weights.tolist()):
        total = sum(row)
        out[b] = [fmpq(w, total) for w in row]
    return out
