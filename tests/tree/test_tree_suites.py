"""Hold the two suites together: CI runs both as the README says, and files of tests share what they make."""

import os
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

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
def test_every_package_of_the_quality_extra_is_installed() -> None:
    """Where the quality suite runs, no test is skipped for want of a package."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    needed = [Requirement(text) for text in extras["quality"]]
    needed += [
        Requirement(text) for one in needed if one.name == "axiomcheck" for e in one.extras for text in extras[e]
    ]
    assert len(needed) > 20
    for one in needed:
        assert one.name == "axiomcheck" or distribution(one.name).version in one.specifier


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
