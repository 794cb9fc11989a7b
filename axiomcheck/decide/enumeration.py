"""The exhaustive enumerator: every instance of a shape over a grid of grades and weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.core.domain import Domain
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.decide.batch import Batch, compile_batch
from axiomcheck.metrics import Abilities

_CHUNK = 20_000


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
    """How many drafts `group_batches` walks for a group."""
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
