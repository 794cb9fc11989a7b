"""Define the command `axiomcheck region`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Unpack

import click

from axiomcheck.api.region import RegionOptions, region
from axiomcheck.cli.console import check_writable, deliver, is_picture, say, say_loaded
from axiomcheck.cli.forms import formats
from axiomcheck.cli.help import EXIT_DISAGREEMENT, EXIT_INTERRUPTED, EXIT_UNDECIDED, command_named
from axiomcheck.cli.options import asks, complete_axiom, metric_argument
from axiomcheck.cli.progress import progress_bar
from axiomcheck.core.errors import InvalidInput


@command_named(
    "region",
    "axiomcheck region RBP CloseTh --over p=0.5:0.99",
    "axiomcheck region NRBP CloseTh --over p=0.5:0.99 --over alpha=0:1 \\",
    "    -o nrbp.svg",
    "axiomcheck region RBU Conf AspRel --over p=0.1:0.9:50 --over e=0:0.5:20",
    "axiomcheck region mine.py:MyRBU CloseTh --over p=0.5:0.99",
)
@metric_argument
@click.argument("axioms", nargs=-1, metavar="[AXIOM]...", shell_complete=complete_axiom)
@click.option(
    "--over",
    "overs",
    multiple=True,
    required=True,
    metavar="NAME=LOW:HIGH[:COUNT]",
    help="Range of a parameter, of k (the cutoff) or of rc (the grade), optionally with the number of grid values; "
    "NAME=: is the full range. May be repeated.",
)
@asks(RegionOptions)
@formats("csv", pictures=True)
def command(
    metric: str,
    axioms: tuple[str, ...],
    overs: tuple[str, ...],
    format_: str,
    output: Path | None,
    **options: Unpack[RegionOptions],
) -> None:
    """Show for which parameters METRIC satisfies each AXIOM (default: all ten).

    For DeepTh and CloseTh, the boundaries of regions over one or two ranges are exact. Otherwise (other axioms, ranges
    with a COUNT, or k alone), the axioms are decided at every point of a grid of at most 5,000 settings.
    """
    check_writable(output, read=[metric])
    if output is not None and is_picture(output) and (len(axioms) != 1 or len(overs) > 2):
        raise InvalidInput(
            f"cannot draw {output}: a picture shows one axiom over one or two parameters; name one, or an .html file"
        )
    asked = axioms[0] if len(axioms) == 1 else axioms or None
    with progress_bar() as listen:
        result = region(metric, asked, over=overs, listen=listen, **options)
    found = result.regions
    say_loaded(result.remembered)
    deliver(format_, result.report, result.writers(), output)
    for one in found if output is not None else ():  # a printed report says this itself
        open_ = sum(share for verdict, share in one.shares().items() if not verdict.decided)
        if open_:
            say(f"{one.title}: {100 * float(open_):.3g}% of the range has no verdict")
    if result.interrupted:
        click.echo("interrupted; settings not decided yet are shown as undecided", err=True)
        sys.exit(EXIT_INTERRUPTED)
    if any(region.contradicts_axiomcheck for region in found):
        sys.exit(EXIT_DISAGREEMENT)
    sys.exit(0 if result.decided else EXIT_UNDECIDED)
