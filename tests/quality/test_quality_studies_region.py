"""Ends and pictures of regions for the rows that the everyday tests leave out, and a finer map."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.studies.test_region_command import OVERS, pictures_are_the_same_each_time
from tests.studies.test_region_exact import ENCLOSED, READINGS, enclosed_end_is_right, rbp_has_its_end
from tests.studies.test_region_maps import assert_corners_are_right, assert_finer, assert_tiled, nrbp_at
from tests.support.suites import others


@pytest.mark.parametrize(("metric", "regime"), others(READINGS, 4))
def test_rbp_in_other_readings(metric: str, regime: str) -> None:
    rbp_has_its_end(metric, regime)


@pytest.mark.parametrize("metric", others(ENCLOSED, 2))
def test_enclosed_ends_are_right_on_both_sides(metric: str) -> None:
    enclosed_end_is_right(metric)


@pytest.mark.parametrize("overs", others(OVERS, 3))
def test_pictures_are_drawn_and_the_same_each_time(overs: tuple[str, ...], tmp_path: Path) -> None:
    pictures_are_the_same_each_time(overs, tmp_path)


def test_undecided_cells_shrink_with_depth() -> None:
    before, deep, deeper = map(nrbp_at, (3, 4, 5))
    assert_finer(deep, before)
    assert_finer(deeper, deep)
    assert_tiled(deep, Fraction(1, 8))
    assert_corners_are_right(deep, 30)
