"""The command `axiomcheck weakest`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from axiomcheck.cli.console import console_of_stdout, print_or_write, progress_bar, recording_console
from axiomcheck.cli.options import (
    EXAMPLES,
    EXIT_DISAGREEMENT,
    EXIT_INTERRUPTED,
    EXIT_UNDECIDED,
    check_writable,
    complete_axiom,
    complete_metric,
    metric_or_foreign,
    shared,
)

__all__ = ["weakest"]

_EXITS = """
\b
Exit codes: 0 answered, whatever the answer; 2 usage or unusable input;
3 axiomcheck contradicts itself (a defect); 4 the cell or some set of
assumptions is undecided or in error; 130 interrupted.
"""


@click.command(epilog=_EXITS)
@click.argument("axiom", shell_complete=complete_axiom)
@click.argument("metric", shell_complete=complete_metric)
@shared("regime", "domain")
@click.option(
    "--examples",
    type=EXAMPLES,
    default=20_000,
    show_default=True,
    help="Distinct random instances to try per set of assumptions, besides the enumerated ones.",
)
@shared("seed", "timeout", "memory")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text, with every witness and certificate.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write there instead of printing."
)
def weakest(
    axiom: str,
    metric: str,
    regime: str,
    domain: str,
    examples: int,
    seed: int,
    timeout: float,
    memory: int,
    as_json: bool,
    output: Path | None,
) -> None:
    """Show which added assumptions are enough for METRIC to satisfy AXIOM, the weakest first.

    Of a constraint that the metric violates: such as r << 1, or nothing relevant after the last rank compared.
    """
    from axiomcheck.axioms import find_axiom
    from axiomcheck.core.domain import Domain, Reading, Regime
    from axiomcheck.core.errors import InternalDisagreement
    from axiomcheck.decide.search import Settings
    from axiomcheck.engine.matrix import Interrupted
    from axiomcheck.processes.isolation import Limits
    from axiomcheck.reports.weakest_report import print_weakest, to_text
    from axiomcheck.studies.weakest.search import weakest as find

    check_writable(output)
    chosen, constraint = metric_or_foreign(metric), find_axiom(axiom)
    reading = Reading(Regime(regime), Domain(domain))
    settings = Settings(seed=seed, examples=examples)
    try:
        with progress_bar() as listen:
            found = find(constraint, chosen, reading, settings, listen, Limits(timeout, memory))
    except InternalDisagreement as error:
        click.echo(f"internal disagreement: {error}", err=True)
        sys.exit(EXIT_DISAGREEMENT)
    except (Interrupted, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(EXIT_INTERRUPTED)
    if as_json:
        print_or_write(to_text(found), output)
    else:
        console = recording_console() if output else console_of_stdout()
        print_weakest(console, found, constraint)
        if output is not None:
            print_or_write(console.export_text(), output)
    sys.exit(0 if found.decided else EXIT_UNDECIDED)
