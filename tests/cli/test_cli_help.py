"""The help of every command: its width, its examples, what completes its arguments."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from axiomcheck.cli.program import main
from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import ROW_SETS

COMMANDS = [*main.list_commands(click.Context(main)), "ledger show", "ledger gc", "ledger export"]


def help_of(*words: str) -> str:
    return CliRunner().invoke(main, [*" ".join(words).split(), "--help"], terminal_width=80).output


def examples_of(text: str) -> list[str]:
    """The commands of the section, each as it is typed, continued lines joined."""
    section = re.search(r"^  Examples:\n((?:    .*\n)+)", text, re.MULTILINE)
    assert section is not None
    lines = re.sub(r" \\\n +", " ", section[1]).splitlines()
    return [line.strip() for line in lines]


def parsed(example: str) -> None:
    """Has click read a command without running it; files that it names are there.

    Raises:
        click.UsageError: it cannot be read.

    """
    program, name, *words = shlex.split(re.split(r" >+ | \| ", example)[0])
    assert program == "axiomcheck"
    for word in words:
        if re.fullmatch(r"[\w./=,-]*(\.(run|json)|qrels)", word) and not word.startswith("-"):
            Path(word).parent.mkdir(exist_ok=True)
            Path(word).touch()
    command = main.get_command(click.Context(main), name)
    while isinstance(command, click.Group):
        name, *words = words
        command = command.get_command(click.Context(command), name)
    if command is None:
        raise click.UsageError(f"no command {name}")
    command.make_context(name, words)


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_no_line_of_a_help_is_wider_than_80(name: str) -> None:
    assert max(map(len, help_of(*[name] * bool(name)).splitlines())) <= 80


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_every_help_has_examples_that_are_commands(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = examples_of(help_of(*[name] * bool(name)))
    assert len(found) >= 2
    for example in found:
        parsed(example)
        assert example.startswith(f"axiomcheck {name}")


@pytest.mark.parametrize(
    "wrong", ["axiomcheck matrx", "axiomcheck matrix --row paper --regim stated", "axiomcheck list metric"]
)
def test_an_example_that_is_no_command_is_found(wrong: str) -> None:
    with pytest.raises((click.UsageError, InvalidInput)):
        parsed(wrong)


@pytest.mark.parametrize("words", [["explain", "Red"], ["explain", "aspect relevance"], ["explain", "RBU"]])
def test_examples_that_take_no_time_work(words: list[str]) -> None:
    assert shlex.join(["axiomcheck", *words]).replace("'", '"') in examples_of(help_of("explain"))
    assert CliRunner().invoke(main, words).exit_code == 0


def completed(args: list[str], incomplete: str) -> list[str]:
    return [item.value for item in ShellComplete(main, {}, "axiomcheck", "_C").get_completions(args, incomplete)]


@pytest.mark.parametrize(
    ("args", "incomplete", "expected"),
    [
        (["matrix", "-m"], "RBU", ["RBU", "RBU-program"]),
        (["matrix", "-m"], "ir_", ["ir_measures:"]),
        (["matrix", "-m", "RBU", "-a"], "as", ["AspDiv", "AspRel"]),
        (["matrix", "--rows"], "", [*ROW_SETS]),
        (["matrix", "--rows"], "di", ["diversity"]),
        (["matrix", "--format"], "m", ["markdown"]),
        (["check"], "nd", ["nDCG", "nDCG-IA"]),
        (["check", "--reference"], "nd", ["nDCG", "nDCG-IA"]),
        (["prove", "RBU"], "Re", ["Red"]),
        (["explain"], "Re", ["Red"]),
        (["explain"], "RBU", ["RBU", "RBU-program"]),
        (["replay", "-m"], "eu", ["EU"]),
        (["compare", "-m"], "eu", ["EU"]),
        (["gate", "--init"], "eu", ["EU"]),
        ([], "mat", ["matrix"]),
    ],
)
def test_values_are_completed(args: list[str], incomplete: str, expected: list[str]) -> None:
    assert completed(args, incomplete) == expected


def test_every_argument_that_takes_a_metric_or_an_axiom_completes_it() -> None:
    for name in main.list_commands(click.Context(main)):
        command = main.get_command(click.Context(main), name)
        assert command is not None
        for parameter in command.params:
            if parameter.name in ("metric", "metrics", "axiom", "axioms", "first", "second", "reference"):
                own = parameter._custom_shell_complete
                assert own is not None, (name, parameter.name)


def test_seeds_and_budgets_are_told_without_the_ends_of_their_ranges() -> None:
    text = help_of("matrix")
    assert "1000000000000" not in text
    assert "9223372036854775807" not in text
    done = CliRunner().invoke(main, ["matrix", "--examples", "-1"])
    assert "-1 is not in the range 0<=x<=1000000000000" in done.stderr
