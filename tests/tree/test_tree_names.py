"""Names of modules, files and commands in all texts, held against the tree; one meaning for a class name."""

import importlib.util
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click import Context

from axiomcheck.cli.program import main

ROOT = Path(__file__).parents[2]
MODULE = re.compile(r"(?<![\w./@:-])axiomcheck(?:\.[A-Za-z_]\w*)+")
FILE = re.compile(
    r"(?<![\w./*{}<>-])"
    r"(?:axiomcheck/[\w.-]+(?:/[\w./-]*\w|\.\w+|/)|(?:axioms|metrics|reports|docs|benchmarks|tests)/[\w./-]*\w)"
    r"(?![\w*{}<>])"
)
"""A path below the project's folder; ``axiomcheck/witness`` alone is the name of a schema."""
COMMAND = re.compile(r"(?:^\$ |`|^    |')(?:[\w./-]*/)?axiomcheck ([a-z][a-z-]*)(?= |`|'|$)", re.MULTILINE)
NO_MODULES = {
    *("axiomcheck.toml", "axiomcheck.escape", "axiomcheck.adapters"),  # a file, an error handler, an entry-point group
    *("axiomcheck.metrics.own", "axiomcheck.metrics.exactness"),  # what digests call modules that have moved
    "axiomcheck.no_such_name",
}
NEW = re.compile(r"^<!-- new: (\S+) -->$", re.MULTILINE)
"""A file that a recipe has its reader write."""
MADE_BY_READERS = {"docs/generated", "docs/generated/", "metrics/", "tests/test_metrics.py"}
"""Files that a page tells its reader to make, or that are made of the site."""


def _sources() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    kinds = (".py", ".md", ".toml", ".yml", ".yaml", ".transcript")
    return [
        ROOT / name
        for name in listed
        if name.endswith(kinds) and (ROOT / name).exists() and (ROOT / name) != Path(__file__)
    ]


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # what comes before the last dot is no package
        return False


@cache
def _resolves(name: str) -> bool:
    module, *rest = name.split(".")
    while rest and _is_module(f"{module}.{rest[0]}"):
        module = f"{module}.{rest.pop(0)}"
    found: Any = importlib.import_module(module) if rest else None
    for part in rest:
        if not hasattr(found, part):
            return part in getattr(found, "__annotations__", {})
        found = getattr(found, part)
    return True


def _module_of(file: str) -> str:
    return f"axiomcheck.{file.removeprefix('axiomcheck/').removesuffix('.py').replace('/', '.')}"


def wrong_names(text: str) -> Iterator[str]:
    """Return the names in a text that nothing in the tree has, nor what the text's recipes add to it."""
    made = set(NEW.findall(text))
    made_modules = {_module_of(file) for file in made if file.endswith(".py")}
    for name in sorted(set(MODULE.findall(text)) - NO_MODULES):
        if not _resolves(name) and not any(f"{name}.".startswith(f"{module}.") for module in made_modules):
            yield name
    for name in sorted(set(FILE.findall(text)) - made):
        if not (ROOT / name).exists() and name not in MADE_BY_READERS:
            yield name
    for name in sorted(set(COMMAND.findall(text))):
        if name not in main.list_commands(Context(main)):
            yield f"axiomcheck {name}"


def test_names_of_modules_files_and_commands_are_those_of_the_tree() -> None:
    files = _sources()
    assert len(files) > 300
    wrong = {str(file.relative_to(ROOT)): list(wrong_names(file.read_text(encoding="utf-8"))) for file in files}
    assert {name: found for name, found in wrong.items() if found} == {}


@pytest.mark.parametrize("wrong", ["axiomcheck.engine.matrices", "axiomcheck/engine.py", "tests/nothing.py"])
def test_a_name_that_nothing_has_is_found(wrong: str) -> None:
    text = f"See `{wrong}` and `axiomcheck.engine.run.run_matrix` in axiomcheck/engine/run.py.\n"
    assert list(wrong_names(text)) == [wrong]


def test_files_that_a_recipe_adds_are_there_for_its_page_alone() -> None:
    text = "See `axiomcheck.axioms.appended.Appended` in axioms/appended.py.\n"
    assert list(wrong_names(f"<!-- new: axioms/appended.py -->\n{text}")) == []
    assert list(wrong_names(f"<!-- new: axioms/other.py -->\n{text}")) == [
        "axiomcheck.axioms.appended.Appended",
        "axioms/appended.py",
    ]


def test_a_command_that_is_none_is_found() -> None:
    assert list(wrong_names("$ axiomcheck matrixx RBP\n$ axiomcheck matrix\n")) == ["axiomcheck matrixx"]
