"""Define the command `axiomcheck replay`."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from axiomcheck.api.asked import axioms_of
from axiomcheck.cli.console import check_writable, deliver
from axiomcheck.cli.documents import naming, read_json
from axiomcheck.cli.forms import formats
from axiomcheck.cli.help import command_named
from axiomcheck.cli.options import axioms_of_files_option, metrics_of_files_option
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import shown
from axiomcheck.decide.witness import Witness
from axiomcheck.metrics import Metric
from axiomcheck.proof.check import check_certificate
from axiomcheck.records.certificates import read_certificate
from axiomcheck.replay.cells import check_minimal
from axiomcheck.replay.report import Replay, named_metric
from axiomcheck.reports.replay_report import Replayed, replay_report, replayed_json
from axiomcheck.sources.resolve import resolve
from axiomcheck.trials.consistency import read_own_witness

Named = dict[str, Metric]


@command_named(
    "replay",
    "axiomcheck replay found/NRBP_p=0.8__alpha=0.5_-Pri.json",
    "axiomcheck replay report.json",
    "axiomcheck replay -m my_metric.py:patient_gain report.json",
)
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@metrics_of_files_option
@axioms_of_files_option
@formats()
def command(
    files: tuple[Path, ...], metrics: tuple[str, ...], axioms: tuple[str, ...], format_: str, output: Path | None
) -> None:
    """Score witnesses again from scratch and explain them; check certificates and whole reports again.

    FILES are witnesses, certificates, or JSON reports of 'axiomcheck matrix'. A report is accepted or refused as a
    whole: every verdict is compared with its witness or certificate, or else with the first part of its search. The
    number of tested instances and the share of violations are not checked, but shown as reported.
    """
    check_writable(output, read=files)
    axioms_of(axioms or None)
    with contextlib.redirect_stdout(sys.stderr):  # output of a user's metric is not part of the result
        replayed = list(_replayed(files, {name: resolve(name) for name in metrics}))
    deliver(format_, lambda: replay_report(replayed), {"json": lambda: replayed_json(replayed)}, output)


def _replayed(files: tuple[Path, ...], metrics: Named) -> Iterator[tuple[Path, Replayed]]:
    """Replay each file, and yield its path with the confirmed content.

    Raises:
        InvalidInput: The next file is not confirmed; the message names the file and the position.

    """
    for path in files:
        with naming(path):
            document = read_json(path)
            schema = document.get("schema") if isinstance(document, dict) else None
            if schema == "axiomcheck/matrix":
                yield path, Replay(metrics).report(document)
            elif schema == "axiomcheck/certificate":
                certificate = read_certificate(document)
                check_certificate(document, _named(document, metrics, "certificate"))
                yield path, certificate
            elif isinstance(schema, str) and schema.startswith("axiomcheck/") and schema != "axiomcheck/witness":
                raise InvalidInput(
                    f"schema is {shown(schema)}, which cannot be replayed; to write a report that can, run: "
                    "axiomcheck matrix METRIC -f json"
                )
            else:
                yield path, _witness(document, metrics)


def _named(document: Any, metrics: Named, what: str) -> Metric | None:
    """Return the metric of a document among those of ``--metric``; None without that option, to look it up by name.

    Raises:
        InvalidInput: ``--metric`` was given, but not for this metric.

    """
    name = document.get("metric") if isinstance(document, dict) else None
    if not metrics or not isinstance(name, str):
        return None
    metric = named_metric(name, metrics)
    if metric is None:
        raise InvalidInput(f"{what}: the metric is {name!r}, but --metric names {', '.join(metrics)}")
    return metric


def _witness(document: Any, metrics: Named) -> Replayed:
    metric = _named(document, metrics, "witness")
    witness = read_own_witness(document, metric)
    if metric is None and document["metric"] != witness.metric.canonical:
        raise InvalidInput(f"witness: metric is {document['metric']!r}; expected {witness.metric.canonical!r}")
    if isinstance(witness, Witness):
        check_minimal(witness)
    return witness
