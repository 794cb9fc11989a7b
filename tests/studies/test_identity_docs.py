import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from axiomcheck.cli.program import main

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "identities.md"
BLOCKS = re.findall(r"^```console\n\$ axiomcheck identity ([^\n]*)\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)


@pytest.mark.parametrize(("arguments", "printed"), BLOCKS, ids=[arguments for arguments, _ in BLOCKS])
def test_the_page_shows_what_the_command_prints(arguments: str, printed: str) -> None:
    result = CliRunner().invoke(main, ["identity", *shlex.split(arguments)])
    assert result.exit_code == 0
    assert result.stdout == printed


def test_the_page_has_both_claims() -> None:
    assert len(BLOCKS) == 2


def test_the_python_examples_run() -> None:
    outcome = doctest.testfile(str(PAGE), module_relative=False)
    assert outcome.attempted >= 11
    assert outcome.failed == 0
