"""The command `axiomcheck bundle`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from axiomcheck.axioms import about_scores
from axiomcheck.cli.console import print_or_write, print_text_or_write, say, write_files
from axiomcheck.cli.documents import file_names, naming, read_json
from axiomcheck.cli.exits import epilog
from axiomcheck.cli.options import format_option, metric_option
from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import escaped, printable
from axiomcheck.core.verdict import Verdict
from axiomcheck.core.writing import json_text
from axiomcheck.decide.witness import Witness, read_witness
from axiomcheck.metrics import Metric
from axiomcheck.records.matrix import from_document
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.reports.bundle import Bundle, bundle_of
from axiomcheck.sources.names import read_name
from axiomcheck.sources.resolve import resolve

_LONGEST_NAME = 100
"""Maximum number of characters shown of a metric's name."""

Found = tuple[str, str, Bundle]
"""Metric name, axiom name, and bundle of a witness."""


@click.command(
    "bundle",
    epilog=epilog(
        "axiomcheck bundle nrbp-Pri.json -o bundle",
        "axiomcheck bundle report.json -m NRBP -o bundles",
    ),
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="The folder to write."
)
@metric_option("Of a report, this metric alone; one in a file or module has to be named.")
@format_option()
def command(file: Path, output: Path, metrics: tuple[str, ...], format_: str) -> None:
    """Write a folder for each witness, with files that show it in another tool.

    FILE is a witness, or a JSON report of 'axiomcheck matrix', whose witnesses get a folder each. A folder has
    judgments and two runs in TREC format. If ir_measures has the metric, the folder also has the command that prints
    the two scores.
    """
    named = {metric.canonical: metric for metric in map(resolve, metrics)}
    with naming(file):
        document = read_json(file)
        if isinstance(document, dict) and document.get("schema") == "axiomcheck/matrix":
            bundles = _of_report(document, named)
            names = file_names((metric, axiom) for metric, axiom, _ in bundles)
            placed = [(output / name, found) for name, found in zip(names, bundles, strict=True)]
        else:
            placed = [(output, _of_witness(document, named))]
    for folder, (_, _, bundle) in placed:
        _check_folder(folder, bundle)
    for folder, (_, _, bundle) in placed:
        write_files(folder, bundle.files)
    if format_ == "json":
        entries = [_plain(folder, found) for folder, found in placed]
        print_or_write(json_text({"schema": "axiomcheck/bundle", "version": 4, "bundles": entries}), None)
    else:
        for folder, (metric, axiom, bundle) in placed:
            measure = f"ir_measures {bundle.call.measure}" if bundle.call else "no measure of ir_measures"
            line = f"{folder}: {printable(metric, _LONGEST_NAME)}, {axiom}: {measure}"
            print_text_or_write(f"{escaped(line)}\n", None)


def _of_witness(document: object, metrics: dict[str, Metric]) -> Found:
    name = document.get("metric") if isinstance(document, dict) else None
    if metrics and name not in metrics:
        raise InvalidInput(f"it is a witness of {name}, which --metric leaves out")
    if isinstance(document, dict) and document.get("kind") == "threshold":
        raise InvalidInput("its argument is about every n; a bundle is about two rankings")
    return _found(read_witness(document, metrics.get(name) if isinstance(name, str) else None))


def _found(witness: Witness) -> Found:
    """Return a confirmed witness with its bundle.

    Raises:
        InvalidInput: The axiom bounds the score of a single ranking.

    """
    axiom = witness.batch.axiom
    if about_scores(axiom):
        raise InvalidInput(f"{axiom} bounds the score of a single ranking; a bundle is about two rankings")
    return witness.metric.canonical, axiom.name, bundle_of(witness.record(), witness.metric)


def _of_report(document: object, metrics: dict[str, Metric]) -> list[Found]:
    """Return the bundles of a report's witnesses after scoring each witness again.

    Raises:
        InvalidInput: A witness is not confirmed, or the report has no witness for the named metrics.

    """
    ledger = from_document(document)
    shown = [cell for cell in ledger.cells if cell.verdict in (Verdict.REFUTED, Verdict.INCOMPARABLE)]
    found: list[Found] = []
    left_out: dict[str, int] = {}
    for cell in shown:
        if (metrics and cell.metric not in metrics) or not isinstance(cell.witness, PairWitness):
            continue
        if cell.metric not in metrics and read_name(cell.metric).loads_code:
            left_out[cell.metric] = left_out.get(cell.metric, 0) + 1
            continue
        try:
            found.append(_found(read_witness(cell.witness, metrics.get(cell.metric))))
        except InvalidInput as error:
            raise InvalidInput(f"{cell.metric}, {cell.axiom}: {error}") from None
    for name, count in left_out.items():
        say(f"{counted(count, 'witness')} of {name} left out, which would load code; name it: --metric {name}")
    if not found:
        there = ", ".join(dict.fromkeys(cell.metric for cell in shown)) or "no metric"
        raise InvalidInput(f"no witness of what was asked for; there are witnesses of {there}")
    return found


def _check_folder(folder: Path, bundle: Bundle) -> None:
    """Refuse to overwrite files that do not belong to a bundle.

    Raises:
        InvalidInput: The folder has some of the files of a bundle, but not all.

    """
    there = [name for name in bundle.files if os.path.lexists(folder / name)]
    if there and len(there) < len(bundle.files):
        raise InvalidInput(
            f"cannot write to {folder}: it has {' and '.join(there[:2])}, which would be overwritten, and is no "
            "earlier bundle; expected a folder of its own"
        )


def _plain(folder: Path, found: Found) -> dict[str, Any]:
    metric, axiom, bundle = found
    return {
        "folder": str(folder),
        "metric": metric,
        "axiom": axiom,
        "scores": {"worse": bundle.worse, "better": bundle.better},
        "call": bundle.call
        and {
            "measure": bundle.call.measure,
            "commands": dict(zip(("worse", "better"), bundle.call.commands, strict=True)),
            "prints": {"worse": bundle.call.worse, "better": bundle.call.better},
        },
        "reason": bundle.reason or None,
    }
