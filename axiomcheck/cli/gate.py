"""The command `axiomcheck gate`, and where its outputs go."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import click

from axiomcheck.cli.console import check_writable, draw_or_write, print_or_write, print_text_or_write, progress_bar, say
from axiomcheck.cli.exits import EXITS
from axiomcheck.cli.options import FILE, formats, shared, usable_cpus
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.writing import write_atomically
from axiomcheck.gate import GateResult, load_contract, run_gate
from axiomcheck.gate.record import record, unrecordable
from axiomcheck.reports.documents import gate_json
from axiomcheck.reports.gate_files import GATE_FILES
from axiomcheck.reports.gate_report import gate_markdown, print_gate
from axiomcheck.reports.github import to_annotations


def _files(function: Callable[..., None]) -> Callable[..., None]:
    """An option for every file that is written besides what is printed."""
    for name, (words, _) in reversed(GATE_FILES.items()):
        function = click.option(f"--{name}", type=FILE, help=f"Write {words} there, too.")(function)
    return function


@click.command("gate", epilog=EXITS)
@click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The contract. Default: axiomcheck.toml here, or [tool.axiomcheck] of pyproject.toml.",
)
@click.option("--update", is_flag=True, help="Record what is found as what is expected, and pin its witnesses.")
@click.option("--no-cache", is_flag=True, help="Decide everything again.")
@shared("jobs")
@formats("markdown")
@_files
@click.option("--github", is_flag=True, help="Print GitHub annotations; done in GitHub's jobs anyway.")
def command(
    config: Path | None,
    update: bool,
    no_cache: bool,
    jobs: int | None,
    format_: str,
    output: Path | None,
    github: bool,
    **files: Path | None,
) -> None:
    """Hold metrics to the verdicts recorded in a contract file; exit 1 if one got worse, or better unnoticed."""
    github = wants_annotations(github, format_, output)
    contract = load_contract(config)
    check_writable(
        output, *files.values(), read=[contract.path, *(contract.directory / one.name for one in contract.metrics)]
    )
    with progress_bar() as listen:
        result = run_gate(contract, jobs or usable_cpus(), not no_cache, listen)
    sys.exit(deliver(result, update, format_, output, github, files))


def wants_annotations(github: bool, format_: str, output: Path | None) -> bool:
    """Whether GitHub annotations go to standard output.

    Raises:
        InvalidInput: a document was asked for there as well.

    """
    taken = format_ != "table" and output is None
    if github and taken:
        raise InvalidInput(
            f"--github and --format {format_} both write to standard output; choose one, or add --output"
        )
    return github or (os.environ.get("GITHUB_ACTIONS") == "true" and not taken)


def deliver(
    result: GateResult, update: bool, format_: str, output: Path | None, github: bool, files: dict[str, Path | None]
) -> int:
    """Prints and writes what came of a run, records it if asked to, and returns the exit code.

    Args:
        result: of the run.
        update: record what was found as what is expected.
        format_: what is printed: ``table``, ``json`` or ``markdown``.
        output: file to write that to instead.
        github: whether to print GitHub annotations.
        files: name in `GATE_FILES` -> file to write that to as well.

    Raises:
        InvalidInput: a file cannot be written.

    """
    code = result.exit_code
    recorded = update and not result.interrupted and not unrecordable(result)
    if recorded:
        record(result)
        code = 0
    for kind, path in files.items():
        if path is not None:
            _, writer = GATE_FILES[kind]
            write_atomically(path, writer(result))
    if format_ == "json":
        print_or_write(gate_json(result), output)
    elif format_ == "markdown":
        print_text_or_write(gate_markdown(result), output)
    else:
        draw_or_write(lambda console: print_gate(console, result, recorded), output)
    if github and not recorded:
        click.echo("".join(f"{line}\n" for line in to_annotations(result)), nl=False)
    if update and not recorded:
        say(f"{result.contract.path.name} was not written: not every cell has a verdict")
    if result.interrupted:
        say("interrupted; what was judged is above")
    return code
