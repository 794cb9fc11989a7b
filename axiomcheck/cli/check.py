"""Define the command `axiomcheck check`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Unpack

import click

from axiomcheck.api.asked import axioms_of, metric_of
from axiomcheck.api.check import CheckOptions, check, check_writers, unused_by_contract
from axiomcheck.api.options import deadline_of, loading_limits, settings_of
from axiomcheck.checks.metric import unusable
from axiomcheck.cli.console import check_writable, deliver, say_loaded
from axiomcheck.cli.documents import write_witnesses
from axiomcheck.cli.forms import formats
from axiomcheck.cli.help import EXIT_CONTRACT, EXIT_DISAGREEMENT, EXIT_INTERRUPTED, EXIT_UNDECIDED, command_named
from axiomcheck.cli.options import asks, axioms_option, metrics_argument, verbose_option, witnesses_option
from axiomcheck.cli.progress import progress_bar
from axiomcheck.core.domain import Domain
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted
from axiomcheck.engine.events import within
from axiomcheck.reports.check_report import checks_report
from axiomcheck.sources.names import External


@command_named(
    "check",
    'axiomcheck check "RBU(p=0.9)@10"',
    "axiomcheck check my_metric.py:patient_gain -a Red --budget 60s",
    "axiomcheck check ir_measures:nDCG@10 --contract-only",
    "axiomcheck check my_metric.py:ndcg --reference nDCG@10 -o shown.py",
)
@metrics_argument
@axioms_option
@asks(CheckOptions)
@verbose_option("Show everything that was tried, with reasons and counterexamples.")
@witnesses_option
@formats("python")
def command(
    metrics: tuple[str, ...],
    axioms: tuple[str, ...],
    format_: str,
    output: Path | None,
    verbose: bool,
    witnesses: Path | None,
    **options: Unpack[CheckOptions],
) -> None:
    """Decide which axioms METRIC satisfies in each regime, run its contract checks, and identify its definition.

    \b
    METRIC is one of
      a catalogue metric            "RBU(p=0.9)@10"
      a name in a Python file       path/to/file.py:my_metric
      a name in a Python module     package.module:my_metric
      a library measure             ir_measures:nDCG@10, ranx:..., sklearn:...
      an installed plugin           the name of its entry point

    With --format python, the output is a program that reproduces the failed contract checks.
    """  # noqa: D301 - click's mark for lines to be left as they are
    reference, budget = options["reference"], options["budget"]
    check_writable(output, read=[*metrics, *([reference] if isinstance(reference, str) else [])])
    unused = [name for name, value in (("axiom", axioms), ("witnesses", witnesses)) if value]
    unused += unused_by_contract(options)
    if options["contract_only"] and unused:
        raise InvalidInput(f"--contract-only does not decide axioms; omit --{unused[0]} or --contract-only")
    chosen = [metric_of(name) for name in metrics]
    wanted = [] if options["contract_only"] else axioms_of(axioms or None, loading_limits(options))
    found = []
    interrupted = False
    whole = deadline_of(budget)
    with progress_bar(budget, wanted) as listen:
        for number, metric in enumerate(chosen):
            try:
                result = check(
                    *(metric, axioms or None),
                    deadline=whole and whole.part(1 / (len(chosen) - number)),
                    ledger=True,
                    listen=within(listen, number / len(chosen), (number + 1) / len(chosen)),
                    **options,
                )
            except InvalidInput as error:
                if len(chosen) == 1 or not isinstance(metric, External) or reference is not None:
                    raise
                domain = Domain(options["domain"])
                found.append(unusable(metric, wanted, domain, settings_of(options), error))
                continue
            interrupted = result.interrupted
            if interrupted:
                break
            found.append(result.checked)
    say_loaded(sum(checked.remembered for checked in found))
    deliver(format_, lambda: checks_report(found, verbose), check_writers(found), output)
    cells = [cell for checked in found for cell in checked.cells]
    if witnesses is not None:
        write_witnesses(cells, witnesses)
    if interrupted:
        done = f"{len(found)} of {counted(len(chosen), 'metric')} checked"
        click.echo(f"interrupted; {done}", err=True)
        sys.exit(EXIT_INTERRUPTED)
    if any(cell.contradicts_axiomcheck for cell in cells):
        sys.exit(EXIT_DISAGREEMENT)
    statuses = {outcome.status for checked in found for outcome in checked.tried.contract}
    if "failed" in statuses:
        sys.exit(EXIT_CONTRACT)
    sys.exit(EXIT_UNDECIDED if "error" in statuses or not all(cell.verdict.decided for cell in cells) else 0)
