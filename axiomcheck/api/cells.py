"""Define the base class for results that consist of cells, which are looked up by metric and axiom."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence

from axiomcheck.api.asked import AxiomLike, MetricLike, metric_of
from axiomcheck.api.results import Result, Rows
from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.core.printable import shown
from axiomcheck.records.cells import Cell
from axiomcheck.records.witnesses import AnyWitness
from axiomcheck.reports.matrix_report import COLUMNS, cell_values
from axiomcheck.sources.names import Home, catalogue_metric, read_name
from axiomcheck.sources.resolve import axiom_of


class WithCells(Result):
    """Base class for results that consist of cells: ``result["RBU@20", "Red"]`` is one cell."""

    @property
    @abstractmethod
    def cells(self) -> Sequence[Cell]:
        """Cells of the result."""

    @property
    def findings(self) -> list[Cell]:
        """Cells whose verdict differs from the published claim."""
        return [cell for cell in self.cells if cell.finding]

    @property
    def witnesses(self) -> dict[tuple[str, str], AnyWitness]:
        """Counterexamples by (metric, axiom), for the cells that have one."""
        return {(cell.metric, cell.axiom): cell.witness for cell in self.cells if cell.witness is not None}

    def rows(self) -> Rows:
        """Return one row per cell, as in the CSV report of a matrix."""
        return COLUMNS, [cell_values(cell) for cell in self.cells]

    def __getitem__(self, key: tuple[MetricLike, AxiomLike]) -> Cell:
        """Return the cell of a metric and an axiom.

        The metric may be given in any form in which it was requested.

        Raises:
            KeyError: There is no such cell. The message lists the available names.

        """
        if not isinstance(key, tuple) or len(key) != 2:
            raise KeyError(f"expected a metric and an axiom, as in result['RBU@20', 'Red'], got {shown(key)}")
        found = {(cell.metric, cell.axiom): cell for cell in self.cells}
        try:
            wanted = (_name_in(dict.fromkeys(name for name, _ in found), key[0]), axiom_of(key[1]).name)
        except InvalidInput as error:
            raise KeyError(str(error)) from None
        if wanted not in found:
            known = [axiom for name, axiom in found if name == wanted[0]]
            raise KeyError(str(UnknownName("axiom here", wanted[1], known)))
        return found[wanted]

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.cells)

    def __len__(self) -> int:
        return len(self.cells)


def _name_in(there: Iterable[str], metric: MetricLike) -> str:
    """Return the name under which a result lists a metric. A function is also found without its module's name.

    Raises:
        InvalidInput: No metric or more than one metric has that name. The message lists the candidates.

    """
    if isinstance(metric, str) and metric in there:
        return metric
    try:
        names = {metric_of(metric).canonical}
    except UnknownName:
        names = set()
    names |= {name for name in there if isinstance(metric, str) and _function_in(name) == metric}
    matching = [name for name in there if name in names]
    if len(matching) > 1:
        raise InvalidInput(f"{metric} is ambiguous here; expected one of the names {', '.join(matching)}")
    if not matching:
        raise UnknownName("metric here", metric if isinstance(metric, str) else names.pop(), there)
    return matching[0]


def _function_in(name: str) -> str:
    """Return the function's name in a metric name such as ``__main__.rbp``; empty if the metric is not a function."""
    is_function = read_name(name).home is Home.CATALOGUE and catalogue_metric(name) is None
    head, bracket, values = name.partition("(")
    return head.rpartition(".")[2] + bracket + values if is_function else ""
