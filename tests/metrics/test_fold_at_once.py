"""The catalogue's folds over all ranks at once: steps of one's own, and levels that floats do not reach exactly."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from axiomcheck.metrics.fold import Cascade, Filling
from axiomcheck.numbers.arithmetic import Arithmetic, Floats, Rationals, elementwise, floats_of
from axiomcheck.numbers.discount import Reciprocal


def test_a_fold_that_takes_its_own_steps_is_scored_by_them() -> None:
    class Half(Cascade):
        def step(self, a: Arithmetic, state: Any, r: Any) -> Any:
            gain, after = super().step(a, state, r)
            return gain / 2, after

    x = np.random.default_rng(30).random((3, 5, 2))
    assert np.array_equal(Half(Reciprocal()).total(Floats(), x), Cascade(Reciprocal()).total(Floats(), x) / 2)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    ("level", "parts"), [(1, 10), (2, 10), (1, 49), (Fraction(7, 10), 10), (Fraction(1, 3), 30), (3, 100), (2, 2**20)]
)
def test_a_level_that_grades_reach_exactly_is_reached_in_floats(level: Any, parts: int, strict: bool) -> None:
    fold = Filling(Reciprocal(), Fraction(0), Fraction(level), strict)
    counts = np.random.default_rng(parts).integers(0, max(2, parts // 4), (200, 24, 1))
    nearest = np.full((1, 24, 1), int(parts * level) // 24)
    nearest[0, 0] += int(parts * level) - nearest.sum()
    counts = np.concatenate([counts, nearest, np.ones((1, 24, 1), int) * max(1, parts // 10)])
    exact = fold.total(Rationals(), elementwise(lambda k: fmpq(int(k), parts), counts))
    assert np.abs(fold.total(Floats(), counts / parts) - floats_of(exact)).max() < 1e-9
