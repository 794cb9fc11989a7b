"""What a metric takes from outside is in its fingerprint, or keeps what is found of it from being kept."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from axiomcheck.sources.fingerprint import fingerprint
from axiomcheck.sources.watching import CodeOf, Event, taken
from tests.support.suites import few, quality

HEAD = "import json, os, pathlib, sys\nHERE = pathlib.Path(__file__).parent\n"
SCORE = "    return grades.sum(axis=(1, 2))\n"

READS = {
    "when it is loaded": 'WEIGHTS = json.loads((HERE / "data").read_text())\ndef gain(grades, weights):\n',
    "by a library": 'import numpy\ndef gain(grades, weights):\n    numpy.loadtxt(HERE / "data")\n',
    "in another thread": (
        "from concurrent.futures import ThreadPoolExecutor\ndef read():\n    return open(HERE / 'data').read()\n"
        "def gain(grades, weights):\n    ThreadPoolExecutor(1).submit(read).result()\n"
    ),
    "if it is there": (
        'def gain(grades, weights):\n    try:\n        open(HERE / "data")\n    except OSError:\n        pass\n'
    ),
    "from where it goes": (
        'def gain(grades, weights):\n    old = os.getcwd()\n    os.chdir(HERE)\n    open("data")\n    os.chdir(old)\n'
    ),
}

BEYOND = {
    "opens a database": 'import sqlite3\ndef gain(grades, weights):\n    sqlite3.connect(":memory:")\n',
    "uses the network": "import socket\ndef gain(grades, weights):\n    socket.socket().close()\n",
    "starts a process": ("import subprocess\ndef gain(grades, weights):\n    subprocess.run(['true'])\n"),
    "starts a process  ": (
        "def gain(grades, weights):\n    if (child := os.fork()) == 0:\n        os._exit(0)\n    os.waitpid(child, 0)\n"
    ),
    "lists a directory": "FILES = list(HERE.glob('*.txt'))\ndef gain(grades, weights):\n",
    "reads what is no plain file": 'def gain(grades, weights):\n    open("/dev/urandom", "rb").read(1)\n',
    "reads a file that it writes": (
        'def gain(grades, weights):\n    (HERE / "count").open("a").write("x")\n    len((HERE / "count").read_text())\n'
    ),
}

NOTHING = {
    "imports": "import colorsys, rich.table\ndef gain(grades, weights):\n",
    "writes": 'def gain(grades, weights):\n    open(os.devnull, "w")\n    (HERE / "log").open("a").write("x")\n',
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with each of these metrics, and what they read."""
    folder = tmp_path_factory.mktemp("place") / "first"
    folder.mkdir()
    for number, text in enumerate([*READS.values(), *BEYOND.values(), *NOTHING.values()]):
        (folder / f"metric{number}.py").write_text(HEAD + text + SCORE, encoding="utf-8")
    (folder / "data").write_text("1", encoding="utf-8")
    return folder


EACH_IN_A_FORK = """
import json, os, sys
import axiomcheck.axioms
from axiomcheck.sources.fingerprint import _of_name
for name in sys.argv[1:]:
    if os.fork() == 0:
        code, _, unkept, _ = _of_name(name)
        os.write(1, (json.dumps([code, unkept]) + chr(10)).encode())
        os._exit(0)
    os.wait()
"""


def prints(*asked: tuple[Path, str]) -> list[list[str]]:
    """Return code, and why it is not kept, of metrics; as workers do it, but for their limits and with less waiting."""
    numbers = {kind: number for number, kind in enumerate([*READS, *BEYOND, *NOTHING])}
    names = [f"{folder}/metric{numbers[kind]}.py:gain" for folder, kind in asked]
    done = subprocess.run([sys.executable, "-c", EACH_IN_A_FORK, *names], capture_output=True, text=True, check=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(names), done.stderr
    return found


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=quality)])
def test_files_that_are_read_count_and_a_metric_that_does_more_is_not_kept(
    step: int, place: Path, tmp_path: Path
) -> None:
    other, same, without = (shutil.copytree(place, tmp_path / name) for name in ("other", "same", "without"))
    (other / "data").write_text("2", encoding="utf-8")
    (without / "data").unlink()
    reads = few([*READS], step)
    kinds = [*reads, *few([*BEYOND], step), *NOTHING]
    at, again = "if it is there", ["when it is loaded", "if it is there", "reads a file that it writes", "writes"]
    asked = [
        [(place, kind) for kind in kinds],
        [(other, kind) for kind in reads],
        list(zip((same, same, place, place), again, strict=True)),
        [(without, at)],
    ]
    found = iter(prints(*itertools.chain(*asked)))
    first, second, third, last = ([next(found) for _ in part] for part in asked)
    before = dict(zip(kinds, first, strict=True))
    assert [why for _, why in first] == [kind.rstrip() if kind in BEYOND else "" for kind in kinds]
    assert [kind for kind, one in zip(reads, second, strict=True) if one == before[kind]] == []
    assert third == [before[kind] for kind in again]  # the last two have written more by now
    assert last[0] not in (before[at], second[reads.index(at)])


@quality
def test_a_worker_says_so_too(place: Path) -> None:
    found = fingerprint(f"{place}/metric{len(READS)}.py:gain")
    assert found.unkept == next(iter(BEYOND))


@pytest.mark.parametrize(
    ("frames", "main", "counts"),
    [
        ("metric:gain", True, True),
        ("python:open metric:gain", False, True),
        ("library:read metric:gain", True, True),
        ("library:<module> metric:<module>", True, False),
        ("python:glob python:<module> library:f metric:gain", True, False),
        ("library:read library:<module> metric:gain", True, False),
        ("library:calculate axiomcheck:call", True, True),
        ("python:open axiomcheck:resolve metric:<module>", True, False),
        ("library:work python:run", False, True),  # of a thread nobody knows who began it
        ("python:run", False, True),
        ("python:run", True, False),
        ("<string>:gain axiomcheck:call", True, True),
        ("<frozen>:load python:run", True, False),
        ("python:open axiomcheck:import_at_home metric:<module>", True, True),
        ("<string>:read axiomcheck:score", True, True),
    ],
)
def test_the_version_of_a_library_tells_of_its_import(frames: str, main: bool, counts: bool) -> None:
    who = tuple((file, function) for file, _, function in (frame.partition(":") for frame in frames.split()))
    codes: tuple[CodeOf, ...] = ("metric", "library", "python", "axiomcheck")
    found = taken([Event("uses the network", who, main)], dict(zip(codes, codes, strict=True)).__getitem__)
    assert found == ([], "uses the network" if counts else "")
