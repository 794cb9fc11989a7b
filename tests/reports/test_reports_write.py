import json
import os
import stat
from pathlib import Path

import pytest

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.writing import write_atomically


def test_writes_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_atomically(path, "α\r\nb\n")
    assert path.read_bytes() == "α\r\nb\n".encode()
    write_atomically(str(path), "new")
    assert path.read_text() == "new"
    write_atomically(path, '"\ud800 α"')
    assert path.read_text(encoding="utf-8") == '"\\ud800 α"', "a lone surrogate is written as its escape"
    assert json.loads(path.read_text(encoding="utf-8")) == "\ud800 α"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("error", "raised", "says"),
    [
        (OSError(28, "No space left on device"), InvalidInput, r"cannot write .*report\.json: No space left on device"),
        (KeyboardInterrupt("now"), KeyboardInterrupt, "now"),
    ],
)
def test_a_failed_replacement_leaves_the_old_file(
    error: BaseException, raised: type[BaseException], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.json"
    path.write_text("old")
    seen = []

    def fails(source: Path, target: Path) -> None:
        seen.append((Path(source).read_text(), Path(source).parent, Path(target)))
        raise error

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(raised, match=says):
        write_atomically(path, "new")
    assert seen == [("new", tmp_path, path)]
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("file/report.json", "there is no directory"),
        ("a", "cannot write"),
    ],
)
def test_no_file_is_written_where_there_is_no_place_for_one(name: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    (tmp_path / "there").mkdir()
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(InvalidInput, match=says):
        write_atomically(tmp_path / name, "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "file", "there"]
    assert (tmp_path / "file").read_text() == "old"
    assert list((tmp_path / "there").iterdir()) == []


def test_a_device_is_not_replaced() -> None:
    with pytest.raises(InvalidInput, match="not a regular file"):
        write_atomically(os.devnull, "new")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_permissions_are_kept_new_files_follow_the_umask_and_links_are_followed(tmp_path: Path) -> None:
    old, new, plain = tmp_path / "old", tmp_path / "new", tmp_path / "plain"
    old.write_text("old")
    old.chmod(0o640)
    plain.write_text("")
    write_atomically(old, "new")
    write_atomically(new, "new")
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert stat.S_IMODE(new.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    (tmp_path / "sub").mkdir()
    target, link = tmp_path / "sub" / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
