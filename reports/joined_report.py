"""One table of several reports (`axiomcheck.studies.joined`): for the terminal, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from math import inf, isfinite

from axiomcheck.core.counting import counted
from axiomcheck.core.printable import spreadsheet_cell
from axiomcheck.core.writing import json_text
from axiomcheck.reports.aligned import aligned
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.studies.joined import Joined


def joined_text(style: str, found: Joined) -> str:
    """The table as text.

    Args:
        style: ``"table"``, ``"json"`` or ``"csv"``.
        found: the table.

    """
    return _WRITERS[style](found)


def _as_table(found: Joined) -> str:
    axioms = found.axioms
    lines = [["Metric", f"of {len(axioms)}", "axioms", *(column.name for column in found.columns)]]
    by_column = zip(*(row.numbers for row in found.rows), strict=True)
    whole = [all(value is None or value.is_integer() for value in values) for values in by_column]
    for row in found.rows:
        marks = "".join(SYMBOLS[row.verdicts[axiom]] if axiom in row.verdicts else " " for axiom in axioms)
        lines.append([row.metric, str(row.satisfied), marks, *map(_number, row.numbers, whole)])
    out = [aligned(lines), f"axioms: {' '.join(axioms)} ({found.reading})\n"]
    out += [f"{column.name}: {column.words}\n" for column in found.columns]
    out.append("\nMore axioms satisfied (proved, bounded or held), and\n")
    for one in found.agreements:
        if one.tau is None or one.p is None:
            out.append(f"  {one.column}: all alike, of {counted(one.metrics, 'metric')}\n")
        else:
            out.append(
                f"  {one.column}: Kendall's tau {one.tau:+.2f}, p = {one.p:.2g}, {counted(one.metrics, 'metric')}\n"
            )
    return "".join(out)


def _number(value: float | None, whole: bool) -> str:
    return "" if value is None else f"{value:.0f}" if whole and isfinite(value) else f"{value:.3f}"


def _as_csv(found: Joined) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = map(spreadsheet_cell, (*found.axioms, *(column.name for column in found.columns)))
    writer.writerow(["metric", "satisfied", *names])
    for row in found.rows:
        verdicts = [str(row.verdicts.get(axiom, "")) for axiom in found.axioms]
        numbers = ["" if value is None else value for value in row.numbers]
        writer.writerow([spreadsheet_cell(row.metric), row.satisfied, *verdicts, *numbers])
    return text.getvalue()


def _as_json(found: Joined) -> str:
    names = [column.name for column in found.columns]
    return json_text(
        {
            "schema": "axiomcheck/joined",
            "version": 1,
            "reading": found.reading,
            "columns": [{"name": column.name, "words": column.words} for column in found.columns],
            "rows": [
                {
                    "metric": row.metric,
                    "satisfied": row.satisfied,
                    "verdicts": {axiom: verdict.value for axiom, verdict in row.verdicts.items()},
                    # which JSON has no number for
                    **{
                        name: "minus infinity" if value == -inf else value
                        for name, value in zip(names, row.numbers, strict=True)
                    },
                }
                for row in found.rows
            ],
            "agreements": [
                {"column": one.column, "tau_b": one.tau, "p": one.p, "metrics": one.metrics} for one in found.agreements
            ],
        }
    )


_WRITERS: dict[str, Callable[[Joined], str]] = {"table": _as_table, "json": _as_json, "csv": _as_csv}
