"""Hold the two suites together: CI runs both as the README says, and files of tests share what they make."""

from __future__ import annotations

import importlib.util
import os
import re
from pathlib import Path

import pytest

from tests.support.suites import quality

ROOT = Path(__file__).parents[2]


def test_ci_runs_the_commands_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    everyday = [line.strip() for line in readme.splitlines() if line.endswith("&& .venv/bin/pytest")]
    assert len(everyday) == 1
    assert everyday[0] in lines
    quality = ".venv/bin/pytest -m 'quality or extra'"
    assert quality in lines
    assert f"`{quality}`" in readme


@quality
def test_every_extra_that_a_test_needs_is_installed() -> None:
    """Where the quality suite runs, no test is skipped for want of a package."""
    files = [path for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)]
    needed = {name for path in files for name in re.findall(r'mark\.extra\("([\w.]+)"\)', path.read_text("utf-8"))}
    assert needed
    assert not [name for name in sorted(needed) if importlib.util.find_spec(name) is None]


def test_every_folder_of_tests_is_a_package() -> None:
    """Imports say where a helper lives, and no folder of tests has to be on the path."""
    folders = {path.parent for path in (ROOT / "tests").rglob("*.py")} - {ROOT / "tests" / "natural" / "written"}
    assert not [folder for folder in folders if not (folder / "__init__.py").is_file()]


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
