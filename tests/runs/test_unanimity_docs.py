"""docs/how-to/unanimity.md has the scenarios and the tolerance of the code."""

from __future__ import annotations

from axiomcheck.runs.unanimity import SCENARIOS, TOLERANCE
from tests.support.transcripts import ROOT

PAGE = ROOT / "docs" / "how-to" / "unanimity.md"


def test_the_page_names_every_scenario_and_the_tolerance() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in SCENARIOS:
        assert f"| `{name}` | " in text
    assert "1000 / 2^53" in text
    assert TOLERANCE == 1000 / 2**53
