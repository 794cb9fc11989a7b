"""`axiomcheck ledger`: what it shows is what is there, and what it deletes is old."""

import json
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import Result

from axiomcheck.ledger.file import LedgerFile, default_path
from axiomcheck.ledger.keys import user_secret
from tests.support.commands import command
from tests.support.transcripts import ROOT

DAY = 86400


def put_by_another(ledger: LedgerFile, key: str, content: object, about: dict[str, str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("axiomcheck.ledger.file.engine_digest", lambda: "another")
        ledger.put(key, content, about=about)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "ledger"
    monkeypatch.setenv("AXIOMCHECK_LEDGER", str(path))
    ledger = LedgerFile(path)
    ledger.put("a", "x" * 998, about={"kind": "cell", "metric": "RBP", "axiom": "Pri"})
    ledger.put("b", [1], about={"kind": "checks", "metric": "RBP"})
    put_by_another(ledger, "c", [2], {"kind": "cell", "metric": "<b>[red]\x1b[31m" + "m" * 5000, "axiom": "Pri"})
    ledger.close()
    return path


def run(*words: str, code: int = 0) -> Result:
    done = command("ledger", *words)
    assert done.exit_code == code, done.output
    return done


def keys(path: Path) -> set[str]:
    return {entry.key for entry in LedgerFile(path).entries()}


def test_show_counts_by_kind_metric_and_axiom_and_names_unsealed_entries(path: Path) -> None:
    found = json.loads(run("show", "-f", "json").stdout)
    assert found["path"] == str(path)
    assert found["size"] == path.stat().st_size
    assert (found["entries"], found["others"], found["unsealed"]) == (
        {"entries": 3, "size": 1006},
        {"entries": 1, "size": 3},
        0,
    )
    assert found["by"]["kind"] == {"cell": {"entries": 2, "size": 1003}, "checks": {"entries": 1, "size": 3}}
    assert found["by"]["metric"]["RBP"] == {"entries": 2, "size": 1003}
    assert found["by"]["axiom"] == {"Pri": {"entries": 2, "size": 1003}}
    text = run("show").stdout
    assert "3 entries of 1.0 kB" in text
    assert "From other versions of axiomcheck: 1 entry of 3 bytes" in text
    assert "\x1b" not in text
    assert r"<b>[red]\u001b[31mmm" in text.replace("\n", "")
    assert "damaged" not in text
    with sqlite3.connect(path) as base:
        base.execute("UPDATE entries SET content = x'31' WHERE key = 'a'")
    found = json.loads(run("show", "-f", "json").stdout)
    assert (found["entries"]["entries"], found["unsealed"]) == (2, 1)
    assert "because they are damaged or not sealed by you: 1 entry." in run("show").stdout


def test_gc_deletes_other_versions_and_unused_entries(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("gc").stdout == (
        "deleted 1 entry from other versions of axiomcheck and 0 entries not used for 30 days; 2 left\n"
    )
    assert keys(path) == {"a", "b"}
    later = time.time() + 20 * DAY
    monkeypatch.setattr(time, "time", lambda: later)
    ledger = LedgerFile(path)
    ledger.get("a")
    ledger.close()
    monkeypatch.setattr(time, "time", lambda: later + 11 * DAY)
    assert "1 entry not used for 30 days; 1 left" in run("gc").stdout
    assert keys(path) == {"a"}
    assert "0 entries not used for 12 days; 1 left" in run("gc", "12").stdout
    assert "1 entry not used for 10 days; 0 left" in run("gc", "10").stdout


@pytest.mark.parametrize("back", [400 * DAY, 10**9])
def test_gc_after_the_clock_was_set_back_deletes_nothing_fresh(
    path: Path, back: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    with monkeypatch.context() as patch:
        patch.setattr(time, "time", lambda: now - back)
        ledger = LedgerFile(path)
        ledger.put("during", 1, about={})
        assert ledger.get("b") == [1]
        ledger.close()
        assert "0 entries not used for 1 day; 3 left" in run("gc", "1").stdout
    assert "0 entries not used for 1 day; 3 left" in run("gc", "1").stdout
    assert keys(path) == {"a", "b", "during"}


def test_gc_gives_the_room_back(path: Path) -> None:
    ledger = LedgerFile(path)
    for number in range(30):
        put_by_another(ledger, str(number), "x" * 20_000, {})
    ledger.close()
    before = path.stat().st_size
    run("gc")
    assert path.stat().st_size < before / 10


def test_without_a_ledger_that_can_be_used_the_command_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for words in (["show"], ["gc"]):
        monkeypatch.setenv("AXIOMCHECK_LEDGER", "off")
        assert "there is no ledger, because AXIOMCHECK_LEDGER is off" in run(*words, code=2).stderr
        (tmp_path / "file").write_text("x" * 5000)
        monkeypatch.setenv("AXIOMCHECK_LEDGER", str(tmp_path / "file"))
        assert "file: file is not a database; expected a ledger" in run(*words, code=2).stderr
        monkeypatch.setenv("AXIOMCHECK_LEDGER", str(tmp_path / "file" / "ledger"))
        assert "ledger: " in run(*words, code=2).stderr


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[pytest.MonkeyPatch]:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("AXIOMCHECK_LEDGER")
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    return monkeypatch


def test_the_path_of_the_ledger_follows_the_environment(nobody: pytest.MonkeyPatch, tmp_path: Path) -> None:
    usual = tmp_path / ".local" / "state" / "axiomcheck" / "ledger.sqlite"
    assert default_path() == usual
    for name, value, there in (
        ("XDG_STATE_HOME", "relative", usual),
        ("XDG_STATE_HOME", "/state", Path("/state/axiomcheck/ledger.sqlite")),
        ("AXIOMCHECK_LEDGER", "", Path("/state/axiomcheck/ledger.sqlite")),
        ("AXIOMCHECK_LEDGER", "mine", Path("mine")),
        ("AXIOMCHECK_LEDGER", "off", None),
    ):
        nobody.setenv(name, value)
        assert default_path() == there
    nobody.delenv("AXIOMCHECK_LEDGER")
    nobody.setattr("sys.platform", "darwin")
    assert default_path() == Path(click.get_app_dir("axiomcheck")) / "ledger.sqlite"


@pytest.mark.skipif(sys.platform != "linux", reason="the page has a line for each system")
def test_the_places_that_the_page_names_are_made(nobody: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nobody.delenv("XDG_CONFIG_HOME", raising=False)
    text = (ROOT / "docs" / "how-to" / "ledger.md").read_text(encoding="utf-8")
    assert "0 entries" in run("show").stdout
    assert (tmp_path / ".local" / "state" / "axiomcheck" / "ledger.sqlite").is_file()
    assert "`$XDG_STATE_HOME/axiomcheck/ledger.sqlite`; `XDG_STATE_HOME` is `~/.local/state`" in text
    assert user_secret() is not None
    assert (tmp_path / ".config" / "axiomcheck" / "ledger-secret").is_file()
    assert "`~/.config/axiomcheck/ledger-secret`" in text
