"""A release is the one command of CONTRIBUTING.md: what it builds is whole, and what indexes refuse is refused."""

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

from tests.support.suites import quality
from tests.support.transcripts import ROOT

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
