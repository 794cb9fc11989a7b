"""The command `axiomcheck region`."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path

import click

from axiomcheck.cli.console import print_or_write, print_text_or_write, progress_bar
from axiomcheck.cli.options import (
    EXIT_DISAGREEMENT,
    EXIT_INTERRUPTED,
    EXIT_UNDECIDED,
    EXITS,
    check_writable,
    complete_axiom,
    complete_metric,
    shared,
)

__all__ = ["region"]


@click.command(epilog=EXITS)
@click.argument("axiom", shell_complete=complete_axiom)
@click.argument("metric", shell_complete=complete_metric)
@click.option(
    "--over",
    "overs",
    multiple=True,
    required=True,
    metavar="NAME=LOW:HIGH",
    help="A parameter of the metric, k (the cutoff) or rc (the grade, finite regime) and its range; at most two.",
)
@click.option(
    "--regime",
    type=click.Choice(["stated", "limit", "finite"]),
    default="stated",
    show_default=True,
    help="Where r << 1 is assumed.",
)
@click.option(
    "--depth",
    type=click.IntRange(min=0, max=12),
    default=None,
    help="How often each side is halved at most, where a map is bisected. Default: by constraint.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the searches for counterexamples.")
@shared("json", "output", "pictures")
def region(
    axiom: str,
    metric: str,
    overs: tuple[str, ...],
    regime: str,
    depth: int | None,
    seed: int,
    as_json: bool,
    output: Path | None,
    pictures: tuple[Path, ...],
) -> None:
    """Show for which parameters a metric satisfies a constraint.

    \b
    axiomcheck region CloseTh RBP --over p=0.5:0.99
    axiomcheck region CloseTh NRBP --over p=0.5:0.99 --over alpha=0:1 --picture nrbp.svg
    axiomcheck region CloseTh RBU --over rc=0:1 --regime finite
    """  # noqa: D301 - click's mark for lines to be left as they are
    from axiomcheck.axioms import AXIOMS, find_axiom
    from axiomcheck.core.domain import Reading, Regime, assumes_small
    from axiomcheck.core.errors import InternalDisagreement, InvalidInput
    from axiomcheck.engine.matrix import Interrupted, Progress
    from axiomcheck.metrics import parse
    from axiomcheck.reports import write_atomically
    from axiomcheck.studies.region import read_axis, region_of
    from axiomcheck.studies.region.drawing import check_drawable, picture
    from axiomcheck.studies.region.text import region_text

    constraint = find_axiom(axiom)
    if constraint.name not in AXIOMS:
        raise InvalidInput(f"{constraint.name}: regions are of the ten constraints only; expected {', '.join(AXIOMS)}")
    measured = parse(metric)
    reading = Reading(Regime(regime))
    axes = [read_axis(text, constraint, measured, assumes_small(constraint, reading)) for text in overs]
    check_writable(output)
    for path in pictures:
        check_writable(path)
        check_drawable(path)
    try:
        with progress_bar() as listen:

            def heard(share: Fraction) -> None:
                listen(Progress(float(share), "region"))

            found = region_of(constraint, measured, axes, reading, depth, seed, heard)
        drawn = [(path, picture(found, path.suffix.lower())) for path in pictures]
        if as_json:
            print_or_write(json.dumps(found.to_json(), indent=2, ensure_ascii=False) + "\n", output)
        else:
            print_text_or_write(region_text(found), output)
        for path, content in drawn:
            write_atomically(path, content)
    except InternalDisagreement as error:
        click.echo(f"internal disagreement: {error}", err=True)
        sys.exit(EXIT_DISAGREEMENT)
    except (KeyboardInterrupt, Interrupted):
        click.echo("interrupted", err=True)
        sys.exit(EXIT_INTERRUPTED)
    sys.exit(0 if found.decided else EXIT_UNDECIDED)
