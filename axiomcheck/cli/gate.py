"""Define the command `axiomcheck gate`."""

from __future__ import annotations

import contextlib
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Unpack

import click

from axiomcheck.api.gate import GateOptions, gate
from axiomcheck.cli.console import check_writable, deliver, say
from axiomcheck.cli.forms import formats
from axiomcheck.cli.help import command_named
from axiomcheck.cli.options import asks, complete_metric
from axiomcheck.cli.progress import progress_bar
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted
from axiomcheck.gating.config import TODO, load_contract, todo_lines
from axiomcheck.gating.record import Reasons, record, unexplained, unrecordable, unsettled, write_first
from axiomcheck.gating.run import GateResult
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
    help="Contract file. Default: axiomcheck.toml, or [tool.axiomcheck] in pyproject.toml.",
)
@click.option(
    "--init",
    "started",
    multiple=True,
    metavar="METRIC",
    shell_complete=complete_metric,
    help="Create a contract for METRIC; may be repeated. Existing files are not overwritten.",
)
@click.option(
    "--update",
    is_flag=True,
    help="Record the current verdicts as expected, and ask for a reason for each new violation (or write TODO).",
)
@click.option("--reason", help="Reason to record for all new violations.")
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

    The command fails unless every verdict is as recorded. Even a better verdict fails, until --update records it.
    """
    update = update or bool(started)
    if reason is not None and not (update and reason.strip()):
        raise InvalidInput("--reason needs text, and can only be used with --update or --init")
    if update and options["budget"] is not None:
        raise InvalidInput(
            "--budget limits the run time, so the recorded verdicts would not be reproducible; omit it, and set "
            "examples in the contract if a metric is slow"
        )
    with begun(started, file) if started else contextlib.nullcontext(file) as path:
        if path is not None and not os.path.isfile(path):
            raise InvalidInput(f"there is no contract {path}; to create it, run: axiomcheck gate --init METRIC")
        contract = load_contract(path, unfinished=update)
        check_writable(*output, read=[contract.path, *(contract.directory / one.name for one in contract.metrics)])

        with progress_bar(options["budget"]) as listen:
            result = gate(contract, listen=listen, **options).held
        reasons = asked_for(result, reason) if update else {}
        code = finish(result, update, format_, output, reasons)
    sys.exit(code)


def recordable(result: GateResult) -> bool:
    """Return True if a gate's result can be recorded: the run is complete, and each cell and check has a result."""
    return not (result.interrupted or unrecordable(result))


@contextlib.contextmanager
def begun(metrics: Sequence[str], config: Path | None) -> Iterator[Path]:
    """Write a new contract without verdicts, yield its path, and delete it afterwards if no verdicts were recorded.

    Raises:
        InvalidInput: A contract exists already, or the file cannot be written.

    """
    path, recorded = write_first(metrics, config), False
    try:
        yield path
        recorded = load_contract(path, unfinished=True).recorded is not None
    finally:
        if not recorded:
            path.unlink()


def asked_for(result: GateResult, reason: str | None) -> Reasons:
    """Return the reasons why new violations and failing checks are acceptable, one per axiom or check.

    On a terminal, the user is asked for each. Without a terminal or an answer, the reason is ``TODO``, which later runs
    refuse.

    Args:
        result: Result of the run.
        reason: Value of ``--reason``, to be used for all of them without asking; None to ask.

    """
    new = unexplained(result) if recordable(result) else {}
    if reason is not None:
        return dict.fromkeys(new, reason.strip())
    kinds: dict[str, dict[str, str]] = {}
    for (metric, asked), sentence in new.items():
        kinds.setdefault(asked, {})[metric] = sentence
    reasons: dict[tuple[str, str], str] = {}
    for asked, sentences in kinds.items():
        why = _why(asked, sentences) if can_ask() else TODO
        reasons |= {(metric, asked): why for metric in sentences}
    return reasons


def _why(asked: str, sentences: Mapping[str, str]) -> str:
    """Ask the user why it is acceptable that some metrics violate an axiom or fail a check; return the answer."""
    say("")
    for metric, sentence in sentences.items():
        say(f"{metric}, {asked}: {sentence}")
    try:
        said = click.prompt(
            "Why is this acceptable? (Press Enter to write the reason later)", "", err=True, show_default=False
        )
    except click.Abort:  # at the end of input, the contract is not changed
        raise KeyboardInterrupt from None
    return str(said).strip() or TODO


def can_ask() -> bool:
    """Return True if there is a terminal on which to ask the user."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def finish(result: GateResult, update: bool, format_: str, files: Mapping[Path, str], reasons: Reasons) -> int:
    """Print and write the result of a run, record it if requested, and return the exit code.

    In a GitHub Actions job, annotations are printed as well.

    Args:
        result: Result of the run.
        update: Whether to record the result as the expectation.
        format_: Format of the printed output.
        files: Files to write in addition, each with its format.
        reasons: Reasons for violations and failures that are recorded for the first time.

    Raises:
        InvalidInput: A file cannot be written.

    """
    code = result.exit_code
    annotates = os.environ.get("GITHUB_ACTIONS") == "true" and format_ == "table"
    recorded = update and recordable(result)
    if recorded:
        record(result, reasons)
        kept = unsettled(result)
        code = 1 if kept else 0
        for one in kept:
            say(f"the recorded violation of {one.axiom} by {one.metric} is kept, because the cell is now undecided")
        for reason, count in Counter(reasons.values()).items():
            if reason != TODO:
                say(f'recorded {counted(count, "new expectation")} with the reason "{reason}"')
    writers = {form: partial(writer, result) for form, writer in GATE_FILES.items()}
    for path, form in [*files.items(), (None, format_)]:
        deliver(form, lambda: gate_report(result, recorded), writers, path)
    if annotates and not recorded:
        click.echo("".join(f"{line}\n" for line in to_annotations(result)), nl=False)
    if recorded and (left := todo_lines(result.contract.path)):
        lines = f"line{'s' * (len(left) > 1)} {', '.join(map(str, left))}"
        file = result.contract.path.name
        say(f"Next: replace {TODO} with a reason in {file}, {lines}. Until then, the gate refuses the contract.")
    if update and not recorded:
        say(f"{result.contract.path.name} was not written, because not every cell has a verdict")
    if result.interrupted:
        say("interrupted; the results so far are shown above")
    return code
