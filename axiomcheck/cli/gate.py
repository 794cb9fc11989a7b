"""The command `axiomcheck gate`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from axiomcheck.cli.console import console_of_stdout, progress_bar
from axiomcheck.cli.options import check_writable, shared, usable_cpus

__all__ = ["gate"]


@click.command(epilog="Exit codes: 0 as expected; 1 broken; 2 usage; 3 a defect of axiomcheck; 130 interrupted.")
@click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The contract. Default: axiomcheck.toml here, or [tool.axiomcheck] of pyproject.toml.",
)
@click.option("--update", is_flag=True, help="Record what is found as what is expected, and pin its witnesses.")
@click.option("--no-cache", is_flag=True, help="Decide everything again.")
@shared("jobs")
@click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), help="Write JUnit XML there.")
@click.option("--sarif", type=click.Path(dir_okay=False, path_type=Path), help="Write SARIF 2.1.0 there.")
@click.option("--markdown", type=click.Path(dir_okay=False, path_type=Path), help="Write a Markdown summary there.")
@click.option("--github", is_flag=True, help="Print GitHub annotations; done in GitHub's jobs anyway.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def gate(config: Path | None, no_cache: bool, jobs: int | None, **reports: Any) -> None:
    """Hold metrics to the verdicts recorded in a contract file; exit 1 if one got worse, or better unnoticed."""
    from axiomcheck.cli.gate_outputs import deliver, wants_annotations
    from axiomcheck.gate import load_contract, run_gate

    for name in ("junit", "sarif", "markdown"):
        check_writable(reports[name])
    reports["github"] = wants_annotations(reports["github"], reports["as_json"])
    contract = load_contract(config)
    with progress_bar() as listen:
        result = run_gate(contract, jobs or usable_cpus(), not no_cache, listen)
    sys.exit(deliver(result, console_of_stdout(), **reports))
