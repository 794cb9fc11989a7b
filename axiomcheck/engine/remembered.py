"""Cells in a ledger: what was decided under the same circumstances is there, whoever decided it and wherever."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.domain import Reading
from axiomcheck.core.errors import MetricError
from axiomcheck.core.verdict import Verdict
from axiomcheck.engine.received import SentCell, as_asked
from axiomcheck.engine.tasks import Foreign, Task
from axiomcheck.ledger import LedgerFile, key_of
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Limits, Workers
from axiomcheck.processes.workers import usable_cpus
from axiomcheck.records.cells import Cell
from axiomcheck.sources.fingerprint import Fingerprint, fingerprints
from axiomcheck.sources.provenance import runs_catalogue_code


class Remembered:
    """A `axiomcheck.engine.memory.Memory` of cells that are kept in a ledger.

    Metric objects that are not the catalogue's are not known by their names, nor are axioms that are not its ten: their
    cells are decided every time.

    Args:
        ledger: the file; the caller closes it.
        known: what foreign metrics' cells depend on besides their names, by name; metrics that are not there are
            decided every time. Once a file was changed, nobody knows of which content a cell is, and it is not kept.

    """

    def __init__(self, ledger: LedgerFile, known: Mapping[str, Fingerprint] | None = None) -> None:
        self._ledger, self._known = ledger, known or {}
        self.found = 0

    def before(self, task: Task, metric: Metric | Foreign) -> Cell | None:
        """See `Memory`; None as well for what is there and is no cell."""
        key = self._key(task, metric)
        content = None if key is None else self._ledger.get(key)
        cell = None if content is None else _cell(content, metric.canonical, task.axiom.name, task.reading)
        self.found += cell is not None
        return cell

    def keep(self, task: Task, metric: Metric | Foreign, cell: Cell) -> None:
        """See `Memory`: an error may have passing causes, and is not kept."""
        key = self._key(task, metric)
        if key is None or cell.verdict is Verdict.ERROR:
            return
        if isinstance(metric, Foreign) and not self._known[metric.canonical].is_current:
            return
        sent = SentCell.of(cell)
        content = {"cell": sent.document, "seconds": sent.seconds, "marks": base64.b64encode(sent.marks).decode()}
        about = {"kind": "block" if task.block else "cell", "metric": cell.metric, "axiom": cell.axiom}
        reading = {"regime": task.reading.regime.value, "domain": task.reading.domain.value}
        tried = {"seed": str(task.settings.seed), "examples": str(task.settings.examples)}
        block = {"block": str(task.block)} if task.block else {}
        self._ledger.put(key, content, about=about | reading | tried | block)

    def _key(self, task: Task, metric: Metric | Foreign) -> str | None:
        known = self._known.get(metric.canonical) if isinstance(metric, Foreign) else None
        if AXIOMS.get(task.axiom.name) is not task.axiom:
            return None
        if known is None and not (isinstance(metric, Metric) and runs_catalogue_code(metric)):
            return None
        return key_of(
            what="cell",
            metric=metric.canonical,
            known=None if known is None else known.key,
            axiom=task.axiom.name,
            reading=asdict(task.reading),
            settings=asdict(task.settings),
            block=task.block,
        )


@contextmanager
def remembering(ledger: LedgerFile, metrics: Sequence[Metric | Foreign], limits: Limits) -> Iterator[Remembered]:
    """A memory for a run with those metrics, of which foreign ones are known by what they load and read.

    Args:
        ledger: the file; the caller closes it.
        metrics: of the run.
        limits: on loading a foreign metric.

    """
    names = [metric.canonical for metric in metrics if isinstance(metric, Foreign)]
    if not names:
        yield Remembered(ledger)
        return
    with Workers(min(len(names), usable_cpus()), limits) as workers:
        found = fingerprints(names, workers)
    # Those that can be loaded, and depend on nothing else.
    known = {name: one for name, one in found.items() if isinstance(one, Fingerprint) and not one.unkept}
    yield Remembered(ledger, known)


def _cell(content: Any, metric: str, axiom: str, reading: Reading) -> Cell | None:
    try:
        marks = base64.b64decode(content["marks"], validate=True)
        sent = SentCell(content["cell"], tuple(content["seconds"]), marks)
        cell = as_asked(sent, metric, axiom, reading)
    except (KeyError, TypeError, ValueError, binascii.Error, MetricError):
        return None
    return None if cell.verdict is Verdict.ERROR else cell
