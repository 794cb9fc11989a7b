"""Run the gate: judge every cell and contract check of the metrics in a contract."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import TypeAlias

from axiomcheck.axioms import AXIOMS
from axiomcheck.checks.contract import Outcome
from axiomcheck.core.errors import InvalidInput, MetricError
from axiomcheck.engine.events import Event, Progress, within
from axiomcheck.engine.memory import Memory, Remembered
from axiomcheck.engine.run import Stopped
from axiomcheck.engine.tasks import Deadline, External
from axiomcheck.gating.config import Contract, Expectation, MetricContract, locate
from axiomcheck.gating.judge import (
    CellFound,
    CellSearch,
    Judged,
    JudgedCheck,
    check_outcomes,
    compare_cell,
    compare_check,
    find_cells,
)
from axiomcheck.ledger.file import LedgerFile, ledger_of_user
from axiomcheck.metrics import Metric, parse
from axiomcheck.processes.isolation import TimedOut, Workers
from axiomcheck.sources.fingerprint import Fingerprint, fingerprint_of_own, fingerprints
from axiomcheck.sources.names import is_foreign


@dataclass(frozen=True)
class Settled:
    """Emitted when a cell or a contract check has been judged."""

    judged: Judged | JudgedCheck


GateEvent: TypeAlias = Event | Settled
Listener: TypeAlias = Callable[[GateEvent], None]
_LOADING = 2.0
"""Time, in seconds, that a new worker takes to start and to end."""

_Known: TypeAlias = Fingerprint | InvalidInput | MetricError


@dataclass(frozen=True)
class GateResult:
    """Result of a run of the gate.

    Args:
        contract: Contract that the metrics were compared with.
        cells: Judged cells in the order of the contract.
        checks: Judged contract checks in the order of the contract.
        fingerprints: Fingerprints of metrics and references by name.
        cached: Number of judged cells that were loaded from the cache.
        interrupted: True if the run ended before every cell and check was judged.
        budget: Time limit in seconds; None if there was none.

    """

    contract: Contract
    cells: tuple[Judged, ...]
    checks: tuple[JudgedCheck, ...]
    fingerprints: Mapping[str, Fingerprint] = field(default_factory=dict)
    cached: int = 0
    interrupted: bool = False
    budget: float | None = None

    @property
    def judged(self) -> list[Judged | JudgedCheck]:
        """All judged cells, followed by all judged checks."""
        return [*self.cells, *self.checks]

    @property
    def broken(self) -> list[Judged | JudgedCheck]:
        """All cells and checks that are not as expected."""
        return [judged for judged in self.judged if judged.status != "as-expected"]

    @property
    def exit_code(self) -> int:
        """Exit code: 0 if all is as expected, 1 if not, 3 if axiomcheck contradicts itself, 130 if interrupted."""
        if self.interrupted:
            return 130
        if any(judged.status == "disagreement" for judged in self.broken):
            return 3
        return 1 if self.broken else 0


def run_gate(
    contract: Contract,
    jobs: int = 1,
    cache: bool = True,
    listen: Listener = lambda event: None,
    budget: Deadline | None = None,
) -> GateResult:
    """Compare every metric of a contract with its expectations.

    If a metric hangs, crashes or cannot be loaded, its own cells are errors, and other metrics are not affected. If the
    user interrupts the run, the result contains the cells and checks that were judged so far.

    Args:
        contract: Contract from `axiomcheck.gating.config.load_contract`.
        jobs: Number of worker processes.
        cache: True to reuse the cells of catalogue metrics that earlier runs decided.
        listen: Callback for every event.
        budget: Time limit for the whole run; see `axiomcheck.engine.tasks.Plan`.

    """
    workers = Workers(jobs, contract.limits)
    ledger = ledger_of_user() if cache else None
    run = _GateRun(contract, jobs, workers, ledger, listen, budget)
    interrupted = False
    try:
        with workers:
            run.load()
            count = len(contract.metrics)
            for number, metric in enumerate(contract.metrics):
                run.listen = within(listen, number / count, (number + 1) / count)
                run.judge(metric, count - number)
    except (KeyboardInterrupt, Stopped):
        interrupted = True
    finally:
        if ledger is not None:
            ledger.close()
    return GateResult(
        contract,
        tuple(run.cells),
        tuple(run.checks),
        {name: known for name, known in run.known.items() if isinstance(known, Fingerprint)},
        run.cached,
        interrupted,
        None if budget is None else budget.seconds,
    )


@dataclass
class _GateRun:
    contract: Contract
    jobs: int
    workers: Workers
    ledger: LedgerFile | None
    listen: Listener
    budget: Deadline | None
    known: dict[str, _Known] = field(default_factory=dict)
    cells: list[Judged] = field(default_factory=list)
    checks: list[JudgedCheck] = field(default_factory=list)
    cached: int = 0

    def load(self) -> None:
        """Load the metrics and references, and compute their fingerprints."""
        named = [name for m in self.contract.metrics for name in (m.name, m.reference) if name is not None]
        names = list(dict.fromkeys(named))
        foreign = {name: locate(self.contract, name) for name in names if is_foreign(name)}
        self.listen(Progress(0.0, "loading"))
        seconds = None if self.budget is None else max(0.1, self.budget.left_for_work())
        found = fingerprints(list(foreign.values()), self.workers, seconds)
        self.known = {n: found[foreign[n]] if n in foreign else fingerprint_of_own(parse(n)) for n in names}

    def judge(self, metric: MetricContract, left: int) -> None:
        """Judge the cells and checks of one metric. With a budget, it gets 1 / `left` of the remaining time."""
        budget = self.budget and self.budget.part(1 / left)
        wanted: dict[str, Expectation | None] = dict(metric.axioms) or dict.fromkeys(AXIOMS)
        known = self.known[metric.name]
        if not isinstance(known, Fingerprint):
            for axiom in wanted:
                self._settle(Judged(metric.name, axiom, "error", str(known), None), metric)
            return
        located = locate(self.contract, metric.name)
        subject: Metric | External = External(located) if is_foreign(metric.name) else parse(located)
        self._judge_cells(subject, metric, wanted, budget and budget.part(0.6))
        self.listen(Progress(0.9, "contract"))
        self._judge_checks(subject, metric, budget)

    def _judge_cells(
        self,
        subject: Metric | External,
        metric: MetricContract,
        wanted: dict[str, Expectation | None],
        budget: Deadline | None,
    ) -> None:
        pinned = {axiom: e.witness if e is not None else None for axiom, e in wanted.items()}
        first = len(self.cells)
        memory = Memory() if self.ledger is None else Remembered(self.ledger, at_least=True)

        def hear(found: CellFound) -> None:
            self.cached += found.known
            self._settle(compare_cell(found, wanted[found.cell.axiom]), metric)

        search = CellSearch(
            *(subject, metric.name, metric.reading, self.contract.settings, self.workers, self.jobs, memory, budget)
        )
        try:
            find_cells(search, pinned, hear, within(self.listen, 0.0, 0.9))
        finally:
            order = list(wanted)
            self.cells[first:] = sorted(self.cells[first:], key=lambda judged: order.index(judged.axiom))

    def _judge_checks(self, subject: Metric | External, metric: MetricContract, budget: Deadline | None) -> None:
        reference = self.known[metric.reference] if metric.reference is not None else None
        try:
            if isinstance(reference, Exception):
                raise InvalidInput(f"the reference {metric.reference} cannot be used: {reference}")
            outcomes = self._outcomes(subject, metric, budget)
        except (InvalidInput, MetricError) as error:
            self._settle(JudgedCheck(metric.name, "contract", "error", str(error), None), metric)
            return
        for outcome in outcomes:
            reason, applied = metric.checks.get(outcome.check), outcome.check in metric.applied
            self._settle(compare_check(metric.name, outcome, reason, applied), metric)

    def _outcomes(
        self, subject: Metric | External, metric: MetricContract, budget: Deadline | None
    ) -> Sequence[Outcome]:
        seed = self.contract.settings.seed
        located = locate(self.contract, metric.reference) if metric.reference is not None else None
        seconds = None if budget is None else max(0.1, budget.left() - _LOADING)
        try:
            return check_outcomes(subject, seed, self.workers, located, metric.tolerance, seconds)
        except TimedOut as error:
            if budget is None:
                raise
            raise MetricError(f"no answer within the budget of {budget.seconds:g} s: {error}") from None

    def _settle(self, judged: Judged | JudgedCheck, metric: MetricContract) -> None:
        known = self.known[metric.name]
        own_axiom = judged.axiom if isinstance(judged, Judged) and judged.axiom not in AXIOMS else None
        if isinstance(known, Fingerprint):
            if isinstance(judged, Judged) and judged.remark and self._nothing_changed(judged, metric.source, known):
                why = f"the pinned witness differs from its record: {judged.remark}; was its file edited?"
                judged = replace(judged, status="error", message=why)
            elif judged.status in ("worse", "better"):
                because = _cause(self.contract, metric, known, own_axiom)
                judged = replace(judged, message=f"{judged.message} {because}".rstrip())
        if isinstance(judged, Judged):
            self.cells.append(judged)
        else:
            self.checks.append(judged)
        self.listen(Settled(judged))

    def _nothing_changed(self, judged: Judged, source: str | None, known: Fingerprint) -> bool:
        """Return True if a cell with a pinned witness is as expected, with unchanged code, search and packages.

        The scores of external metrics may depend on something else, such as a file, so the result is False for them.
        """
        if is_foreign(judged.metric) or judged.axiom not in AXIOMS:
            return False
        if self.contract.recorded is None or source != known.code:
            return False
        if judged.status != "as-expected" or judged.expectation is None or judged.expectation.witness is None:
            return False
        return not _search_differences(self.contract) and not _package_differences(self.contract, known.packages)


# Reasons why a cell differs from the contract: the metric, the search or the packages changed


def _search_differences(contract: Contract) -> list[str]:
    """Return descriptions of the differences between this search and the recorded one, such as a different seed."""
    recorded = contract.recorded
    if recorded is None:
        return []
    now = {
        "axiomcheck": (recorded.version, version("axiomcheck")),
        "seed": (recorded.seed, contract.settings.seed),
        "examples": (recorded.examples, contract.settings.examples),
    }
    return [f"{what} {before}, now {after}" for what, (before, after) in now.items() if before != after]


def _package_differences(contract: Contract, packages: Mapping[str, str]) -> list[str]:
    """Return descriptions of the differences between the packages of a metric and the recorded packages."""
    recorded = contract.recorded.packages if contract.recorded else {}
    return [
        f"{name} {recorded[name]}, now {after}"
        for name, after in packages.items()
        if name in recorded and recorded[name] != after
    ]


def _cause(contract: Contract, metric: MetricContract, found: Fingerprint, axiom: str | None = None) -> str:
    """Return a sentence on the probable cause of a difference from the contract; empty if it was never recorded.

    Neither the fingerprint nor the versions cover files that a metric opens, or environment variables.

    Args:
        contract: Contract with its recorded versions and settings.
        metric: Metric that was judged.
        found: Current fingerprint of the metric.
        axiom: Axiom of the cell if it is not one of axiomcheck's ten, so that its code may also have changed.

    """
    if metric.source is None or contract.recorded is None:
        return ""
    if not found.is_comparable(metric.source):
        return "Whether its code has changed is unknown, because another version of axiomcheck recorded the contract."
    search = _search_differences(contract)
    packages = _package_differences(contract, found.packages)
    if metric.source != found.code:
        others = (
            f" The search or its environment changed as well ({'; '.join(search + packages)})."
            if search + packages
            else ""
        )
        return f"The metric's code has changed since it was recorded.{others}"
    if packages:
        also = f", and the search differs ({'; '.join(search)})" if search else ""
        return f"The metric's code is unchanged; installed packages changed ({'; '.join(packages)}){also}."
    if search:
        return f"The metric's code is unchanged; the search changed ({'; '.join(search)})."
    return (
        "The metric's code, its packages, axiomcheck, seed and budget are unchanged: "
        f"{f'the axiom {axiom} changed, ' if axiom else ''}the contract was edited by hand, or the result depends on "
        "something else, such as the code of a reference, a data file or an environment variable."
    )
