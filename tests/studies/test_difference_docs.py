"""docs/how-to/diff.md: its files are written and its commands run, in order, in one directory."""

from __future__ import annotations

from pathlib import Path

from tests.support.transcripts import ROOT, replayed_page

PAGE = ROOT / "docs" / "how-to" / "diff.md"


def test_the_page_is_what_happens(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert replayed_page(text, tmp_path) == text
    assert text.count("[exit 1]") == 1  # the metric that got worse
