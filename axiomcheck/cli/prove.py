"""The command `axiomcheck prove`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Unpack

import click

from axiomcheck.api.prove import ProveOptions, prove
from axiomcheck.cli.console import check_writable, deliver, print_or_write, say
from axiomcheck.cli.exits import EXIT_DISAGREEMENT, EXIT_UNDECIDED, epilog
from axiomcheck.cli.options import FILE, asks, axiom_argument, format_option, metric_argument
from axiomcheck.cli.progress import progress_bar
from axiomcheck.core.documents import document_of
from axiomcheck.core.verdict import Verdict
from axiomcheck.core.writing import json_text, write_atomically
from axiomcheck.reports.proof_report import proof_report

_EXITS = """
Exit codes: 0 proved, or refuted; 2 usage or unusable input; 3 axiomcheck
contradicts itself (a defect); 4 neither proved nor refuted; 130 interrupted.
"""


@click.command(
    "prove",
    epilog=epilog(
        "axiomcheck prove RBU Deep --show",
        "axiomcheck prove RBP Pri --regime finite -f json > pri.json",
        "axiomcheck prove RBU Pri --smt2 pri.smt2",
        exits=_EXITS,
    ),
)
@metric_argument
@axiom_argument
@asks(ProveOptions, without=("timeout", "memory"))
@click.option("--show", is_flag=True, help="Print the whole argument, or the whole counterexample.")
@click.option(
    "--smt2",
    type=FILE,
    metavar="FILE",
    help="Write the signs that the proof rests on in SMT-LIB 2, for a solver such as z3 or cvc5.",
)
@format_option()
def command(
    metric: str, axiom: str, show: bool, smt2: Path | None, format_: str, **options: Unpack[ProveOptions]
) -> None:
    """Prove that METRIC satisfies AXIOM, check the proof independently, and search for counterexamples as well.

    With --format json, the certificate or the witness is printed; 'axiomcheck replay FILE' checks it again.
    """
    check_writable(smt2, read=[metric])
    with progress_bar() as listen:
        result = prove(metric, axiom, listen=listen, **options)
    if result.interrupted:
        raise KeyboardInterrupt
    cell = result.cell
    if smt2 is not None and result.certificate is not None:
        write_atomically(smt2, result.smt2())
    elif smt2 is not None:
        say(f"no proof, so that {smt2} is not written")
    evidence = result.certificate or result.witness
    if format_ == "table":
        deliver(format_, lambda: proof_report(cell, show), {})
    elif evidence is not None:
        print_or_write(json_text(document_of(evidence)), None)
    else:
        say(f"no certificate and no witness: {cell.metric} {cell.axiom} is {cell.verdict}: {cell.reason}")
    if cell.contradicts_axiomcheck:
        sys.exit(EXIT_DISAGREEMENT)
    open_ = (Verdict.HELD, Verdict.UNDECIDED, Verdict.ERROR)
    sys.exit(EXIT_UNDECIDED if cell.verdict in open_ else 0)
