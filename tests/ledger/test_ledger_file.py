"""A ledger gives back what its user kept, to this process and others, and nothing that anybody changed."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from axiomcheck.core.errors import InvalidInput
from axiomcheck.ledger import LedgerFile, key_of
from axiomcheck.ledger.keys import seal

CONTENT: dict[str, Any] = {"verdict": "held", "n": [1, 2.5, None], "words": "süß \ud800"}
ABOUT = {"kind": "cell", "metric": "RBP", "axiom": "Pri"}


@pytest.fixture
def ledger(tmp_path: Path) -> LedgerFile:
    ledger = LedgerFile(tmp_path / "ledger")
    ledger.put("a", CONTENT, about=ABOUT)
    ledger.put("b", [], about=ABOUT)
    return ledger


def test_kept_entries_are_there_when_the_file_is_opened_again(tmp_path: Path) -> None:
    ledger = LedgerFile(tmp_path / "ledger")
    assert ledger.get("a") is None
    ledger.put("a", CONTENT, about=ABOUT)
    ledger.put("b", [1], about=ABOUT)
    ledger.put("b", [2], about=ABOUT | {"kind": "other"})
    assert (ledger.get("a"), ledger.get("b")) == (CONTENT, [2])
    ledger.close()
    assert ledger.get("a") is None
    assert [path.name for path in tmp_path.iterdir()] == ["ledger"]  # no log is left that would have to go with it
    again = LedgerFile(tmp_path / "ledger")
    assert (again.get("a"), again.get("b"), again.get("c")) == (CONTENT, [2], None)
    assert [(entry.key, entry.about) for entry in again.entries()] == [("a", ABOUT), ("b", ABOUT | {"kind": "other"})]


@pytest.mark.parametrize(
    "change",
    [
        "content = CAST(replace(CAST(content AS TEXT), 'held', 'proved') AS BLOB)",
        "content = substr(content, 2)",
        "about = CAST('{}' AS BLOB)",
        "seal = zeroblob(32)",
        "key = 'c'",
        "(seal, engine, about, content) = (SELECT seal, engine, about, content FROM entries WHERE key = 'b')",
    ],
)
def test_a_changed_entry_is_not_there_and_can_be_kept_again(ledger: LedgerFile, tmp_path: Path, change: str) -> None:
    with sqlite3.connect(tmp_path / "ledger") as base:
        assert base.execute(f"UPDATE entries SET {change} WHERE key = 'a'").rowcount > 0
    base.close()
    assert (ledger.get("a"), ledger.get("b"), ledger.get("c")) == (None, [], None)
    assert [entry.key for entry in ledger.entries()] == ["b"]
    ledger.put("a", CONTENT, about=ABOUT)
    assert ledger.get("a") == CONTENT


def test_entries_sealed_by_somebody_else_are_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as context:
        context.setenv("XDG_CONFIG_HOME", str(tmp_path / "theirs"))
        theirs = LedgerFile(tmp_path / "ledger")
        theirs.put("a", CONTENT, about=ABOUT)
        assert theirs.get("a") == CONTENT
        theirs.close()
    mine = LedgerFile(tmp_path / "ledger")
    assert mine.get("a") is None
    assert list(mine.entries()) == []
    mine.put("a", [], about=ABOUT)
    assert mine.get("a") == []


def test_without_a_place_for_a_secret_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for home in (str(tmp_path / "file"), "~nobody/here"):
        monkeypatch.setenv("XDG_CONFIG_HOME", home)
        ledger = LedgerFile(tmp_path / "ledger")
        ledger.put("a", CONTENT, about=ABOUT)
        assert ledger.get("a") is None
        assert "nothing is stored" in capsys.readouterr().err
        ledger.close()
    with sqlite3.connect(tmp_path / "ledger") as base:
        assert base.execute("SELECT count(*) FROM entries").fetchone() == (0,)


def test_a_secret_is_made_once_and_kept_to_its_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    LedgerFile(tmp_path / "ledger").put("a", CONTENT, about=ABOUT)
    (secret,) = (tmp_path / "axiomcheck").iterdir()
    assert secret.stat().st_mode & 0o077 == 0
    assert LedgerFile(tmp_path / "ledger").get("a") == CONTENT
    secret.write_bytes(b"short")
    assert LedgerFile(tmp_path / "ledger").get("a") is None
    assert len(secret.read_bytes()) == 32


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no database of anything, and long enough for SQLite to see that it is none" * 20)
    other = tmp_path / "other"
    with sqlite3.connect(other) as base:
        base.execute("CREATE TABLE mine (a)")
    later = tmp_path / "later"
    LedgerFile(later).close()
    with sqlite3.connect(later) as base:
        base.execute("PRAGMA user_version = 99")
    base.close()
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for path, said in {
        text: "file is not a database; expected a ledger",
        other: "is a database of another application; expected a ledger",
        later: "is a ledger with layout 99",
        tmp_path: "unable to open",
        tmp_path / "nowhere" / "ledger": "unable to open",
    }.items():
        with pytest.raises(InvalidInput, match=f"{path}:? {said}"):
            LedgerFile(path)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


WRITER = """
import sys
from axiomcheck.ledger import LedgerFile
ledger = LedgerFile(sys.argv[1])
for number in range(100):
    ledger.put(f"{sys.argv[2]} {number}", number, about={})
    ledger.put("all", number, about={})
print("done", flush=True)
sys.stdin.read()
"""


def test_several_processes_write_at_once_and_their_entries_outlive_them(tmp_path: Path) -> None:
    path = tmp_path / "ledger"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, path, str(number)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for number in range(2)
    ]
    for writer in writers:
        assert writer.stdout.readline() == "done\n"
    for writer in writers:
        writer.kill()
        assert writer.wait() == -signal.SIGKILL
        writer.communicate()
    ledger = LedgerFile(path)
    assert [ledger.get(f"{writer} {number}") for writer in range(2) for number in range(100)] == [*range(100)] * 2
    assert ledger.get("all") == 99
    assert os.path.getsize(f"{path}-wal") > 0


def test_a_number_that_python_does_not_read_is_not_there(ledger: LedgerFile) -> None:
    long, limit = 10**5000, sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(6000)
    try:
        ledger.put("a", long, about=ABOUT)
    finally:
        sys.set_int_max_str_digits(limit)
    assert ledger.get("a") is None


def test_seals_and_keys_tell_their_parts_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len({seal(b"secret", *parts) for parts in ((b"ab", b"c"), (b"a", b"bc"), (b"abc",), (b"", b"abc"))}) == 4
    assert seal(b"secret", b"abc") != seal(b"other", b"abc")
    first = key_of(a={"x": 1, "y": 2})
    assert key_of(a={"y": 2, "x": 1}) == first
    others = key_of(b={"x": 1, "y": 2}), key_of(a={"x": 1}, y=2), key_of(a=json.dumps({"x": 1, "y": 2}))
    assert len({first, *others}) == 4
    assert len({key_of(a=["b"]), key_of(a=[b"b"]), key_of(a=[b"c"]), key_of(a=b"b")}) == 4
    with pytest.raises(TypeError):
        key_of(a={1, 2})
    monkeypatch.setattr("axiomcheck.ledger.keys.decisive_versions", lambda: {"numpy": "0"})
    second = key_of(a={"x": 1, "y": 2})
    monkeypatch.setattr("axiomcheck.ledger.keys.engine_digest", lambda: "another")
    assert len({first, second, key_of(a={"x": 1, "y": 2})}) == 3
