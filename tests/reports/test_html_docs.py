"""docs/how-to/html-report.md: its commands are run, in order, in one directory."""

from __future__ import annotations

from pathlib import Path

from tests.support.transcripts import ROOT, replayed_page

PAGE = ROOT / "docs" / "how-to" / "html-report.md"


def test_the_page_is_what_happens(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert replayed_page(text, tmp_path) == text
    assert "report.html#stated-graded-NRBP_p=0.8_alpha=0.5-Pri" in text
    assert 'id="stated-graded-NRBP_p=0.8_alpha=0.5-Pri"' in (tmp_path / "report.html").read_text(encoding="utf-8")
