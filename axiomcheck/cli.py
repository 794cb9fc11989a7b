"""The command line. Imports only what ``--help`` needs; each command imports what it uses."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from axiomcheck.errors import InvalidInput

if TYPE_CHECKING:
    from rich.console import Console

    from axiomcheck.engine import Event, Foreign
    from axiomcheck.metrics import Metric
    from axiomcheck.threshold_witness import ThresholdWitness
    from axiomcheck.verdict import Ledger
    from axiomcheck.witness import Witness

__all__ = ["main"]

EXIT_EXPECTATION = 1
EXIT_USAGE = 2
EXIT_DISAGREEMENT = 3
EXIT_UNDECIDED = 4
EXIT_INTERRUPTED = 130

_EXITS = """
\b
Exit codes: 0 every cell decided, whatever the verdicts; 1 an expectation was
not met; 2 usage or unusable input; 3 axiomcheck contradicts itself (a defect);
4 some cell is undecided or in error; 130 interrupted.
"""


class _Group(click.Group):
    """Turns errors about input into one line on stderr and exit code 2."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except InvalidInput as error:
            raise click.UsageError(str(error), ctx=None) from None


def _complete_metric(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    from axiomcheck.metrics import metric_names

    return [name for name in metric_names() if name.casefold().startswith(incomplete.casefold())]


def _complete_axiom(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    from axiomcheck.axioms import axiom_names

    return [name for name in axiom_names() if name.casefold().startswith(incomplete.casefold())]


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]}, epilog=_EXITS)
@click.version_option(package_name="axiomcheck")
def main() -> None:
    """Decide which axioms an evaluation metric satisfies; hand over the counterexample when it does not."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows no circles gets question marks


_SHARED: dict[str, Any] = {
    "axioms": click.option(
        "-a",
        "--axiom",
        "axioms",
        multiple=True,
        metavar="AXIOM",
        shell_complete=_complete_axiom,
        help="A constraint, such as Red; may be repeated. Default: all ten.",
    ),
    "domain": click.option(
        "--domain",
        type=click.Choice(["graded", "binary"]),
        default="graded",
        show_default=True,
        help="Grades in [0, 1], or 0 and one rc.",
    ),
    "examples": click.option(
        "--examples",
        type=click.IntRange(min=0),
        default=100_000,
        show_default=True,
        help="Distinct random instances to try per cell; fewer of metrics that are slow to call.",
    ),
    "seed": click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random search."),
    "jobs": click.option(
        "-j", "--jobs", type=click.IntRange(min=1), default=None, help="Worker processes. Default: one per usable CPU."
    ),
    "timeout": click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        default=120.0,
        show_default=True,
        help="Seconds that a cell of a metric from outside the catalogue may take.",
    ),
    "memory": click.option(
        "--memory",
        type=click.IntRange(min=64),
        default=2048,
        show_default=True,
        help="Megabytes that such a cell may take.",
    ),
}


_Command = TypeVar("_Command", bound=Callable[..., Any])


def _shared(*names: str) -> Callable[[_Command], _Command]:
    """The options that several commands have, in that order."""

    def decorate(function: _Command) -> _Command:
        for name in reversed(names):
            function = _SHARED[name](function)
        return function

    return decorate


@main.command(epilog=_EXITS)
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC",
    shell_complete=_complete_metric,
    help="A metric, such as 'RBU(p=0.9)@10' or whatever 'axiomcheck check' takes; may be repeated. "
    "Default: the paper's twenty rows.",
)
@_shared("axioms")
@click.option(
    "--regime",
    type=click.Choice(["stated", "limit", "finite"]),
    default="stated",
    show_default=True,
    help="Where r << 1 is assumed: where the paper states it, everywhere but Sat, or nowhere.",
)
@_shared("domain")
@click.option(
    "--aggregate",
    type=click.Choice(["none", "max"]),
    default="none",
    show_default=True,
    help="Lift single-aspect metrics to several aspects by the largest grade.",
)
@_shared("examples", "seed")
@click.option("--no-exhaustive", is_flag=True, help="Leave out the enumeration of small shapes.")
@_shared("jobs", "timeout", "memory")
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(["table", "json", "markdown", "csv"]),
    default="table",
    show_default=True,
    help="What to print.",
)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write there instead of printing."
)
@click.option(
    "--witnesses",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory to write every witness to, one file each, for 'axiomcheck replay'.",
)
@click.option("--times", type=click.Path(dir_okay=False, path_type=Path), help="Write the seconds of each cell there.")
@click.option(
    "--expect",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="An earlier JSON report: exit 1 if a verdict differs from it.",
)
def matrix(
    metrics: tuple[str, ...],
    axioms: tuple[str, ...],
    regime: str,
    domain: str,
    aggregate: str,
    examples: int,
    seed: int,
    no_exhaustive: bool,
    jobs: int | None,
    timeout: float,
    memory: int,
    format_: str,
    output: Path | None,
    witnesses: Path | None,
    times: Path | None,
    expect: Path | None,
) -> None:
    """Decide every metric x axiom cell, and compare with the published table."""
    from axiomcheck.axioms import AXIOMS, find_axiom
    from axiomcheck.domain import Domain, Reading, Regime
    from axiomcheck.engine import Interrupted, Limits, run_matrix
    from axiomcheck.search import Settings

    for path in (output, times):
        _check_writable(path)
    try:
        expected = _read_report(expect) if expect else None
    except InvalidInput as error:
        raise InvalidInput(f"{expect}: {error}") from None
    chosen = _metrics(metrics, aggregate)
    constraints = list(dict.fromkeys(find_axiom(name) for name in axioms)) or list(AXIOMS.values())
    reading = Reading(Regime(regime), Domain(domain))
    if expected is not None and (expected.regime, expected.domain) != (regime, domain):
        raise InvalidInput(
            f"{expect} is of regime {expected.regime}, domain {expected.domain}; asked {regime}, {domain}"
        )
    settings = Settings(seed=seed, examples=examples, exhaustive=not no_exhaustive)
    interrupted = False
    with _progress() as listen:
        try:
            limits = Limits(timeout, memory)
            ledger = run_matrix(chosen, constraints, reading, settings, jobs or _usable_cpus(), listen, limits)
        except Interrupted as stop:
            ledger, interrupted = stop.ledger, True
    _deliver(ledger, format_, output)
    if witnesses is not None:
        _write_witnesses(ledger, witnesses)
    if times is not None:
        from axiomcheck.reports import times_json, write_atomically

        write_atomically(times, times_json(ledger))
    if interrupted:
        click.echo("interrupted; cells not decided yet are shown as undecided", err=True)
        sys.exit(EXIT_INTERRUPTED)
    sys.exit(_exit_code(ledger, expected))


def _usable_cpus() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _metric_or_foreign(name: str) -> Metric | Foreign:
    from axiomcheck.engine import Foreign
    from axiomcheck.resolve import is_foreign, resolve

    return Foreign(name) if is_foreign(name) else resolve(name)


def _metrics(names: Sequence[str], aggregate: str) -> list[Metric | Foreign]:
    from axiomcheck.metrics import SingleAspectMetric, paper_rows

    found = [_metric_or_foreign(name) for name in names] or paper_rows()
    if aggregate == "max":
        found = [
            type(m)(m.cutoff, **(m.values | {"aggregate": "max"})) if isinstance(m, SingleAspectMetric) else m
            for m in found
        ]
    return list(dict.fromkeys(found))


def _check_writable(path: Path | None) -> None:
    """Fails before the work rather than after it."""
    if path is not None and not (path.parent.is_dir() and os.access(path.parent, os.W_OK)):
        raise InvalidInput(f"cannot write {path}: {path.parent} is not a directory that can be written to")


@contextlib.contextmanager
def _progress() -> Iterator[Any]:
    """A listener that draws a progress bar with the time left on stderr, where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda event: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from axiomcheck.engine import Progress as Share

    columns = (
        TextColumn("{task.description:<8}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0)

        def listen(event: Event) -> None:
            if isinstance(event, Share):
                bar.update(task, completed=event.share, description=event.doing)

        yield listen


def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False)


def _recording_console() -> Console:
    """A console whose text goes to a file in the end."""
    from rich.console import Console

    return Console(highlight=False, record=True, width=120, file=io.StringIO())


def _print_or_write(text: str, output: Path | None) -> None:
    from axiomcheck.reports import write_atomically

    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, text)


def _deliver(ledger: Ledger, format_: str, output: Path | None) -> None:
    from axiomcheck.reports import render, write_atomically

    if format_ != "table":
        _print_or_write(render(ledger, format_), output)
        return
    from axiomcheck.reports.terminal import print_findings, print_matrix

    console = _recording_console() if output else _console()
    print_matrix(console, ledger)
    console.print()
    print_findings(console, ledger)
    if output is not None:
        write_atomically(output, console.export_text())


def _write_witnesses(ledger: Ledger, directory: Path) -> None:
    from axiomcheck.reports import write_atomically

    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"cannot write witnesses to {directory}: {error.strerror}") from None
    count = 0
    for cell in ledger.cells:
        if cell.witness is not None:
            name = "".join(c if c.isalnum() or c in "-.=#@" else "_" for c in f"{cell.metric}-{cell.axiom}")
            write_atomically(directory / f"{name}.json", json.dumps(cell.witness, indent=2, ensure_ascii=False) + "\n")
            count += 1
    click.echo(f"{count} witnesses written to {directory}; check one with: axiomcheck replay FILE", err=True)


def _exit_code(ledger: Ledger, expected: Ledger | None) -> int:
    if any(cell.reason.startswith("internal disagreement") for cell in ledger.cells):
        return EXIT_DISAGREEMENT
    if expected is not None and _differences(ledger, expected):
        return EXIT_EXPECTATION
    return 0 if all(cell.verdict.decided for cell in ledger.cells) else EXIT_UNDECIDED


def _differences(ledger: Ledger, expected: Ledger) -> int:
    verdicts = {(c.metric, c.axiom): c.verdict for c in expected.cells}
    count = 0
    for cell in ledger.cells:
        before = verdicts.get((cell.metric, cell.axiom))
        if before != cell.verdict:
            count += 1
            click.echo(f"expected {cell.metric} {cell.axiom}: {before or 'no such cell'}; got {cell.verdict}", err=True)
    return count


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInput(f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidInput("not UTF-8 text") from None
    except (ValueError, RecursionError) as error:  # a ValueError of its own: a number of too many digits
        where = f"line {error.lineno}, column {error.colno}: " if isinstance(error, json.JSONDecodeError) else ""
        raise InvalidInput(f"{where}not JSON ({error.args[0]})") from None


def _read_report(path: Path) -> Ledger:
    from axiomcheck.reports import from_json

    return from_json(json.dumps(_read_json(path)))


@main.command(epilog=_EXITS)
@click.argument("metrics", nargs=-1, required=True, metavar="METRIC...", shell_complete=_complete_metric)
@_shared("axioms", "domain")
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    default=30_000,
    show_default=True,
    help="Distinct random instances to try per cell; fewer of metrics that are slow to call.",
)
@_shared("seed", "jobs", "timeout", "memory")
@click.option("--reference", metavar="METRIC", help="Another metric that it is to agree with, such as 'nDCG@10'.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write there instead.")
def check(
    metrics: tuple[str, ...],
    axioms: tuple[str, ...],
    domain: str,
    examples: int,
    seed: int,
    jobs: int | None,
    timeout: float,
    memory: int,
    reference: str | None,
    as_json: bool,
    output: Path | None,
) -> None:
    r"""Check a metric: its row of verdicts under all three regimes, its contract, and what it resembles.

    \b
    METRIC is one of
      a catalogue metric            "RBU(p=0.9)@10"
      a name in a Python file       path/to/file.py:my_metric
      a name in a Python module     package.module:my_metric
      a measure of a library        ir_measures:nDCG@10, ranx:..., sklearn:..., pyevall:..., cwl:...
      an installed plugin           its entry point's name
    """
    from axiomcheck.axioms import AXIOMS, find_axiom
    from axiomcheck.check import check_metric
    from axiomcheck.domain import Domain
    from axiomcheck.engine import Interrupted, Limits
    from axiomcheck.reports.check_report import check_json, print_check
    from axiomcheck.search import Settings

    _check_writable(output)
    chosen = [_metric_or_foreign(name) for name in metrics]
    constraints = list(dict.fromkeys(find_axiom(name) for name in axioms)) or list(AXIOMS.values())
    settings, limits = Settings(seed=seed, examples=examples), Limits(timeout, memory)
    found = []
    interrupted = False
    with _progress() as listen:
        for metric in chosen:
            try:
                found.append(
                    check_metric(
                        metric,
                        constraints,
                        Domain(domain),
                        settings,
                        jobs or _usable_cpus(),
                        limits,
                        reference,
                        listen,
                    )
                )
            except Interrupted:
                interrupted = True
                break
    if as_json:
        _print_or_write(check_json(found), output)
    else:
        console = _console() if output is None else _recording_console()
        for number, checked in enumerate(found):
            if number:
                console.print()
            print_check(console, checked)
        if output is not None:
            _print_or_write(console.export_text(), output)
    if interrupted:
        done = f"{len(found)} of {len(chosen)} metrics were checked"
        click.echo(f"interrupted; {done}", err=True)
        sys.exit(EXIT_INTERRUPTED)
    cells = [cell for checked in found for cell in checked.cells]
    if any(cell.reason.startswith("internal disagreement") for cell in cells):
        sys.exit(EXIT_DISAGREEMENT)
    failed = any(outcome.status == "error" for checked in found for outcome in checked.contract)
    sys.exit(EXIT_UNDECIDED if failed or not all(cell.verdict.decided for cell in cells) else 0)


@main.command(epilog="Exit codes: 0 as expected; 1 broken; 2 usage; 3 a defect of axiomcheck; 130 interrupted.")
@click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The contract. Default: axiomcheck.toml here, or [tool.axiomcheck] of pyproject.toml.",
)
@click.option("--update", is_flag=True, help="Record what is found as what is expected, and pin its witnesses.")
@click.option("--no-cache", is_flag=True, help="Decide everything again.")
@_shared("jobs")
@click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), help="Write JUnit XML there.")
@click.option("--sarif", type=click.Path(dir_okay=False, path_type=Path), help="Write SARIF 2.1.0 there.")
@click.option("--markdown", type=click.Path(dir_okay=False, path_type=Path), help="Write a Markdown summary there.")
@click.option("--github", is_flag=True, help="Print GitHub annotations; done in GitHub's jobs anyway.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def gate(config: Path | None, no_cache: bool, jobs: int | None, **reports: Any) -> None:
    """Hold metrics to the verdicts recorded in a contract file; exit 1 if one got worse, or better unnoticed."""
    from axiomcheck.gate import load_contract, run_gate
    from axiomcheck.gate.command import deliver, wants_annotations

    for name in ("junit", "sarif", "markdown"):
        _check_writable(reports[name])
    reports["github"] = wants_annotations(reports["github"], reports["as_json"])
    contract = load_contract(config)
    with _progress() as listen:
        result = run_gate(contract, jobs or _usable_cpus(), not no_cache, listen)
    sys.exit(deliver(result, _console(), **reports))


@main.command(epilog=_EXITS)
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "-m",
    "--metric",
    "name",
    metavar="METRIC",
    help="Score with this metric: needed for one in a file or module, which a witness alone does not get to load.",
)
def replay(files: tuple[Path, ...], name: str | None) -> None:
    """Score witnesses again from scratch and explain them.

    FILES are witness files, or JSON reports of 'axiomcheck matrix', of which every witness is confirmed.
    """
    from axiomcheck.resolve import resolve

    metric = resolve(name) if name is not None else None
    for path in files:
        try:
            document = _read_json(path)
            if isinstance(document, dict) and document.get("schema") == "axiomcheck/matrix":
                _confirm_report(_read_report(path), metric)
            else:
                _explain_witness(document, metric)
        except InvalidInput as error:
            raise InvalidInput(f"{path}: {error}") from None


def _explain_witness(document: Any, metric: Metric | None) -> None:
    from axiomcheck.reports.replay import print_threshold_witness, print_witness
    from axiomcheck.threshold_witness import ThresholdWitness

    witness = _read_witness(document, metric)
    if isinstance(witness, ThresholdWitness):
        print_threshold_witness(_console(), witness)
    else:
        print_witness(_console(), witness)


def _read_witness(document: Any, metric: Metric | None) -> Witness | ThresholdWitness:
    from axiomcheck.threshold_witness import read_threshold_witness
    from axiomcheck.witness import read_witness

    threshold = isinstance(document, dict) and document.get("kind") == "threshold"
    return read_threshold_witness(document, metric) if threshold else read_witness(document, metric)


def _confirm_report(ledger: Ledger, metric: Metric | None) -> None:
    confirmed = 0
    for cell in ledger.cells:
        if cell.witness is None or (metric is not None and cell.metric != metric.canonical):
            continue
        try:
            _read_witness(cell.witness, metric)
        except InvalidInput as error:
            raise InvalidInput(f"cell {cell.metric}, {cell.axiom}: {error}") from None
        click.echo(f"confirmed  {cell.metric}  {cell.axiom}  ({cell.witness['kind']})")
        confirmed += 1
    click.echo(f"{confirmed} witnesses confirmed")


@main.command()
@click.argument("axiom", shell_complete=_complete_axiom)
def explain(axiom: str) -> None:
    """Show a constraint: its sentence, formula, source, assumptions, and a small drawn example."""
    from axiomcheck.axioms import find_axiom
    from axiomcheck.reports.explain import print_axiom

    print_axiom(_console(), find_axiom(axiom))


@main.command("list")
@click.argument("what", type=click.Choice(["metrics", "axioms"]))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_(what: str, as_json: bool) -> None:
    """List the catalogue's metrics, or the axioms, with parameters, defaults and sources."""
    from axiomcheck.reports.listing import axiom_entries, metric_entries, print_axioms, print_metrics

    entries = metric_entries() if what == "metrics" else axiom_entries()
    if as_json:
        click.echo(json.dumps(entries, indent=2, ensure_ascii=False))
    elif what == "metrics":
        print_metrics(_console(), entries)
    else:
        print_axioms(_console(), entries)


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of a shell, to be evaluated in its start-up file."""
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    assert script is not None
    click.echo(script(main, {}, "axiomcheck", "_AXIOMCHECK_COMPLETE").source())
