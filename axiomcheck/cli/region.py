"""The command `axiomcheck region`."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import click

from axiomcheck.axioms import AXIOMS
from axiomcheck.cli.console import check_writable, print_or_write, print_text_or_write, progress_bar
from axiomcheck.cli.exits import EXIT_UNDECIDED, epilog
from axiomcheck.cli.options import cell_named, formats, shared
from axiomcheck.core.domain import Reading, Regime, assumes_small
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.writing import json_text, write_atomically
from axiomcheck.engine.events import Progress
from axiomcheck.reports.pictures import check_drawable
from axiomcheck.reports.region_picture import region_picture
from axiomcheck.reports.region_report import region_json, region_text
from axiomcheck.sources.resolve import resolve
from axiomcheck.studies.region import read_axis, region_of


@click.command(
    "region",
    epilog=epilog(
        "axiomcheck region RBP CloseTh --over p=0.5:0.99",
        "axiomcheck region NRBP CloseTh --over p=0.5:0.99 --over alpha=0:1 \\",
        "    --picture nrbp.svg",
        "axiomcheck region RBU CloseTh --over rc=0:1 --regime finite",
        "axiomcheck region mine.py:MyRBU CloseTh --over p=0.5:0.99",
    ),
)
@shared("metric", "axiom")
@click.option(
    "--over",
    "overs",
    multiple=True,
    required=True,
    metavar="NAME=LOW:HIGH",
    help="A parameter of the metric, k (the cutoff) or rc (the grade, finite regime) and its range; at most two.",
)
@shared("regime")
@click.option(
    "--depth",
    type=click.IntRange(min=0, max=12),
    default=None,
    help="How often each side is halved at most, where a map is bisected. Default: by axiom.",
)
@shared("seed")
@formats()
@shared("pictures")
def command(
    metric: str,
    axiom: str,
    overs: tuple[str, ...],
    regime: str,
    depth: int | None,
    seed: int,
    format_: str,
    output: Path | None,
    pictures: tuple[Path, ...],
) -> None:
    """Show for which parameters METRIC satisfies AXIOM."""
    measured, wanted = cell_named(metric, axiom, resolve)
    if wanted.name not in AXIOMS:
        raise InvalidInput(f"{wanted.name}: regions are of the ten axioms only; expected {', '.join(AXIOMS)}")
    reading = Reading(Regime(regime))
    axes = [read_axis(text, wanted, measured, assumes_small(wanted, reading)) for text in overs]
    check_writable(output, *pictures)
    for path in pictures:
        check_drawable(path)
    with progress_bar() as listen:

        def heard(share: Fraction) -> None:
            listen(Progress(float(share), "region"))

        found = region_of(wanted, measured, axes, reading, depth, seed, heard)
    drawn = [(path, region_picture(found, path.suffix.lower())) for path in pictures]
    if format_ == "json":
        print_or_write(json_text(region_json(found)), output)
    else:
        print_text_or_write(region_text(found), output)
    for path, content in drawn:
        write_atomically(path, content)
    sys.exit(0 if found.decided else EXIT_UNDECIDED)
