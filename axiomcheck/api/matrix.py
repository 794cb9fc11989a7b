"""`axiomcheck.matrix`: metrics by axioms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from typing import Any, Literal

from axiomcheck.api.asked import (
    AxiomLike,
    MetricLike,
    VerbOptions,
    axioms_of,
    metrics_of,
    nothing,
    options_of,
    processes,
)
from axiomcheck.api.results import WithCells, Writers, cell_at, grid, ledger_rows
from axiomcheck.core.domain import Domain, Regime
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import shown
from axiomcheck.decide.budgets import PUBLISHED
from axiomcheck.engine.cluster import Cluster
from axiomcheck.engine.events import Interrupted, Listener, Said
from axiomcheck.engine.machine import Machine
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.engine.memory import Nothing
from axiomcheck.engine.remembered import remembering
from axiomcheck.engine.tasks import Foreign
from axiomcheck.ledger import ledger_of_user
from axiomcheck.metrics import LiftedMetric, Metric, rows_named
from axiomcheck.processes.isolation import Limits
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.reports import FORMATS, render
from axiomcheck.reports.csv_report import COLUMNS
from axiomcheck.reports.layout import caption, counts


@dataclass(frozen=True, repr=False)
class MatrixResult(WithCells):
    """Metrics by axioms: ``result["RBU@20", "Red"]`` is a cell.

    Args:
        ledger: the cells, with the reading and the settings that they belong to.
        interrupted: whether Ctrl-C ended the work, so that some cells are undecided.
        remembered: how many searches were not done, because the ledger knew what comes of them.

    """

    ledger: Ledger
    interrupted: bool = False
    remembered: int = 0

    @property
    def cells(self) -> Sequence[Cell]:
        """In the order of metrics, then axioms."""
        return self.ledger.cells

    def __getitem__(self, key: tuple[MetricLike, AxiomLike]) -> Cell:
        return cell_at(self.cells, key)

    def lines(self) -> list[str]:
        """A line of symbols per metric, and counts."""
        names = dict.fromkeys(cell.metric for cell in self.cells)
        drawn = grid({name: [cell for cell in self.cells if cell.metric == name] for name in names})
        return [*drawn, counts(self.ledger)]

    def _repr_html_(self) -> str:
        from axiomcheck.reports.html.fragment import matrix_fragment
        from axiomcheck.reports.html.results import rows_fragment

        before = rows_fragment(self._interruption(), (), ()) if self.interrupted else ""
        return before + matrix_fragment(self.ledger)

    def rows(self) -> tuple[Sequence[str], list[Sequence[Any]]]:
        """A row per cell, as in the CSV report."""
        return COLUMNS, list(ledger_rows(self.ledger))

    def writers(self) -> Writers:
        """Every report format that has an ending of its own."""
        endings = {".json": "json", ".csv": "csv", ".md": "markdown", ".html": "html", ".tex": "latex"}
        return {
            ending: lambda form=form: render(self.ledger, form)  # type: ignore[misc]
            for ending, form in endings.items()
            if form in FORMATS
        }

    @property
    def caption(self) -> str:
        """The reading and the settings that the verdicts belong to, in words."""
        return caption(self.ledger)


def matrix(
    metrics: MetricLike | Iterable[MetricLike] | None = None,
    axioms: AxiomLike | Iterable[AxiomLike] | None = None,
    *,
    rows: str | None = None,
    regime: str = Regime.STATED,
    domain: str = Domain.GRADED,
    aggregate: Literal["none", "max"] = "none",
    examples: int = PUBLISHED,
    seed: int = 0,
    exhaustive: bool = True,
    proofs: bool = True,
    jobs: int | None = None,
    budget: float | None = None,
    until: float | None = None,
    timeout: float = Limits.seconds,
    memory: int = Limits.megabytes,
    ledger: bool = False,
    scheduler: str | None = None,
    listen: Listener = nothing,
) -> MatrixResult:
    """Decides every metric x axiom cell, as ``axiomcheck matrix`` does.

    Args:
        metrics: names, metrics or functions; None are those of ``rows``. Names of files, modules and
            libraries are loaded in processes of their own; objects and functions are trusted with this process.
        axioms: names or axioms; None is all ten.
        rows: which metrics there are where none is named: ``"paper"`` (its twenty rows; the default), ``"all"``,
            ``"user-models"``, or a family of the catalogue such as ``"diversity"``.
        regime: where r << 1 is assumed: ``"stated"``, ``"limit"`` or ``"finite"``.
        domain: ``"graded"`` or ``"binary"``.
        aggregate: ``"max"`` lifts metrics that know one aspect to several by the largest grade.
        examples: distinct random instances to try per cell, besides the enumerated ones.
        seed: of whatever is drawn at random; the same seed gives the same result.
        exhaustive: whether small shapes are enumerated first.
        proofs: whether what the search does not refute is to be proved.
        jobs: worker processes; None is one per usable CPU. Functions and objects that are not the
            catalogue's are decided in this one.
        budget: seconds that all of it may take, of metrics by name; how many instances those are is up to the machine.
        until: seconds, counted from the call, until which the search goes on once all that was decided, with the cells
            of which least is known; how far that comes is up to the machine. Not with a budget.
        timeout: seconds that a cell may take in a process of its own.
        memory: megabytes that it may take there.
        ledger: whether cells are looked for in the user's ledger first, and kept there as they are decided, so that
            work that was stopped goes on where it was. A run with a budget uses none.
        scheduler: the address of a scheduler of Dask's, such as ``"tcp://10.0.0.1:8786"``, whose workers decide the
            cells in place of ``jobs``; functions and objects that are not the catalogue's are decided in this process.
        listen: called with every event of `axiomcheck.engine.events`.

    Returns:
        The cells; after Ctrl-C those that were decided until then, and ``interrupted``.

    Raises:
        InvalidInput: a metric, axiom or option that cannot be used; the message says which and what is expected.
        InvalidInput: the scheduler is not there, or goes, or one of its workers has other code than this process.

    """
    asked = options_of(
        "matrix",
        listen,
        regime=regime,
        domain=domain,
        examples=examples,
        seed=seed,
        exhaustive=exhaustive,
        proofs=proofs,
        jobs=jobs,
        budget=budget,
        until=until,
        timeout=timeout,
        memory=memory,
        scheduler=scheduler,
    )
    if budget is not None and until is not None:
        raise InvalidInput(
            "matrix: a budget, which gives every cell less, and until, which gives cells more; expected one of them"
        )
    end = asked.end()
    chosen, wanted = _chosen(metrics, rows, aggregate), axioms_of(axioms)
    with ExitStack() as ends:
        cluster = ends.enter_context(_cluster(asked, listen))
        remembered = None
        if ledger and budget is None and (file := ledger_of_user()) is not None:
            ends.callback(file.close)
            remembered = remembering(file, chosen, asked.limits)
        try:
            decided = run_matrix(
                chosen,
                wanted,
                asked.reading,
                asked.settings,
                Machine(processes(asked, chosen), asked.limits, cluster=cluster),
                memory=remembered or Nothing(),
                listen=listen,
                budget=asked.deadline(),
                until=end,
            )
            interrupted = False
        except Interrupted as stop:
            decided, interrupted = stop.ledger, True
    return MatrixResult(decided, interrupted, remembered.found if remembered else 0)


def _cluster(asked: VerbOptions, listen: Listener) -> AbstractContextManager[Cluster | None]:
    """Where the cells of the catalogue's metrics and of foreign ones are decided; None is this machine."""
    if asked.scheduler is None:
        return nullcontext()
    for name, given in (("jobs", asked.jobs), ("budget", asked.budget)):
        if given is not None:
            raise InvalidInput(f"matrix: {name} is for runs on this machine; leave out {name}, or scheduler")
    return Cluster(asked.scheduler, asked.limits, lambda text: listen(Said(text)))


def _chosen(
    metrics: MetricLike | Iterable[MetricLike] | None, rows: str | None, aggregate: str
) -> list[Metric | Foreign]:
    if metrics is not None and rows is not None:
        raise InvalidInput("rows say which metrics there are where none is named; leave out the metrics, or the rows")
    if rows is not None and not isinstance(rows, str):
        raise InvalidInput(f"matrix: rows is {shown(rows)}; expected a text such as 'paper'")
    found: list[Metric | Foreign] = [*rows_named(rows or "paper")] if metrics is None else metrics_of(metrics)
    if aggregate not in ("none", "max"):
        raise InvalidInput(f"matrix: aggregate is {aggregate!r}; expected one of 'none', 'max'")
    if aggregate == "max":
        found = [
            type(m)(m.cutoff, **(m.values | {"aggregate": "max"})) if isinstance(m, LiftedMetric) else m for m in found
        ]
    return list(dict.fromkeys(found))
