"""Axes of regions: how ranges are typed, the values of a grid, and the boxes that its settings fall into."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from axiomcheck import AXIOMS, InvalidInput, Metric, Verdict, parse
from axiomcheck.studies.region.axes import Axis, grid_axes, read_axis
from axiomcheck.studies.region.grid import boxes_of, settings_of


def axes(metric: str, *overs: str) -> tuple[Axis, ...]:
    return grid_axes([read_axis(over, AXIOMS["Conf"], parse(metric), True) for over in overs])


def settings(metric: str, *overs: str) -> list[Metric]:
    return settings_of(parse(metric), axes(metric, *overs))


def names(metric: str, *overs: str) -> list[str]:
    return [setting.canonical for setting in settings(metric, *overs)]


def test_values_are_exact_and_evenly_spaced_and_the_last_axis_changes_fastest() -> None:
    assert names("RBP", "p=0.5:0.9:3") == ["RBP(p=0.5)", "RBP(p=0.7)", "RBP(p=0.9)"]
    assert axes("RBP", "p=0.1:1/5:4")[0].values == tuple(Fraction(k, 30) for k in range(3, 7))
    found = settings("RBU@5", "e=0:0.1:2", "p=0.5:0.6:2")
    assert [(m.values["e"], m.values["p"], m.cutoff) for m in found] == [
        (Fraction(e, 10), Fraction(p, 10), 5) for e, p in product((0, 1), (5, 6))
    ]


def test_cutoffs_and_fixed_parameters() -> None:
    assert names("P", "k=1:3") == ["P@1", "P@2", "P@3"]
    assert names("NRBP(alpha=0.2)", "p=0.5:0.7:2") == ["NRBP(p=0.5, alpha=0.2)", "NRBP(p=0.7, alpha=0.2)"]
    assert names("RBP", "p=0.5:0.6:2", "k=1:2") == ["RBP(p=0.5)@1", "RBP(p=0.5)@2", "RBP(p=0.6)@1", "RBP(p=0.6)@2"]


def test_a_range_without_ends_is_the_declared_one_as_far_as_the_metric_allows() -> None:
    assert names("alpha-nDCG", "alpha=::3") == [f"alpha-nDCG(alpha={a})@20" for a in ("0", "0.5", "1")]
    assert names("RBP", "p=::3") == [f"RBP(p={p})" for p in ("0.25", "0.5", "0.75")]
    assert names("RBP@20", "p=::2") == ["RBP(p=0.5)@20", "RBP(p=1)@20"]


def test_a_grid_without_counts_has_the_usual_ones() -> None:
    assert [len(axis.values) for axis in axes("RBP", "p=0.5:0.9")] == [50]
    assert [len(axis.values) for axis in axes("NRBP", "p=0.5:0.9", "alpha=:")] == [20, 20]
    assert [len(axis.values) for axis in axes("NRBP", "p=0.5:0.9:7", "alpha=:", "k=1:4")] == [7, 20, 4]


def test_settings_are_drawn_halfway_to_their_neighbours() -> None:
    (axis,) = axes("RBP", "p=0.5:0.9:3")
    assert axis.around(axis.values[0], axis.values[0]) == (0.5, 0.6)
    assert axis.around(axis.values[1], axis.values[2]) == (0.6, 0.9)


@pytest.mark.parametrize(
    ("metric", "overs", "said"),
    [
        ("RBP", ["p"], "expected NAME=LOW:HIGH"),
        ("RBP", ["p=0.1"], "expected NAME=LOW:HIGH"),
        ("RBP", ["p=:0.9:5"], "expected NAME=LOW:HIGH"),
        ("RBP", ["p=0.1:0.9:5:6"], "expected NAME=LOW:HIGH"),
        ("RBP", ["p=0.1:0.9:x"], "expected NAME=LOW:HIGH"),
        ("RBP", ["p=0.1:0.9:1"], "a count of 1; expected a count from 2 to 5,000"),
        ("RBP", ["k=1:9:3"], "expected every cutoff, without a count"),
        ("RBP", ["p=0.9:0.1:5"], "expected LOW < HIGH"),
        ("RBP", ["p=0.5:1.5:3"], "expected 0 < p <= 1"),
        ("RBP", ["q=0.1:0.9:5"], "RBP has no 'q' to vary here; expected 0 < p <= 1"),
        ("RBU", ["e=::3"], "e has no declared range with two endpoints"),
        ("P", ["k=5:2"], "expected LOW < HIGH"),
        ("P", ["k=1:100000"], "expected whole numbers with 1 <= k <= 5000"),
        ("P", ["k=0:2"], "expected whole numbers with 1 <= k <= 5000"),
        (
            "NRBP",
            ["p=0.1:0.9:1000", "alpha=0:1:1000"],
            "1,000,000 settings; expected at most 5,000; choose smaller ranges, or fewer",
        ),
    ],
)
def test_ranges_that_cannot_be_used_are_refused_with_the_expected_form(
    metric: str, overs: Sequence[str], said: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        axes(metric, *overs)
    assert said in str(caught.value)


@pytest.mark.parametrize("shape", [(7,), (4, 5), (3, 2, 4)])
def test_boxes_fill_the_grid_once(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    for kinds in (1, 2, 3):
        marks = rng.choice([Verdict.PROVED, Verdict.REFUTED, Verdict.HELD][:kinds], size=shape)
        verdicts = [Verdict(v) for v in marks.reshape(-1)]
        covered = np.zeros(shape, dtype=int)
        boxes = boxes_of(verdicts, shape)
        for ranges, verdict in boxes:
            inside = tuple(slice(low, high + 1) for low, high in ranges)
            covered[inside] += 1
            assert (marks[inside] == verdict).all()
        assert (covered == 1).all()
        assert kinds > 1 or len(boxes) == 1


def test_neighbours_of_one_verdict_are_one_box() -> None:
    p, r = Verdict.PROVED, Verdict.REFUTED
    assert boxes_of([r, r, p, p, p], (5,)) == [(((0, 1),), r), (((2, 4),), p)]
    assert boxes_of([r, p, r, p, p, p], (3, 2)) == [(((0, 1), (0, 0)), r), (((0, 1), (1, 1)), p), (((2, 2), (0, 1)), p)]
