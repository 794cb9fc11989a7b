"""docs/how-to/ledger.md: its commands print what it shows, but for sizes."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from axiomcheck.ledger import default_path
from axiomcheck.ledger.seals import user_secret
from tests.support import transcripts

PAGE = transcripts.ROOT / "docs" / "how-to" / "ledger.md"


def replayed(text: str, directory: Path) -> str:
    """The page with the output of every command as it is now; sizes of seconds that were measured vary by a digit."""
    out = []
    for before, command, _expected in transcripts._commands(text, fenced=True):
        out += [before, transcripts.run(command, directory) if command else ""]
    return "".join(out)


def without_sizes(text: str) -> str:
    return re.sub(r" *\d+(\.\d)? (bytes|kB|MB)|─+", "", text)


def test_the_commands_print_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AXIOMCHECK_LEDGER", "ledger.sqlite")
    text = PAGE.read_text(encoding="utf-8")
    now = replayed(text, tmp_path).replace(f"{tmp_path}/", "")
    assert without_sizes(now) == without_sizes(text)
    assert now.count("4 searches not done again") == 1


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
