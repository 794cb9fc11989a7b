"""Grids of settings: how they are typed, and the regions of neighbours that they fall into."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.studies.wide.grids import read_grid
from axiomcheck.studies.wide.regions import regions_of


def names(text: str) -> list[str]:
    return [metric.canonical for metric in read_grid(text).metrics]


def test_values_are_exact_and_evenly_spaced_and_the_last_axis_changes_fastest() -> None:
    assert names("RBP(p=0.5..0.9/3)") == ["RBP(p=0.5)", "RBP(p=0.7)", "RBP(p=0.9)"]
    assert read_grid("RBP(p=0.1..0.2/4)").axes[0].values == tuple(Fraction(k, 30) for k in range(3, 7))
    grid = read_grid("RBU(e=0..0.1/2, p=0.5..0.6/2)@5")
    assert grid.shape == (2, 2)
    assert [(m.values["e"], m.values["p"], m.cutoff) for m in grid.metrics] == [
        (Fraction(e, 10), Fraction(p, 10), 5) for e, p in product((0, 1), (5, 6))
    ]


def test_cutoffs_and_fixed_parameters() -> None:
    assert names("P@1..3") == ["P@1", "P@2", "P@3"]
    assert names("NRBP(alpha=0.2, p=0.5..0.7/2)") == ["NRBP(p=0.5, alpha=0.2)", "NRBP(p=0.7, alpha=0.2)"]
    assert names("RBP(p=0.5..0.6/2)@1..2") == ["RBP(p=0.5)@1", "RBP(p=0.5)@2", "RBP(p=0.6)@1", "RBP(p=0.6)@2"]


def test_a_range_without_ends_is_the_declared_one_as_far_as_the_metric_allows() -> None:
    assert names("alpha-nDCG(alpha=../3)") == [f"alpha-nDCG(alpha={a})@20" for a in ("0", "0.5", "1")]
    assert names("RBP(p=../3)") == [f"RBP(p={p})" for p in ("0.25", "0.5", "0.75")]
    assert names("RBP(p=../2)@20") == ["RBP(p=0.5)@20", "RBP(p=1)@20"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("RBP", "no range; expected LOW..HIGH/COUNT"),
        ("RBP(p=0.1..0.9)", "expected LOW..HIGH/COUNT"),
        ("RBP(p=..0.9/5)", "expected LOW..HIGH/COUNT"),
        ("RBP(p=0.1..0.9/1)", "is 1; expected 2 to"),
        ("RBP(p=0.9..0.1/5)", "expected LOW < HIGH"),
        ("RBP(p=0.5..1.5/3)", "expected 0 < p <= 1"),
        ("RBP(p=0.5..1/3)", "needs a cutoff"),
        ("RBP(p=a..b/3)", "p=a..b/3"),
        ("RBP(q=0.1..0.9/5)", "expected 0 < p <= 1"),
        ("nDCG(q=0.1..0.9/5)", "such as @1..20"),
        ("RBU(e=../3)", "no upper end"),
        ("P@5..2", "expected whole numbers LOW..HIGH"),
        ("P@0..2", "expected whole numbers LOW..HIGH"),
        ("RBPP(p=../3)", "did you mean RBP"),
        ("mine.py:RBP(p=../3)", "the catalogue's metrics only"),
        ("RBP(p=0.1..0.9/3", "cannot read"),
        ("<script>(p=../3)", "unknown metric"),
        ("NRBP(p=0.1..0.9/1000, alpha=0..1/1000)", "1,000,000 settings; expected at most 100,000"),
    ],
)
def test_text_that_is_no_grid_is_refused_with_the_expected_form(text: str, said: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_grid(text)
    assert said in str(caught.value)


@pytest.mark.parametrize("shape", [(7,), (4, 5), (3, 2, 4)])
def test_regions_fill_the_grid_once(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    for kinds in (1, 2, 3):
        marks = rng.choice([Verdict.PROVED, Verdict.REFUTED, Verdict.HELD][:kinds], size=shape)
        verdicts = [Verdict(v) for v in marks.reshape(-1)]
        covered = np.zeros(shape, dtype=int)
        regions = list(regions_of(verdicts, shape))
        for region in regions:
            inside = tuple(slice(low, high + 1) for low, high in region.ranges)
            covered[inside] += 1
            assert (marks[inside] == region.verdict).all()
            assert region.settings == marks[inside].size
            assert verdicts[region.corner(shape)] is region.verdict
        assert (covered == 1).all()
        assert kinds > 1 or len(regions) == 1


def test_neighbours_of_one_verdict_are_one_region() -> None:
    p, r = Verdict.PROVED, Verdict.REFUTED
    assert [(x.ranges, x.verdict) for x in regions_of([r, r, p, p, p], (5,))] == [(((0, 1),), r), (((2, 4),), p)]
    found = [(x.ranges, x.verdict) for x in regions_of([r, p, r, p, p, p], (3, 2))]
    assert found == [(((0, 1), (0, 0)), r), (((0, 1), (1, 1)), p), (((2, 2), (0, 1)), p)]
