"""Two rankings side by side, with the ranks marked at which they differ."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from axiomcheck.core.domain import Instance
from axiomcheck.reports.paragraphs import entry, paragraph
from axiomcheck.reports.ranking_pair import aspects_and_weights, is_edited, unretrieved
from axiomcheck.reports.symbols import EDITED


def print_rankings(
    console: Console, instance: Instance, adds: tuple[Sequence[float], Sequence[float]] | None = None
) -> None:
    """Prints an instance: aspects and weights, both rankings, and what is judged but in neither of them.

    Args:
        console: where to.
        instance: the topic and the rankings.
        adds: what each rank adds to the (worse, better) score, where that is known.

    """
    grades = "; grades stand for eps times what is shown, eps -> 0" if instance.small else ""
    paragraph(console, f"{aspects_and_weights(instance)}{grades}.")
    console.print()
    console.print(rankings_table(instance, adds))
    others = [f"{name} ({', '.join(map(str, grades))})" for name, grades in unretrieved(instance)]
    if others:
        console.print()
        where = "not in the ranking" if instance.worse == instance.better else "in neither ranking"
        paragraph(console, f"Judged, but {where}: {', '.join(others)}.")


def rankings_table(instance: Instance, adds: tuple[Sequence[float], Sequence[float]] | None = None) -> Table:
    """The rankings of an instance as a table, one line per rank; arguments as in `print_rankings`."""
    widths = [
        max(len(f"t{t}"), *(len(str(grades[t - 1])) for grades in instance.topic.pool.values()))
        for t in range(1, len(instance.topic.weights) + 1)
    ]
    heading = "  ".join(f"{f't{t}':>{w}}" for t, w in enumerate(widths, 1)) if len(widths) > 1 else "grade"
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("rank", justify="right")
    single = instance.worse == instance.better  # of an axiom on the score of a ranking
    for side in ("ranking",) if single else ("worse", "better"):
        table.add_column(side, style="bold", no_wrap=True)
        table.add_column(heading, no_wrap=len(widths) < 3)
        if adds is not None:
            table.add_column("adds", justify="right", style="dim", no_wrap=True)
    table.add_column("")
    for rank in range(1, max(len(instance.worse), len(instance.better)) + 1):
        entries = [Text(str(rank))]
        for number, ranking in enumerate((instance.worse, instance.better)[: 1 if single else 2]):
            there = rank <= len(ranking)
            entries.append(entry(ranking[rank - 1] if there else ""))
            entries.append(Text(_grades(instance.topic.pool[ranking[rank - 1]], widths) if there else ""))
            if adds is not None:
                entries.append(Text(f"{adds[number][rank - 1]:.6g}" if there else ""))
        table.add_row(*entries, Text(EDITED if is_edited(instance, rank) else "", style="bold"))
    return table


def _grades(grades: Sequence[Fraction], widths: Sequence[int]) -> str:
    return "  ".join(f"{g!s:>{w}}" for g, w in zip(grades, widths, strict=True))
