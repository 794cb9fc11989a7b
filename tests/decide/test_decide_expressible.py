"""Instances that a library of integer grades can express: some, all, and those of no instances."""

import numpy as np

from axiomcheck.axioms import find_axiom
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.decide.space import InstanceSpace, expressible
from axiomcheck.metrics.base import Abilities

QUARTERS = Abilities(levels=4)


def test_instances_between_the_levels_are_left_out_and_of_none_none_is() -> None:
    axiom = find_axiom("Pri")
    sampled = sample_batches(InstanceSpace(axiom, max_rank=8, abilities=QUARTERS), 400, generator(0, "quarters"))
    batch = next(batch for batch in sampled if batch.size > 2)
    assert expressible(batch.draft, QUARTERS).all()
    batch.draft.grades[1, 0, 0] = 0.3
    assert expressible(batch.draft, QUARTERS).tolist() == [row != 1 for row in range(batch.size)]
    none = Batch(batch.axiom, batch.draft.pick(np.zeros(batch.size, dtype=bool)), batch.small)
    assert expressible(none.draft, QUARTERS).shape == (0,)
