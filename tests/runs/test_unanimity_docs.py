"""docs/how-to/unanimity.md: its examples are run, and its tables are those of the code."""

from __future__ import annotations

import doctest
from pathlib import Path

from axiomcheck.runs.unanimity import SCENARIOS, TOLERANCE
from tests.runs.test_trec_docs import replayed
from tests.support import transcripts

PAGE = transcripts.ROOT / "docs" / "how-to" / "unanimity.md"


def test_the_commands_print_what_the_page_shows(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.count("$ axiomcheck unanimity") == 2
    assert replayed(text, tmp_path) == text


def test_the_python_example() -> None:
    outcome = doctest.testfile(str(PAGE), module_relative=False)
    assert outcome.attempted >= 5
    assert outcome.failed == 0


def test_the_page_names_every_scenario_and_the_tolerance() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in SCENARIOS:
        assert f"| `{name}` | " in text
    assert "1000 / 2^53" in text
    assert TOLERANCE == 1000 / 2**53
