"""The everyday suite and ``tests/quality`` together are all tests, and CI runs both."""

from __future__ import annotations

import ast
import os
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EVERYDAY = PROJECT["tool"]["pytest"]["ini_options"]["testpaths"]


def test_every_folder_of_tests_is_everyday_or_quality() -> None:
    folders = {path.parent.relative_to(ROOT).as_posix() for path in TESTS.rglob("test_*.py")}
    assert folders - {"tests/quality"} == set(EVERYDAY)
    assert len(EVERYDAY) == len(set(EVERYDAY))


def test_files_of_tests_have_names_of_their_own() -> None:
    """Every folder is on the path, so that of two files of one name the second would stand for the first."""
    names = [path.name for path in TESTS.rglob("*.py") if path.name != "conftest.py"]
    assert sorted(names) == sorted(set(names))


def test_quality_takes_checks_from_the_everyday_tests_and_no_tests() -> None:
    """An imported test would be run a second time."""
    for path in sorted((TESTS / "quality").glob("*.py")):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        taken = [name.name for node in nodes if isinstance(node, ast.ImportFrom) for name in node.names]
        assert not [name for name in taken if name.startswith("test_")], path.name


def test_ci_and_the_readme_run_both() -> None:
    command = ".venv/bin/pytest tests/quality"
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert f"`{command}`" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("number", range(8))
def test_the_tests_of_a_file_are_run_by_one_worker(number: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Or what they share would be made once per worker, and nothing but time would tell."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    seen = shared / "workers-of-a-file"
    seen.mkdir(exist_ok=True)
    (seen / str(os.getpid())).touch()
    assert len(list(seen.iterdir())) == 1
