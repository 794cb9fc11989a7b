"""The command `axiomcheck check`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from axiomcheck.api.asked import axioms_of, metric_of
from axiomcheck.api.check import check
from axiomcheck.checks.metric import unusable
from axiomcheck.cli.console import check_writable, draw_or_write, print_or_write, progress_bar, say_loaded
from axiomcheck.cli.exits import EXIT_CONTRACT, EXIT_DISAGREEMENT, EXIT_INTERRUPTED, EXIT_UNDECIDED, epilog
from axiomcheck.cli.options import complete_metric, examples, formats, shared
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Domain
from axiomcheck.core.errors import InvalidInput
from axiomcheck.decide.budgets import AWAITED
from axiomcheck.decide.search import Settings
from axiomcheck.engine.deadline import Deadline
from axiomcheck.engine.tasks import Foreign
from axiomcheck.reports.check_report import print_checks, programs_of
from axiomcheck.reports.documents import check_json
from axiomcheck.reports.html.check_page import check_page


@click.command(
    "check",
    epilog=epilog(
        'axiomcheck check "RBU(p=0.9)@10"',
        "axiomcheck check my_metric.py:patient_gain -a Red --budget 60s",
        "axiomcheck check ir_measures:nDCG@10 --contract-only",
        "axiomcheck check my_metric.py:ndcg --reference nDCG@10 -f python -o shown.py",
    ),
)
@shared("metrics", "axioms", "domain")
@examples(AWAITED)
@shared("seed", "jobs", "budget", "timeout", "memory")
@click.option("--contract-only", is_flag=True, help="The contract checks alone: no axiom is decided.")
@click.option(
    "--reference",
    metavar="METRIC",
    shell_complete=complete_metric,
    help="Another metric that it is to agree with, such as 'nDCG@10'.",
)
@formats("python", "html")
def command(
    metrics: tuple[str, ...],
    axioms: tuple[str, ...],
    domain: str,
    examples: int,
    seed: int,
    jobs: int | None,
    budget: float | None,
    timeout: float,
    memory: int,
    contract_only: bool,
    reference: str | None,
    format_: str,
    output: Path | None,
) -> None:
    """Check a metric: its row of verdicts under all three regimes, its contract, and what it resembles.

    \b
    METRIC is one of
      a catalogue metric            "RBU(p=0.9)@10"
      a name in a Python file       path/to/file.py:my_metric
      a name in a Python module     package.module:my_metric
      a measure of a library        ir_measures:nDCG@10, ranx:..., sklearn:...,
                                    pyevall:..., cwl:...
      an installed plugin           its entry point's name

    With -f python it prints, for every contract check that failed, the calls that show it.
    """  # noqa: D301 - click's mark for lines to be left as they are
    check_writable(output, read=[*metrics, reference])
    if contract_only and axioms:
        raise InvalidInput("--contract-only decides no axiom, so that there is none to name with --axiom")
    chosen = [metric_of(name) for name in metrics]
    wanted = [] if contract_only else axioms_of(axioms or None)
    found = []
    interrupted = False
    whole = None if budget is None else Deadline.starting_now(budget)
    with progress_bar(budget) as listen:
        for number, metric in enumerate(chosen):
            try:
                result = check(
                    metric,
                    axioms or None,
                    domain=domain,
                    examples=examples,
                    seed=seed,
                    jobs=jobs,
                    budget=whole and whole.part(1 / (len(chosen) - number)),
                    timeout=timeout,
                    memory=memory,
                    contract_only=contract_only,
                    reference=reference,
                    ledger=True,
                    listen=listen,
                )
            except InvalidInput as error:
                if len(chosen) == 1 or not isinstance(metric, Foreign) or reference is not None:
                    raise
                settings = Settings(seed=seed, examples=examples)
                found.append(unusable(metric, wanted, Domain(domain), settings, str(error)))
                continue
            interrupted = result.interrupted
            if interrupted:
                break
            found.append(result.checked)
    say_loaded(sum(checked.remembered for checked in found))
    if format_ == "json":
        print_or_write(check_json(found), output)
    elif format_ == "python":
        print_or_write(programs_of(found), output)
    elif format_ == "html":
        print_or_write(check_page(found), output)
    else:
        draw_or_write(lambda console: print_checks(console, found), output)
    if interrupted:
        done = f"{len(found)} of {counted(len(chosen), 'metric')} were checked"
        click.echo(f"interrupted; {done}", err=True)
        sys.exit(EXIT_INTERRUPTED)
    cells = [cell for checked in found for cell in checked.cells]
    if any(cell.contradicts_axiomcheck for cell in cells):
        sys.exit(EXIT_DISAGREEMENT)
    statuses = {outcome.status for checked in found for outcome in checked.tried.contract}
    if "failed" in statuses:
        sys.exit(EXIT_CONTRACT)
    sys.exit(EXIT_UNDECIDED if "error" in statuses or not all(cell.verdict.decided for cell in cells) else 0)
