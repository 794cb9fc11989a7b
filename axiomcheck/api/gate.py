"""`axiomcheck.gate`: compare metrics with the verdicts recorded in a contract."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypedDict, Unpack

from axiomcheck.api.asked import nothing
from axiomcheck.api.cells import WithCells
from axiomcheck.api.options import Budget, Jobs, checked, deadline_of, with_options
from axiomcheck.api.results import Rows, Writers
from axiomcheck.core.errors import check_flags
from axiomcheck.core.writing import path_of
from axiomcheck.gating.config import Contract, load_contract
from axiomcheck.gating.judge import Judged, JudgedCheck
from axiomcheck.gating.run import GateResult, Listener, run_gate
from axiomcheck.processes.limits import usable_cpus
from axiomcheck.records.cells import Cell
from axiomcheck.reports.gate_files import GATE_FILES
from axiomcheck.reports.gate_report import gate_report
from axiomcheck.reports.table import Report


@dataclass(frozen=True, repr=False)
class ContractResult(WithCells):
    """Result of comparing metrics with a contract.

    Args:
        held: Result of the gate, with all compared cells and contract checks.

    """

    held: GateResult

    @property
    def interrupted(self) -> bool:  # type: ignore[override]
        """True if Ctrl-C ended the work before every cell and check had been compared."""
        return self.held.interrupted

    @property
    def cells(self) -> Sequence[Cell]:
        """Cells that have a verdict."""
        return [judged.cell for judged in self.held.cells if judged.cell is not None]

    @property
    def passed(self) -> bool:
        """True if every cell and check was compared and is as expected."""
        return self.held.exit_code == 0

    @property
    def broken(self) -> list[Judged | JudgedCheck]:
        """Cells and checks that are not as expected."""
        return self.held.broken

    def report(self) -> Report:
        """Return a report on the expected and the unexpected results, grouped by metric."""
        return gate_report(self.held)

    def rows(self) -> Rows:
        """Return a row per cell and per contract check."""
        return ("metric", "asked", "status", "message"), [
            (judged.metric, judged.asked, str(judged.status), judged.message) for judged in self.held.judged
        ]

    def writers(self) -> Writers:
        """Map JSON and the formats for CI servers and code hosts to functions that return the result in them."""
        return {form: partial(writer, self.held) for form, writer in GATE_FILES.items()}


class GateOptions(TypedDict, total=False):
    """Options of ``axiomcheck gate``."""

    jobs: Jobs
    budget: Budget


@with_options(GateOptions)
def gate(
    contract: str | Path | Contract | None = None,
    *,
    cache: bool = True,
    listen: Listener = nothing,
    **options: Unpack[GateOptions],
) -> ContractResult:
    """Compare metrics with the verdicts recorded in a contract file, without changing the file.

    This is what ``axiomcheck gate`` does.

    Args:
        contract: File, or contract from `axiomcheck.gating.config.load_contract`; None means axiomcheck.toml in
            the working directory, or [tool.axiomcheck] in pyproject.toml.
        cache: True to reuse the cells of catalogue metrics that earlier runs decided.
        **options: see `Option`.
        listen: Callback for each event.

    Raises:
        InvalidInput: There is no contract, or it cannot be read. The message gives the position of the error.

    """
    asked = checked("gate", GateOptions, options, listen)
    check_flags("gate", cache=cache)
    deadline = deadline_of(asked["budget"])
    if not isinstance(contract, Contract):
        contract = load_contract(None if contract is None else path_of(contract, "gate"))
    return ContractResult(run_gate(contract, asked["jobs"] or usable_cpus(), cache, listen, deadline))
