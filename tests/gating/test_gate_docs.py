"""docs/how-to/gate.md: its files are written and its commands run, in order, in one directory.

python tests/gating/test_gate_docs.py --update    writes the outputs anew
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))  # for --update; under pytest it is there
from transcripts import ROOT, replayed_page

PAGE = ROOT / "docs" / "how-to" / "gate.md"


def test_the_page_is_what_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)  # or annotations are printed as well
    text = PAGE.read_text(encoding="utf-8")
    assert replayed_page(text, tmp_path) == text
    assert text.count("[exit 1]") == 2  # it ends with failing and passing jobs
    assert (tmp_path / "axiomcheck.toml").read_text(encoding="utf-8").count("# axiomcheck.toml") == 1


if __name__ == "__main__" and "--update" in sys.argv:
    with tempfile.TemporaryDirectory() as made:
        PAGE.write_text(replayed_page(PAGE.read_text(encoding="utf-8"), Path(made)), encoding="utf-8")
