"""Replay a whole report: check its header and its cells, and check that no cell of the run is missing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axiomcheck.axioms import find_axiom
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.budgets import Settings
from axiomcheck.metrics import Metric
from axiomcheck.records.matrix import Header, check_tables, read_cell, read_header
from axiomcheck.records.sentences import reversal_name
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.replay.cells import check_cell, check_unclaimed
from axiomcheck.sources.function_metrics import as_metric
from axiomcheck.sources.names import Home, is_foreign, read_name
from axiomcheck.sources.resolve import resolve_named


@dataclass(frozen=True)
class Confirmed:
    """Confirmed cell of a report.

    Args:
        metric, axiom: Names of the cell's metric and axiom.
        verdict: Verdict of the cell.
        witness: Kind of the witness in words, or None if there is none. The witness was confirmed.
        certificate: True if the cell has a certificate. The certificate was checked.

    """

    metric: str
    axiom: str
    verdict: Verdict
    witness: str | None
    certificate: bool


def named_metric(name: str, named: Mapping[str, Metric]) -> Metric | None:
    """Find the metric with a name from a document among the metrics that the user named; None if there is none.

    Because files may have been moved, a metric in another folder is also accepted if its file and its name in the file
    are the same, and if the user named only one such metric.

    Args:
        name: Name of the metric in the document.
        named: Metrics by the names that the user typed.

    """
    known = {metric.canonical: metric for metric in named.values()} | dict(named)
    if name in known:
        return known[name]
    meant = [metric for typed, metric in named.items() if _in_file(typed) == _in_file(name) != ("", "")]
    return as_metric(meant[0], name) if len(meant) == 1 else None


def _in_file(name: str) -> tuple[str, str]:
    """Return (file name without folder, name in the file) of a metric's name; empty strings if it has no file."""
    typed = read_name(name)
    return (Path(typed.prefix).name, typed.name) if typed.home is Home.FILE else ("", "")


class Replay:
    """Checker of reports. A cell that occurs in several reports is checked only once.

    Args:
        named: Metrics that the user named, by name. Other metrics are resolved by name, but no file is loaded for them.

    """

    def __init__(self, named: Mapping[str, Metric] | None = None) -> None:
        self._named = named or {}
        self._metrics: dict[str, Metric] = {}
        self._right: dict[str, Confirmed] = {}

    def report(self, document: Any) -> list[Confirmed]:
        """Check every cell of a report, and return the confirmed cells.

        Raises:
            InvalidInput: A value in the report is wrong. The message gives its path.
            MetricError, InternalDisagreement: A metric fails, or two parts of axiomcheck contradict each other.

        """
        header = read_header(document)
        if not header.cells:
            raise InvalidInput("cells is empty; expected at least one cell")
        confirmed = []
        for number, entry in enumerate(header.cells):
            key = json.dumps([document["reading"], document["settings"], entry])
            if key not in self._right:
                self._right[key] = self._cell(entry, number, header)
            confirmed.append(self._right[key])
        _check_all_there(confirmed)
        check_tables(document, header.cells)
        return confirmed

    def _cell(self, entry: Any, number: int, header: Header) -> Confirmed:
        cell = read_cell(entry, header.reading, ("cells", number))
        axiom, said = find_axiom(cell.axiom), header.settings
        settings = Settings(said.seed, said.examples, said.exhaustive, said.proofs)
        if cell.few and not said.budget:
            raise InvalidInput(f"cells[{number}].evidence.few is not expected without a budget")
        reading = header.reading.reading
        try:
            if not cell.verdict.decided and cell.evidence is None and is_foreign(cell.metric):
                check_unclaimed(cell)
            else:
                check_cell(cell, axiom, self._metric(cell.metric), reading, settings)
        except InvalidInput as error:
            raise InvalidInput(f"cells[{number}].{error} (cell of {cell.metric} and {cell.axiom})") from None
        kind: str = "" if cell.witness is None else cell.witness.kind
        if isinstance(cell.witness, PairWitness) and kind == "reversal":
            kind = reversal_name(cell.witness)
        return Confirmed(cell.metric, cell.axiom, cell.verdict, kind or None, cell.certificate is not None)

    def _metric(self, name: str) -> Metric:
        if name not in self._metrics:
            try:
                metric = named_metric(name, self._named) or resolve_named(name)
            except InvalidInput as error:
                raise InvalidInput(f"metric: {error}") from None
            if metric.canonical != name:
                raise InvalidInput(f"metric is {name!r}; expected {metric.canonical!r}")
            self._metrics[name] = metric
        return self._metrics[name]


def _check_all_there(cells: list[Confirmed]) -> None:
    """Check that every metric has a cell for every axiom, ordered by metric.

    Raises:
        InvalidInput: A cell is missing or out of order.

    """
    metrics = list(dict.fromkeys(cell.metric for cell in cells))
    axioms = list(dict.fromkeys(cell.axiom for cell in cells))
    wanted = [(metric, axiom) for metric in metrics for axiom in axioms]
    for number, (metric, axiom) in enumerate(wanted):
        there = (cells[number].metric, cells[number].axiom) if number < len(cells) else None
        if there != (metric, axiom):
            what = "missing" if there is None else f"of {there[0]} and {there[1]}"
            raise InvalidInput(
                f"cells[{number}] is {what}; expected the cell of {metric} and {axiom}: every metric of a report needs "
                "a cell under each of its axioms, in order"
            )
