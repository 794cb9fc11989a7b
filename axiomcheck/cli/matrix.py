"""The command `axiomcheck matrix`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import click

from axiomcheck.api.asked import axioms_of
from axiomcheck.api.matrix import matrix
from axiomcheck.cli.console import progress_bar, say, say_loaded
from axiomcheck.cli.documents import read_report, write_witnesses
from axiomcheck.cli.exits import EXIT_DISAGREEMENT, EXIT_EXPECTATION, EXIT_INTERRUPTED, EXIT_UNDECIDED, epilog
from axiomcheck.cli.options import (
    FILE,
    complete_metric,
    examples,
    formats,
    shared,
)
from axiomcheck.cli.pages import check_output, write_matrices
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.writing import write_atomically
from axiomcheck.decide.budgets import PUBLISHED
from axiomcheck.metrics import ROW_SETS
from axiomcheck.records.cells import Ledger
from axiomcheck.reports import FORMATS, times_json
from axiomcheck.studies.difference import other_instances


@click.command(
    "matrix",
    epilog=epilog(
        "axiomcheck matrix",
        "axiomcheck matrix --rows diversity --explain",
        "axiomcheck matrix -m RBU -m my_metric.py:patient_gain -a Red -a AspRel",
        "axiomcheck matrix --regime limit -f json -o limit.json --witnesses found",
        "axiomcheck matrix -m my_metric.py:patient_gain --until 2h",
    ),
)
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC",
    shell_complete=complete_metric,
    help="A metric, such as 'RBU(p=0.9)@10' or whatever 'axiomcheck check' takes; may be repeated. "
    "Default: the rows of --rows.",
)
@click.option(
    "--rows",
    type=click.Choice(ROW_SETS, case_sensitive=False),
    help="Which metrics, where none is named: the paper's twenty rows, these with INST and P@H (all), INST and P@H "
    "alone (user-models), or every metric of a family.  [default: paper]",
)
@shared("axioms", "regime", "domain")
@click.option(
    "--aggregate",
    type=click.Choice(["none", "max"]),
    default="none",
    show_default=True,
    help="Lift single-aspect metrics to several aspects by the largest grade.",
)
@examples(PUBLISHED)
@shared("seed", "exhaustive")
@click.option("--no-proof", is_flag=True, help="Leave out the proofs of what the search does not refute.")
@shared("jobs", "budget", "until", "timeout", "memory")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Have cells decided by the workers of a Dask scheduler, such as tcp://10.0.0.1:8786, in place of --jobs. "
    "Needs distributed (axiomcheck[dask]).",
)
@click.option("--explain", is_flag=True, help="Tell each finding with its counterexample, not in one line.")
@formats(*FORMATS, output="output-or-folder")
@click.option(
    "--witnesses",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory to write every witness to, one file each, for 'axiomcheck replay'.",
)
@click.option("--times", type=FILE, help="Write the seconds of each cell there.")
@click.option(
    "--expect",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="An earlier JSON report: exit 1 if a verdict differs from it, or is of other kinds of instances.",
)
def command(
    metrics: tuple[str, ...],
    rows: str | None,
    axioms: tuple[str, ...],
    regime: str,
    domain: str,
    aggregate: Literal["none", "max"],
    examples: int,
    seed: int,
    no_exhaustive: bool,
    no_proof: bool,
    jobs: int | None,
    budget: float | None,
    until: float | None,
    timeout: float,
    memory: int,
    scheduler: str | None,
    explain: bool,
    format_: str,
    output: str | None,
    witnesses: Path | None,
    times: Path | None,
    expect: Path | None,
) -> None:
    """Decide every metric x axiom cell, and compare with the published table.

    With --format latex -o FILE.tex the BibTeX of what metrics and axioms are from is written to FILE.bib. With --format
    badge -o FILE.svg the line of Markdown that shows the badge is printed on standard error.
    """
    check_output(output, format_, times, read=[expect, *metrics])
    axioms_of(axioms or None)  # which makes those of files known to the reader of reports
    try:
        expected = read_report(expect) if expect else None
    except InvalidInput as error:
        raise InvalidInput(f"{expect}: {error}") from None
    if expected is not None and (expected.regime, expected.domain) != (regime, domain):
        raise InvalidInput(
            f"{expect} is of regime {expected.regime}, domain {expected.domain}; asked {regime}, {domain}"
        )
    with progress_bar(budget) as listen:
        result = matrix(
            metrics or None,
            axioms or None,
            rows=rows,
            regime=regime,
            domain=domain,
            aggregate=aggregate,
            examples=examples,
            seed=seed,
            exhaustive=not no_exhaustive,
            proofs=not no_proof,
            jobs=jobs,
            budget=budget,
            until=until,
            timeout=timeout,
            memory=memory,
            ledger=True,
            scheduler=scheduler,
            listen=listen,
        )
    ledger = result.ledger
    offered = ["--explain"] * (not explain) + ["--witnesses"] * (witnesses is None)
    write_matrices([ledger], format_, output, explain=explain, offered=offered)
    say_loaded(result.remembered)
    if witnesses is not None:
        write_witnesses(ledger, witnesses)
    if times is not None:
        write_atomically(times, times_json(ledger))
    if result.interrupted:
        click.echo(f"interrupted; {_left(ledger)}", err=True)
        sys.exit(EXIT_INTERRUPTED)
    sys.exit(_exit_code(ledger, expected))


def _left(ledger: Ledger) -> str:
    if all(cell.verdict.decided for cell in ledger.cells):
        return "every cell was decided"
    return "cells not decided yet are shown as undecided"


def _exit_code(ledger: Ledger, expected: Ledger | None) -> int:
    if ledger.contradicts_axiomcheck:
        return EXIT_DISAGREEMENT
    if expected is not None and _differences(ledger, expected):
        return EXIT_EXPECTATION
    return 0 if all(cell.verdict.decided for cell in ledger.cells) else EXIT_UNDECIDED


def _differences(ledger: Ledger, expected: Ledger) -> int:
    """How many cells are not as expected, each of which is told."""
    there = {(cell.metric, cell.axiom): cell for cell in expected.cells}
    count = 0
    for cell in ledger.cells:
        before = there.get((cell.metric, cell.axiom))
        if before is None or before.verdict is not cell.verdict:
            said = f"got {cell.verdict}"
        else:
            _, said = other_instances(before, cell)
        if said:
            count += 1
            say(f"expected {cell.metric} {cell.axiom}: {before.verdict if before else 'no such cell'}; {said}")
    return count
