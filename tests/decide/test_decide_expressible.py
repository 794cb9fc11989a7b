"""Instances that a library of integer grades can express: some, all, and those of no instances."""

from __future__ import annotations

import numpy as np

from axiomcheck.axioms import PairAxiom, find_axiom
from axiomcheck.core.domain import Domain
from axiomcheck.decide.batch import Batch, expressible, fitting
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.metrics.base import Abilities

QUARTERS = Abilities(levels=4)


def test_instances_between_the_levels_are_left_out_and_of_none_none_is() -> None:
    axiom = find_axiom("Pri")
    assert isinstance(axiom, PairAxiom)
    sampled = sample_batches(axiom, Domain.GRADED, False, 8, 400, generator(0, "quarters"), abilities=QUARTERS)
    batch = next(batch for batch in sampled if batch.size > 2)
    assert expressible(batch.draft, QUARTERS).all()
    batch.draft.grades[1, 0, 0] = 0.3
    assert expressible(batch.draft, QUARTERS).tolist() == [row != 1 for row in range(batch.size)]
    assert fitting(batch, QUARTERS).size == batch.size - 1
    none = Batch(batch.axiom, batch.draft.pick(np.zeros(batch.size, dtype=bool)), batch.small)
    assert expressible(none.draft, QUARTERS).shape == (0,)
    assert fitting(none, QUARTERS).size == 0
