"""The table on contract checks in docs/reference/libraries.md is what its command prints."""

from __future__ import annotations

import re

import pytest
from libraries import MEASURES, contract_reasons, contract_row, contract_table

from axiomcheck.checks.contract import Outcome
from tests.support.suites import quality
from tests.support.transcripts import ROOT

PAGE = (ROOT / "docs" / "reference" / "libraries.md").read_text(encoding="utf-8")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("cwl:RBP(0.8)", marks=pytest.mark.extra("cwl")),
        pytest.param("ir_measures:P@10", marks=[quality, pytest.mark.extra("pytrec_eval")]),
        pytest.param("ir_measures:StRecall@10", marks=[quality, pytest.mark.extra("pyndeval")]),
    ],
)
def test_the_page_has_the_row_of_a_measure(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    contract_table([name], 0)
    *heading, row = capsys.readouterr().out.splitlines()
    assert "\n".join(heading) in PAGE
    assert row in PAGE


def test_the_page_has_every_measure_in_both_tables() -> None:
    rows = re.findall(r"^\| `([^`]+)` \|", PAGE, re.M)
    assert {name: rows.count(name) for name in MEASURES} == dict.fromkeys(MEASURES, 2)


def test_nothing_is_left_out_of_a_row() -> None:
    outcomes = [
        Outcome("finite", "values", "failed", "scores nan", 1, None),
        Outcome("in-range", "values", "error", "raised it", 1, None),
        Outcome("renaming", "invariances", "admitted", "by name; documented: so (there)", 1, None),
        Outcome("monotone", "invariances", "passed", "", 1, None),
        Outcome("reference", "reference", "not-applicable", "none", 0, None),
    ]
    assert contract_row("m", outcomes) == "| `m` | 1 | `finite`, `in-range` | `renaming` |"
    assert [line.split(": ")[0] for line in contract_reasons("m", outcomes)] == [
        "m finite failed",
        "m in-range error",
        "m renaming admitted",
    ]
