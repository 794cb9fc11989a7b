"""Define the command `axiomcheck weakest`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Unpack

from axiomcheck.api.asked import cell_named, loaded_metric_of
from axiomcheck.api.options import CellOptions, reading_of, settings_of
from axiomcheck.cli.console import check_writable, deliver
from axiomcheck.cli.forms import formats
from axiomcheck.cli.help import EXIT_UNDECIDED, command_named
from axiomcheck.cli.options import asks, axiom_argument, metric_argument
from axiomcheck.cli.progress import progress_bar
from axiomcheck.reports.weakest_report import weakest_json, weakest_report
from axiomcheck.studies.weakest.search import weakest


@command_named(
    "weakest",
    "axiomcheck weakest RBU Red",
    "axiomcheck weakest my_metric.py:patient_gain AspRel --regime finite",
)
@metric_argument
@axiom_argument
@asks(CellOptions)
@formats()
def command(metric: str, axiom: str, format_: str, output: Path | None, **options: Unpack[CellOptions]) -> None:
    """Find additional assumptions, weakest first, under which METRIC satisfies AXIOM.

    An assumption is, for example, r << 1, or that no document after the last compared rank is relevant. Each set of
    assumptions is decided separately, and only if the metric violates the axiom without assumptions.
    """
    check_writable(output, read=[metric])
    with progress_bar() as listen:
        chosen, wanted = cell_named(metric, axiom, loaded_metric_of)
        found = weakest(wanted, chosen, reading_of(options), settings_of(options), listen)
    deliver(format_, lambda: weakest_report(found), {"json": lambda: weakest_json(found)}, output)
    sys.exit(0 if found.decided else EXIT_UNDECIDED)
