"""Cache decided cells of catalogue metrics in a ledger for later runs with the same code, on any machine."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import msgspec

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.documents import convert, document_of
from axiomcheck.core.domain import Regime, assumes_small
from axiomcheck.core.errors import MetricError
from axiomcheck.core.verdict import Verdict
from axiomcheck.engine.external import SentCell, as_asked
from axiomcheck.engine.tasks import External, Task
from axiomcheck.ledger.file import LedgerFile
from axiomcheck.ledger.keys import key_of
from axiomcheck.metrics import Metric
from axiomcheck.records.cells import Cell
from axiomcheck.records.evidence import ThresholdEvidence
from axiomcheck.records.values import ReadingRecord
from axiomcheck.sources.names import catalogue_metric
from axiomcheck.sources.provenance import is_genuine


class Memory:
    """Cache of decided cells that a run consults before it decides a cell. This base class stores nothing.

    Attributes:
        found: Number of cells that were in the cache.

    """

    found = 0

    def before(self, task: Task, metric: Metric | External) -> Cell | None:
        """Return the cell that an earlier run of the task decided, or None."""
        return None

    def keep(self, task: Task, metric: Metric | External, cell: Cell) -> None:
        """Store the cell that a task decided for a metric, unless the result may differ next time."""


class Remembered(Memory):
    """Cache of cells in a ledger, with one entry per metric and axiom.

    An entry holds one answer for each number of examples, with and without proofs. Cells of metrics outside the
    catalogue, and of axioms other than the built-in ten, are decided every time, because no key covers everything that
    external code may depend on.

    Args:
        ledger: Ledger file, which the caller closes.
        at_least: Whether an answer with more examples than requested may be used as well, if it is decided. It is at
            least as strong as the requested one.

    """

    def __init__(self, ledger: LedgerFile, *, at_least: bool = False) -> None:
        self._ledger, self._at_least = ledger, at_least

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

    def _key(self, task: Task, metric: Metric | External) -> str | None:
        """Return the key of a task's cell for a metric, or None if the cell cannot be cached.

        Regimes with the same assumption about r << 1 for the axiom have the same key.
        """
        if not (isinstance(metric, Metric) and is_genuine(metric)) or AXIOMS.get(task.axiom.name) is not task.axiom:
            return None
        if catalogue_metric(metric.canonical) != metric:  # its label says nothing about its code
            return None
        return key_of(
            what="cell",
            metric=metric.canonical,
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
