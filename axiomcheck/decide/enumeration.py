"""Enumerate all small instances on a grid of grades and weights, and record which instances were tested."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from math import prod

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.core.domain import Reading
from axiomcheck.core.printable import counted
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.space import Grid, InstanceSpace
from axiomcheck.metrics import Metric

_CHUNK = 20_000
_GROUP_LIMIT = 45_000


def _alphabet(space: InstanceSpace, aspects: int) -> Reals:
    """Return all possible rows of grades of one document, (A, m), for m aspects.

    On a binary grid, an entry is 1 if the grade is positive, and 0 otherwise.
    """
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
    """Return all choices of the ranks i, j and the aspects t, u that an axiom refers to, as an array (C, 4)."""
    sizes = {"i": shape.ranked, "j": shape.ranked, "t": shape.aspects, "u": shape.aspects}
    ranges = [range(size if choice in axiom.choices else 1) for choice, size in sizes.items()]
    rows = [
        (i, j, t, u)
        for i, j, t, u in product(*ranges)
        if ("j" not in axiom.choices or i < j) and ("u" not in axiom.choices or t != u)
    ]
    return np.array(rows, dtype=np.int64).reshape(-1, 4)


def _weight_rows(grid: Grid, aspects: int) -> Integers:
    """Return the weight vectors of the grid as an array (W, m), without multiples of other vectors."""
    rows = [r for r in product(grid.weights, repeat=aspects) if min(r) == min(grid.weights)]
    return np.array(rows, dtype=np.int64)


def grid_groups(axiom: PairAxiom) -> Iterator[tuple[int, int]]:
    """Yield groups (documents, aspects) without end, ordered by documents and then by aspects."""
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
    """Return the number of drafts in a group, including those that do not meet the premises."""
    letters = len(_alphabet(space, aspects)) ** documents
    letters *= len(space.grid.grades) if space.binary else 1
    weights = len(_weight_rows(space.grid, aspects))
    shapes = _group_shapes(space, documents, aspects)
    return sum(letters * weights * len(_choice_rows(space.axiom, shape)) for shape in shapes)


def group_batches(space: InstanceSpace, documents: int, aspects: int) -> Iterator[Batch]:
    """Yield all instances on the grid with the given numbers of documents and aspects, in batches."""
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
    """Return the largest number of random instances if the metric or the axiom is slow; None if both are fast."""
    return min((most for most in (metric.most_examples, axiom.most_drafts) if most is not None), default=None)


def enumerated_groups(space: InstanceSpace, metric: Metric, examples: int) -> Iterator[tuple[int, int]]:
    """Yield the groups to enumerate as (documents, aspects).

    For each number of aspects, the number of documents increases until a group exceeds the size limit.

    Args:
        space: Space of the instances.
        metric: One of the metrics in the search. The limit is lower if it is slow.
        examples: Number of random instances. It lowers the limit for a slow metric, unless it is 0.

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
    """Return a coverage with the groups that a cell's search enumerates, without generating any instances.

    All numbers of instances in the result are 0. For ``examples``, see `enumerated_groups`.
    """
    space = InstanceSpace.of(metric, axiom, reading)
    return Coverage(space.grid, [(*group, 0) for group in enumerated_groups(space, metric, examples)])


@dataclass
class Coverage:
    """Record of the instances on which metrics were tested.

    ``exhausted`` lists the enumerated groups as (documents, aspects, instances). ``ranked`` and ``aspects`` are the
    smallest and the largest numbers of ranked documents and of aspects. ``saturated`` is True if new random instances
    have become rare. Otherwise, ``marks`` contains the marked keys of all instances (`axiomcheck.decide.distinct`).
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
        """Describe the grid on which a witness is minimal, because all smaller instances on it were enumerated.

        An instance is smaller if it has fewer documents, or as many documents and fewer aspects. In the same group, an
        instance is smaller if it has fewer nonzero grades, or as many and simpler values. The result is None if the
        group of the witness or a smaller group was not enumerated.
        """
        most = self.most_aspects(witness.draft.shape)
        return None if most is None else f"{self.grid.text()}; at most {counted(most, 'aspect')}"

    def most_aspects(self, shape: Shape) -> int | None:
        """Return the largest number of aspects up to which all groups with fewer documents were enumerated.

        The result is None if the group of ``shape``, or a group with fewer documents and at most as many aspects, was
        not enumerated.
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
        """Extend the ranges of ranking lengths and aspects to include the shape of a batch."""
        shape = batch.draft.shape
        self.ranked = (min(self.ranked[0] or shape.ranked, shape.ranked), max(self.ranked[1], shape.ranked))
        self.aspects = (
            min(self.aspects[0] or shape.aspects, shape.aspects),
            max(self.aspects[1], shape.aspects),
        )
