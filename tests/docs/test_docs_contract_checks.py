"""docs/reference/contract-checks.md: its examples are run, and it says what every check asks."""

from __future__ import annotations

import doctest

from axiomcheck.checks.contract import CHECKS
from tests.support.transcripts import ROOT

PAGE = ROOT / "docs" / "reference" / "contract-checks.md"


def test_examples_of_the_page() -> None:
    outcome = doctest.testfile(str(PAGE), module_relative=False)
    assert outcome.attempted >= 50
    assert outcome.failed == 0


def test_the_page_says_what_every_check_asks_and_shows_its_fault() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for check in CHECKS.values():
        assert f"| `{check.name}` | {check.asks} |" in text
    shown = {name for name in CHECKS if f'ask("{name}"' in text or f'checks=["{name}"]' in text}
    assert set(CHECKS) - shown == {"measures-together"}  # it takes a library
