"""The command `axiomcheck prove`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from axiomcheck.cli.console import check_writable, draw_or_write, print_or_write, progress_bar, say
from axiomcheck.cli.exits import EXIT_DISAGREEMENT, EXIT_UNDECIDED, epilog
from axiomcheck.cli.options import cell_named, examples, formats, metric_or_foreign, shared
from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Domain, Reading, Regime
from axiomcheck.core.verdict import Verdict
from axiomcheck.core.writing import json_text
from axiomcheck.decide.budgets import AWAITED
from axiomcheck.decide.search import Settings
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.reports.proof_report import print_proof

_EXITS = """
Exit codes: 0 proved, or refuted; 2 usage or unusable input; 3 axiomcheck
contradicts itself (a defect); 4 neither proved nor refuted; 130 interrupted.
"""


@click.command(
    "prove",
    epilog=epilog(
        "axiomcheck prove RBU Deep --show",
        "axiomcheck prove RBP Pri --regime finite -f json -o pri.json",
        exits=_EXITS,
    ),
)
@shared("metric", "axiom", "regime", "domain")
@click.option("--show", is_flag=True, help="Print the whole argument.")
@examples(AWAITED)
@shared("seed")
@formats()
def command(
    metric: str,
    axiom: str,
    regime: str,
    domain: str,
    show: bool,
    examples: int,
    seed: int,
    format_: str,
    output: Path | None,
) -> None:
    """Prove that METRIC satisfies AXIOM, have the proof checked, and attack it by a search all the same.

    With --format json the certificate, or the witness, is printed;
    'axiomcheck replay FILE' checks it again.
    """
    check_writable(output, read=[metric])
    chosen, wanted = cell_named(metric, axiom, metric_or_foreign)
    reading, settings = Reading(Regime(regime), Domain(domain)), Settings(seed=seed, examples=examples)
    with progress_bar() as listen:
        (cell,) = run_matrix([chosen], [wanted], reading, settings, listen=listen).cells
    evidence = cell.certificate or cell.witness
    if format_ == "table":
        draw_or_write(lambda console: print_proof(console, cell, show), output)
    elif evidence is not None:
        print_or_write(json_text(document_of(evidence)), output)
    else:
        say(f"no certificate and no witness: {cell.metric} {cell.axiom} is {cell.verdict}: {cell.reason}")
    if cell.contradicts_axiomcheck:
        sys.exit(EXIT_DISAGREEMENT)
    open_ = (Verdict.HELD, Verdict.UNDECIDED, Verdict.ERROR)
    sys.exit(EXIT_UNDECIDED if cell.verdict in open_ else 0)
