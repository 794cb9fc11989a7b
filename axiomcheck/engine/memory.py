"""Cells that were decided before under the same circumstances, whoever decided them and wherever."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import msgspec

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Regime, assumes_small
from axiomcheck.core.errors import MetricError
from axiomcheck.core.verdict import Verdict
from axiomcheck.engine.external import SentCell, as_asked
from axiomcheck.engine.tasks import External, Task
from axiomcheck.ledger import LedgerFile, key_of
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Limits, Workers
from axiomcheck.processes.workers import usable_cpus
from axiomcheck.records.cells import Cell
from axiomcheck.records.evidence import ThresholdEvidence
from axiomcheck.records.values import ReadingRecord
from axiomcheck.sources.dependencies import project_root
from axiomcheck.sources.fingerprint import Fingerprint, fingerprints
from axiomcheck.sources.names import Home, read_name
from axiomcheck.sources.provenance import runs_catalogue_code


class Memory:
    """Cells by the task that they are of, and the metric; by itself it remembers none."""

    def before(self, task: Task, metric: Metric | External) -> Cell | None:
        """Return the cell as that task left it before; None where that is not known."""
        return None

    def keep(self, task: Task, metric: Metric | External, cell: Cell) -> None:
        """Keep a cell as that task left it, unless it may come out otherwise next time."""


class Remembered(Memory):
    """Cells that are kept in a ledger, one entry per metric and axiom.

    An entry has an answer for every number of examples that was asked for. Metric objects that are not the catalogue's
    are not known by their names, nor are axioms that are not its ten: their cells are decided every time.

    Args:
        ledger: the file; the caller closes it.
        known: what external metrics' cells depend on besides their names, by name; metrics that are not there are
            decided every time. Once a file was changed, nobody knows of which content a cell is, and it is not kept.
        at_least: answers to more examples than were asked for count, if they are decided: what holds on more instances
            was not violated on fewer, and a violation that only more show is one.

    """

    def __init__(
        self, ledger: LedgerFile, known: Mapping[str, Fingerprint] | None = None, *, at_least: bool = False
    ) -> None:
        self._ledger, self.known, self._at_least = ledger, known or {}, at_least
        self.found = 0

    def before(self, task: Task, metric: Metric | External) -> Cell | None:
        """Return the cell of a task; None as well for what is there and is no cell."""
        key = self._key(task, metric)
        if key is None:
            return None
        for answer in sorted(self._answers(key), key=lambda answer: answer.examples):
            if (cell := answer.cell_for(task, metric, self._at_least)) is not None:
                self.found += 1
                return cell
        return None

    def keep(self, task: Task, metric: Metric | External, cell: Cell) -> None:
        """Keep a cell, unless it is an error, which may have passing causes."""
        key = self._key(task, metric)
        if key is None or cell.verdict is Verdict.ERROR:
            return
        if (known := self._fingerprint(metric)) is not None and not known.is_current:
            return
        settings, sent = task.settings, SentCell.of(cell)
        kept = _Answer(settings.examples, settings.proofs, task.reading.regime, sent)
        others = [other for other in self._answers(key) if other.tried != kept.tried]
        about = {"kind": "block" if task.block else "cell", "metric": cell.metric, "axiom": cell.axiom}
        about |= {"domain": task.reading.domain.value, "seed": str(settings.seed)}
        about |= {"block": str(task.block)} if task.block else {}
        self._ledger.put(key, [document_of(answer) for answer in (*others, kept)], about=about)

    def _answers(self, key: str) -> list[_Answer]:
        """Return what is kept under a key; nothing of what has another form."""
        with suppress(msgspec.ValidationError):
            return msgspec.convert(self._ledger.get(key) or [], list[_Answer])
        return []

    def _fingerprint(self, metric: Metric | External) -> Fingerprint | None:
        """Return the fingerprint of an external metric that can be remembered; None of objects."""
        return self.known.get(metric.canonical) if isinstance(metric, External) else None

    def _key(self, task: Task, metric: Metric | External) -> str | None:
        """Return the key of a question; a regime decides by whether it assumes r << 1 of the axiom."""
        known = self._fingerprint(metric)
        if AXIOMS.get(task.axiom.name) is not task.axiom:
            return None
        if known is None and not (isinstance(metric, Metric) and runs_catalogue_code(metric)):
            return None
        return key_of(
            what="cell",
            metric=name_in_project(metric.canonical),
            known=None if known is None else known.key,
            axiom=task.axiom.name,
            small=assumes_small(task.axiom, task.reading),
            domain=task.reading.domain.value,
            seed=task.settings.seed,
            exhaustive=task.settings.exhaustive,
            block=task.block,
        )


class _Answer(msgspec.Struct, frozen=True):
    """The answer to a question, and how much was tried.

    Args:
        examples, proofs: see `axiomcheck.decide.search.Settings`.
        regime: in which it was asked.

    """

    examples: int
    proofs: bool
    regime: Regime
    sent: SentCell

    @property
    def tried(self) -> tuple[int, bool]:
        """Return how much was tried."""
        return self.examples, self.proofs

    def cell_for(self, task: Task, metric: Metric | External, at_least: bool) -> Cell | None:
        """Return the cell as a task would leave it; None where it is no answer to that.

        A task without proofs has a cell without one.
        """
        asked, reading = task.settings, replace(task.reading, regime=self.regime)
        try:
            cell = as_asked(self.sent, str(self.sent.document["metric"]), task.axiom.name, reading)
        except (KeyError, MetricError):
            return None
        cell = cell if asked.proofs else cell.searched or cell
        cell = replace(cell, searched=None)
        if cell.verdict is Verdict.ERROR or (asked.proofs and not self.proofs):
            return None
        # No example decides whether an axiom applies, or is violated by long blocks.
        needs_none = cell.verdict is Verdict.NOT_APPLICABLE or isinstance(cell.evidence, ThresholdEvidence)
        more = at_least and self.examples > asked.examples and cell.verdict.decided
        if self.examples != asked.examples and (task.block or not (needs_none or more)):
            return None
        return cell.of_metric(metric.canonical).in_reading(ReadingRecord.of(task.reading))


def name_in_project(name: str) -> str:
    """Return a metric's name with its file, if it has one, as the path from the root of the file's project.

    A project is found again wherever it is checked out, and from whatever folder it is asked for.
    """
    named = read_name(name)
    if named.home is not Home.FILE:
        return name
    path = Path(os.path.abspath(named.prefix))
    return f"{path.relative_to(project_root(path) or path.parent).as_posix()}:{named.name}"


def remembering(ledger: LedgerFile, metrics: Sequence[Metric | External], limits: Limits) -> Remembered:
    """Return a memory for a run with those metrics, of which external ones are known by what they load and read.

    Args:
        ledger: the file; the caller closes it.
        metrics: of the run.
        limits: on loading a external metric.

    """
    names = [metric.canonical for metric in metrics if isinstance(metric, External)]
    if not names:
        return Remembered(ledger)
    with Workers(min(len(names), usable_cpus()), limits) as workers:
        known = fingerprints(names, workers)
    # Those that can be loaded, and depend on nothing else.
    kept = {name: one for name, one in known.items() if isinstance(one, Fingerprint) and not one.unkept}
    return Remembered(ledger, kept)
