"""ARCHITECTURE.md against the tree, and the command of a release, which builds what is whole."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.support.suites import exhaustive, quality
from tests.support.transcripts import ROOT

PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
PACKAGES = ("axioms", "metrics", "reports")
BLOCK = re.compile(r"(?:<!-- (new|change): (\S+) -->\n)?```(\w+)\n(.*?)```", re.DOTALL)


def recipes() -> dict[str, str]:
    parts = re.split(r"^### (.+)\n", PAGE.partition("## Recipes")[2], flags=re.MULTILINE)[1:]
    return {title: text for title, text in zip(parts[::2], parts[1::2], strict=True) if "```console" in text}


SUITES = {"A metric with a proof": (), "An axiom": quality}
"""When a recipe is followed, where that is before the exhaustive suite."""


def layers() -> list[set[str]]:
    """Return the rooms that the linter keeps apart, the lowest first."""
    rules = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    found = [set(layer.split(" | ")) - {"__main__"} for layer in rules[0]["layers"]]
    return [layer for layer in reversed(found) if layer]


def copied(site: Path) -> None:
    """Copy the project as it would be installed in a folder, with the project's own files beside it.

    What was compiled is copied as well, and holds for files that stay as they were written.
    """
    shutil.copytree(ROOT / "axiomcheck", site / "axiomcheck")
    for name in PACKAGES:
        shutil.copytree(ROOT / name, site / "axiomcheck" / name)
    shutil.copy(ROOT / "pyproject.toml", site)


def place_of(site: Path, file: str) -> Path:
    return site / ("axiomcheck" if file.split("/")[0] in PACKAGES else "") / file


def changed(text: str, diff: str) -> str:
    """Return a file with a change made; what the change leaves out or replaces has to be there once."""
    lines = diff.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line[:1] in " -")
    after = "".join(line[1:] for line in lines if line[:1] in " +")
    if len(lines) == 2 and lines[0].startswith("-"):  # the beginning of a line
        before, after = before.rstrip("\n"), after.rstrip("\n")
    assert text.count(before) == 1, f"stands {text.count(before)} times:\n{before}"
    return text.replace(before, after)


def install_entry_points(site: Path) -> None:
    """Write the metadata that an installation makes of pyproject.toml."""
    project = tomllib.loads((site / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = site / f"axiomcheck-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: axiomcheck\nVersion: {project['version']}\n")
    groups = (
        f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in points.items())
        for group, points in project["entry-points"].items()
    )
    (info / "entry_points.txt").write_text("\n".join(groups), encoding="utf-8")


def run(command: str, site: Path) -> str:
    words = shlex.split(command)
    if words[0] == "axiomcheck":
        # A copy that lies in the working directory comes before the installed one.
        words[:1] = [sys.executable, "-c", "from axiomcheck.__main__ import run; run()"]
    done = subprocess.run(
        words,
        cwd=site,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(site), "COLUMNS": "100", "NO_COLOR": "1", "PYTHONUTF8": "1"},
        timeout=600,
        check=False,
    )
    return done.stdout + done.stderr


def is_as_shown(printed: str, shown: str) -> bool:
    """Say whether the output is what the page shows; ``...`` stands for anything, in a line or after it."""
    pattern = shown.replace("[", "[[]").replace("...\n", "*\n").replace("...", "*").rstrip("\n")
    return fnmatchcase(printed.rstrip("\n"), pattern.removesuffix("\n*") + "*" if pattern.endswith("\n*") else pattern)


@pytest.mark.parametrize(
    "title", [pytest.param(title, marks=SUITES.get(title, exhaustive)) for title in recipes()], ids=list(recipes())
)
def test_a_recipe_works_as_it_stands(title: str, tmp_path: Path) -> None:
    copied(tmp_path)
    consoles = []
    for kind, file, language, code in BLOCK.findall(recipes()[title]):
        if language == "console":
            consoles.append(code)
        elif kind == "new":
            assert not place_of(tmp_path, file).exists()
            place_of(tmp_path, file).write_text(code, encoding="utf-8")
        else:
            place = place_of(tmp_path, file)
            place.write_text(changed(place.read_text(encoding="utf-8"), code), encoding="utf-8")
    install_entry_points(tmp_path)
    assert consoles
    for console in consoles:
        for command, shown in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", console, re.MULTILINE):
            printed = run(command, tmp_path)
            assert is_as_shown(printed, shown), f"$ {command}\n{printed}"


def test_the_page_has_every_room_and_the_linters_arrows() -> None:
    table = re.findall(r"^\| `(?:axiomcheck/)?(\w+)/` \|", PAGE, re.MULTILINE)
    listed = re.findall(r"^\d+\. ((?:`\w+`(?:, )?)+)$", PAGE.partition("## Arrows")[2], re.MULTILINE)
    arrows = [set(re.findall(r"`(\w+)`", line)) for line in listed]
    rooms = {path.parent.name for path in (ROOT / "axiomcheck").glob("*/__init__.py")} | {*PACKAGES}
    assert {*table} == rooms
    assert arrows == layers()


def test_what_is_installed_has_all_packages() -> None:
    """An editable installation finds those that the list lacks, too."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    beside = ("axioms", "metrics", "reports")
    folders = [file.parent for room in ("axiomcheck", *beside) for file in (ROOT / room).rglob("__init__.py")]
    names = [".".join(folder.relative_to(ROOT).parts) for folder in folders]
    assert sorted(listed) == sorted(f"axiomcheck.{name}" if name.startswith(beside) else name for name in names)


UPLOAD = " && .venv/bin/twine upload dist/*"


def released(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the command of a release in a copy of the tree, without the upload and the network."""
    (command,) = re.findall(r"^    (rm -rf dist && .*)$", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)
    assert command.endswith(UPLOAD)
    words = command.removesuffix(UPLOAD).replace("-m build", "-m build --no-isolation")
    words = words.replace(".venv/bin/twine", ".venv/bin/python -m twine").replace(".venv/bin/python", sys.executable)
    return subprocess.run(["bash", "-ec", words], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_file():
            shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


@quality
@pytest.mark.extra("build")
@pytest.mark.extra("twine")
def test_the_command_of_a_release_builds_what_an_index_takes(tree: Path) -> None:
    done = released(tree)
    assert done.returncode == 0, done.stdout + done.stderr
    version = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert {path.name for path in (tree / "dist").iterdir()} == {
        f"axiomcheck-{version}.tar.gz",
        f"axiomcheck-{version}-py3-none-any.whl",
    }
    with tarfile.open(tree / "dist" / f"axiomcheck-{version}.tar.gz") as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"CHANGELOG.md", "LICENSE", "README.md", "axiomcheck/strategies.py", "metrics/catalogue.py"} <= names
