"""docs/how-to/ledger.md names the places where a ledger is kept."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from axiomcheck.ledger import default_path
from axiomcheck.ledger.seals import user_secret
from tests.support.transcripts import ROOT

PAGE = ROOT / "docs" / "how-to" / "ledger.md"


@pytest.mark.skipif(sys.platform != "linux", reason="the page has a line for each system")
def test_the_places_are_those_that_the_page_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("AXIOMCHECK_LEDGER", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    text = PAGE.read_text(encoding="utf-8")
    assert default_path() == tmp_path / ".local" / "state" / "axiomcheck" / "ledger.sqlite"
    assert "`$XDG_STATE_HOME/axiomcheck/ledger.sqlite`; `XDG_STATE_HOME` is `~/.local/state`" in text
    assert user_secret() is not None
    assert (tmp_path / ".config" / "axiomcheck" / "ledger-secret").is_file()
    assert "`~/.config/axiomcheck/ledger-secret`" in text
