"""Represent the axioms' requirements on all rankings of a small topic as a graph.

A node is a ranking of the topic's documents, represented by the sequence of their grades. An edge worse -> better is an
instance of an axiom, created and checked by the axiom's own definition (`axiomcheck.axioms`). A metric, which may be
any function of the topic and the ranking, satisfies the axioms on the topic only if it increases along every edge of a
strict axiom and does not decrease along the others. A cycle with a strict edge therefore excludes every metric.

Identifying equal documents loses no generality: a metric that distinguishes them can be averaged over their
permutations, and the average satisfies the same axioms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations_with_replacement, permutations, product
from typing import Any

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.core.domain import Reading, assumes_small
from axiomcheck.core.printable import counted
from axiomcheck.core.typing import Integers, Reals


class GradeMeaning(StrEnum):
    """Meaning of a topic's grades: as given, or multiplied by eps for every sufficiently small eps > 0."""

    AS_GIVEN = "as given"
    SMALL = "times eps"


@dataclass(frozen=True)
class Label:
    """An axiom or condition whose instances are edges of a graph.

    Args:
        axiom: Axiom whose instances are the edges.
        needs: Names of the axioms and conditions that together imply these edges, often just the axiom's own name.
        always: True if it applies to every grade in every regime, as a condition does.

    """

    axiom: PairAxiom
    needs: tuple[str, ...]
    always: bool = False


def speaks_of(label: Label, reading: Reading, grades: GradeMeaning) -> bool:
    """Return True if an axiom applies to grades with a given meaning in a reading.

    If the reading assumes r << 1 for the axiom, it applies only to eps * r for sufficiently small eps. Otherwise it
    applies to both meanings, except that Sat never applies to eps * r, since it requires a grade of 1.
    """
    if grades is GradeMeaning.SMALL:
        return label.axiom.can_be_small
    return label.always or not assumes_small(label.axiom, reading)


@dataclass(frozen=True)
class Family:
    """Sizes and grades of the small topics that are searched exhaustively together.

    Args:
        documents: Number of documents in the pool.
        aspects: Number m of aspects.
        overlap: True if documents may be relevant to several aspects.
        levels: Positive grades.

    """

    documents: int
    aspects: int
    overlap: bool
    levels: tuple[float, ...] = (0.5, 1.0)

    def text(self) -> str:
        """Return the family in words."""
        grades = ", ".join(f"{level:g}" for level in self.levels)
        kind = "" if self.aspects == 1 else f", {'' if self.overlap else 'no '}overlap"
        aspects = counted(self.aspects, "aspect")
        return f"{counted(self.documents, 'document')}, {aspects}{kind}, grades 0, {grades}"


@dataclass(frozen=True)
class Topics:
    """Batch of T topics of one size.

    Args:
        grades: (T, P, m) float64 array of dyadic, and therefore exact, grades.
        weights: (T, m) integer array, proportional to the weights.

    """

    grades: Reals
    weights: Integers

    @property
    def size(self) -> int:
        """Number T of topics."""
        return int(self.grades.shape[0])

    def classes(self) -> Integers:
        """Map each document, in a (T, P) array, to the first document of its pool that has the same grades."""
        same = (self.grades[:, :, None, :] == self.grades[:, None, :, :]).all(axis=-1)
        return np.asarray(same.argmax(axis=-1))


def family_topics(family: Family) -> Topics:
    """Return all topics of a family up to renaming of aspects and documents, with weights of ratio 1 or 2.

    The simplest come first: fewest non-zero grades, then fewest distinct documents, then equal weights.
    """
    m = family.aspects
    values = (0.0, *family.levels)
    rows = [row for row in product(values, repeat=m) if family.overlap or sum(g > 0 for g in row) <= 1]
    weights = [w for w in product((1, 2), repeat=m) if min(w) == 1]
    seen: set[tuple[Any, ...]] = set()
    found: list[tuple[tuple[Any, ...], Any, Any]] = []
    for pool in combinations_with_replacement(rows, family.documents):
        for w in weights:
            names = [
                (tuple(w[t] for t in order), tuple(sorted(tuple(row[t] for t in order) for row in pool)))
                for order in permutations(range(m))
            ]
            key = min(names)
            if key in seen:
                continue
            seen.add(key)
            simple = (sum(g > 0 for row in pool for g in row), len(set(pool)), w, pool)
            found.append((simple, pool, w))
    found.sort(key=lambda each: each[0])
    return Topics(np.array([pool for _, pool, _ in found]), np.array([w for _, _, w in found], dtype=np.int64))


@dataclass(frozen=True)
class Edges:
    """Distinct edges of one label on T topics.

    Args:
        topic: (E,) topic numbers.
        worse, better: (E,) codes of rankings; rankings with equal sequences of grades have equal codes.
        documents: (E, 2, P) the two rankings as rows of the pool, padded with -1.

    """

    topic: Integers
    worse: Integers
    better: Integers
    documents: Integers


@lru_cache(maxsize=64)
def _orders(documents: int, chosen: int) -> Integers:
    """Return all ordered selections of `chosen` documents, each followed by the other documents: (A, documents)."""
    rows = [
        (*first, *(d for d in range(documents) if d not in first)) for first in permutations(range(documents), chosen)
    ]
    return np.array(rows, dtype=np.int64)


def _choices(axiom: PairAxiom, n: int, m: int) -> Integers:
    """Return a (C, 4) array of all combinations of i, j, t and u that the axiom uses."""
    ranges = [range(n) if c in axiom.choices else range(1) for c in "ij"]
    ranges += [range(m) if c in axiom.choices else range(1) for c in "tu"]
    return np.array(list(product(*ranges)), dtype=np.int64)


def _drafts(axiom: PairAxiom, topics: Topics) -> Iterator[tuple[Integers, Integers, Draft]]:
    """Yield, for each n, all free drafts of the topics' documents as (topic numbers, document orders, batch)."""
    size, documents, m = topics.grades.shape
    for n in range(axiom.min_ranked, documents - len(axiom.incoming) + 1):
        if not axiom.admits(Shape(documents, m, n)):
            continue
        orders = _orders(documents, n + len(axiom.incoming))
        choices = _choices(axiom, n, m)
        topic, order, choice = (x.reshape(-1) for x in np.indices((size, len(orders), len(choices))))
        grades = topics.grades[topic[:, None], orders[order]]
        peak = topics.grades.max(axis=(1, 2))
        i, j, t, u = choices[choice].T
        draft = Draft(
            shape=Shape(documents, m, n),
            grades=grades,
            weights=topics.weights[topic],
            top=np.where(peak == 0, 1.0, peak)[topic],
            i=i,
            j=j,
            t=t,
            u=u,
        )
        yield topic, orders[order], draft


def instances_of(axiom: PairAxiom, topics: Topics) -> Edges:
    """Return all instances of an axiom on the topics as distinct edges."""
    documents = topics.grades.shape[1]
    classes = topics.classes()
    power = (documents + 1) ** np.arange(documents)
    parts: list[tuple[Integers, ...]] = []
    for topic, order, draft in _drafts(axiom, topics):
        keep = np.flatnonzero(axiom.premises(draft))
        if not keep.size:
            continue
        topic, order, draft = topic[keep], order[keep], draft.pick(keep)
        sides = np.full((len(keep), 2, documents), -1, dtype=np.int64)
        for side, rows in enumerate(axiom.rankings(draft)):
            sides[:, side, : rows.shape[1]] = np.take_along_axis(order, rows, axis=1)
        letters = np.where(sides < 0, 0, classes[topic[:, None, None], sides] + 1)
        codes = (letters * power).sum(axis=2)
        parts.append((topic, codes[:, 0], codes[:, 1], sides))
    if not parts:
        nothing = np.zeros(0, dtype=np.int64)
        return Edges(nothing, nothing, nothing, np.zeros((0, 2, documents), dtype=np.int64))
    topic, worse, better, sides = (np.concatenate(each) for each in zip(*parts, strict=True))
    _, first = np.unique(np.stack([topic, worse, better]), axis=1, return_index=True)
    first.sort()
    return Edges(topic[first], worse[first], better[first], sides[first])


def labels_of(axioms: Sequence[PairAxiom]) -> tuple[Label, ...]:
    """Return a label for each axiom, whose edges are implied by that axiom alone."""
    return tuple(Label(axiom, (axiom.name,)) for axiom in axioms)
