"""Cache decided cells in a ledger for later runs with the same code and packages, on any machine."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import msgspec

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.documents import convert, document_of
from axiomcheck.core.domain import Regime, assumes_small
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.core.verdict import Verdict
from axiomcheck.engine.external import SentCell, as_asked
from axiomcheck.engine.tasks import External, Task
from axiomcheck.ledger.file import LedgerFile
from axiomcheck.ledger.keys import key_of
from axiomcheck.metrics import Metric
from axiomcheck.processes.isolation import Limits, Workers
from axiomcheck.processes.limits import usable_cpus
from axiomcheck.records.cells import Cell
from axiomcheck.records.evidence import ThresholdEvidence
from axiomcheck.records.values import ReadingRecord
from axiomcheck.sources.dependencies import project_root
from axiomcheck.sources.fingerprint import Fingerprint, fingerprints
from axiomcheck.sources.names import Home, read_name
from axiomcheck.sources.provenance import is_genuine


class Memory:
    """Cache of decided cells that a run consults before it decides a cell. This base class stores nothing."""

    def before(self, task: Task, metric: Metric | External) -> Cell | None:
        """Return the cell that an earlier run of the task decided, or None."""
        return None

    def keep(self, task: Task, metric: Metric | External, cell: Cell) -> None:
        """Store the cell that a task decided for a metric, unless the result may differ next time."""


class Remembered(Memory):
    """Cache of cells in a ledger, with one entry per metric and axiom.

    An entry holds one answer for each number of examples, with and without proofs. Cells of metric objects outside the
    catalogue, and of axioms other than the built-in ten, are decided every time, because a name does not identify their
    code.

    Args:
        ledger: Ledger file, which the caller closes.
        known: Fingerprints of external metrics by name. Cells of other external metrics are decided every time. A cell
            is not stored if a file of the metric has changed since, as it may belong to either version.
        at_least: Whether an answer with more examples than requested may be used as well, if it is decided. It is at
            least as strong as the requested one.

    Attributes:
        errors: Errors of external metrics that could not be loaded or gave no score, by name.

    """

    errors: Mapping[str, InvalidInput | MetricError] = MappingProxyType({})

    def __init__(
        self, ledger: LedgerFile, known: Mapping[str, Fingerprint] | None = None, *, at_least: bool = False
    ) -> None:
        self._ledger, self.known, self._at_least = ledger, known or {}, at_least
        self.found = 0

    def before(self, task: Task, metric: Metric | External) -> Cell | None:
        """Return the cell of a task, or None if it is not stored or the entry is not a cell."""
        key = self._key(task, metric)
        if key is None:
            return None
        for answer in sorted(self._answers(key), key=lambda answer: answer.examples):
            if (cell := answer.cell_for(task, metric, self._at_least)) is not None:
                self.found += 1
                return cell
        return None

    def keep(self, task: Task, metric: Metric | External, cell: Cell) -> None:
        """Store a cell, unless it is an error, whose cause may be temporary."""
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
        """Return the answers stored under a key, or an empty list if their format is not the current one."""
        with suppress(msgspec.ValidationError):
            return convert(self._ledger.get(key) or [], list[_Answer])
        return []

    def _fingerprint(self, metric: Metric | External) -> Fingerprint | None:
        """Return an external metric's fingerprint, or None if the metric is an object or its cells cannot be cached."""
        return self.known.get(metric.canonical) if isinstance(metric, External) else None

    def _key(self, task: Task, metric: Metric | External) -> str | None:
        """Return the key of a task's cell for a metric, or None if the cell cannot be cached.

        Regimes with the same assumption about r << 1 for the axiom have the same key.
        """
        known = self._fingerprint(metric)
        if AXIOMS.get(task.axiom.name) is not task.axiom:
            return None
        if known is None and not (isinstance(metric, Metric) and is_genuine(metric)):
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
    """Stored cell, with the settings of its search.

    Args:
        examples, proofs: See `axiomcheck.decide.search.Settings`.
        regime: Regime in which the cell was decided.
        sent: Decided cell, in the format that isolated processes send.

    """

    examples: int
    proofs: bool
    regime: Regime
    sent: SentCell

    @property
    def tried(self) -> tuple[int, bool]:
        """Settings of the search: the number of examples and whether proofs were tried."""
        return self.examples, self.proofs

    def cell_for(self, task: Task, metric: Metric | External, at_least: bool) -> Cell | None:
        """Return the cell that deciding a task again would give, or None if the answer has different settings.

        For a task without proofs, the result is the cell before its proof.
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
        # The number of examples does not matter for whether an axiom applies, or for a threshold axiom.
        needs_none = cell.verdict is Verdict.NOT_APPLICABLE or isinstance(cell.evidence, ThresholdEvidence)
        more = at_least and self.examples > asked.examples and cell.verdict.decided
        if self.examples != asked.examples and (task.block or not (needs_none or more)):
            return None
        return cell.of_metric(metric.canonical).in_reading(ReadingRecord.of(task.reading))


def name_in_project(name: str) -> str:
    """Return the name of a metric, with the path of its file relative to the root of the file's project.

    The result thus does not depend on where the project is checked out or on the folder in which axiomcheck runs.
    """
    named = read_name(name)
    if named.home is not Home.FILE:
        return name
    path = Path(os.path.abspath(named.prefix))
    return f"{path.relative_to(project_root(path) or path.parent).as_posix()}:{named.name}"


def remembering(
    ledger: LedgerFile, metrics: Sequence[Metric | External], limits: Limits, workers: Workers | None = None
) -> Remembered:
    """Return the cache for a run, after loading its external metrics to learn which files and packages they depend on.

    Args:
        ledger: Ledger file, which the caller closes.
        metrics: Metrics of the run.
        limits: Limits on loading an external metric.
        workers: Workers that have loaded no metric yet; None starts new ones.

    """
    names = [metric.canonical for metric in metrics if isinstance(metric, External)]
    if not names:
        return Remembered(ledger)
    with nullcontext(workers) if workers else Workers(min(len(names), usable_cpus()), limits) as loading:
        known = fingerprints(names, loading)
    # Cells are stored only for metrics that can be loaded, and that depend on nothing outside their fingerprint.
    kept = {name: one for name, one in known.items() if isinstance(one, Fingerprint) and not one.unkept}
    memory = Remembered(ledger, kept)
    memory.errors = {name: one for name, one in known.items() if not isinstance(one, Fingerprint)}
    return memory
