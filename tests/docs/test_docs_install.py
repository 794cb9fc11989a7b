"""docs/install.md: its commands are of a form that pip and the shell take, and what they install is the project."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

from tests.support.installing import OFFLINE
from tests.support.suites import quality
from tests.support.transcripts import ROOT

PAGE = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
COMMANDS = [line for block in re.findall(r"^```sh\n(.*?)^```", PAGE, re.M | re.S) for line in block.splitlines()]


def test_the_shell_reads_every_command() -> None:
    assert len(COMMANDS) >= 6
    subprocess.run(["bash", "-n", "-c", "\n".join(COMMANDS)], check=True)


def test_the_requirement_with_an_address_names_extras_of_the_project() -> None:
    (word,) = [word for command in COMMANDS for word in shlex.split(command) if " @ " in word]
    requirement = Requirement(word.replace("URL@TAG", "https://example.org/some/fork.git@v1"))
    assert requirement.name == PROJECT["name"]
    assert requirement.extras <= set(PROJECT["optional-dependencies"])


def test_the_page_has_every_extra() -> None:
    named = re.findall(r"`([\w-]+)`", PAGE.partition("| extra |")[2].partition("\n\n")[0].replace("`--", ""))
    assert set(named) == set(PROJECT["optional-dependencies"])


@quality
def test_the_commands_install_from_the_repository_and_from_a_wheel(tmp_path: Path) -> None:
    """Without a network; the wheel is built as the page says."""
    address, build, wheel = (
        next(command for command in COMMANDS if command.startswith(start))
        for start in ('pip install "git', "python -m build", "pip install axiom")
    )
    pip = f"{sys.executable} -m pip install {' '.join(OFFLINE)}"
    tag = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
    here = f"git+file://{ROOT}@{tag.stdout.strip()}"
    commands = [
        address.replace("git+URL@TAG", here).replace("pip install", f"{pip} --target from-address"),
        f"git clone --quiet {ROOT} checkout",
        build.replace("python", sys.executable, 1) + " --no-isolation checkout",
        wheel.replace("pip install", f"{pip} --target from-wheel"),
    ]
    for command in commands:
        done = subprocess.run(["bash", "-ec", command], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    for folder in ("from-address", "from-wheel"):
        assert (tmp_path / folder / "axiomcheck" / "metrics" / "catalogue.py").is_file()
