"""docs/install.md: its commands are of a form that pip and the shell take; tests/quality runs them."""

from __future__ import annotations

import re
import shlex
import subprocess
import tomllib

import pytest
from packaging.requirements import Requirement

from tests.support.transcripts import ROOT

PAGE = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
COMMANDS = [line for block in re.findall(r"^```sh\n(.*?)^```", PAGE, re.M | re.S) for line in block.splitlines()]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_shell_reads_the_command(command: str) -> None:
    subprocess.run(["bash", "-n", "-c", command], check=True)


def test_what_is_installed_from_an_address_is_a_requirement_with_extras_that_there_are() -> None:
    (word,) = [word for command in COMMANDS for word in shlex.split(command) if " @ " in word]
    requirement = Requirement(word.replace("URL@TAG", "https://example.org/some/fork.git@v1"))
    assert requirement.name == PROJECT["name"]
    assert requirement.extras <= set(PROJECT["optional-dependencies"])


def test_the_page_has_every_extra() -> None:
    named = re.findall(r"`([\w-]+)`", PAGE.partition("| extra |")[2].partition("\n\n")[0].replace("`--", ""))
    assert set(named) == set(PROJECT["optional-dependencies"])
