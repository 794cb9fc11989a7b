"""A ledger gives back what its user kept, and nothing that anybody changed; damage costs time; `axiomcheck ledger`."""

import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import Result

from axiomcheck.core.errors import InvalidInput
from axiomcheck.ledger.file import LedgerFile, default_path, ledger_of_user
from axiomcheck.ledger.keys import key_of, seal, user_secret
from tests.support.commands import command
from tests.support.forked import forked
from tests.support.suites import each
from tests.support.transcripts import ROOT

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
        "content = 7",
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
from axiomcheck.ledger.file import LedgerFile
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
    with pytest.raises(TypeError):
        key_of(a={1, 2})
    monkeypatch.setattr("axiomcheck.ledger.keys.decisive_versions", lambda: {"numpy": "0"})
    second = key_of(a={"x": 1, "y": 2})
    monkeypatch.setattr("axiomcheck.ledger.keys.engine_digest", lambda: "another")
    assert len({first, second, key_of(a={"x": 1, "y": 2})}) == 3


COUNT = 400
PAGE = 4096


def content(number: int) -> list[str]:
    return [str(number) * (1 + number % 300)]


def right(ledger: LedgerFile) -> int:
    """Count the entries that are there, each of which is as it was kept."""
    found = [(number, ledger.get(str(number))) for number in range(COUNT)]
    assert all(kept in (None, content(number)) for number, kept in found)
    return sum(kept is not None for _, kept in found)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "ledger"
    ledger = LedgerFile(path)
    for number in range(COUNT):
        ledger.put(str(number), content(number), about={"kind": "test"})
    ledger.close()
    return path


@pytest.fixture
def path(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path / "ledger"))


def noise(count: int) -> bytes:
    return random.Random(count).randbytes(count)


def altered(statement: str) -> Callable[[bytes], bytes]:
    """Return what rewrites a ledger by a statement about its schema, as damage or an enemy might."""

    def change(content: bytes) -> bytes:
        with tempfile.NamedTemporaryFile() as file:
            Path(file.name).write_bytes(content)
            base = sqlite3.connect(file.name)
            base.execute("PRAGMA writable_schema = ON")
            base.execute(statement)
            base.commit()
            base.close()
            return Path(file.name).read_bytes()

    return change


VIEW = (
    "CREATE VIEW entries AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS number, "
    "i AS key, i AS seal, i AS engine, i AS about, i AS content, i AS used FROM n"
)

DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "a name that is no UTF-8": lambda b: b.replace(b"by_use", b"by\xdfuse"),
    "an endless view": altered(
        f"UPDATE sqlite_master SET type = 'view', rootpage = 0, sql = '{VIEW}' WHERE name = 'entries'"
    ),
    "cut off in the middle": lambda b: b[: len(b) // 2 + 100],
    "a version that is too new to be written": lambda b: b[:18] + b"\x12" + b[19:],
    "a column with another collation": altered(
        "UPDATE sqlite_master SET sql = replace(sql, 'key TEXT', 'key TEXT COLLATE NOCASE') WHERE name = 'entries'"
    ),
    "a trigger": altered("CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END"),
}


def tried(path: Path) -> str:
    """Read and write whatever there is of a ledger; return why it was refused, or nothing."""
    try:
        ledger = LedgerFile(path)
    except InvalidInput as error:
        return str(error)
    right(ledger)
    list(ledger.entries())
    ledger.put("after", 1, about={})
    assert ledger.get("after") in (1, None)
    ledger.close()
    return ""


@each("damage", list(DAMAGE), 2)
def test_a_damaged_file_is_refused_and_left_or_done_without(
    damage: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = DAMAGE[damage](path.read_bytes())
    assert broken != path.read_bytes()
    path.write_bytes(broken)
    refusal = tried(path)
    if refusal:
        assert path.read_bytes() == broken
        assert refusal.startswith(f"{path}: ")
    else:
        assert "nothing more is" in capsys.readouterr().err


@each(("where", "bits"), [("schema", 1), ("header", 1), ("anywhere", 20)], 2)
def test_no_flipped_bit_changes_a_content(where: str, bits: int, path: Path) -> None:
    good, rng = path.read_bytes(), random.Random(where)
    names = good.index(b"CREATE INDEX"), PAGE
    low, high = {"schema": names, "header": (0, 100), "anywhere": (0, len(good))}[where]
    for _ in range(40 // bits):
        broken = bytearray(good)
        for _ in range(bits):
            broken[rng.randrange(low, high)] ^= 1 << rng.randrange(8)
        for file in path.parent.iterdir():
            file.unlink()
        path.write_bytes(broken)
        tried(path)


def test_a_torn_log_loses_only_its_torn_entries(path: Path, tmp_path: Path) -> None:
    ledger = LedgerFile(path)
    for number in range(20):
        ledger.put(f"new {number}", number, about={})
    copy = tmp_path / "copy"
    shutil.copy(path, copy)
    log = Path(f"{path}-wal").read_bytes()
    Path(f"{copy}-wal").write_bytes(log[: len(log) // 2])
    torn = LedgerFile(copy)
    assert right(torn) == COUNT
    found = [torn.get(f"new {number}") for number in range(20)]
    assert found[0] == 0
    assert found[-1] is None
    assert found == sorted(found, key=lambda number: 20 if number is None else number)


def test_damage_that_comes_while_the_file_is_open(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = LedgerFile(path)
    with open(path, "r+b") as file:
        file.seek(20 * PAGE)
        file.write(noise(10 * PAGE))
    assert right(ledger) < COUNT
    ledger.put("after", 1, about={})
    assert capsys.readouterr().err.count("nothing more is read from it or stored in it during this run") == 1


def test_a_damaged_ledger_of_the_user_is_said_and_work_goes_on(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AXIOMCHECK_LEDGER", str(path))
    path.write_bytes(DAMAGE["a trigger"](path.read_bytes()))
    assert ledger_of_user() is None
    said = capsys.readouterr().err
    assert "its tables are not those of a ledger; expected a ledger (delete it if it is damaged)" in said
    assert "nothing from this run is stored" in said


KEEPS = """
from axiomcheck.ledger.file import ledger_of_user
ledger = ledger_of_user()
if ledger is not None:
    for number in range(300):
        ledger.put(str(number), ["x" * 10_000], about={})
    there = [ledger.get(str(number)) for number in range(300)]
    assert all(kept in (None, ["x" * 10_000]) for kept in there)
    print(sum(kept is not None for kept in there))
    ledger.close()
print("went on")
"""


def with_ledger_in(folder: Path) -> dict[str, str]:
    return os.environ | {"AXIOMCHECK_LEDGER": str(folder / "ledger")}


def on_a_full_disk() -> int:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))
    exec(KEEPS, {})
    return 0


def test_a_full_disk_is_said_once_and_work_goes_on(tmp_path: Path) -> None:
    done = forked(on_a_full_disk, tmp_path, with_ledger_in(tmp_path))
    assert done.code == 0, done.stderr
    there, went = done.stdout.splitlines()
    assert went == "went on"
    assert 0 < int(there) < 300
    assert done.stderr.count("nothing more is stored in it during this run") == 1
    assert "Traceback" not in done.stderr
    ledger = LedgerFile(tmp_path / "ledger")
    assert len(list(ledger.entries())) == int(there)
    ledger.put("after", 1, about={})
    assert ledger.get("after") == 1


def test_a_writer_that_never_ends_is_not_waited_for_again(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("axiomcheck.ledger.file._PATIENCE", 0.1)
    ledger = LedgerFile(path)
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    for number in range(100):
        ledger.put("a", number, about={})
    writer.execute("COMMIT")
    assert ledger.get("a") is None
    assert right(ledger) == COUNT
    assert capsys.readouterr().err.count("database is locked; nothing more is stored") == 1


DAY = 86400


def put_by_another(ledger: LedgerFile, key: str, content: object, about: dict[str, str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("axiomcheck.ledger.file.engine_digest", lambda: "another")
        ledger.put(key, content, about=about)


@pytest.fixture
def filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    filled = tmp_path / "ledger"
    monkeypatch.setenv("AXIOMCHECK_LEDGER", str(filled))
    ledger = LedgerFile(filled)
    ledger.put("a", "x" * 998, about={"kind": "cell", "metric": "RBP", "axiom": "Pri"})
    ledger.put("b", [1], about={"kind": "checks", "metric": "RBP"})
    put_by_another(ledger, "c", [2], {"kind": "cell", "metric": "<b>[red]\x1b[31m" + "m" * 5000, "axiom": "Pri"})
    ledger.close()
    return filled


def run(*words: str, code: int = 0) -> Result:
    done = command("ledger", *words)
    assert done.exit_code == code, done.output
    return done


def keys(filled: Path) -> set[str]:
    return {entry.key for entry in LedgerFile(filled).entries()}


def test_show_counts_by_kind_metric_and_axiom_and_names_unsealed_entries(filled: Path) -> None:
    found = json.loads(run("show", "-f", "json").stdout)
    assert found["path"] == str(filled)
    assert found["size"] == filled.stat().st_size
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
    with sqlite3.connect(filled) as base:
        base.execute("UPDATE entries SET content = x'31' WHERE key = 'a'")
    found = json.loads(run("show", "-f", "json").stdout)
    assert (found["entries"]["entries"], found["unsealed"]) == (2, 1)
    assert "because they are damaged or not sealed by you: 1 entry." in run("show").stdout


def test_gc_deletes_other_versions_and_unused_entries(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("gc").stdout == (
        "deleted 1 entry from other versions of axiomcheck and 0 entries not used for 30 days; 2 left\n"
    )
    assert keys(filled) == {"a", "b"}
    later = time.time() + 20 * DAY
    monkeypatch.setattr(time, "time", lambda: later)
    ledger = LedgerFile(filled)
    ledger.get("a")
    ledger.close()
    monkeypatch.setattr(time, "time", lambda: later + 11 * DAY)
    assert "1 entry not used for 30 days; 1 left" in run("gc").stdout
    assert keys(filled) == {"a"}
    assert "0 entries not used for 12 days; 1 left" in run("gc", "12").stdout
    assert "1 entry not used for 10 days; 0 left" in run("gc", "10").stdout


@pytest.mark.parametrize("back", [400 * DAY, 10**9])
def test_gc_after_the_clock_was_set_back_deletes_nothing_fresh(
    filled: Path, back: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    with monkeypatch.context() as patch:
        patch.setattr(time, "time", lambda: now - back)
        ledger = LedgerFile(filled)
        ledger.put("during", 1, about={})
        assert ledger.get("b") == [1]
        ledger.close()
        assert "0 entries not used for 1 day; 3 left" in run("gc", "1").stdout
    assert "0 entries not used for 1 day; 3 left" in run("gc", "1").stdout
    assert keys(filled) == {"a", "b", "during"}


def test_gc_gives_the_room_back(filled: Path) -> None:
    ledger = LedgerFile(filled)
    for number in range(30):
        put_by_another(ledger, str(number), "x" * 20_000, {})
    ledger.close()
    before = filled.stat().st_size
    run("gc")
    assert filled.stat().st_size < before / 10


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
