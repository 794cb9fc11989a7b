"""What the command `axiomcheck gate` does with a result: reports go where they were asked for."""

from __future__ import annotations

import os
from pathlib import Path

import click
from rich.console import Console

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.writing import write_atomically
from axiomcheck.gate.record import record, unrecordable
from axiomcheck.gate.run import GateResult
from axiomcheck.reports.documents import gate_json
from axiomcheck.reports.gate_report import gate_markdown, print_gate
from axiomcheck.reports.github import to_annotations
from axiomcheck.reports.junit import to_junit
from axiomcheck.reports.sarif import to_sarif

__all__ = ["deliver", "wants_annotations"]


def wants_annotations(github: bool, as_json: bool) -> bool:
    """Whether GitHub annotations go to standard output.

    Raises:
        InvalidInput: JSON was asked for there as well.

    """
    if github and as_json:
        raise InvalidInput("--github and --json both write to standard output; choose one")
    return github or (os.environ.get("GITHUB_ACTIONS") == "true" and not as_json)


def deliver(
    result: GateResult,
    console: Console,
    *,
    update: bool,
    junit: Path | None,
    sarif: Path | None,
    markdown: Path | None,
    github: bool,
    as_json: bool,
) -> int:
    """Prints and writes what came of a run, records it if asked to, and returns the exit code.

    Args:
        result: of the run.
        console: standard output.
        update: record what was found as what is expected.
        junit: file to write JUnit XML to.
        sarif: file to write SARIF to.
        markdown: file to write a Markdown summary to.
        github: whether to print GitHub annotations.
        as_json: whether to print JSON instead of text.

    Raises:
        InvalidInput: a file cannot be written.

    """
    code = result.exit_code
    recorded = update and not result.interrupted and not unrecordable(result)
    if recorded:
        record(result)
        code = 0
    for path, text in ((junit, to_junit), (sarif, to_sarif), (markdown, gate_markdown)):
        if path is not None:
            write_atomically(path, text(result))
    if as_json:
        click.echo(gate_json(result), nl=False)
    else:
        print_gate(console, result, recorded)
    if github and not recorded:
        click.echo("".join(f"{line}\n" for line in to_annotations(result)), nl=False)
    if update and not recorded:
        click.echo(f"{result.contract.path.name} was not written: not every cell has a verdict", err=True)
    if result.interrupted:
        click.echo("interrupted; what was judged is above", err=True)
    return code
