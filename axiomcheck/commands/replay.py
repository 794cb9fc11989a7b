"""The command `axiomcheck replay`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from axiomcheck.commands.console import console_of_stdout
from axiomcheck.commands.documents import read_any_witness, read_json, read_report
from axiomcheck.commands.options import EXITS
from axiomcheck.errors import InvalidInput

if TYPE_CHECKING:
    from axiomcheck.metrics import Metric
    from axiomcheck.threshold_witness import ThresholdWitness
    from axiomcheck.verdict import Cell, Ledger
    from axiomcheck.witness import Witness

__all__ = ["replay"]


@click.command(epilog=EXITS)
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "-m",
    "--metric",
    "name",
    metavar="METRIC",
    help="Score with this metric: needed for one in a file or module, which a witness alone does not get to load.",
)
def replay(files: tuple[Path, ...], name: str | None) -> None:
    """Score witnesses again from scratch and explain them; check certificates again.

    FILES are witnesses, certificates, or JSON reports of 'axiomcheck matrix', of which each of both is confirmed.
    """
    from axiomcheck.resolve import resolve

    metric = resolve(name) if name is not None else None
    for path in files:
        try:
            document = read_json(path)
            if isinstance(document, dict) and document.get("schema") == "axiomcheck/matrix":
                _confirm_report(read_report(path), metric)
            elif isinstance(document, dict) and document.get("schema") == "axiomcheck/certificate":
                _check_certificate(document, metric)
            else:
                _explain_witness(document, metric)
        except InvalidInput as error:
            raise InvalidInput(f"{path}: {error}") from None


def _explain_witness(document: Any, metric: Metric | None) -> None:
    from axiomcheck.reports.replay import print_threshold_witness, print_witness
    from axiomcheck.threshold_witness import ThresholdWitness

    witness = read_any_witness(document, metric)
    if isinstance(witness, ThresholdWitness):
        print_threshold_witness(console_of_stdout(), witness)
    else:
        print_witness(console_of_stdout(), witness)


def _check_certificate(document: dict[str, Any], metric: Metric | None) -> None:
    from axiomcheck.certificates import check_certificate
    from axiomcheck.proof.proving import proof_sentence

    check_certificate(document, metric)
    click.echo(f"checked  {document['metric']}  {document['axiom']}: {proof_sentence(document)}")


def _check_verdict(cell: Cell, witness: Witness | ThresholdWitness) -> None:
    """Checks that a cell's verdict is what its witness shows."""
    from axiomcheck.threshold_witness import ThresholdWitness

    if isinstance(witness, ThresholdWitness):
        apart = witness.tried.leaves_apart(witness.axiom)
    else:
        apart = witness.kind == "incomparable"
    shown = "incomparable" if apart else "refuted"
    if cell.verdict.value != shown:
        raise InvalidInput(f"the verdict is {cell.verdict.value}, and the witness shows {shown}")


def _confirm_report(ledger: Ledger, metric: Metric | None) -> None:
    from axiomcheck.certificates import check_certificate

    confirmed = checked = 0
    for cell in ledger.cells:
        if metric is not None and cell.metric != metric.canonical:
            continue
        try:
            if cell.witness is not None:
                _check_verdict(cell, read_any_witness(cell.witness, metric))
                click.echo(f"confirmed  {cell.metric}  {cell.axiom}  ({cell.witness['kind']})")
                confirmed += 1
            if cell.certificate is not None:
                check_certificate(cell.certificate, metric)
                click.echo(f"checked  {cell.metric}  {cell.axiom}  ({cell.verdict})")
                checked += 1
        except InvalidInput as error:
            raise InvalidInput(f"cell {cell.metric}, {cell.axiom}: {error}") from None
    click.echo(f"{confirmed} witnesses confirmed, {checked} certificates checked")
