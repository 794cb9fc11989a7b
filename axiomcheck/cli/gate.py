"""The command `axiomcheck gate`."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Unpack

import click

from axiomcheck.api.gate import GateOptions, gate
from axiomcheck.cli.console import check_writable, deliver, say
from axiomcheck.cli.forms import formats
from axiomcheck.cli.help import command_named
from axiomcheck.cli.options import asks, complete_metric
from axiomcheck.cli.progress import progress_bar
from axiomcheck.core.errors import InvalidInput
from axiomcheck.gating import GateResult, load_contract
from axiomcheck.gating.record import Reasons, record, unexplained, unrecordable, write_first
from axiomcheck.reports.gate_files import GATE_FILES, to_annotations
from axiomcheck.reports.gate_report import gate_report


@command_named(
    "gate",
    "axiomcheck gate --init my_metric.py:patient_gain",
    "axiomcheck gate",
    'axiomcheck gate --update --reason "ties are counted now"',
    "axiomcheck gate --budget 60s -o axioms.xml -o axioms.sarif",
)
@click.option(
    "--contract",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Contract. Default: axiomcheck.toml, or [tool.axiomcheck] of pyproject.toml.",
)
@click.option(
    "--init",
    "started",
    multiple=True,
    metavar="METRIC",
    shell_complete=complete_metric,
    help="Write a first contract for METRIC; may be repeated. No file is overwritten.",
)
@click.option(
    "--update",
    is_flag=True,
    help="Record what is found as expected, and ask why a new violation is all right.",
)
@click.option("--reason", help="Reason for new violations, where nobody can be asked.")
@asks(GateOptions)
@formats("junit", "sarif", several=True)
def command(
    file: Path | None,
    started: tuple[str, ...],
    update: bool,
    reason: str | None,
    format_: str,
    output: Mapping[Path, str],
    **options: Unpack[GateOptions],
) -> None:
    """Check metrics against the verdicts recorded in a contract file.

    The command fails if a verdict got worse, or got better without being recorded.
    """
    update = update or bool(started)
    if reason is not None and not (update and reason.strip()):
        raise InvalidInput("--reason is for what --update or --init records; expected one of them, and some text")
    if update and options["budget"] is not None:
        raise InvalidInput(
            "--budget limits the run time, so the recorded verdicts would not be reproducible; leave it out, and set "
            "examples in the contract if a metric is slow"
        )
    with begun(started, file) if started else contextlib.nullcontext(file) as path:
        if path is not None and not path.is_file():
            raise InvalidInput(f"there is no contract {path}; axiomcheck gate --init METRIC writes a first one")
        contract = load_contract(path)
        check_writable(*output, read=[contract.path, *(contract.directory / one.name for one in contract.metrics)])
        with progress_bar(options["budget"]) as listen:
            result = gate(contract, listen=listen, **options).held
        reasons = asked_for(result, reason) if update else {}
        code = finish(result, update, format_, output, reasons)
    sys.exit(code)


@contextlib.contextmanager
def begun(metrics: Sequence[str], config: Path | None) -> Iterator[Path]:
    """Provide a new contract file that names metrics only; it is deleted again unless verdicts are recorded in it.

    Raises:
        InvalidInput: A contract exists already, or the file cannot be written.

    """
    path, recorded = write_first(metrics, config), False
    try:
        yield path
        recorded = load_contract(path).recorded is not None
    finally:
        if not recorded:
            path.unlink()


def asked_for(result: GateResult, reason: str | None) -> Reasons:
    """Return the reasons for accepting new violations and failing checks, and ask for them on a terminal.

    Args:
        result: Result of the run.
        reason: Reason for all of them, if it was given as an option.

    Raises:
        InvalidInput: A reason is needed, and there is no terminal to ask for it.

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
    """Return True if the user can be asked on a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _words(text: str) -> str:
    if not text.strip():
        raise click.UsageError("a reason in words is needed; Ctrl-C leaves the contract as it is")
    return text.strip()


def finish(
    result: GateResult,
    update: bool,
    format_: str,
    files: Mapping[Path, str],
    reasons: Reasons = MappingProxyType({}),
) -> int:
    """Print and write the result of a run, record it if requested, and return the exit code.

    In a GitHub Actions job, annotations are printed as well.

    Args:
        result: Result of the run.
        update: Whether to record the result as the expectation.
        format_: Form of the printed output.
        files: File to write as well -> its form.
        reasons: Reasons for violations and failures that are recorded for the first time.

    Raises:
        InvalidInput: A file cannot be written.

    """
    code = result.exit_code
    annotates = os.environ.get("GITHUB_ACTIONS") == "true" and format_ == "table"
    recorded = update and not result.interrupted and not unrecordable(result)
    if recorded:
        record(result, reasons)
        code = 0
    writers = {form: partial(writer, result) for form, writer in GATE_FILES.items()}
    for path, form in [*files.items(), (None, format_)]:
        deliver(form, lambda: gate_report(result, recorded, reasons), writers, path)
    if annotates and not recorded:
        click.echo("".join(f"{line}\n" for line in to_annotations(result)), nl=False)
    if update and not recorded:
        say(f"{result.contract.path.name} was not written: not every cell has a verdict")
    if result.interrupted:
        say("interrupted; what was judged is above")
    return code
