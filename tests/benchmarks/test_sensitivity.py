"""Planted violations: each is one, and a search sees those that the page says it always sees."""

from __future__ import annotations

import re
from pathlib import Path

import sensitivity

from axiomcheck.core.verdict import Verdict
from tests.support.suites import each

PAGE = (Path(__file__).parents[2] / "docs" / "explanation" / "sensitivity.md").read_text(encoding="utf-8")
SEEN = ("share of instances: 0.01", "rank: 9 worth", "close weights: in steps of 0.001", "aspects: the last of 5")


def test_the_page_has_a_row_for_every_planted_violation() -> None:
    rows = re.findall(r"^\| (.+?) \| (Pri|AspRel) \| ", PAGE, re.M)
    assert rows == [(f"{plant.group}: {plant.name}", plant.axiom) for plant in sensitivity.PLANTS]


COMMON = [p for p in sensitivity.PLANTS if f"{p.group}: {p.name}".startswith(SEEN)]


@each("plant", COMMON, 4, ids=lambda p: p.group)
def test_a_common_violation_is_found(plant: sensitivity.Plant) -> None:
    assert sensitivity.share_of(plant, 60_000) > 0
    assert sensitivity.decided(plant, 0, 10_000) is Verdict.REFUTED


def test_without_a_violation_nothing_is_found() -> None:
    sound = sensitivity.Plant("", "", "Pri", sensitivity.flat(1000))
    assert sensitivity.share_of(sound, 60_000) == 0
    assert sensitivity.decided(sound, 0, 500) is not Verdict.REFUTED
