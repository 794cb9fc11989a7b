"""The command `axiomcheck replay`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from axiomcheck.cli.console import console_of_stdout
from axiomcheck.cli.documents import read_json
from axiomcheck.cli.options import EXITS
from axiomcheck.core.errors import InvalidInput

if TYPE_CHECKING:
    from axiomcheck.metrics import Metric

__all__ = ["replay"]

Named = dict[str, "Metric"]


@click.command(epilog=EXITS)
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "-m",
    "--metric",
    "names",
    metavar="METRIC",
    multiple=True,
    help="A metric in a file or module that FILES are about, which they alone do not get to load; may be given often.",
)
def replay(files: tuple[Path, ...], names: tuple[str, ...]) -> None:
    """Score witnesses again from scratch and explain them; check certificates and whole reports again.

    FILES are witnesses, certificates, or JSON reports of 'axiomcheck matrix'. A report is right as a whole or refused:
    everything that each of its cells says is held against its witness, its certificate, its evidence and the header.
    """
    from axiomcheck.sources.resolve import resolve

    metrics = {name: resolve(name) for name in names}
    for path in files:
        try:
            document = read_json(path)
            schema = document.get("schema") if isinstance(document, dict) else None
            if schema == "axiomcheck/matrix":
                _confirm_report(document, metrics)
            elif schema == "axiomcheck/certificate":
                _check_certificate(document, metrics)
            else:
                _explain_witness(document, metrics)
        except InvalidInput as error:
            raise InvalidInput(f"{path}: {error}") from None


def _named(document: Any, metrics: Named, what: str) -> Metric | None:
    """The metric that a document is about, where it was named on the command line; None for one to look up.

    Raises:
        InvalidInput: other metrics were named.

    """
    name = document.get("metric") if isinstance(document, dict) else None
    known = metrics | {metric.canonical: metric for metric in metrics.values()}
    if not metrics or not isinstance(name, str):
        return None
    if name not in known:
        raise InvalidInput(f"{what}: metric is {name!r}; --metric names {', '.join(metrics)}")
    return known[name]


def _explain_witness(document: Any, metrics: Named) -> None:
    from axiomcheck.decide.threshold_witness import RefutedThreshold, read_any_witness
    from axiomcheck.replay import check_minimal
    from axiomcheck.reports.replay import print_threshold_witness, print_witness

    metric = _named(document, metrics, "witness")
    witness = read_any_witness(document, metric)
    if metric is None and document["metric"] != witness.metric.canonical:
        raise InvalidInput(f"witness: metric is {document['metric']!r}; expected {witness.metric.canonical!r}")
    if isinstance(witness, RefutedThreshold):
        print_threshold_witness(console_of_stdout(), witness)
    else:
        check_minimal(witness)
        print_witness(console_of_stdout(), witness)


def _check_certificate(document: dict[str, Any], metrics: Named) -> None:
    from axiomcheck.proof.check import check_certificate
    from axiomcheck.records.certificates import proof_sentence, read_certificate

    certificate = read_certificate(document)
    check_certificate(document, _named(document, metrics, "certificate"))
    click.echo(f"checked  {certificate.metric}  {certificate.axiom}: {proof_sentence(certificate)}")


def _confirm_report(document: dict[str, Any], metrics: Named) -> None:
    from axiomcheck.replay import Replay

    cells = Replay(metrics).report(document)
    for cell in cells:
        if cell.witness is not None:
            click.echo(f"confirmed  {cell.metric}  {cell.axiom}  ({cell.witness})")
        if cell.certificate:
            click.echo(f"checked  {cell.metric}  {cell.axiom}  ({cell.verdict})")
    witnesses, certificates = sum(c.witness is not None for c in cells), sum(c.certificate for c in cells)
    click.echo(f"{witnesses} witnesses confirmed, {certificates} certificates checked")
