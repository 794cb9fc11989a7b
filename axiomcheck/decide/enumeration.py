"""The exhaustive enumerator: every instance of a shape over a grid of grades and weights, and what that covers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from math import prod

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Reading
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.space import Grid, InstanceSpace
from axiomcheck.metrics import Metric

_CHUNK = 20_000
_GROUP_LIMIT = 45_000


def _alphabet(space: InstanceSpace, aspects: int) -> Reals:
    """(A, m): every row of grades that one document can have; on binary grids the support, as 0 and 1."""
    levels = (1.0,) if space.binary else space.grid.grades
    if space.axiom.overlap:
        return np.array(list(product((0.0, *levels), repeat=aspects)))
    rows = [np.zeros(aspects)]
    for t in range(aspects):
        for level in levels:
            row = np.zeros(aspects)
            row[t] = level
            rows.append(row)
    return np.array(rows)


def _choice_rows(axiom: PairAxiom, shape: Shape) -> Integers:
    """(C, 4): every i, j, t, u that the axiom distinguishes."""
    ranges = [
        range(shape.ranked) if "i" in axiom.choices else range(1),
        range(shape.ranked) if "j" in axiom.choices else range(1),
        range(shape.aspects) if "t" in axiom.choices else range(1),
        range(shape.aspects) if "u" in axiom.choices else range(1),
    ]
    rows = [
        (i, j, t, u)
        for i, j, t, u in product(*ranges)
        if ("j" not in axiom.choices or i < j) and ("u" not in axiom.choices or t != u)
    ]
    return np.array(rows, dtype=np.int64).reshape(-1, 4)


def _weight_rows(grid: Grid, aspects: int) -> Integers:
    """(W, m): every weight vector, once up to a common factor."""
    rows = [r for r in product(grid.weights, repeat=aspects) if min(r) == min(grid.weights)]
    return np.array(rows, dtype=np.int64)


def grid_groups(axiom: PairAxiom) -> Iterator[tuple[int, int]]:
    """(documents, aspects) in the order that witnesses are minimised in, without end."""
    aspects = range(axiom.min_aspects, (axiom.max_aspects or 4) + 1)
    fewest = axiom.min_ranked + len(axiom.incoming)
    documents = fewest
    while True:
        for m in aspects:
            yield documents, m
        documents += 1


def _group_shapes(space: InstanceSpace, documents: int, aspects: int) -> list[Shape]:
    axiom, most = space.axiom, documents - len(space.axiom.incoming)
    if axiom.appends and space.max_rank is not None:
        most = min(most, axiom.longest(space.max_rank))
    return [Shape(documents, aspects, n) for n in range(axiom.min_ranked, most + 1)]


def group_size(space: InstanceSpace, documents: int, aspects: int) -> int:
    """Return the number of drafts that `group_batches` walks for a group."""
    letters = len(_alphabet(space, aspects)) ** documents
    letters *= len(space.grid.grades) if space.binary else 1
    weights = len(_weight_rows(space.grid, aspects))
    shapes = _group_shapes(space, documents, aspects)
    return sum(letters * weights * len(_choice_rows(space.axiom, shape)) for shape in shapes)


def group_batches(space: InstanceSpace, documents: int, aspects: int) -> Iterator[Batch]:
    """Yield every instance over the grid with that many documents and aspects, in batches."""
    alphabet, grid = _alphabet(space, aspects), space.grid
    weight_rows = _weight_rows(grid, aspects)
    tops = np.array(grid.grades if grid.binary else (1.0,))
    for shape in _group_shapes(space, documents, aspects):
        choices = _choice_rows(space.axiom, shape)
        radices = [len(alphabet)] * documents + [len(tops), len(weight_rows), len(choices)]
        total = prod(radices)
        for start in range(0, total, _CHUNK):
            index = np.arange(start, min(start + _CHUNK, total))
            digits = np.unravel_index(index, radices)
            top = tops[digits[-3]]
            grades = np.empty((documents, aspects, len(index)))
            for document in range(documents):
                grades[document] = alphabet[digits[document]].T
            if grid.binary:
                grades *= top
            i, j, t, u = (column.copy() for column in choices[digits[-1]].T)
            weights = weight_rows[digits[-2]]
            batch = space.instances(Draft(shape, grades.transpose(2, 0, 1), weights, top, i, j, t, u, grid.binary))
            if batch.size:
                yield batch


def most_tried(metric: Metric, axiom: PairAxiom) -> int | None:
    """Return the most instances of each kind that are tried of a slow metric or axiom; None of quick ones."""
    return min((most for most in (metric.most_examples, axiom.most_drafts) if most is not None), default=None)


def enumerated_groups(space: InstanceSpace, metric: Metric, examples: int) -> Iterator[tuple[int, int]]:
    """(documents, aspects) of every group that is enumerated: as far as each number of aspects stays affordable.

    Args:
        space: of the instances.
        metric: one of those that are searched; of a slow one, smaller groups are affordable.
        examples: of the search; 0 where they bound nothing.

    """
    axiom, most = space.axiom, most_tried(metric, space.axiom)
    limit = _GROUP_LIMIT if most is None else min(_GROUP_LIMIT, most // 2, (examples // 2) or _GROUP_LIMIT)
    finished: set[int] = set()
    aspects = range(axiom.min_aspects, (axiom.max_aspects or 4) + 1)
    for documents, m in grid_groups(axiom):
        if len(finished) == len(aspects):
            return
        if m in finished:
            continue
        if 0 < group_size(space, documents, m) <= limit:
            yield documents, m
        else:
            finished.add(m)


def enumeration_of(metric: Metric, axiom: PairAxiom, reading: Reading, examples: int = 0) -> Coverage:
    """Return what the enumeration covers of a cell, worked out and not run: the numbers of instances are 0.

    Args:
        metric: of the cell.
        axiom: of the cell.
        reading: regime and domain.
        examples: of the run's settings; 0 for what is enumerated where they bound nothing.

    """
    space = InstanceSpace.of(metric, axiom, reading)
    return Coverage(space.grid, [(*group, 0) for group in enumerated_groups(space, metric, examples)])


@dataclass
class Coverage:
    """Holds what a group of metrics was tried on.

    ``marks`` are of all instances, as `axiomcheck.decide.distinct` has them; none where there is no use in trying more.
    """

    grid: Grid
    exhausted: list[tuple[int, int, int]] = field(default_factory=list)
    enumerated: int = 0
    patterns: int = 0
    sampled: int = 0
    distinct: int = 0
    ranked: tuple[int, int] = (0, 0)
    aspects: tuple[int, int] = (0, 0)
    saturated: bool = False
    marks: bytes = b""

    def minimal(self, witness: Batch) -> str | None:
        """The grid on which every smaller instance than the witness was enumerated and found satisfied, in words.

        Smaller means: fewer documents, or as many and fewer aspects (and among equals, fewer non-zero grades and
        simpler values, which the enumeration of the witness's own group settles). None where something smaller was
        not enumerated.
        """
        most = self.most_aspects(witness.draft.shape)
        return None if most is None else f"{self.grid.text()}; at most {counted(most, 'aspect')}"

    def most_aspects(self, shape: Shape) -> int | None:
        """Up to how many aspects every group of fewer documents, or as many and fewer aspects, was enumerated.

        None where something smaller was not, or nothing of the shape's own group.
        """
        done = {(documents, aspects) for documents, aspects, _ in self.exhausted}
        if (shape.documents, shape.aspects) not in done:
            return None
        fewest = min((documents for documents, _ in done), default=0)
        floor = min((aspects for _, aspects in done), default=1)
        most = max(aspects for _, aspects in done)
        while most >= shape.aspects:
            needed = [(p, m) for p in range(fewest, shape.documents) for m in range(floor, most + 1)]
            if all(group in done for group in needed):
                return most
            most -= 1
        return None

    def see(self, batch: Batch) -> None:
        """Books the shape of a batch."""
        shape = batch.draft.shape
        self.ranked = (min(self.ranked[0] or shape.ranked, shape.ranked), max(self.ranked[1], shape.ranked))
        self.aspects = (
            min(self.aspects[0] or shape.aspects, shape.aspects),
            max(self.aspects[1], shape.aspects),
        )
