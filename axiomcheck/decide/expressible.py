"""Instances that a library of integer grades or equal aspect weights can express; the others are not instances for it.

Drafts are brought onto the library's grid before they are repaired, and their premises are checked afterwards, so
nothing counts that stopped being an instance on the way.
"""

from __future__ import annotations

import numpy as np

from axiomcheck.axioms import Draft
from axiomcheck.core.typing import Mask
from axiomcheck.decide.batch import Batch
from axiomcheck.metrics import Abilities


def coarsen(draft: Draft, abilities: Abilities) -> None:
    """Rounds grades to the levels there are and levels out weights, in place (drafts in floats)."""
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
    """The instances of a batch that the abilities reach."""
    if abilities.levels is None and abilities.weights:
        return batch
    fits = expressible(batch.draft, abilities)
    return batch if fits.all() else Batch(batch.axiom, batch.draft.pick(fits), batch.small)
