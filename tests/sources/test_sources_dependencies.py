"""A metric's key changes with every file that its scores may rest on, or nothing that is found of it is kept."""

import functools
import json
import os
import py_compile
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from axiomcheck.sources import modules
from axiomcheck.sources.fingerprint import Fingerprint
from tests.support.suites import exhaustive, few, quality

HEAD = """
import importlib, importlib.metadata, importlib.util, json, os, pathlib, runpy, sys
HERE = pathlib.Path(__file__).parent
def loaded(file):
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
"""
SCORE = "    return grades.sum(axis=(1, 2))\n"
GAIN = "def gain(grades, weights):\n"

HELPERS = {
    "by its place": 'helper = loaded(HERE / "lib" / "helper.py")\n',
    "by exec": 'exec(compile((HERE / "lib" / "helper.py").read_text(), "helper.py", "exec"))\n',
    "in a zip": 'sys.path.insert(0, str(HERE / "lib" / "packed.zip"))\nimport packed\n',
    "of a namespace package": 'sys.path.insert(0, str(HERE))\nimportlib.import_module("lib.helper")\n',
    "by bytecode alone": 'sys.path.insert(0, str(HERE / "compiled"))\nimportlib.import_module("only")\n',
}
"""Ways in which a metric's file has a helper, whose content is the text ``BASE = 1``."""

READS = {
    "when it is loaded": 'WEIGHTS = json.loads((HERE / "data").read_text())\n' + GAIN,
    "in another thread": (
        "from concurrent.futures import ThreadPoolExecutor\ndef read():\n    return open(HERE / 'data').read()\n"
        f"{GAIN}    ThreadPoolExecutor(1).submit(read).result()\n"
    ),
    "if it is there": f'{GAIN}    try:\n        open(HERE / "data")\n    except OSError:\n        pass\n',
    "from where it goes": f'{GAIN}    old = os.getcwd()\n    os.chdir(HERE)\n    open("data")\n    os.chdir(old)\n',
    "of a distribution": (
        'sys.path.insert(0, str(HERE / "site"))\ndist = importlib.metadata.distribution("thing")\n'
        f'{GAIN}    dist.read_text("data.txt")\n'
    ),
    "called like bytecode": f'{GAIN}    (HERE / "weights.pyc").read_text()\n',
    "as names in a folder": f'{GAIN}    sorted(HERE.glob("lib/*.txt"))\n',
    **{f"a helper {way}": text + GAIN for way, text in HELPERS.items()},
}

BEYOND = {
    "opens a database": f'import sqlite3\n{GAIN}    sqlite3.connect(":memory:")\n',
    "uses the network": f"import socket\n{GAIN}    socket.socket().close()\n",
    "starts a process": f"{GAIN}    if (child := os.fork()) == 0:\n        os._exit(0)\n    os.waitpid(child, 0)\n",
    "opens a folder, which makes relative paths unknown": (
        f'{GAIN}    folder = os.open(HERE, os.O_RDONLY)\n    os.close(os.open("data", os.O_RDONLY, dir_fd=folder))\n'
    ),
    "reads something that is not a plain file": f'{GAIN}    open("/dev/urandom", "rb").read(1)\n',
    "loads a native library": f'import ctypes\n{GAIN}    ctypes.CDLL("libm.so.6")\n',
    "reads a file that it writes": (
        f'{GAIN}    (HERE / "count").open("a").write("x")\n    len((HERE / "count").read_text())\n'
    ),
}

NOTHING = {
    "imports": "import colorsys, rich.table\n" + GAIN,
    "writes": f'{GAIN}    open(os.devnull, "w")\n    (HERE / "log").open("a").write("x")\n',
}


def write_dependencies(folder: Path, content: str) -> None:
    """Write the files that the metrics read, with a content."""
    for name in ("lib", "compiled", "site/thing-1.dist-info"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name in ("data", "weights.pyc", "site/thing-1.dist-info/data.txt"):
        (folder / name).write_text(content, encoding="utf-8")
    (folder / "site/thing-1.dist-info/METADATA").write_text(f"Name: thing\nVersion: {content}\n", encoding="utf-8")
    (folder / "lib" / "helper.py").write_text(f"BASE = {content}\n", encoding="utf-8")
    (folder / "lib" / f"name{content}.txt").write_text("", encoding="utf-8")
    with zipfile.ZipFile(folder / "lib" / "packed.zip", "w") as packed:
        packed.writestr("packed.py", f"BASE = {content}\n")
    only = folder / "compiled" / "only.py"
    only.write_text(f"BASE = {content}\n", encoding="utf-8")
    py_compile.compile(str(only), str(only.with_suffix(".pyc")))
    only.unlink()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with each of these metrics, and what they read."""
    folder = tmp_path_factory.mktemp("place") / "first"
    folder.mkdir()
    for number, text in enumerate([*READS.values(), *BEYOND.values(), *NOTHING.values()]):
        (folder / f"metric{number}.py").write_text(HEAD + text + SCORE, encoding="utf-8")
    write_dependencies(folder, "1")
    return folder


EACH_IN_A_FORK = """
import json, os, sys
import axiomcheck.axioms
from axiomcheck.sources.fingerprint import _fingerprint_of, load_and_score
from axiomcheck.sources.dependencies import InstalledDistributions, content_digest
installed = InstalledDistributions.installed()
for module in list(sys.modules.values()):
    content_digest(getattr(module, '__file__', None) or '')  # once for all forks
for name in sys.argv[1:]:
    if os.fork() == 0:
        found = _fingerprint_of(load_and_score(name), installed)
        os.write(1, (json.dumps([found.code, found.key, found.unkept]) + chr(10)).encode())
        os._exit(0)
    os.wait()
"""


def prints(*asked: tuple[Path, str]) -> list[list[str]]:
    """Return code, key, and the reason not to keep, of metrics; as workers do it, but with less waiting."""
    numbers = {kind: number for number, kind in enumerate([*READS, *BEYOND, *NOTHING])}
    names = [f"{folder}/metric{numbers[kind]}.py:gain" for folder, kind in asked]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", EACH_IN_A_FORK, *names], capture_output=True, text=True, check=True, env=environment
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(names), done.stderr
    return found


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=exhaustive)])
def test_the_code_changes_with_each_file_that_is_read(step: int, place: Path, tmp_path: Path) -> None:
    """Also once Python has bytecode of a helper, and no longer opens its source."""
    folder, kinds = tmp_path / "copy", few([*READS], step)
    shutil.copytree(place, folder)
    twice = prints(*((folder, kind) for kind in [*kinds, *kinds]))
    first, again = twice[: len(kinds)], twice[len(kinds) :]
    assert again == first
    assert [unkept for _, _, unkept in first] == [""] * len(kinds)
    write_dependencies(folder, "2")
    changed = prints(*((folder, kind) for kind in kinds))
    assert [kind for kind, one, other in zip(kinds, first, changed, strict=True) if one[0] == other[0]] == []


@pytest.mark.parametrize("step", [pytest.param(4, marks=quality), pytest.param(1, marks=exhaustive)])
def test_a_metric_that_does_more_than_read_files_is_not_kept(step: int, place: Path, tmp_path: Path) -> None:
    same, without = (shutil.copytree(place, tmp_path / name) for name in ("same", "without"))
    (without / "data").unlink()
    kinds, at = [*few([*BEYOND], step), *NOTHING], "if it is there"
    found = prints(*((place, kind) for kind in kinds), (same, "writes"), (place, at), (without, at))
    assert [why for *_, why in found[:-3]] == [kind if kind in BEYOND else "" for kind in kinds]
    written, there, gone = (code for code, *_ in found[-3:])
    assert written == found[kinds.index("writes")][0]  # it has written more by now
    assert there != gone


def test_packages_of_an_environment_below_this_one_are_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An environment on top of another one finds its packages by a path that no setting of Python names."""
    below, beside = tmp_path / "lower" / "site-packages", tmp_path / "project"
    files = {folder: str(folder / "package" / "__init__.py") for folder in (below, beside)}
    monkeypatch.syspath_prepend(str(beside))
    for known in (modules.site_folders, modules._folders, modules.is_installed):
        monkeypatch.setattr(modules, known.__name__, functools.cache(known.__wrapped__))
    assert not modules.is_installed(files[below])
    monkeypatch.syspath_prepend(str(below))
    for known in (modules.site_folders, modules._folders, modules.is_installed):
        known.cache_clear()
    assert modules.is_installed(files[below])
    assert not modules.is_installed(files[beside])


@quality
def test_a_module_beside_a_metric_in_no_project_counts_before_it_is_imported(
    tmp_path: Path, taken: Callable[[str], Fingerprint]
) -> None:
    """The import runs for rankings that no probe has."""
    (tmp_path / "mine.py").write_text(f"{GAIN}    if grades.shape[1] > 30: import parts\n{SCORE}")
    helper = tmp_path / "parts" / "__init__.py"
    helper.parent.mkdir()
    helper.write_text("BASE = 1\n")
    before = taken(f"{tmp_path / 'mine.py'}:gain")
    (tmp_path / "notes.txt").write_text("of no interest\n")
    assert taken(f"{tmp_path / 'mine.py'}:gain") == before
    helper.write_text("BASE = -1\n")
    assert taken(f"{tmp_path / 'mine.py'}:gain") != before
