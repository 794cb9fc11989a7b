"""Define the base class for results, which notebooks display and which can be saved or converted to DataFrames."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.packages import not_installed
from axiomcheck.core.printable import counted, printable
from axiomcheck.core.writing import ENDINGS, PICTURES, path_of, write_atomically
from axiomcheck.reports.table import Report, report_markdown, report_text

Writers: TypeAlias = Mapping[str, Callable[[], str]]
"""Format -> function that returns the content of a file."""

Rows: TypeAlias = tuple[Sequence[str], list[Sequence[object]]]
"""Column names, and rows of values."""

_MOST_LINES, _LONGEST_LINE = 40, 200
"""Maximum number of lines in a repr, and maximum length of a line."""


class Result(ABC):
    """Base class for the results of API functions, with methods to display, convert and save them."""

    draws: ClassVar[bool] = False
    """True if `save` draws pictures of the report."""

    interrupted: bool = False
    """True if Ctrl-C stopped the run; the result then contains the verdicts decided so far."""

    @abstractmethod
    def report(self) -> Report:
        """Return the report that the command of the same name prints."""

    def lines(self) -> list[str]:
        """Return the lines of the report. The first `_MOST_LINES` make up the ``repr``."""
        return report_text(self.report()).splitlines()

    @abstractmethod
    def rows(self) -> Rows:
        """Return the column names and the rows of the result as a table."""

    @abstractmethod
    def writers(self) -> Writers:
        """Map formats, such as ``json``, to functions that return the result in them.

        Formats that every result has, such as ``html``, need not be included.
        """

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
        """Map the formats that every result has, and extensions of pictures, to functions that return the content."""
        from axiomcheck.reports.html.page import report_page  # lazy, like pictures: they import many modules
        from axiomcheck.reports.pictures import report_picture

        return {
            **{end: lambda end=end: report_picture(self.report(), end) for end in PICTURES if self.draws},  # type: ignore[misc]
            "table": lambda: report_text(self.report()),
            "markdown": lambda: report_markdown(self.report()),
            "html": lambda: report_page(self.report()),
        }

    def _repr_html_(self) -> str:
        """Return the report as HTML, which notebooks display."""
        from axiomcheck.reports.html.page import report_fragment

        report = self.report()
        return report_fragment(replace(report, lines=[*self._interruption(), *report.lines]))

    def _interruption(self) -> list[str]:
        return ["interrupted; results so far:"] if self.interrupted else []

    def __repr__(self) -> str:
        lines = [*self._interruption(), *self.lines()]
        if len(lines) > _MOST_LINES:
            lines = [*lines[:_MOST_LINES], f"... and {counted(len(lines) - _MOST_LINES, 'line')} more"]
        return "\n".join(printable(line, _LONGEST_LINE) for line in lines)
