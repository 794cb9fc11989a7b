"""The command `axiomcheck prove`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from axiomcheck.cli.console import console_of_stdout, print_or_write, progress_bar
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
from axiomcheck.core.errors import InternalDisagreement

__all__ = ["prove"]

_EXITS = """
\b
Exit codes: 0 proved, or refuted; 2 usage or unusable input; 3 axiomcheck
contradicts itself (a defect); 4 neither proved nor refuted; 130 interrupted.
"""


@click.command(epilog=_EXITS)
@click.argument("metric", shell_complete=complete_metric)
@click.argument("axiom", shell_complete=complete_axiom)
@shared("regime", "domain")
@click.option("--show", is_flag=True, help="Print the whole argument.")
@click.option(
    "--examples",
    type=EXAMPLES,
    default=30_000,
    show_default=True,
    help="Distinct random instances that attack the claim, besides the enumerated ones.",
)
@shared("seed")
@click.option("--json", "as_json", is_flag=True, help="Print the certificate, or the witness, as JSON.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the certificate or witness there."
)
def prove(
    metric: str,
    axiom: str,
    regime: str,
    domain: str,
    show: bool,
    examples: int,
    seed: int,
    as_json: bool,
    output: Path | None,
) -> None:
    """Prove that METRIC satisfies AXIOM, have the proof checked, and attack it by a search all the same.

    'axiomcheck replay FILE' checks a certificate, or confirms a witness, again.
    """
    from axiomcheck.axioms import find_axiom
    from axiomcheck.core.documents import document_of, json_text
    from axiomcheck.core.domain import Domain, Reading, Regime
    from axiomcheck.core.verdict import Verdict
    from axiomcheck.decide.search import Settings
    from axiomcheck.engine.matrix import Interrupted, run_matrix
    from axiomcheck.reports.proof_report import print_cell, print_certificate

    check_writable(output)
    chosen, constraint = metric_or_foreign(metric), find_axiom(axiom)
    reading = Reading(Regime(regime), Domain(domain))
    try:
        with progress_bar() as listen:
            settings = Settings(seed=seed, examples=examples)
            (cell,) = run_matrix([chosen], [constraint], reading, settings, listen=listen).cells
    except InternalDisagreement as error:
        click.echo(f"internal disagreement: {error}", err=True)
        sys.exit(EXIT_DISAGREEMENT)
    except (Interrupted, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(EXIT_INTERRUPTED)
    evidence = cell.certificate or cell.witness
    if (as_json or output is not None) and evidence is not None:
        print_or_write(json_text(document_of(evidence)), output)
    if not as_json:
        console = console_of_stdout()
        print_cell(console, cell)
        if show and cell.certificate is not None:
            print_certificate(console, cell.certificate)
    if cell.contradicts_axiomcheck:
        sys.exit(EXIT_DISAGREEMENT)
    open_ = (Verdict.HELD, Verdict.UNDECIDED, Verdict.ERROR)
    sys.exit(EXIT_UNDECIDED if cell.verdict in open_ else 0)
