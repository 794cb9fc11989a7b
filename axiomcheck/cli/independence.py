"""The command `axiomcheck independence`."""

from __future__ import annotations

from pathlib import Path

import click

from axiomcheck.cli.console import console_of_stdout, print_or_write, progress_bar, recording_console
from axiomcheck.cli.options import (
    EXAMPLES,
    EXIT_DISAGREEMENT,
    EXIT_INTERRUPTED,
    EXIT_UNDECIDED,
    EXITS,
    check_writable,
    shared,
    usable_cpus,
)

__all__ = ["independence"]


@click.command(epilog=EXITS)
@click.option(
    "--regime",
    "regimes",
    type=click.Choice(["stated", "limit", "finite"]),
    multiple=True,
    help="Where r << 1 is assumed; may be repeated. Default: all three.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write there instead of printing."
)
@shared("seed")
@click.option(
    "--examples",
    type=EXAMPLES,
    default=20_000,
    show_default=True,
    help="Distinct random instances to try per cell of the metrics.",
)
@click.option("--no-exhaustive", is_flag=True, help="Leave out the enumeration of small shapes.")
@shared("jobs")
def independence(
    regimes: tuple[str, ...],
    as_json: bool,
    output: Path | None,
    seed: int,
    examples: int,
    no_exhaustive: bool,
    jobs: int | None,
) -> None:
    """Show which constraints follow from none of the others, and which sets no metric can satisfy."""
    from axiomcheck.core.domain import Regime
    from axiomcheck.core.errors import InternalDisagreement
    from axiomcheck.decide.search import Settings
    from axiomcheck.engine.matrix import Interrupted
    from axiomcheck.reports.independence_report import print_study, to_json
    from axiomcheck.studies.independence.study import study

    check_writable(output)
    chosen = [regime for regime in Regime if not regimes or regime.value in regimes]
    settings = Settings(seed=seed, examples=examples, exhaustive=not no_exhaustive, proofs=False)
    with progress_bar() as listen:
        try:
            studies = study(chosen, settings, jobs or usable_cpus(), listen)
        except Interrupted:
            click.echo("interrupted before the metrics were decided; nothing to report", err=True)
            raise SystemExit(EXIT_INTERRUPTED) from None
        except InternalDisagreement as error:
            click.echo(f"internal disagreement: {error}", err=True)
            raise SystemExit(EXIT_DISAGREEMENT) from None
    if as_json:
        print_or_write(to_json(studies), output)
    else:
        console = recording_console() if output else console_of_stdout()
        for number, each in enumerate(studies):
            if number:
                console.print()
            print_study(console, each)
        if output is not None:
            print_or_write(console.export_text(), output)
    verdicts = [verdict for each in studies for row in each.rows for verdict in (*row.verdicts.values(), row.monotone)]
    if not all(verdict.decided for verdict in verdicts):
        raise SystemExit(EXIT_UNDECIDED)
