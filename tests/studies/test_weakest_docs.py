"""docs/how-to/weakest.md: its commands print what it says, and its table has every assumption.

python -m tests.studies.test_weakest_docs --update    writes the outputs anew
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from axiomcheck.studies.weakest import ASSUMPTIONS
from axiomcheck.studies.weakest.search import FEWEST, MOST
from tests.support.transcripts import ROOT, replayed

PAGE = ROOT / "docs" / "how-to" / "weakest.md"


def test_the_commands_print_what_the_page_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.count("\n$ axiomcheck weakest") == 3
    assert replayed(PAGE) == text


def test_every_assumption_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| `")]
    assert {name for name in ASSUMPTIONS if any(f"`{name}`" in row for row in rows)} == set(ASSUMPTIONS)
    assert f"at least {FEWEST} of them" in text
    assert len(["single assumptions", "pairs", "triples"]) == MOST


def test_a_changed_page_is_noticed() -> None:
    with tempfile.TemporaryDirectory() as directory:
        altered = Path(directory) / "altered.md"
        altered.write_text("```console\n$ axiomcheck --version\naxiomcheck, version 0.0.0\n```\n", encoding="utf-8")
        assert replayed(altered) != altered.read_text(encoding="utf-8")


if __name__ == "__main__" and "--update" in sys.argv:
    PAGE.write_text(replayed(PAGE), encoding="utf-8")
