"""Every metric by every axiom, in one reading."""

from __future__ import annotations

from collections.abc import Sequence

from axiomcheck.axioms import Axiom
from axiomcheck.core.domain import Reading
from axiomcheck.decide.search import Settings
from axiomcheck.engine.cells import ledger_of
from axiomcheck.engine.deadline import Deadline
from axiomcheck.engine.events import Interrupted, Listener
from axiomcheck.engine.machine import Machine
from axiomcheck.engine.memory import Memory, Nothing
from axiomcheck.engine.run import Stopped, run
from axiomcheck.engine.tasks import Foreign, Plan
from axiomcheck.metrics import Metric
from axiomcheck.records.cells import Cell, Ledger


def run_matrix(
    metrics: Sequence[Metric | Foreign],
    axioms: Sequence[Axiom],
    reading: Reading = Reading(),  # noqa: B008 - immutable
    settings: Settings = Settings(),  # noqa: B008 - immutable
    machine: Machine = Machine(),  # noqa: B008 - immutable
    *,
    memory: Memory = Nothing(),  # noqa: B008 - immutable
    listen: Listener = lambda event: None,
    budget: Deadline | None = None,
    until: Deadline | None = None,
) -> Ledger:
    """Decide every metric x axiom cell.

    Args:
        metrics: in report order.
        axioms: in report order.
        reading: regime and domain.
        settings: seed and budgets.
        machine: where it is decided.
        memory: of what was decided before, which is not decided again. A run with a budget has none.
        listen: called with every event.
        budget: a limit on the time of all of it, see `axiomcheck.engine.tasks.Plan`.
        until: when a run ends that goes on after everything is decided, see likewise.

    Raises:
        Interrupted: on KeyboardInterrupt, with what was decided so far.
        InvalidInput: as `axiomcheck.engine.run.run`.

    """
    seconds = [None if limit is None else limit.seconds for limit in (budget, until)]

    def ledger(cells: Sequence[Cell]) -> Ledger:
        return ledger_of(cells, reading, settings, *seconds)

    try:
        return ledger(run(Plan.of(metrics, axioms, reading, settings, budget, until), machine, memory, listen))
    except Stopped as stop:
        raise Interrupted(ledger(stop.cells)) from None
