"""Show what the verbs return: in a notebook, in a few lines elsewhere, as a DataFrame, and in files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from axiomcheck.api.asked import AxiomLike, MetricLike, metric_of, path_of
from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.core.packages import not_installed
from axiomcheck.core.printable import printable, shown
from axiomcheck.core.writing import write_atomically
from axiomcheck.records.cells import Cell
from axiomcheck.records.witnesses import AnyWitness
from axiomcheck.reports.matrix_report import COLUMNS, cell_values
from axiomcheck.reports.table import Report, report_text
from axiomcheck.sources.names import Home, catalogue_metric, read_name
from axiomcheck.sources.resolve import axiom_of

Writers: TypeAlias = Mapping[str, Callable[[], str | bytes]]
"""Ending of a file's name -> what is written there."""

Rows: TypeAlias = tuple[Sequence[str], list[Sequence[object]]]
"""The names of columns, and rows of values."""

_MOST_LINES, _LONGEST_LINE = 12, 200
"""Limits on what is shown outside of notebooks: lines, and characters of each."""


class Result(ABC):
    """Base of what the verbs return."""

    interrupted: bool = False
    """True where Ctrl-C ended the work; the result has what was decided until then."""

    @abstractmethod
    def report(self) -> Report:
        """Return the result for people, as the command shows it."""

    def lines(self) -> list[str]:
        """Return the report in lines, of which the first are shown outside of notebooks."""
        return report_text(self.report()).splitlines()

    @abstractmethod
    def rows(self) -> Rows:
        """Return the names of columns, and rows of values."""

    @abstractmethod
    def writers(self) -> Writers:
        """Return the files that `save` can write."""

    def to_frame(self) -> Any:
        """Return a pandas DataFrame.

        Raises:
            InvalidInput: pandas is not installed.

        """
        try:
            import pandas
        except ImportError:
            raise not_installed("a DataFrame", "pandas") from None
        columns, rows = self.rows()
        return pandas.DataFrame(rows, columns=list(columns))

    def save(self, path: str | Path) -> Path:
        """Write a file, whole or not at all; the ending of its name says what.

        Returns:
            The path.

        Raises:
            InvalidInput: another ending than those that can be written, or it cannot be written there.

        """
        path, writers = path_of(path, "save"), self.writers()
        writer = writers.get(path.suffix.lower())
        if writer is None:
            *first, last = writers
            expected = f"{', '.join(first)} or {last}" if first else last
            raise InvalidInput(f"{path}: expected a file name that ends in {expected}")
        write_atomically(path, writer())
        return path

    def _repr_html_(self) -> str:
        """Return HTML for a notebook."""
        from axiomcheck.reports.html.page import report_fragment

        report = self.report()
        return report_fragment(replace(report, lines=[*self._interruption(), *report.lines]))

    def _interruption(self) -> list[str]:
        return ["interrupted; what was decided until then:"] if self.interrupted else []

    def __repr__(self) -> str:
        lines = [*self._interruption(), *self.lines()]
        if len(lines) > _MOST_LINES:
            lines = [*lines[:_MOST_LINES], f"... and {counted(len(lines) - _MOST_LINES, 'line')} more"]
        return "\n".join(printable(line, _LONGEST_LINE) for line in lines)


class WithCells(Result):
    """Base of results that are cells: a cell is found by metric and axiom."""

    @property
    @abstractmethod
    def cells(self) -> Sequence[Cell]:
        """The cells."""

    @property
    def findings(self) -> list[Cell]:
        """The cells that differ from the published claim."""
        return [cell for cell in self.cells if cell.finding]

    @property
    def witnesses(self) -> dict[tuple[str, str], AnyWitness]:
        """(metric, axiom) -> the counterexample, of the cells that have one."""
        return {(cell.metric, cell.axiom): cell.witness for cell in self.cells if cell.witness is not None}

    def rows(self) -> Rows:
        """Return a row per cell, as in the CSV report of a matrix."""
        return COLUMNS, [cell_values(cell) for cell in self.cells]

    def __getitem__(self, key: tuple[MetricLike, AxiomLike]) -> Cell:
        """Return the cell of a pair: a metric, by whatever was given to ask for it, and an axiom.

        Raises:
            KeyError: there is none; the message says what there is.

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
    """Return the name that a metric has among those of a result.

    A function may be called by its own name although the result has it by its module's, too.

    Raises:
        InvalidInput: none of that name is there, or two are; the message says which are.

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
        raise InvalidInput(f"{metric} may be each of {', '.join(matching)} here; expected one of these names")
    if not matching:
        raise UnknownName("metric here", metric if isinstance(metric, str) else names.pop(), there)
    return matching[0]


def _function_in(name: str) -> str:
    """Return the function's name in one such as ``__main__.rbp``; empty of other metrics' names."""
    is_function = read_name(name).home is Home.CATALOGUE and catalogue_metric(name) is None
    return name.rpartition(".")[2] if is_function else ""
