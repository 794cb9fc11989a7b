"""The command `axiomcheck region`."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path

import click

from axiomcheck.api.region import DEEPEST, RegionResult, region
from axiomcheck.cli.console import check_writable, print_or_write, print_text_or_write, progress_bar, say, say_loaded
from axiomcheck.cli.exits import EXIT_INTERRUPTED, EXIT_UNDECIDED, epilog
from axiomcheck.cli.options import complete_axiom, examples, formats, shared
from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.writing import json_text, write_atomically
from axiomcheck.decide.budgets import REPEATED
from axiomcheck.reports.html.region_page import regions_page
from axiomcheck.reports.pictures import check_drawable
from axiomcheck.reports.region_report import regions_csv, regions_json, regions_text


@click.command(
    "region",
    epilog=epilog(
        "axiomcheck region RBP CloseTh --over p=0.5:0.99",
        "axiomcheck region NRBP CloseTh --over p=0.5:0.99 --over alpha=0:1 \\",
        "    --picture nrbp.svg",
        "axiomcheck region RBU CloseTh --over rc=0:1 --regime finite",
        "axiomcheck region RBU Conf AspRel --over p=0.1:0.9:50 --over e=0:0.5:20",
        "axiomcheck region mine.py:MyRBU CloseTh --over p=0.5:0.99",
    ),
)
@shared("metric")
@click.argument("axioms", nargs=-1, metavar="[AXIOM]...", shell_complete=complete_axiom)
@click.option(
    "--over",
    "overs",
    multiple=True,
    required=True,
    metavar="NAME=LOW:HIGH[:COUNT]",
    help="A parameter of the metric, k (the cutoff) or rc (the grade, finite regime), its range, and how many values "
    "of a grid to decide; NAME=: is the parameter's own range. May be repeated.",
)
@shared("regime", "domain")
@click.option(
    "--depth",
    type=click.IntRange(min=0, max=DEEPEST),
    default=None,
    help="How often each side is halved at most, where a map of exact verdicts is bisected. Default: 8, or 7 of two.",
)
@examples(REPEATED)
@shared("seed", "jobs")
@formats("csv", "html")
@shared("pictures")
def command(
    metric: str,
    axioms: tuple[str, ...],
    overs: tuple[str, ...],
    regime: str,
    domain: str,
    depth: int | None,
    examples: int,
    seed: int,
    jobs: int | None,
    format_: str,
    output: Path | None,
    pictures: tuple[Path, ...],
) -> None:
    """Show for which parameters METRIC satisfies each AXIOM (default: all ten).

    DeepTh and CloseTh have exact ends over one or two ranges. The other axioms, and ranges with a COUNT, are decided
    at every setting of a grid, and neighbouring settings of one verdict are shown together.
    """
    check_writable(output, *pictures)
    for path in pictures:
        check_drawable(path)
    began = time.monotonic()
    asked = axioms[0] if len(axioms) == 1 else axioms or None
    with progress_bar() as listen:
        result = region(
            *(metric, asked, overs),
            regime=regime,
            domain=domain,
            depth=depth,
            examples=examples,
            seed=seed,
            jobs=jobs,
            listen=listen,
        )
    if pictures and not result.drawable:
        raise InvalidInput("--picture is of one axiom over one or two parameters; expected no more")
    drawn = [(path, result.picture(path.suffix.lower())) for path in pictures]
    found = result.regions
    say_loaded(result.remembered)
    if sys.stderr.isatty():
        _say_rate(result, time.monotonic() - began)
    if format_ == "json":
        print_or_write(json_text(regions_json(found)), output)
    elif format_ == "csv":
        print_or_write(regions_csv(found), output)
    elif format_ == "html":
        words = ["axiomcheck", "region", metric, *axioms, *(word for over in overs for word in ("--over", over))]
        words += ["--regime", regime, "--seed", str(seed), *([] if depth is None else ["--depth", str(depth)])]
        print_or_write(regions_page(found, shlex.join([*words, "--format", "html"])), output)
    else:
        print_text_or_write(regions_text(found), output)
    for path, content in drawn:
        write_atomically(path, content)
    if result.interrupted:
        click.echo("interrupted; settings not decided yet are shown as undecided", err=True)
        sys.exit(EXIT_INTERRUPTED)
    sys.exit(0 if result.decided else EXIT_UNDECIDED)


def _say_rate(result: RegionResult, seconds: float) -> None:
    grids = [region.grid for region in result.regions if region.grid is not None]
    if grids:
        cells, compared = sum(len(grid.by) for grid in grids), sum(grid.compared for grid in grids)
        rate = f"{compared / seconds:,.0f} a second"
        say(f"{counted(cells, 'cell')}, {compared:,} comparisons in {seconds:.0f} s: {rate}")
