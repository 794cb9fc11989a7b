"""docs/how-to/paper.md: its commands are run, in order, in one directory."""

from __future__ import annotations

from pathlib import Path

from tests.support.transcripts import ROOT, replayed_page

PAGE = ROOT / "docs" / "how-to" / "paper.md"


def test_the_page_is_what_happens(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert replayed_page(text, tmp_path) == text


def test_every_command_of_the_table_is_named() -> None:
    from axiomcheck.reports.latex import PREAMBLE

    text = PAGE.read_text(encoding="utf-8")
    commands = {line.partition("{\\")[2].partition("}")[0] for line in PREAMBLE.splitlines() if "command{" in line}
    assert len(commands) >= 10
    assert {name for name in commands if f"\\{name}" not in text} <= {"axcircle", "axmarks"}
