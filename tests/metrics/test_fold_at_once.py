"""The catalogue's folds over all ranks at once, against the same folds step by step: the same to the last bit.

What both are worth exactly, `test_metrics_reference` says.
"""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from axiomcheck.metrics import fold as folds
from axiomcheck.metrics.fold import Cascade, Filling, Fold, HitCount, Novelty
from axiomcheck.numbers.arithmetic import Arithmetic, Floats, Rationals, elementwise, floats_of
from axiomcheck.numbers.discount import InverseLog, Reciprocal
from axiomcheck.numbers.series import Series

FOLDS = [
    Cascade(Reciprocal()),
    Cascade(Reciprocal(), binary=True),
    Novelty(InverseLog(), Fraction(3, 10)),
    Novelty(Reciprocal(), Fraction(0)),
    Filling(Reciprocal(), Fraction(1, 3), Fraction(1)),
    Filling(Reciprocal(), Fraction(1, 3), Fraction(1, 4), strict=True),
    HitCount(Reciprocal()),
]


def grades(n: int, m: int, size: int) -> Any:
    rng = np.random.default_rng(n * m * size)
    drawn = np.round(rng.random((n, m, size)) * 16) * (rng.random((n, m, size)) < 0.7)
    return (drawn / 16).transpose(2, 0, 1)


def both(fold: Fold, a: Arithmetic, x: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    at_once = fold.total(a, x)
    with monkeypatch.context() as patched:
        patched.setattr(folds, "_AT_ONCE", {})
        return at_once, fold.total(a, x)


@pytest.mark.parametrize("fold", FOLDS, ids=repr)
@pytest.mark.parametrize("small", [False, True])
def test_floats_are_the_same_doubles(fold: Fold, small: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for n, m, size in ((1, 1, 1), (2, 3, 1), (9, 1, 1), (20, 8, 1), (3, 2, 40), (20, 8, 40)):
        x = grades(n, m, size)
        one, other = both(fold, Floats(), Series({1: x}, 2) if small else x, monkeypatch)
        if isinstance(other, Series):
            assert (one.keep, one.dropped) == (other.keep, other.dropped)
        mine, others = (y.terms if isinstance(y, Series) else {0: y} for y in (one, other))
        assert mine.keys() == others.keys()
        for order, values in others.items():
            assert np.array_equal(mine[order], values), (n, m, size, order)


def test_a_fold_that_takes_its_own_steps_is_scored_by_them() -> None:
    class Half(Cascade):
        def step(self, a: Arithmetic, state: Any, r: Any) -> Any:
            gain, after = super().step(a, state, r)
            return gain / 2, after

    x = grades(5, 2, 3)
    assert np.array_equal(Half(Reciprocal()).total(Floats(), x), Cascade(Reciprocal()).total(Floats(), x) / 2)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    ("level", "parts"), [(1, 10), (2, 10), (1, 49), (Fraction(7, 10), 10), (Fraction(1, 3), 30), (3, 100), (2, 2**20)]
)
def test_a_level_that_grades_reach_exactly_is_reached_in_floats(
    level: Any, parts: int, strict: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    fold = Filling(Reciprocal(), Fraction(0), Fraction(level), strict)
    counts = np.random.default_rng(parts).integers(0, max(2, parts // 4), (200, 24, 1))
    nearest = np.full((1, 24, 1), int(parts * level) // 24)
    nearest[0, 0] += int(parts * level) - nearest.sum()
    counts = np.concatenate([counts, nearest, np.ones((1, 24, 1), int) * max(1, parts // 10)])
    exact = fold.total(Rationals(), elementwise(lambda k: fmpq(int(k), parts), counts))
    for floats in both(fold, Floats(), counts / parts, monkeypatch):
        assert np.abs(floats - floats_of(exact)).max() < 1e-9
