"""The names that a shell completes, and what the help leaves out."""

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from axiomcheck.cli.program import main
from axiomcheck.metrics import ROW_SETS


def completed(args: list[str], incomplete: str) -> list[str]:
    return [item.value for item in ShellComplete(main, {}, "axiomcheck", "_C").get_completions(args, incomplete)]


@pytest.mark.parametrize(
    ("args", "incomplete", "expected"),
    [
        (["matrix"], "RBU", ["RBU", "RBU-program"]),
        (["matrix"], "ir_", ["ir_measures:"]),
        (["matrix", "RBU", "-a"], "as", ["AspDiv", "AspRel"]),
        (["matrix", "--rows"], "", [*ROW_SETS]),
        (["matrix", "--rows"], "di", ["diversity"]),
        (["matrix", "--format"], "m", ["markdown"]),
        (["check"], "nd", ["nDCG", "nDCG-IA"]),
        (["check", "--reference"], "nd", ["nDCG", "nDCG-IA"]),
        (["prove", "RBU"], "Re", ["Red"]),
        (["explain"], "Re", ["Red", "rectools:"]),
        (["explain"], "RBU", ["RBU", "RBU-program"]),
        (["replay", "-m"], "eu", ["EU"]),
        (["compare"], "eu", ["EU"]),
        (["gate", "--init"], "eu", ["EU"]),
        ([], "mat", ["matrix"]),
    ],
)
def test_values_are_completed(args: list[str], incomplete: str, expected: list[str]) -> None:
    assert completed(args, incomplete) == expected


def test_seeds_and_budgets_are_told_without_the_ends_of_their_ranges() -> None:
    text = CliRunner().invoke(main, ["matrix", "--help"]).output
    assert "1000000000000" not in text
    assert "9223372036854775807" not in text
    done = CliRunner().invoke(main, ["matrix", "--examples", "-1"])
    assert "-1 is not in the range 0<=x<=1000000000000" in done.stderr


def test_help_without_arguments_is_not_cut() -> None:
    assert " ".join(CliRunner().invoke(main, []).output.split()).endswith("as in '| head'.")
