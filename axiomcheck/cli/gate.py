"""The command `axiomcheck gate`, and where its outputs go."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import MappingProxyType

import click

from axiomcheck.api.gate import gate
from axiomcheck.cli.console import check_writable, draw_or_write, print_or_write, print_text_or_write, progress_bar, say
from axiomcheck.cli.exits import epilog
from axiomcheck.cli.options import FILE, complete_metric, formats, shared
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.writing import write_atomically
from axiomcheck.gating import GateResult, load_contract
from axiomcheck.gating.first import write_first
from axiomcheck.gating.record import Reasons, record, unexplained, unrecordable
from axiomcheck.reports.documents import gate_json
from axiomcheck.reports.gate_files import GATE_FILES
from axiomcheck.reports.gate_report import gate_markdown, print_gate
from axiomcheck.reports.github import to_annotations


def _files(function: Callable[..., None]) -> Callable[..., None]:
    """An option for every file that is written besides what is printed."""
    for name, (words, _) in reversed(GATE_FILES.items()):
        function = click.option(f"--{name}", type=FILE, help=f"Write {words} there, too.")(function)
    return function


@click.command(
    "gate",
    epilog=epilog(
        "axiomcheck gate --init my_metric.py:patient_gain",
        "axiomcheck gate",
        'axiomcheck gate --update --reason "ties are counted now"',
        "axiomcheck gate --budget 60s --junit axioms.xml --sarif axioms.sarif",
    ),
)
@click.option(
    "--config",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The contract. Default: axiomcheck.toml here, or [tool.axiomcheck] of pyproject.toml.",
)
@click.option(
    "--init",
    "started",
    multiple=True,
    metavar="METRIC",
    shell_complete=complete_metric,
    help="Write a first contract for METRIC, as --update would; may be repeated. No file is written over.",
)
@click.option(
    "--update",
    is_flag=True,
    help="Record what is found as what is expected, and pin its witnesses; asks why a new violation is all right.",
)
@click.option("--reason", help="Why the new violations are all right, where nobody can be asked.")
@click.option("--no-cache", is_flag=True, help="Decide everything again.")
@shared("jobs", "budget")
@formats("markdown")
@_files
@click.option("--github", is_flag=True, help="Print GitHub annotations; done in GitHub's jobs anyway.")
def command(
    config: Path | None,
    started: tuple[str, ...],
    update: bool,
    reason: str | None,
    no_cache: bool,
    jobs: int | None,
    budget: float | None,
    format_: str,
    output: Path | None,
    github: bool,
    **files: Path | None,
) -> None:
    """Hold metrics to the verdicts recorded in a contract file; exit 1 if one got worse, or better unnoticed."""
    github = wants_annotations(github, format_, output)
    update = update or bool(started)
    if reason is not None and not (update and reason.strip()):
        raise InvalidInput("--reason says why what --update or --init records is all right; expected both, and words")
    if update and budget is not None:
        raise InvalidInput(
            "--budget bounds a run by the clock, and what a contract records is to be found again; leave it out, and "
            "set examples in the contract where a metric is slow"
        )
    with begun(started, config) if started else contextlib.nullcontext(config) as path:
        if path is not None and not path.is_file():
            raise InvalidInput(f"there is no contract {path}; axiomcheck gate --init METRIC writes a first one")
        contract = load_contract(path)
        check_writable(
            output, *files.values(), read=[contract.path, *(contract.directory / one.name for one in contract.metrics)]
        )
        with progress_bar(budget) as listen:
            result = gate(contract, cache=not no_cache, jobs=jobs, budget=budget, listen=listen).held
        reasons = asked_for(result, reason) if update else {}
        code = deliver(result, update, format_, output, github, files, reasons)
    sys.exit(code)


@contextlib.contextmanager
def begun(metrics: Sequence[str], config: Path | None) -> Iterator[Path]:
    """A new contract file that names metrics and nothing else; it goes again unless something is recorded in it.

    Raises:
        InvalidInput: there is a contract already, or it cannot be written.

    """
    path, recorded = write_first(metrics, config), False
    try:
        yield path
        recorded = load_contract(path).recorded is not None
    finally:
        if not recorded:
            path.unlink()


def asked_for(result: GateResult, reason: str | None) -> Reasons:
    """Why it is all right that each new violation or failing check is recorded; asked for on a terminal.

    Args:
        result: of the run.
        reason: for all of them, if somebody gave one.

    Raises:
        InvalidInput: there is none, and nobody to be asked.

    """
    new = {} if result.interrupted or unrecordable(result) else unexplained(result)
    if reason is not None:
        return dict.fromkeys(new, reason.strip())
    if new and not can_ask():
        shown = "".join(f"\n- {metric}, {asked}: {sentence}" for (metric, asked), sentence in new.items())
        raise InvalidInput(
            f"{result.contract.path.name} was not written: a reason is needed for what it would record as violated or "
            f"failing; give one with --reason, or run this on a terminal to be asked{shown}"
        )
    reasons = {}
    for (metric, asked), sentence in new.items():
        say(f"{metric}, {asked}: {sentence}")
        try:
            reasons[metric, asked] = click.prompt("Why is that all right?", err=True, value_proc=_words)
        except click.Abort:
            raise KeyboardInterrupt from None
    return reasons


def can_ask() -> bool:
    """Whether somebody is there to answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _words(text: str) -> str:
    if not text.strip():
        raise click.UsageError("a reason in words is needed; Ctrl-C leaves the contract as it is")
    return text.strip()


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
    result: GateResult,
    update: bool,
    format_: str,
    output: Path | None,
    github: bool,
    files: dict[str, Path | None],
    reasons: Reasons = MappingProxyType({}),
) -> int:
    """Prints and writes what came of a run, records it if asked to, and returns the exit code.

    Args:
        result: of the run.
        update: record what was found as what is expected.
        format_: what is printed: ``table``, ``json`` or ``markdown``.
        output: file to write that to instead.
        github: whether to print GitHub annotations.
        files: name in `GATE_FILES` -> file to write that to as well.
        reasons: why what is recorded for the first time as violated or failing is all right.

    Raises:
        InvalidInput: a file cannot be written.

    """
    code = result.exit_code
    recorded = update and not result.interrupted and not unrecordable(result)
    if recorded:
        record(result, reasons)
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
        draw_or_write(lambda console: print_gate(console, result, recorded, reasons), output)
    if github and not recorded:
        click.echo("".join(f"{line}\n" for line in to_annotations(result)), nl=False)
    if update and not recorded:
        say(f"{result.contract.path.name} was not written: not every cell has a verdict")
    if result.interrupted:
        say("interrupted; what was judged is above")
    return code
