"""The tables on contract checks and on planted violations are what their programs find."""

import re

import pytest
import sensitivity
from libraries import MEASURES, contract_table

from axiomcheck.core.verdict import Verdict
from tests.support.suites import each, quality
from tests.support.transcripts import ROOT

LIBRARIES = (ROOT / "research" / "output" / "libraries.md").read_text(encoding="utf-8")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.extra("cwl")
def test_the_page_has_the_row_of_a_measure(capsys: pytest.CaptureFixture[str]) -> None:
    contract_table(["cwl:RBP(0.8)"], 0)
    *heading, row = capsys.readouterr().out.splitlines()
    assert "\n".join(heading) in LIBRARIES
    assert row in LIBRARIES


def test_the_page_has_every_measure_in_both_tables() -> None:
    rows = re.findall(r"^\| `([^`]+)` \|", LIBRARIES, re.M)
    assert {name: rows.count(name) for name in MEASURES} == dict.fromkeys(MEASURES, 2)


SENSITIVITY = (ROOT / "research" / "output" / "sensitivity.md").read_text(encoding="utf-8")
SEEN = ("share of instances: 0.01", "rank: 9 worth", "close weights: in steps of 0.001", "aspects: the last of 5")


def test_the_page_has_a_row_for_every_planted_violation() -> None:
    rows = re.findall(r"^\| (.+?) \| (Pri|AspRel) \| ", SENSITIVITY, re.M)
    assert rows == [(f"{plant.group}: {plant.name}", plant.axiom) for plant in sensitivity.PLANTS]


COMMON = [p for p in sensitivity.PLANTS if f"{p.group}: {p.name}".startswith(SEEN)]


@each("plant", COMMON, 4, ids=lambda p: p.group)
def test_a_common_violation_is_found(plant: sensitivity.Plant) -> None:
    assert sensitivity.share_of(plant, 60_000) > 0
    assert sensitivity.decided(plant, 0, 10_000) is Verdict.REFUTED


@quality
def test_without_a_violation_nothing_is_found() -> None:
    sound = sensitivity.Plant("", "", "Pri", sensitivity.flat(1000))
    assert sensitivity.share_of(sound, 60_000) == 0
    assert sensitivity.decided(sound, 0, 500) is not Verdict.REFUTED
