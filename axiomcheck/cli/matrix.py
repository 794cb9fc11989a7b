"""Define the command `axiomcheck matrix`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Unpack

import click

from axiomcheck.api.matrix import MatrixOptions, matrix
from axiomcheck.cli.console import check_writable, say_loaded
from axiomcheck.cli.documents import bibliography_file, write_matrices, write_witnesses
from axiomcheck.cli.forms import formats
from axiomcheck.cli.help import EXIT_DISAGREEMENT, EXIT_INTERRUPTED, EXIT_UNDECIDED, command_named
from axiomcheck.cli.options import (
    asks,
    axioms_option,
    complete_metric,
    verbose_option,
    witnesses_option,
)
from axiomcheck.cli.progress import progress_bar
from axiomcheck.reports.formats import FORMATS


@command_named(
    "matrix",
    "axiomcheck matrix",
    "axiomcheck matrix --rows diversity -v",
    "axiomcheck matrix RBU my_metric.py:patient_gain -a Red -a AspRel",
    "axiomcheck matrix --regime limit -o limit.json --witnesses found",
    "axiomcheck matrix my_metric.py:patient_gain --until 2h",
)
@click.argument("metrics", nargs=-1, metavar="[METRIC]...", shell_complete=complete_metric)
@axioms_option
@asks(MatrixOptions, without=("exhaustive",))
@verbose_option("Show each finding, or each cell if there are no findings, with its counterexample.")
@formats(*FORMATS, pictures=True)
@witnesses_option
def command(
    metrics: tuple[str, ...],
    axioms: tuple[str, ...],
    verbose: bool,
    format_: str,
    output: Path | None,
    witnesses: Path | None,
    **options: Unpack[MatrixOptions],
) -> None:
    """Decide which axioms each metric satisfies, and compare the verdicts with the published table.

    If the output is NAME.tex, the BibTeX entries of its metrics and axioms are also written to NAME.bib.
    """
    check_writable(output, bibliography_file(output, format_), read=metrics)
    with progress_bar(options["budget"]) as listen:
        result = matrix(metrics or None, axioms or None, ledger=True, listen=listen, **options)
    ledger = result.ledger
    offered = ["-v"] * (not verbose) + ["--witnesses"] * (witnesses is None)
    write_matrices([ledger], format_, output, explain=verbose, offered=offered)
    say_loaded(result.remembered)
    if witnesses is not None:
        write_witnesses(ledger.cells, witnesses)
    if result.interrupted:
        decided = all(cell.verdict.decided for cell in ledger.cells)
        left = "every cell was decided" if decided else "cells not decided yet are shown as undecided"
        click.echo(f"interrupted; {left}", err=True)
        sys.exit(EXIT_INTERRUPTED)
    if ledger.contradicts_axiomcheck:
        sys.exit(EXIT_DISAGREEMENT)
    sys.exit(0 if all(cell.verdict.decided for cell in ledger.cells) else EXIT_UNDECIDED)
