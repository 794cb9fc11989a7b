"""Decide axioms on a grid of one metric's parameter settings, which share proofs and counterexamples.

A proof is shared with all settings that its certificate covers. A counterexample is shared with all settings under
whose exact scores it also violates the axiom. The engine decides the remaining settings together, as in a matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import groupby, product
from math import prod
from typing import Any, NoReturn

import numpy as np

from axiomcheck.axioms import Axiom, about_blocks
from axiomcheck.core.domain import Reading, assumes_small
from axiomcheck.core.errors import InternalDisagreement, InvalidInput, MetricError
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.batch import Batch, Pairs
from axiomcheck.decide.budgets import Settings
from axiomcheck.decide.comparison import signs
from axiomcheck.decide.witness import read_witness
from axiomcheck.engine.cells import cell_of
from axiomcheck.engine.events import Event, Interrupted, Progress
from axiomcheck.engine.memory import Memory
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import Stopped, run, run_matrix
from axiomcheck.engine.tasks import Plan, Question, not_applicable
from axiomcheck.metrics import Metric
from axiomcheck.proof.check.header import left_open, open_parameters
from axiomcheck.proof.proving import prove
from axiomcheck.records.cells import Cell
from axiomcheck.records.certificates import (
    Certificate,
    certified_verdict,
    proof_sentence,
)
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric
from axiomcheck.sources.provenance import is_genuine
from axiomcheck.studies.region.axes import CUTOFF, Axis
from axiomcheck.studies.region.result import INTERRUPTED, RegionCell, RegionFinding, RegionPart, SettingsGrid

_IN_VAIN = 3
"""Number of successive settings without a shared finding after which the other settings are decided together."""

Ranges = tuple[tuple[int, int], ...]
"""Indices of the first and the last value on each axis."""


def settings_of(metric: Metric, axes: Sequence[Axis]) -> list[Metric]:
    """Return a copy of the metric for every combination of axis values, with the last axis varying fastest.

    Raises:
        InvalidInput: The metric does not allow one of the combinations.

    """
    found = []
    for point in product(*(axis.values for axis in axes)):
        given: dict[str, Any] = dict(zip((axis.name for axis in axes), point, strict=True))
        cutoff = int(given.pop(CUTOFF)) if any(axis.cutoff for axis in axes) else metric.cutoff
        found.append(metric.remade(cutoff, metric.values | given))
    return found


def study_grid(
    metric: Metric,
    axes: Sequence[Axis],
    axioms: Sequence[Axiom],
    reading: Reading,
    settings: Settings,
    machine: Machine = Machine(),  # noqa: B008 - immutable
    memory: Memory = Memory(),  # noqa: B008 - immutable
    listen: Callable[[float, str], None] = lambda share, doing: None,
) -> list[tuple[RegionPart, SettingsGrid]]:
    """Decide, for each setting of a grid, which axioms a metric satisfies.

    If the code of a setting raises an exception, its verdict is an error. Other settings are not affected.

    Args:
        metric: Metric to study. Its own values for the varied parameters do not matter.
        axes: Axes, each with a number of values.
        axioms: Axioms in report order.
        reading: Regime and domain.
        settings: Seed and budgets.
        machine: Processes that decide the settings without a shared finding.
        memory: Cache of decided cells.
        listen: Callback for the share of the work that is done and the axiom in progress.

    Returns:
        For each axiom, boxes of settings with the same verdict, and the grid. If the user interrupts the work, the
        remaining settings are undecided.

    Raises:
        InvalidInput: The metric does not allow a setting.
        InternalDisagreement: Two parts of axiomcheck contradict each other.
        OverLimit: A worker was killed.

    """
    metrics = settings_of(metric, axes)
    columns = [_Column(axiom, metrics, reading, settings, memory) for axiom in axioms]
    try:
        for number, column in enumerate(columns):
            listen(number / (len(columns) + 1), column.axiom.name)
            column.share_findings()

        def heard(event: Event) -> None:
            if isinstance(event, Progress):
                listen((len(columns) + event.share) / (len(columns) + 1), event.doing)

        _decide_rest(columns, Plan(tuple(q for column in columns for q in column.questions), settings), machine, heard)
    except (KeyboardInterrupt, Interrupted, Stopped):
        for column in columns:
            column.leave_open()
    return [(_boxes(column.grid, axes), column.grid) for column in columns]


def _decide_rest(columns: Sequence[_Column], plan: Plan, machine: Machine, listen: Callable[[Event], None]) -> None:
    """Decide, in one run, all settings that have no finding yet. Decided cells are kept if the run is interrupted."""
    stopped: Stopped | None = None
    try:
        cells = run(plan, machine, columns[0].memory, listen)
    except Stopped as stop:
        stopped, cells = stop, stop.cells
    rest = iter(cells)
    for column in columns:
        for number in column.open:
            cell = next(rest)
            if stopped is None or cell.verdict.decided:
                column.add(number, cell, [])
    if stopped is not None:
        raise stopped


class _Column:
    """Findings for all grid settings of a metric on one axiom, filled in as settings are decided."""

    def __init__(
        self, axiom: Axiom, metrics: Sequence[Metric], reading: Reading, settings: Settings, memory: Memory
    ) -> None:
        self.axiom, self.metrics, self.reading, self.settings = axiom, metrics, reading, settings
        self.memory = memory
        self.small = assumes_small(axiom, reading)
        self.findings: list[RegionFinding] = []
        self.by = np.full(len(metrics), -1)

    @property
    def open(self) -> list[int]:
        """Indices of the settings that have no finding yet."""
        return np.flatnonzero(self.by < 0).tolist()

    @property
    def questions(self) -> list[Question]:
        """Cells to decide, one for each setting that has no finding yet."""
        return [Question(self.metrics[number], self.axiom, self.reading) for number in self.open]

    @property
    def grid(self) -> SettingsGrid:
        """Grid with the findings so far."""
        return SettingsGrid(tuple(metric.canonical for metric in self.metrics), tuple(self.findings), self.by)

    def share_findings(self) -> None:
        """Decide settings one by one, and share each finding with the settings that it covers.

        After `_IN_VAIN` findings in a row that cover no other setting, the rest of the settings with that cutoff is
        left open.
        """
        for number, metric in enumerate(self.metrics):
            if why_not := not_applicable(metric, self.axiom, self.small):
                self.add(number, cell_of(metric, self.axiom, Verdict.NOT_APPLICABLE, why_not), [])
        if about_blocks(self.axiom) and self.settings.proofs and is_genuine(self.metrics[0]):
            self._share_proofs()  # not for a user's code: its scores may contradict a proof, so they are needed too
        cutoffs = [metric.cutoff or 0 for metric in self.metrics]
        by_cutoff = sorted(range(len(self.metrics)), key=cutoffs.__getitem__)
        for _, group in groupby(by_cutoff, key=cutoffs.__getitem__):
            numbers, vain = list(group), 0
            while len(left := [k for k in numbers if self.by[k] < 0]) > 1 and vain < _IN_VAIN:
                number = left[len(left) // 2]
                vain = 0 if self.add(number, self._cell_of(number), [k for k in left if k != number]) else vain + 1

    def _share_proofs(self) -> None:
        """Prove a threshold axiom for as many settings as possible. Each proof is shared with all settings it covers.

        Only the middle, the first and the last setting are decided completely here, because that also tries every n,
        which takes much longer than a proof. Settings without a proof are decided completely later.
        """
        whole, unproved = (len(self.metrics) // 2, 0, len(self.metrics) - 1), set[int]()
        while left := [k for k in self.open if k not in unproved]:
            number = next((k for k in whole if k in left), left[len(left) // 2])
            metric, others = self.metrics[number], [k for k in left if k != number]
            if number in whole:
                self.add(number, self._cell_of(number), others)
            elif proof := prove(self.axiom, metric, self.reading):
                finding = RegionFinding(proof.verdict, proof_sentence(proof.certificate), metric.canonical)
                self._book(finding, [number, *self._covered(proof.certificate, number, others)])
            else:
                unproved.add(number)

    def _cell_of(self, number: int) -> Cell:
        """Decide one setting in this process, or load its cell from the cache."""
        asked = [self.metrics[number]], [self.axiom], self.reading, self.settings
        return run_matrix(*asked, memory=self.memory).cells[0]

    def add(self, number: int, cell: Cell, others: Sequence[int]) -> bool:
        """Record a setting's cell, and share its finding with those of ``others`` that its proof or witness decides.

        A shared finding has a shorter reason, because the first n and the number of instances are specific to one
        setting. Return True if the finding was shared.
        """
        metric, reached, shared = self.metrics[number], list[int](), ""
        if cell.certificate is not None and certified_verdict(cell.certificate) is cell.verdict:
            reached, shared = self._covered(cell.certificate, number, others), proof_sentence(cell.certificate)
        elif isinstance(cell.witness, PairWitness) and cell.verdict is Verdict.REFUTED and self._exact(metric):
            reached = self._refuted(read_witness(cell.witness, metric).batch, others)
            shared = f"a {cell.witness.kind}"
        reason = shared if reached else cell.reason
        finding = RegionFinding(cell.verdict, reason, cell.metric, cell.witness, cell.contradicts_axiomcheck)
        self._book(finding, [number, *reached])
        return bool(reached)

    def leave_open(self) -> None:
        """Record that the settings without a finding are undecided because the work was interrupted."""
        if left := self.open:
            self._book(RegionFinding(Verdict.UNDECIDED, INTERRUPTED, self.metrics[left[0]].canonical), left)

    def _exact(self, metric: Metric) -> bool:
        """Return True if a metric can score rankings in exact arithmetic."""
        return not metric.numerical(self.small) and not metric.partial

    def _refuted(self, instance: Batch, numbers: Sequence[int]) -> list[int]:
        """Return those of the given settings whose exact scores for an instance violate the axiom."""
        refuting = {-1, 0} if instance.axiom.strict else {-1}
        parts = [Pairs.of(part) for part in instance.comparisons]
        found = []
        for k in numbers:
            with suppress(MetricError):  # the setting's own cell reports it
                if self._exact(self.metrics[k]) and any(signs(self.metrics[k], one)[0] in refuting for one in parts):
                    found.append(k)
        return found

    def _covered(self, certificate: Certificate, number: int, others: Sequence[int]) -> list[int]:
        """Return those of ``others`` that a setting's proof covers, after checking that nothing contradicts the proof.

        For comparison, the first and the last of these settings are proved separately. A bounded proof covers no other
        settings, because part of its claim depends on the search for each setting.
        """
        claimed, metric = certified_verdict(certificate), self.metrics[number]
        if claimed is Verdict.BOUNDED:
            return []
        reached = [k for k in others if covers_setting(certificate, metric, self.metrics[k])]
        for k in sorted({*reached[:1], *reached[-1:]}):
            again = prove(self.axiom, self.metrics[k], self.reading)
            if again is None or again.verdict is not claimed:
                self._contradicted(metric, k, f"another proof for that setting gives {again and again.verdict}")
        for k in np.flatnonzero(self.by >= 0).tolist():
            known = self.findings[self.by[k]].verdict
            against = known in (Verdict.REFUTED, Verdict.PROVED) and known is not claimed
            if against and covers_setting(certificate, metric, self.metrics[k]):
                self._contradicted(metric, k, f"that setting is {known}")
        return reached

    def _contradicted(self, metric: Metric, number: int, how: str) -> NoReturn:
        raise InternalDisagreement(
            f"a proof of {self.axiom} for {metric} also covers {self.metrics[number]}, but {how}"
        )

    def _book(self, finding: RegionFinding, numbers: Iterable[int]) -> None:
        self.by[list(numbers)] = len(self.findings)
        self.findings.append(finding)


def covers_setting(certificate: Certificate, metric: Metric, other: Metric) -> bool:
    """Return True if a certificate for one setting covers another setting of the same metric.

    It does if the settings differ only in parameters that the certificate leaves open, with values inside their ranges.
    The endpoints of a range are not covered.

    Args:
        certificate: Checked certificate.
        metric: Setting that the certificate applies to.
        other: Other setting.

    """
    names = left_open(certificate)
    if type(metric) is not type(other) or metric.cutoff != other.cutoff:
        return False
    if any(other.values[name] != value for name, value in metric.values.items() if name not in names):
        return False
    if isinstance(metric, FunctionMetric | CallableMetric):
        from axiomcheck.derivation.derive import derive, is_fold_at, open_names  # lazy, as in decide.py

        found = derive(metric, names).metric if names else None
        return found is not None and set(names) <= set(open_names(other)) and is_fold_at(found, other)
    try:
        open_parameters(other, names, "parameters")
    except InvalidInput:
        return False
    return True


def _boxes(grid: SettingsGrid, axes: Sequence[Axis]) -> RegionPart:
    """Return boxes of neighbouring settings with the same verdict, which together fill the grid."""
    shape = [len(axis.values) for axis in axes]
    cells = []
    for ranges, _ in boxes_of([grid.findings[number].verdict for number in grid.by], shape):
        sides = tuple(
            (axis.name, axis.values[low], axis.values[high]) for axis, (low, high) in zip(axes, ranges, strict=True)
        )
        first = int(np.ravel_multi_index([low for low, _ in ranges], shape))
        cells.append(RegionCell(sides, grid.finding(first), prod(high - low + 1 for low, high in ranges)))
    return RegionPart(None, (), tuple(cells))


def boxes_of(verdicts: Sequence[Verdict], shape: Sequence[int]) -> list[tuple[Ranges, Verdict]]:
    """Partition a grid into boxes of settings with equal verdicts.

    A box extends along the first axis as long as the boxes over the other axes stay the same.

    Args:
        verdicts: Verdict of every setting, with the last axis varying fastest.
        shape: Number of values on each axis.

    """
    if not shape:
        return [((), verdicts[0])]
    step = prod(shape[1:])
    across = [boxes_of(verdicts[k : k + step], shape[1:]) for k in range(0, len(verdicts), step)]
    found: list[tuple[Ranges, Verdict]] = []
    for boxes, group in groupby(enumerate(across), key=lambda pair: pair[1]):
        same = [number for number, _ in group]
        found += [(((same[0], same[-1]), *ranges), verdict) for ranges, verdict in boxes]
    return found
