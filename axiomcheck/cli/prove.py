"""Define the command `axiomcheck prove`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Unpack

from axiomcheck.api.prove import ProveOptions, prove
from axiomcheck.cli.console import check_writable, deliver, say
from axiomcheck.cli.forms import formats
from axiomcheck.cli.help import EXIT_DISAGREEMENT, EXIT_UNDECIDED, EXIT_USAGE, command_named
from axiomcheck.cli.options import asks, axiom_argument, metric_argument, verbose_option
from axiomcheck.cli.progress import progress_bar
from axiomcheck.core.verdict import Verdict
from axiomcheck.reports.proof_report import proof_report


@command_named(
    "prove",
    "axiomcheck prove RBU Deep -v",
    "axiomcheck prove RBP Pri --regime finite -o pri.json",
    "axiomcheck prove RBU Pri -o pri.smt2",
)
@metric_argument
@axiom_argument
@asks(ProveOptions, without=("timeout", "memory"))
@verbose_option("Print the whole proof or counterexample.")
@formats("smt2")
def command(
    metric: str, axiom: str, verbose: bool, format_: str, output: Path | None, **options: Unpack[ProveOptions]
) -> None:
    """Try to prove that METRIC satisfies AXIOM, check the proof independently, and search for counterexamples.

    With --format json, the output is the certificate or the witness, which 'axiomcheck replay FILE' checks again. With
    --format smt2, it lists the conditions of the proof, for a solver such as z3 or cvc5.
    """
    check_writable(output, read=[metric])
    with progress_bar() as listen:
        result = prove(metric, axiom, listen=listen, **options)
    if result.interrupted:
        raise KeyboardInterrupt
    cell = result.cell
    evidence = result.certificate if format_ == "smt2" else result.certificate or result.witness
    unwritten = format_ in ("json", "smt2") and evidence is None
    if unwritten:
        lacking = "no certificate" if format_ == "smt2" else "neither a certificate nor a witness"
        say(
            f"nothing was written, because there is {lacking}; {cell.metric} on {cell.axiom} is {cell.verdict}: "
            f"{cell.reason}"
        )
    else:
        deliver(format_, lambda: proof_report(cell, verbose), result.writers(), output)
    if cell.contradicts_axiomcheck:
        sys.exit(EXIT_DISAGREEMENT)
    open_ = (Verdict.HELD, Verdict.UNDECIDED, Verdict.ERROR)
    sys.exit(EXIT_UNDECIDED if cell.verdict in open_ else EXIT_USAGE if unwritten else 0)
