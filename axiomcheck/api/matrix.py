"""`axiomcheck.matrix`: decide which axioms each of several metrics satisfies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Annotated, TypedDict, Unpack

from msgspec import Meta

from axiomcheck.api.asked import (
    AxiomLike,
    MetricLike,
    axioms_of,
    metrics_of,
    nothing,
    processes,
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
    RegimeName,
    Seconds,
    Seed,
    Timeout,
    checked,
    deadline_of,
    limits_of,
    loading_limits,
    reading_of,
    settings_of,
    with_options,
)
from axiomcheck.api.results import Writers
from axiomcheck.core.errors import InvalidInput, check_flags
from axiomcheck.decide.budgets import PUBLISHED
from axiomcheck.engine import memory
from axiomcheck.engine.cluster import Cluster
from axiomcheck.engine.events import Interrupted, Listener, Said
from axiomcheck.engine.places import Machine
from axiomcheck.engine.run import run_matrix
from axiomcheck.ledger.file import ledger_of_user
from axiomcheck.metrics import ROW_SETS, Metric, rows_named
from axiomcheck.processes.limits import Limits
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.reports.formats import FORMATS, render
from axiomcheck.reports.layout import Layout, caption, counts, hints
from axiomcheck.reports.matrix_report import matrix_report, reasons_of, symbol_table
from axiomcheck.reports.table import Report, Section, report_text
from axiomcheck.sources.names import External


@dataclass(frozen=True, repr=False)
class MatrixResult(WithCells):
    """Cells of several metrics and axioms: ``result["RBU@20", "Red"]`` is one cell.

    Args:
        ledger: All cells, with the reading and the settings under which they were decided.
        interrupted: True if Ctrl-C ended the work, so that some cells are undecided.
        remembered: Number of searches that were not run, because their results were in the user's ledger file.

    """

    draws = True
    ledger: Ledger
    interrupted: bool = False
    remembered: int = 0

    @property
    def cells(self) -> Sequence[Cell]:
        """Cells in the order of metrics, then axioms."""
        return self.ledger.cells

    def report(self) -> Report:
        """Return a report with the table, its legend, the reasons and the findings."""
        return matrix_report(self.ledger, reasons=True)

    def lines(self) -> list[str]:
        """Return lines for the ``repr``: the table without its legend, the reasons, and the counts of verdicts."""
        layout = Layout(self.ledger)
        below = [*reasons_of(layout), *hints(self.ledger), counts(self.ledger)]
        return report_text(Report("", [], [Section(table=symbol_table(layout)), Section(lines=below)])).splitlines()

    def writers(self) -> Writers:
        """Map formats, such as ``json``, ``csv`` or ``html``, to functions that return the matrix in them."""
        return {form: partial(render, self.ledger, form) for form in FORMATS}

    @property
    def caption(self) -> str:
        """Description of the reading and the settings under which the cells were decided."""
        return caption(self.ledger)


class MatrixOptions(TypedDict, total=False):
    """Options of ``axiomcheck matrix``."""

    rows: Annotated[
        str | None,
        Option(
            "Metrics to use if you name none: the paper's twenty rows (paper, the default), INST and P@H "
            "(user-models), both (all), or a family of metrics.",
            kind=str | None,
            choices=tuple(ROW_SETS),
            metavar="NAME",
        ),
    ]
    regime: RegimeName
    domain: DomainName
    examples: Annotated[Examples, Default(PUBLISHED)]
    seed: Seed
    exhaustive: Annotated[bool, Option("Do not enumerate small shapes.", True, bool, flags=("--no-exhaustive",))]
    proofs: Annotated[
        bool, Option("Do not try to prove cells that the search does not refute.", True, bool, flags=("--no-proofs",))
    ]
    jobs: Jobs
    budget: Budget
    until: Annotated[
        float | None,
        Option(
            "Continue the search for this long after the start, such as 90s or 2h; cells with the least evidence "
            "get more instances.",
            kind=Seconds | None,
            metavar="TIME",
            is_time=True,
        ),
    ]
    timeout: Timeout
    memory: Memory
    scheduler: Annotated[
        str | None,
        Option(
            "Dask scheduler whose workers decide the cells, such as tcp://10.0.0.1:8786. Needs axiomcheck[dask].",
            kind=Annotated[str, Meta(min_length=1)] | None,
            metavar="ADDRESS",
        ),
    ]


@with_options(MatrixOptions)
def matrix(
    metrics: MetricLike | Iterable[MetricLike] | None = None,
    axioms: AxiomLike | Iterable[AxiomLike] | None = None,
    *,
    ledger: bool = False,
    listen: Listener = nothing,
    **options: Unpack[MatrixOptions],
) -> MatrixResult:
    """Decide for each metric which axioms it satisfies, as ``axiomcheck matrix`` does.

    Args:
        metrics: Names, metrics or functions. None means the metrics that ``rows`` selects. Metrics from files, modules
            and libraries that are given by name are loaded in separate processes. Objects and functions run in this
            process.
        axioms: Names or axioms. None means all ten.
        **options: see `Option`.
        ledger: True to read cells of catalogue metrics from the user's ledger and store decided ones there, so that
            interrupted work can be resumed. It is not used in a run with a budget.
        listen: Callback for each event of `axiomcheck.engine.events`.

    Returns:
        The cells. After Ctrl-C, only the cells that had been decided by then have a verdict, and ``interrupted`` is
        True.

    Raises:
        InvalidInput: A metric, axiom or option is invalid (the message says which one, and what is expected); the
            scheduler is unavailable or disconnects; or a worker runs different code from this process.

    """
    asked = checked("matrix", MatrixOptions, options, listen)
    check_flags("matrix", ledger=ledger)
    budget = asked["budget"]
    if budget is not None and asked["until"] is not None:
        raise InvalidInput("matrix: budget and until cannot be combined; omit one of them")
    limits, end = limits_of(asked), deadline_of(asked["until"])
    chosen, wanted = _chosen(metrics, asked["rows"]), axioms_of(axioms, loading_limits(asked))
    with ExitStack() as ends:
        cluster = ends.enter_context(_cluster(asked, limits, listen))
        cache = memory.Memory()
        if ledger and budget is None and (file := ledger_of_user()) is not None:
            ends.callback(file.close)
            cache = memory.Remembered(file)
        try:
            decided = run_matrix(
                chosen,
                wanted,
                reading_of(asked),
                settings_of(asked),
                Machine(processes(asked["jobs"], chosen), limits, cluster=cluster),
                memory=cache,
                listen=listen,
                budget=deadline_of(budget),
                until=end,
            )
            interrupted = False
        except Interrupted as stop:
            decided, interrupted = stop.ledger, True
    return MatrixResult(decided, interrupted, cache.found)


def _cluster(asked: MatrixOptions, limits: Limits, listen: Listener) -> AbstractContextManager[Cluster | None]:
    """Return the cluster of the requested scheduler as a context manager, which yields None if none is requested."""
    scheduler = asked["scheduler"]
    if scheduler is None:
        return nullcontext()
    for name, given in (("jobs", asked["jobs"]), ("budget", asked["budget"])):
        if given is not None:
            raise InvalidInput(f"matrix: {name} only applies to runs on this machine; omit {name} or scheduler")
    return Cluster(scheduler, limits, lambda text: listen(Said(text)))


def _chosen(metrics: MetricLike | Iterable[MetricLike] | None, rows: str | None) -> list[Metric | External]:
    if metrics is not None and rows is not None:
        raise InvalidInput("rows selects metrics when none are named; omit rows or the metrics")
    found: list[Metric | External] = [*rows_named(rows or "paper")] if metrics is None else metrics_of(metrics)
    return list(dict.fromkeys(found))
