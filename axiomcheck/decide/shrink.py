"""Shrink counterexamples to fewer documents, fewer aspects, fewer nonzero grades and simpler fractions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from flint import fmpq

from axiomcheck.axioms import Draft, Shape
from axiomcheck.axioms.drafts import exact_draft
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.comparison import signs
from axiomcheck.decide.dominance import APART
from axiomcheck.decide.space import expressible
from axiomcheck.metrics import Metric
from axiomcheck.numbers.arithmetic import to_fraction

_SIMPLE = [Fraction(1), Fraction(1, 2)] + [
    Fraction(p, q) for q in range(3, 11) for p in range(1, q) if Fraction(p, q).denominator == q
]


def size_key(d: Draft) -> tuple[int, int, int, int]:
    """Return the size that `shrink` minimises: numbers of documents, aspects and nonzero grades, and a complexity.

    The complexity is larger for grades with larger denominators and for larger weights.
    """
    positive = [g for g in d.grades.reshape(-1) if g != 0]
    fractions = sum(int(g.q) * 1000 + int(g.p) for g in positive)
    return d.shape.documents, d.shape.aspects, len(positive), fractions + int(d.weights.sum()) * 1000


def shrink(
    metric: Metric,
    batch: Batch,
    max_rank: int | None,
    apart: bool = False,
) -> Batch:
    """Remove documents and aspects and simplify numbers greedily, as long as the instance stays a counterexample.

    Args:
        metric: Metric that violates the axiom on the instance.
        batch: One violating instance.
        max_rank: Deepest rank that the axiom may refer to, which is the metric's cutoff; None for any rank.
        apart: True to shrink an instance with incomparable rankings instead of a violation.

    """
    axiom = batch.axiom

    drop_documents = partial(_drop_documents, incoming=len(axiom.incoming))

    def violates(d: Draft) -> bool:
        if not axiom.premises(d)[0] or (max_rank is not None and axiom.last_rank(d)[0] > max_rank):
            return False
        if not expressible(d, metric.abilities)[0]:
            return False
        smaller = Batch(axiom, d, batch.small)
        sign = signs(metric, smaller)[0]
        return sign == APART if apart else sign == -1 or (sign == 0 and axiom.strict)

    current = exact_draft(batch.draft)
    key = size_key(current)
    progressed = True
    while progressed:
        progressed = False
        for step in (drop_documents, _drop_aspects, _zero_grades, _simplify_weights, _simplify_grades):
            changed = True
            while changed:
                changed = False
                for smaller in step(current):
                    if not axiom.admits(smaller.shape):
                        continue
                    axiom.repair(smaller)
                    if size_key(smaller) < key and violates(smaller):
                        current, key = smaller, size_key(smaller)
                        progressed = changed = True
                        break
    return Batch(axiom, current, batch.small)


def _drop_documents(d: Draft, incoming: int) -> Iterator[Draft]:
    extras = range(d.n + incoming, d.shape.documents)
    for row in [*reversed(extras), *(reversed(range(d.n)) if d.n > 1 else ())]:
        grades = np.delete(np.moveaxis(d.grades, 0, -1), row, axis=0).transpose(2, 0, 1)
        ranked = d.n - (row < d.n)
        copy = replace(d.copy(), grades=grades, shape=Shape(d.shape.documents - 1, d.shape.aspects, ranked))
        for position in (copy.i, copy.j):
            position[:] = np.clip(position - (position > row), 0, max(ranked - 1, 0))
        yield copy


def _drop_aspects(d: Draft) -> Iterator[Draft]:
    for aspect in range(d.shape.aspects if d.shape.aspects > 1 else 0):
        inner = np.delete(np.moveaxis(d.grades, 0, -1), aspect, axis=1).transpose(2, 0, 1)
        shape = Shape(d.shape.documents, d.shape.aspects - 1, d.n)
        copy = replace(d.copy(), grades=inner, weights=np.delete(d.weights, aspect, axis=1), shape=shape)
        for chosen in (copy.t, copy.u):
            chosen[:] = np.clip(chosen - (chosen > aspect), 0, shape.aspects - 1)
        yield copy


def _zero_grades(d: Draft) -> Iterator[Draft]:
    for row in range(d.shape.documents):
        for aspect in range(d.shape.aspects):
            if d.grades[0, row, aspect] != 0:
                copy = d.copy()
                copy.grades[0, row, aspect] = fmpq(0)
                yield copy


def _simplify_weights(d: Draft) -> Iterator[Draft]:
    for values in ((1,), (1, 2), (1, 2, 3)):
        for heavy in range(d.shape.aspects):
            for value in values:
                copy = d.copy()
                copy.weights[:] = 1
                copy.weights[0, heavy] = value
                yield copy
    top = int(d.weights.max())
    for size in (
        size for size in (2, 3, 4, 5, 6, 8, 10, 20, 50, 100, 1000, 10**4, 10**5) if size < top
    ):  # scale all weights by the same factor
        copy = d.copy()
        copy.weights[:] = np.maximum(1, (2 * d.weights * size + top) // (2 * top))
        yield copy
        apart = copy.copy()  # weights that differ only a little stay different
        apart.weights[:] += np.unique(d.weights, return_inverse=True)[1].reshape(d.weights.shape)
        yield apart
    for aspect in range(d.shape.aspects):
        weight = int(d.weights[0, aspect])
        # In steps of 1, a weight of a million would take a million steps.
        near = {weight - max(1, weight // 10**k) for k in (1, 2)}
        for value in sorted({1, 2, 3, weight // 10, weight // 2, weight * 3 // 4, *near}):
            if 1 <= value < weight:
                copy = d.copy()
                copy.weights[0, aspect] = value
                yield copy


def _simplify_grades(d: Draft) -> Iterator[Draft]:
    def everywhere(old: Any, new: Fraction) -> Draft:
        return changed(lambda g: fmpq(new.numerator, new.denominator) if g == old else g)

    def changed(function: Callable[[Any], Any]) -> Draft:
        copy = d.copy()
        for cell in np.ndindex(copy.grades.shape):
            copy.grades[cell] = function(copy.grades[cell])
        copy.top[0] = function(copy.top[0])
        return copy

    values = sorted({g for g in d.grades.reshape(-1) if g != 0}, key=lambda g: (-int(g.q), -int(g.p)))
    for old in values:
        exact = to_fraction(old)
        coarse = [exact.limit_denominator(limit) for limit in (20, 100, 1000, 10**5)]
        for new in [*_SIMPLE, *coarse]:
            if 0 < new <= 1 and (new.denominator, new.numerator) < (exact.denominator, exact.numerator):
                yield everywhere(old, new)
    for cell, old in np.ndenumerate(d.grades):
        if old != 0:
            for new in _SIMPLE[:4]:
                if (new.denominator, new.numerator) < (int(old.q), int(old.p)):
                    copy = d.copy()
                    copy.grades[cell] = fmpq(new.numerator, new.denominator)
                    yield copy
