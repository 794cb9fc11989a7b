"""`axiomcheck.check`: decide which axioms one metric satisfies, and run its contract checks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from typing import Annotated, TypedDict, Unpack

from axiomcheck.api.asked import (
    AxiomLike,
    MetricLike,
    axioms_of,
    metric_of,
    nothing,
    processes,
    reference_of,
)
from axiomcheck.api.cells import WithCells
from axiomcheck.api.options import (
    Budget,
    Default,
    DomainName,
    Examples,
    Jobs,
    Memory,
    Option,
    Seed,
    Timeout,
    checked,
    deadline_of,
    limits_of,
    loading_limits,
    options_of,
    settings_of,
    with_options,
)
from axiomcheck.api.results import Rows, Writers
from axiomcheck.checks.contract import Outcome
from axiomcheck.checks.metric import Checked, Examined, check_metric
from axiomcheck.core.domain import Domain, Regime
from axiomcheck.core.errors import InvalidInput, check_flags
from axiomcheck.core.printable import shown
from axiomcheck.decide.budgets import AWAITED
from axiomcheck.engine.events import Interrupted, Listener
from axiomcheck.ledger.file import ledger_of_user
from axiomcheck.processes.limits import Deadline
from axiomcheck.records.cells import Cell
from axiomcheck.reports.check_report import check_page, check_report, programs_of
from axiomcheck.reports.table import Report
from axiomcheck.sources.resolve import axiom_of


@dataclass(frozen=True, repr=False)
class CheckResult(WithCells):
    """Result of checking one metric: its cells in every regime, its contract checks and its known definition.

    ``result["Red"]`` is the cell of Red in the stated regime, and ``result["Red", "finite"]`` in the finite regime.

    Args:
        checked: Row of cells in each regime, outcomes of contract checks, and the known definition.
        interrupted: True if Ctrl-C ended the work. In that case, only the row of the stated regime is available.

    """

    checked: Checked
    interrupted: bool = False

    @property
    def cells(self) -> Sequence[Cell]:
        """Cells of all regimes."""
        return self.checked.cells

    @property
    def contract(self) -> tuple[Outcome, ...]:
        """Outcomes of all contract checks."""
        return self.checked.tried.contract

    @property
    def failed(self) -> list[Outcome]:
        """Contract checks that failed or ended in an error."""
        return [outcome for outcome in self.contract if outcome.failing]

    def __getitem__(self, key: AxiomLike | tuple[AxiomLike, str]) -> Cell:  # type: ignore[override]
        if isinstance(key, tuple) and len(key) != 2:
            raise KeyError(f"expected result['Red'] or result['Red', 'finite'], got {shown(key)}")
        axiom, regime = key if isinstance(key, tuple) else (key, Regime.STATED)
        try:
            name = axiom_of(axiom).name
        except InvalidInput as error:
            raise KeyError(str(error)) from None
        for ledger in self.checked.ledgers:
            for cell in ledger.cells:
                if (ledger.regime, cell.axiom) == (str(regime), name):
                    return cell
        there = ", ".join(ledger.regime for ledger in self.checked.ledgers)
        raise KeyError(f"no cell for {name} in the regime {regime}; available regimes: {there}")

    def report(self) -> Report:
        """Return a report with the rows, their reasons, the contract checks and the metric's known definition."""
        return check_report(self.checked)

    def rows(self) -> Rows:
        """Return a row per regime and cell: the regime, and the values in the CSV report of a matrix."""
        columns, rows = super().rows()
        regimes = [ledger.regime for ledger in self.checked.ledgers for _ in ledger.cells]
        return ("regime", *columns), [[regime, *row] for regime, row in zip(regimes, rows, strict=True)]

    def writers(self) -> Writers:
        """Map ``json``, ``html`` and ``python`` to functions that return the result in that format."""
        return check_writers([self.checked])


def check_writers(found: Sequence[Checked]) -> Writers:
    """Map formats to functions that return checked metrics in them; ``python`` reproduces failed contract checks."""

    def json() -> str:
        from axiomcheck.reports.documents import check_json  # lazy: it imports many modules

        return check_json(found)

    return {"json": json, "python": lambda: programs_of(found), "html": lambda: check_page(found)}


class CheckOptions(TypedDict, total=False):
    """Options of ``axiomcheck check``."""

    domain: DomainName
    examples: Annotated[Examples, Default(AWAITED)]
    seed: Seed
    jobs: Jobs
    budget: Budget
    timeout: Timeout
    memory: Memory
    contract_only: Annotated[bool, Option("Run only the contract checks; do not decide any axioms.", False, bool)]
    reference: Annotated[
        MetricLike | None,
        Option("Reference metric, such as nDCG@10, whose scores the metric must match.", metavar="METRIC"),
    ]


def unused_by_contract(options: CheckOptions) -> list[str]:
    """Return the names of options that differ from their defaults, but do not matter if no axioms are decided."""
    known, given = options_of(CheckOptions), dict(options)
    return [name for name in ("domain", "examples") if given.get(name, known[name].default) != known[name].default]


@with_options(CheckOptions)
def check(
    metric: MetricLike,
    axioms: AxiomLike | Iterable[AxiomLike] | None = None,
    *,
    deadline: Deadline | None = None,
    ledger: bool = False,
    listen: Listener = nothing,
    **options: Unpack[CheckOptions],
) -> CheckResult:
    """Decide which axioms a metric satisfies in every regime, run its contract checks and find its known definition.

    This is what ``axiomcheck check`` does.

    Args:
        metric: Name, metric or function, such as one just defined in a notebook.
        axioms: Names or axioms. None means all ten.
        **options: see `Option`.
        deadline: Deadline to use instead of a budget if this call is part of a longer run.
        ledger: True to read cells of a catalogue metric from the user's ledger and store decided ones there, so that
            interrupted work can be resumed. It is not used in a run with a budget.
        listen: Callback for each event of `axiomcheck.engine.events`.

    Returns:
        The results. After Ctrl-C, they contain the cells of the stated regime that had been decided by then, and
        ``interrupted`` is True.

    Raises:
        InvalidInput: A metric, axiom or option is invalid; the message says which one, and what is expected.

    """
    asked = checked("check", CheckOptions, options, listen)
    check_flags("check", ledger=ledger)
    contract_only, reference = asked["contract_only"], asked["reference"]
    unused = (["the axioms"] if axioms is not None else []) + unused_by_contract(asked)
    if contract_only and unused:
        raise InvalidInput(f"contract_only does not decide axioms; omit contract_only or {unused[0]}")
    chosen, wanted = metric_of(metric), [] if contract_only else axioms_of(axioms, loading_limits(asked))
    other = reference_of(reference)
    limit = deadline or deadline_of(asked["budget"])
    file = ledger_of_user() if ledger and limit is None else None
    try:
        with nullcontext() if file is None else closing(file):
            domain, jobs = Domain(asked["domain"]), processes(asked["jobs"], [chosen, other])
            found = check_metric(
                *(chosen, wanted, domain, settings_of(asked), jobs, limits_of(asked), other, listen, limit, file)
            )
    except Interrupted as stop:
        return CheckResult(Checked(chosen.canonical, (stop.ledger,), Examined(())), interrupted=True)
    return CheckResult(found)
