"""Cells in a ledger: what was decided under the same circumstances is there, whoever decided it and wherever."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.domain import Regime, assumes_small
from axiomcheck.core.errors import MetricError
from axiomcheck.core.verdict import Verdict
from axiomcheck.engine.received import SentCell, as_asked
from axiomcheck.engine.tasks import Foreign, Task
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


class Remembered:
    """A `axiomcheck.engine.memory.Memory` of cells that are kept in a ledger, one entry per metric and axiom.

    An entry has an answer for every number of examples that was asked for. Metric objects that are not the catalogue's
    are not known by their names, nor are axioms that are not its ten: their cells are decided every time.

    Args:
        ledger: the file; the caller closes it.
        known: what foreign metrics' cells depend on besides their names, by name; metrics that are not there are
            decided every time. Once a file was changed, nobody knows of which content a cell is, and it is not kept.
        at_least: answers to more examples than were asked for count, if they are decided: what holds on more instances
            was not violated on fewer, and a violation that only more show is one.

    """

    def __init__(
        self, ledger: LedgerFile, known: Mapping[str, Fingerprint] | None = None, *, at_least: bool = False
    ) -> None:
        self._ledger, self.known, self._at_least = ledger, known or {}, at_least
        self._disbelieved: set[str] = set()
        self.found = 0

    def before(self, task: Task, metric: Metric | Foreign) -> Cell | None:
        """See `Memory`; None as well for what is there and is no cell."""
        key = self._key(task, metric)
        if key is None or key in self._disbelieved:
            return None
        answers = [answer for content in self._answers(key) if (answer := _Answer.read(content, task, metric))]
        fitting = [answer for answer in answers if answer.fits(task, self._at_least)]
        if not fitting:
            return None
        self.found += 1
        return min(fitting, key=lambda answer: answer.examples).asked(task)

    def keep(self, task: Task, metric: Metric | Foreign, cell: Cell) -> None:
        """See `Memory`: an error may have passing causes, and is not kept."""
        key = self._key(task, metric)
        if key is None or cell.verdict is Verdict.ERROR:
            return
        if isinstance(metric, Foreign) and not self.known[metric.canonical].is_current:
            return
        sent, settings = SentCell.of(cell), task.settings
        tried = {"examples": settings.examples, "proofs": settings.proofs, "further": settings.further}
        content = tried | {
            "regime": task.reading.regime.value,
            "cell": sent.document,
            "searched": sent.searched,
            "seconds": sent.seconds,
            "marks": base64.b64encode(sent.marks).decode(),
        }
        others = [other for other in self._answers(key) if any(other.get(name) != tried[name] for name in tried)]
        about = {"kind": "block" if task.block else "cell", "metric": cell.metric, "axiom": cell.axiom}
        about |= {"domain": task.reading.domain.value, "seed": str(settings.seed)}
        self._ledger.put(key, [*others, content], about=about | ({"block": str(task.block)} if task.block else {}))
        self._disbelieved.discard(key)

    def disbelieve(self, task: Task, metric: Metric | Foreign) -> None:
        """Have a cell decided again, since its counterexample is none any more."""
        if (key := self._key(task, metric)) is not None:
            self._disbelieved.add(key)
            self.found -= 1

    def _answers(self, key: str) -> list[dict[str, Any]]:
        """Return what is kept under a key; nothing of what has another form."""
        content = self._ledger.get(key)
        return [answer for answer in content if isinstance(answer, dict)] if isinstance(content, list) else []

    def _key(self, task: Task, metric: Metric | Foreign) -> str | None:
        """Return the key of a question; a regime decides by whether it assumes r << 1 of the axiom."""
        known = self.known.get(metric.canonical) if isinstance(metric, Foreign) else None
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


@dataclass(frozen=True)
class _Answer:
    """What came of a question, and how much was tried.

    Args:
        examples, proofs, further: see `axiomcheck.decide.search.Settings`.
        cell: in the reading that is asked for now.

    """

    examples: int
    proofs: bool
    further: bool
    cell: Cell

    @classmethod
    def read(cls, content: dict[str, Any], task: Task, metric: Metric | Foreign) -> _Answer | None:
        """Return an answer of a ledger; None of what is none."""
        try:
            marks = base64.b64decode(content["marks"], validate=True)
            sent = SentCell(content["cell"], tuple(content["seconds"]), marks, content["searched"])
            reading = replace(task.reading, regime=Regime(content["regime"]))
            if assumes_small(task.axiom, reading) is not assumes_small(task.axiom, task.reading):
                return None
            cell = as_asked(sent, content["cell"]["metric"], task.axiom.name, reading).of_metric(metric.canonical)
            tried = content["examples"], content["proofs"], content["further"]
        except (KeyError, TypeError, ValueError, binascii.Error, MetricError):
            return None
        if cell.verdict is Verdict.ERROR or tuple(map(type, tried)) != (int, bool, bool):
            return None
        return cls(*tried, cell)

    def fits(self, task: Task, at_least: bool) -> bool:
        """Return true if the answer is one to the question of a task."""
        asked, cell = task.settings, self.asked(task)
        if asked.proofs and not self.proofs:
            return False
        if asked.further and not self.further and cell.verdict is Verdict.REFUTED:
            return False
        if self.examples == asked.examples:
            return True
        if task.block:
            return False
        if cell.verdict is Verdict.NOT_APPLICABLE or isinstance(cell.evidence, ThresholdEvidence):
            return True  # which no example decides
        return at_least and self.examples > asked.examples and cell.verdict.decided

    def asked(self, task: Task) -> Cell:
        """Return the cell as the task would leave it: without a proof or further counterexamples if it wants none."""
        cell = self.cell if task.settings.proofs else self.cell.searched or self.cell
        cell = replace(cell, searched=None, further=cell.further if task.settings.further else None)
        return cell.in_reading(ReadingRecord.of(task.reading))


def name_in_project(name: str) -> str:
    """Return a metric's name with its file, if it has one, as the path from the root of the file's project.

    A project is found again wherever it is checked out, and from whatever folder it is asked for.
    """
    named = read_name(name)
    if named.home is not Home.FILE:
        return name
    path = Path(os.path.abspath(named.prefix))
    return f"{path.relative_to(project_root(path) or path.parent).as_posix()}:{named.name}"


def remembering(ledger: LedgerFile, metrics: Sequence[Metric | Foreign], limits: Limits) -> Remembered:
    """Return a memory for a run with those metrics, of which foreign ones are known by what they load and read.

    Args:
        ledger: the file; the caller closes it.
        metrics: of the run.
        limits: on loading a foreign metric.

    """
    names = [metric.canonical for metric in metrics if isinstance(metric, Foreign)]
    if not names:
        return Remembered(ledger)
    with Workers(min(len(names), usable_cpus()), limits) as workers:
        found = fingerprints(names, workers)
    # Those that can be loaded, and depend on nothing else.
    return Remembered(ledger, {n: one for n, one in found.items() if isinstance(one, Fingerprint) and not one.unkept})
