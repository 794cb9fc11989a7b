"""Base classes of results, which notebooks display and which can be converted to DataFrames or saved to files.

Cells of results are looked up by metric and axiom.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from axiomcheck.api.asked import AxiomLike, MetricLike, metric_of
from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.core.packages import not_installed
from axiomcheck.core.printable import counted, printable, shown
from axiomcheck.core.writing import ENDINGS, PICTURES, path_of, write_atomically
from axiomcheck.records.cells import Cell
from axiomcheck.records.witnesses import AnyWitness
from axiomcheck.reports.matrix_report import COLUMNS, cell_values
from axiomcheck.reports.table import Report, report_markdown, report_text
from axiomcheck.sources.names import Home, catalogue_metric, read_name
from axiomcheck.sources.resolve import axiom_of

Writers: TypeAlias = Mapping[str, Callable[[], str]]
"""Format -> function that returns the content of a file."""

Rows: TypeAlias = tuple[Sequence[str], list[Sequence[object]]]
"""Column names, and rows of values."""

_MOST_LINES, _LONGEST_LINE = 40, 200
"""Maximum number of lines in a repr, and maximum length of a line."""


class Result(ABC):
    """Base class of the results of API functions."""

    draws: ClassVar[bool] = False
    """True if `save` draws pictures of the report."""

    interrupted: bool = False
    """True if Ctrl-C stopped the run; the result then contains the verdicts decided so far."""

    @abstractmethod
    def report(self) -> Report:
        """Return the report that the command of the same name prints."""

    def lines(self) -> list[str]:
        """Return the lines of the report. The first few make up the ``repr``."""
        return report_text(self.report()).splitlines()

    @abstractmethod
    def rows(self) -> Rows:
        """Return column names and rows of values."""

    @abstractmethod
    def writers(self) -> Writers:
        """Return the writers of the formats that `save` writes besides text, Markdown and plain HTML."""

    def to_frame(self) -> Any:
        """Return the rows as a pandas DataFrame.

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
        """Write the result to a file atomically, in the format given by its extension, as the command does with ``-o``.

        Returns:
            The path.

        Raises:
            InvalidInput: The result has no format with that extension, or the file cannot be written.

        """
        path, writers = path_of(path, "save"), {**self._everywhere(), **self.writers()}
        ending = path.suffix.lower()
        writer = writers.get(ENDINGS.get(ending, ending))
        if writer is None:
            *first, last = self.endings
            raise InvalidInput(f"{path}: expected a file name that ends in {', '.join(first)} or {last}")
        write_atomically(path, writer())
        return path

    @property
    def endings(self) -> list[str]:
        """Extensions of the files that `save` writes."""
        forms = {**self._everywhere(), **self.writers()}
        return [
            *(ending for ending, form in ENDINGS.items() if form in forms),
            *(form for form in forms if form[0] == "."),
        ]

    def _everywhere(self) -> Mapping[str, Callable[[], str | bytes]]:
        """Return the writers of the formats that every result supports, and of pictures, by file extension."""
        from axiomcheck.reports.html.page import report_page  # lazy, like pictures: they import many modules
        from axiomcheck.reports.pictures import report_picture

        return {
            **{end: lambda end=end: report_picture(self.report(), end) for end in PICTURES if self.draws},  # type: ignore[misc]
            "table": lambda: report_text(self.report()),
            "markdown": lambda: report_markdown(self.report()),
            "html": lambda: report_page(self.report()),
        }

    def _repr_html_(self) -> str:
        """Return HTML for a notebook."""
        from axiomcheck.reports.html.page import report_fragment

        report = self.report()
        return report_fragment(replace(report, lines=[*self._interruption(), *report.lines]))

    def _interruption(self) -> list[str]:
        return ["interrupted; results until then:"] if self.interrupted else []

    def __repr__(self) -> str:
        lines = [*self._interruption(), *self.lines()]
        if len(lines) > _MOST_LINES:
            lines = [*lines[:_MOST_LINES], f"... and {counted(len(lines) - _MOST_LINES, 'line')} more"]
        return "\n".join(printable(line, _LONGEST_LINE) for line in lines)


class WithCells(Result):
    """Base class of results whose cells are indexed by metric and axiom."""

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
    """Return the name under which a result lists a metric.

    A function may be given by its own name, even if the result lists it with its module's name.

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
