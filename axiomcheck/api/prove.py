"""`axiomcheck.prove`: decide whether a metric satisfies an axiom, and return a proof or a counterexample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, TypedDict, Unpack

from axiomcheck.api.asked import AxiomLike, MetricLike, cell_named, metric_of, nothing
from axiomcheck.api.cells import WithCells
from axiomcheck.api.options import (
    Default,
    DomainName,
    Examples,
    Memory,
    RegimeName,
    Seed,
    Timeout,
    checked,
    limits_of,
    loading_limits,
    reading_of,
    settings_of,
    with_options,
)
from axiomcheck.api.results import Writers
from axiomcheck.axioms import find_axiom
from axiomcheck.core.documents import document_of
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.writing import json_text
from axiomcheck.decide.budgets import AWAITED
from axiomcheck.engine.events import Interrupted, Listener
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import run_matrix
from axiomcheck.metrics import Metric
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.records.certificates import Certificate
from axiomcheck.records.witnesses import AnyWitness
from axiomcheck.reports.proof_report import proof_report
from axiomcheck.reports.table import Report
from axiomcheck.sources.names import External
from axiomcheck.sources.resolve import resolve


@dataclass(frozen=True, repr=False)
class ProofResult(WithCells):
    """Result for one metric and one axiom.

    Args:
        ledger: The single cell with its reading and settings.
        interrupted: True if Ctrl-C ended the work.
        metric: Metric of the cell.

    """

    ledger: Ledger
    interrupted: bool = False
    metric: Metric | External | None = field(default=None, compare=False)

    @property
    def cells(self) -> Sequence[Cell]:
        """The single cell, in a one-element sequence."""
        return self.ledger.cells

    @property
    def cell(self) -> Cell:
        """The single cell."""
        return self.ledger.cells[0]

    @property
    def verdict(self) -> str:
        """Verdict on the axiom."""
        return self.cell.verdict

    @property
    def certificate(self) -> Certificate | None:
        """Checked proof, or None if no proof was found."""
        return self.cell.certificate

    @property
    def witness(self) -> AnyWitness | None:
        """Counterexample, or None if none was found."""
        return self.cell.witness

    def report(self) -> Report:
        """Return a report on the verdict and its reason."""
        return proof_report(self.cell, show=False)

    def writers(self) -> Writers:
        """Map ``json`` to a function that returns the certificate or witness, and ``smt2`` to `smt2`."""
        return {"json": self._evidence, "smt2": self.smt2}

    def smt2(self) -> str:
        """Return the proof obligations in SMT-LIB 2. A solver answers "unsat" to each obligation that holds.

        Raises:
            InvalidInput: There is no proof, or an external metric cannot be loaded here.

        """
        from axiomcheck.proof.smt import obligations_of, smt_text

        cell = self.cell
        if cell.certificate is None:
            raise InvalidInput(f"only a proof has obligations, but {cell.metric} on {cell.axiom} is {cell.verdict}")
        metric = self.metric if isinstance(self.metric, Metric) else resolve(cell.metric)
        axiom = find_axiom(cell.axiom)
        return smt_text(obligations_of(cell.certificate, metric, axiom))

    def _evidence(self) -> str:
        evidence = self.certificate or self.witness
        if evidence is None:
            cell = self.cell
            raise InvalidInput(
                f"there is neither a certificate nor a witness to write, because {cell.metric} on {cell.axiom} is "
                f"{cell.verdict}"
            )
        return json_text(document_of(evidence))


class ProveOptions(TypedDict, total=False):
    """Options of ``axiomcheck prove``, and limits on external metrics."""

    regime: RegimeName
    domain: DomainName
    examples: Annotated[Examples, Default(AWAITED)]
    seed: Seed
    timeout: Timeout
    memory: Memory


@with_options(ProveOptions)
def prove(
    metric: MetricLike,
    axiom: AxiomLike,
    *,
    listen: Listener = nothing,
    **options: Unpack[ProveOptions],
) -> ProofResult:
    """Try to prove that a metric satisfies an axiom, check the proof, and search for counterexamples.

    Args:
        metric: Name, metric or function.
        axiom: Name or axiom.
        **options: see `Option`.
        listen: Callback for each event of `axiomcheck.engine.events`.

    Returns:
        The cell with its certificate or witness. After Ctrl-C, the cell is undecided and ``interrupted`` is True.

    Raises:
        InvalidInput: A metric, axiom or option is invalid; the message says which one, and what is expected.

    """
    asked = checked("prove", ProveOptions, options, listen)
    chosen, wanted = cell_named(metric, axiom, metric_of, loading_limits(asked))
    try:
        machine = Machine(limits=limits_of(asked))
        ledger = run_matrix([chosen], [wanted], reading_of(asked), settings_of(asked), machine, listen=listen)
    except Interrupted as stop:
        return ProofResult(stop.ledger, interrupted=True, metric=chosen)
    return ProofResult(ledger, metric=chosen)
