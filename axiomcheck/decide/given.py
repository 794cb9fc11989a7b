"""Instances that are given, not drawn: written down as plain values, and read back through the premises."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.core.domain import Domain
from axiomcheck.decide.batch import Batch, compile_batch
from axiomcheck.decide.expressible import fitting
from axiomcheck.decide.sampling import LONGEST, MOST_ASPECTS
from axiomcheck.metrics import Abilities
from axiomcheck.records.drafts import DraftRecord

_MOST_DOCUMENTS = 100
"""More than any instance that the search draws has."""


def recorded(draft: Draft) -> Iterator[DraftRecord]:
    """Each of some drafts in floats as plain values."""
    for row in range(draft.size):
        yield DraftRecord(
            ranked=draft.n,
            grades=tuple(tuple(map(float, grades)) for grades in draft.grades[row]),
            weights=tuple(map(int, draft.weights[row])),
            top=float(draft.top[row]),
            **{name: int(getattr(draft, name)[row]) for name in ("i", "j", "t", "u")},
        )


def given_batches(
    records: Iterable[DraftRecord], axiom: PairAxiom, domain: Domain, small: bool, max_rank: int, abilities: Abilities
) -> Iterator[Batch]:
    """Those of some instances that are instances of an axiom and within reach, a batch for each of their shapes.

    Args:
        records: of whatever axiom and domain.
        axiom: whose premises they are to meet.
        domain: graded or binary, as the metrics see it.
        small: whether r << 1 is assumed.
        max_rank: the deepest rank that the axiom may speak of.
        abilities: what the instances may need.

    """
    shapes: dict[Shape, list[DraftRecord]] = defaultdict(list)
    for record in dict.fromkeys(records):
        shapes[Shape(len(record.grades), len(record.weights), record.ranked)].append(record)
    binary = axiom.domain_of(domain) is Domain.BINARY
    for shape, alike in sorted(shapes.items()):
        if shape.documents <= _MOST_DOCUMENTS and shape.aspects <= MOST_ASPECTS and shape.ranked <= LONGEST:
            batch = compile_batch(axiom, _draft(shape, alike, binary, small), small, max_rank)
            batch = fitting(batch, abilities)
            if batch.size:
                yield batch


def _draft(shape: Shape, records: Sequence[DraftRecord], binary: bool, small: bool) -> Draft:
    grades = np.array([record.grades for record in records], dtype=float)
    top = np.array([record.top for record in records], dtype=float)
    # Batches keep the draft axis innermost in memory.
    return Draft(
        shape=shape,
        grades=np.ascontiguousarray(np.moveaxis(grades, 0, -1)).transpose(2, 0, 1),
        weights=np.array([record.weights for record in records], dtype=np.int64),
        top=top if binary and not small else np.ones(len(records)),
        binary=binary,
        **{name: np.array([getattr(record, name) for record in records]) for name in ("i", "j", "t", "u")},
    )
