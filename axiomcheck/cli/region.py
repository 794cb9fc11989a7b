"""The command `axiomcheck region`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from axiomcheck.api.region import DEEPEST, region
from axiomcheck.cli.console import check_writable, print_or_write, print_text_or_write, progress_bar
from axiomcheck.cli.exits import EXIT_UNDECIDED, epilog
from axiomcheck.cli.options import formats, shared
from axiomcheck.core.writing import json_text, write_atomically
from axiomcheck.reports.html.region_page import region_page
from axiomcheck.reports.pictures import check_drawable
from axiomcheck.reports.region_report import region_json, region_text


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
    type=click.IntRange(min=0, max=DEEPEST),
    default=None,
    help="How often each side is halved at most, where a map is bisected. Default: by axiom.",
)
@shared("seed")
@formats("html")
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
    check_writable(output, *pictures)
    for path in pictures:
        check_drawable(path)
    with progress_bar() as listen:
        result = region(metric, axiom, overs, regime=regime, depth=depth, seed=seed, listen=listen)
    found = result.region
    drawn = [(path, result.picture(path.suffix.lower())) for path in pictures]
    if format_ == "json":
        print_or_write(json_text(region_json(found)), output)
    elif format_ == "html":
        print_or_write(region_page(found, _command(metric, axiom, overs, regime, depth, seed)), output)
    else:
        print_text_or_write(region_text(found), output)
    for path, content in drawn:
        write_atomically(path, content)
    sys.exit(0 if found.decided else EXIT_UNDECIDED)


def _command(metric: str, axiom: str, overs: tuple[str, ...], regime: str, depth: int | None, seed: int) -> str:
    """What was asked for, as a command."""
    words = ["axiomcheck", "region", metric, axiom]
    for over in overs:
        words += ["--over", over]
    words += ["--regime", regime, "--seed", str(seed)]
    words += [] if depth is None else ["--depth", str(depth)]
    return shlex.join([*words, "--format", "html"])
