"""Long work: finished results are kept, and neither lost, nor done twice, nor mistaken for others."""

from __future__ import annotations

import os
import signal
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from axiomcheck.core.errors import InvalidInput, OverLimit
from axiomcheck.runs.kept import Kept, key_of
from axiomcheck.runs.pieces import finish


def _square(common: list[int], piece: int) -> int:
    common.append(piece)
    return piece * piece


def _stopped(common: Any, piece: int) -> int:
    if piece == common:
        raise KeyboardInterrupt
    return piece * piece


def _killed(common: Any, piece: int) -> int:
    if piece == common:
        os.kill(os.getpid(), signal.SIGKILL)
    return piece


def _keys(count: int) -> list[str]:
    return [key_of("square", number) for number in range(count)]


def test_what_is_kept_is_not_done_again(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        finish(_stopped, 3, range(5), _keys(5), kept=Kept(tmp_path / "kept"))
    asked: list[int] = []
    heard: list[tuple[int, int]] = []
    found = finish(
        _square, asked, range(5), _keys(5), kept=Kept(tmp_path / "kept"), listen=lambda *done: heard.append(done)
    )
    assert found == [0, 1, 4, 9, 16]
    assert asked == [3, 4]
    assert heard == [(3, 5), (4, 5), (5, 5)]


def test_processes_give_the_same_in_the_same_order() -> None:
    assert finish(_square, [], range(7), _keys(7), jobs=2) == finish(_square, [], range(7), _keys(7))


def test_a_killed_worker_is_said() -> None:
    with pytest.raises(OverLimit, match="a worker process was killed"):
        finish(_killed, 1, range(3), _keys(3), jobs=2)


@pytest.mark.parametrize("column", ["result", "key"])
def test_a_damaged_result_is_done_again(tmp_path: Path, column: str) -> None:
    finish(_square, [], range(3), _keys(3), kept=Kept(tmp_path / "kept"))
    with sqlite3.connect(tmp_path / "kept") as base:
        changed = {"result": "UPDATE results SET result = '7'", "key": f"UPDATE results SET key = '{_keys(4)[3]}'"}
        base.execute(changed[column] + f" WHERE key = '{_keys(2)[1]}'")
    asked: list[int] = []
    assert finish(_square, asked, range(4), _keys(4), kept=Kept(tmp_path / "kept")) == [0, 1, 4, 9]
    assert asked == [1, 3]


def test_keys_tell_their_parts_apart() -> None:
    assert len({key_of("a", "b"), key_of("ab"), key_of("a", b"b"), key_of("a", ["b"])}) == 4
    assert key_of({"a": 1, "b": 2}) == key_of({"b": 2, "a": 1})


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no database of anything, and long enough for SQLite to see that it is none" * 20)
    with pytest.raises(InvalidInput, match="expected a file that --resume made"):
        Kept(text)
    other = tmp_path / "other"
    with sqlite3.connect(other) as base:
        base.execute("CREATE TABLE mine (a)")
    with pytest.raises(InvalidInput, match="a database of something else"):
        Kept(other)
    with sqlite3.connect(other) as base:
        assert [name for (name,) in base.execute("SELECT name FROM sqlite_master")] == ["mine"]
    with pytest.raises(InvalidInput, match="unable to open"):
        Kept(tmp_path / "nowhere" / "kept")
