"""Rank correlations: published examples, definitions written out, ties."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from axiomcheck.core.typing import Reals
from axiomcheck.runs.comparison.correlation import _walked, kendall, rank_biased_overlap, tau_ap

X = np.array([0.06, 0.2, 0.27, 0.37, 0.57, 0.63, 0.66, 0.9, 0.91, 0.94])
Y = np.array([0.37, 0.06, 0.2, 0.27, 0.57, 0.66, 0.63, 0.91, 0.9, 0.94])
"""The example of Urbano and Marrero's own implementation; its results are the numbers below."""


def drawn(seed: int) -> tuple[Reals, Reals]:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 6, 7).astype(float), rng.integers(0, 6, 7).astype(float)


def test_published_examples() -> None:
    assert kendall(X, Y) == pytest.approx(0.7777778, abs=5e-8)
    assert _walked(X, Y) == pytest.approx(0.7491182, abs=5e-8)
    assert _walked(-X, -Y) != pytest.approx(0.7491182, abs=1e-3)  # the top counts, and where that is
    x, y = np.round(X * 5) / 5, np.round(Y * 5) / 5
    assert kendall(x, y) == pytest.approx(0.75, abs=5e-8)
    assert tau_ap(x, y) == pytest.approx(0.6269841, abs=5e-8)
    assert (_walked(X, y) + _walked(y, X)) / 2 != pytest.approx(0.6269841, abs=1e-3)


def tau_b(x: list[float], y: list[float]) -> float:
    signs = [(np.sign(x[i] - x[j]), np.sign(y[i] - y[j])) for i, j in combinations(range(len(x)), 2)]
    total = sum(a * b for a, b in signs)
    return float(total / (sum(a != 0 for a, _ in signs) * sum(b != 0 for _, b in signs)) ** 0.5)


def ap(true: list[float], walked: list[float]) -> float:
    """Yilmaz' words, one system after another, by Urbano and Marrero's rule for ties."""
    shares = []
    for i in range(len(walked)):
        above = [j for j in range(len(walked)) if walked[j] > walked[i]]
        if above:
            shares.append(sum(true[j] > true[i] for j in above) / len(above))
    return 2 * sum(shares) / len(shares) - 1


def overlap(x: list[float], y: list[float], p: float) -> float:
    """The sum over depths, far beyond the last system."""

    def within(scores: list[float], depth: int) -> set[int]:
        return {i for i, s in enumerate(scores) if sum(other > s for other in scores) < depth}

    total = 0.0
    for depth in range(1, 400):
        one, other = within(x, depth), within(y, depth)
        total += (1 - p) * p ** (depth - 1) * 2 * len(one & other) / (len(one) + len(other))
    return total


@pytest.mark.parametrize("seed", range(12))
def test_definitions_written_out(seed: int) -> None:
    x, y = drawn(seed)
    assert len(set(x)) < 7  # tied
    assert kendall(x, y) == pytest.approx(tau_b(x.tolist(), y.tolist()))
    wanted = (ap(x.tolist(), y.tolist()) + ap(y.tolist(), x.tolist())) / 2
    assert tau_ap(x, y) == pytest.approx(wanted)
    assert tau_ap(y, x) == pytest.approx(wanted)
    for p in (0.5, 0.9):
        assert rank_biased_overlap(x, y, p) == pytest.approx(overlap(x.tolist(), y.tolist(), p))


def test_ends_of_the_scales() -> None:
    for same in (kendall, tau_ap, rank_biased_overlap):
        assert same(X, 3 * X + 1) == pytest.approx(1)
    assert kendall(X, -X) == pytest.approx(-1)
    assert tau_ap(X, -X) == pytest.approx(-1)
    assert rank_biased_overlap(X, -X) < 0.7


def test_a_metric_that_ties_all_systems_has_no_correlation() -> None:
    flat = np.ones(10)
    assert kendall(X, flat) is None
    assert tau_ap(flat, X) is None
    assert rank_biased_overlap(flat, flat) == pytest.approx(1)
    assert 0 < rank_biased_overlap(X, flat) < 1


def test_differences_at_the_top_count_more_but_for_tau() -> None:
    top, bottom = X.copy(), X.copy()
    top[[8, 9]], bottom[[0, 1]] = top[[9, 8]], bottom[[1, 0]]
    assert kendall(X, top) == kendall(X, bottom)
    for weighted in (tau_ap, rank_biased_overlap):
        assert weighted(X, top) < weighted(X, bottom)  # type: ignore[operator]
