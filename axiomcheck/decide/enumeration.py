"""The exhaustive enumerator: every instance of a shape over a grid of grades and weights, and what that covers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from math import prod

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Domain, Reading, assumes_small
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.decide.batch import Batch, compile_batch
from axiomcheck.decide.sampling import LONGEST
from axiomcheck.metrics import Abilities, Metric

_CHUNK = 20_000
_GROUP_LIMIT = 45_000

DEEPEST = LONGEST - 2
"""The deepest rank that searched axioms speak of, for metrics whose cutoff allows it."""


@dataclass(frozen=True)
class Grid:
    """The values that enumerated instances are made of.

    Args:
        grades: positive grades besides 0; on binary instances, the values of rc.
        weights: the integers that aspect weights are proportional to.
        binary: whether each instance has one positive grade only.

    """

    grades: tuple[float, ...]
    weights: tuple[int, ...]
    binary: bool

    def text(self) -> str:
        """The grid in words."""
        values = ", ".join(f"{g:g}" for g in self.grades)
        kind = f"grades 0 and one of {values}" if self.binary and len(self.grades) > 1 else f"grades 0, {values}"
        return f"{kind}; weights proportional to {' or '.join(map(str, self.weights))}"


def grid_for(
    axiom: PairAxiom,
    domain: Domain,
    small: bool,
    support_only: bool,
    abilities: Abilities = Abilities(),  # noqa: B008
) -> Grid:
    """The grid that is enumerated: halves, or for binary instances the support with rc 1 and 1/2."""
    binary = axiom.domain_of(domain) is Domain.BINARY
    weights = (1,) if axiom.balanced or axiom.max_aspects == 1 or not abilities.weights else (1, 2)
    if binary:
        one = small or support_only or not axiom.can_be_small or abilities.levels == 1
        return Grid((1.0,) if one else (1.0, 0.5), weights, True)
    return Grid((0.5, 1.0), weights, False)


def _alphabet(axiom: PairAxiom, grid: Grid, aspects: int) -> Reals:
    """(A, m): every row of grades that one document can have; on binary grids the support, as 0 and 1."""
    levels = (1.0,) if grid.binary else grid.grades
    if axiom.overlap:
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


def _group_shapes(axiom: PairAxiom, documents: int, aspects: int, max_rank: int) -> list[Shape]:
    most = documents - len(axiom.incoming)
    fits = min(most, axiom.longest(max_rank)) if axiom.appends else most
    return [Shape(documents, aspects, n) for n in range(axiom.min_ranked, fits + 1)]


def group_size(axiom: PairAxiom, grid: Grid, documents: int, aspects: int, max_rank: int) -> int:
    """Return the number of drafts that `group_batches` walks for a group."""
    letters = len(_alphabet(axiom, grid, aspects)) ** documents
    letters *= len(grid.grades) if grid.binary else 1
    weights = len(_weight_rows(grid, aspects))
    return sum(
        letters * weights * len(_choice_rows(axiom, s)) for s in _group_shapes(axiom, documents, aspects, max_rank)
    )


def group_batches(
    axiom: PairAxiom, grid: Grid, small: bool, documents: int, aspects: int, max_rank: int
) -> Iterator[Batch]:
    """Every instance over the grid with that many documents and aspects, in batches."""
    alphabet = _alphabet(axiom, grid, aspects)
    weight_rows = _weight_rows(grid, aspects)
    tops = np.array(grid.grades if grid.binary else (1.0,))
    for shape in _group_shapes(axiom, documents, aspects, max_rank):
        choices = _choice_rows(axiom, shape)
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
            i, j, t, u = choices[digits[-1]].T
            draft = Draft(
                shape=shape,
                grades=grades.transpose(2, 0, 1),
                weights=weight_rows[digits[-2]],
                top=top,
                i=i.copy(),
                j=j.copy(),
                t=t.copy(),
                u=u.copy(),
                binary=grid.binary,
            )
            batch = compile_batch(axiom, draft, small, max_rank)
            if batch.size:
                yield batch


def deepest_rank(metric: Metric) -> int:
    """Return the deepest rank that searched axioms speak of for a metric."""
    return min(metric.cutoff or DEEPEST, DEEPEST)


def domain_seen(metric: Metric, reading: Reading) -> Domain:
    """The domain of the instances that a metric is searched on: binary for one that knows no other grades."""
    return Domain.BINARY if metric.binary_only or metric.abilities.levels == 1 else reading.domain


def most_tried(metric: Metric, axiom: PairAxiom) -> int | None:
    """Return the most instances of each kind that are tried of a slow metric or axiom; None of quick ones."""
    return min((most for most in (metric.most_examples, axiom.most_drafts) if most is not None), default=None)


def most_in_group(metric: Metric, axiom: PairAxiom, examples: int) -> int:
    """Return the most drafts of a group that is enumerated; ``examples`` of the search, 0 where they bound nothing."""
    most = most_tried(metric, axiom)
    if most is None:
        return _GROUP_LIMIT
    return min(_GROUP_LIMIT, most // 2, (examples // 2) or _GROUP_LIMIT)


def enumerated_groups(axiom: PairAxiom, grid: Grid, max_rank: int, group_limit: int) -> Iterator[tuple[int, int]]:
    """(documents, aspects) of every group that is enumerated: as far as each number of aspects stays affordable.

    Args:
        axiom: which one is asked.
        grid: that instances are made of.
        max_rank: the deepest rank that the axiom may speak of.
        group_limit: the most drafts of one group.

    """
    finished: set[int] = set()
    aspects = range(axiom.min_aspects, (axiom.max_aspects or 4) + 1)
    for documents, m in grid_groups(axiom):
        if len(finished) == len(aspects):
            return
        if m in finished:
            continue
        if 0 < group_size(axiom, grid, documents, m, max_rank) <= group_limit:
            yield documents, m
        else:
            finished.add(m)


def enumeration_of(metric: Metric, axiom: PairAxiom, reading: Reading, examples: int = 0) -> Coverage:
    """Return what the enumeration covers of a cell, worked out and not run: the numbers of instances are 0.

    Args:
        metric: of the cell.
        axiom: likewise.
        reading: likewise.
        examples: of the run's settings; 0 for what is enumerated where they bound nothing.

    """
    domain, small = domain_seen(metric, reading), assumes_small(axiom, reading)
    grid = grid_for(axiom, domain, small, metric.binary_only, metric.abilities)
    groups = enumerated_groups(axiom, grid, deepest_rank(metric), most_in_group(metric, axiom, examples))
    return Coverage(grid, [(documents, aspects, 0) for documents, aspects in groups])


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
