"""The verdicts of a check that are drawn while it is at work."""

from io import StringIO

from rich.console import Console

from axiomcheck import AXIOMS, Verdict, parse
from axiomcheck.cli.progress import VerdictsSoFar
from axiomcheck.engine.cells import cell_of
from axiomcheck.engine.events import CellDecided, CellSoFar

DRAWN = [AXIOMS["Pri"], AXIOMS["Red"], AXIOMS["Sat"]]


def drawn(verdicts: VerdictsSoFar) -> dict[str, list[str]]:
    """Draw the table, and return its rows by their first word."""
    console = Console(file=StringIO(), width=100)
    console.print(verdicts.table())
    assert isinstance(console.file, StringIO)
    lines = [line.split() for line in console.file.getvalue().splitlines()]
    return {first: rest for first, *rest in filter(None, lines)}


def test_rows_grow_as_cells_come_in_and_begin_anew_with_the_next_metric() -> None:
    verdicts = VerdictsSoFar(DRAWN)
    assert drawn(verdicts)["stated"] == ["·"] * 3
    rbp, other = parse("RBP"), parse("P@10")
    verdicts.add(CellDecided(cell_of(rbp, AXIOMS["Pri"], Verdict.PROVED), small=True))
    verdicts.add(CellSoFar(cell_of(rbp, AXIOMS["Red"], Verdict.HELD), small=True))
    verdicts.add(CellDecided(cell_of(rbp, AXIOMS["Red"], Verdict.REFUTED)))
    found = drawn(verdicts)
    assert found["limit"] == ["●", "◐", "·"]
    assert found["finite"] == ["·", "○", "·"]
    assert found["stated"] == [
        "●" if AXIOMS["Pri"].states_small else "·",
        "◐" if AXIOMS["Red"].states_small else "○",
        "·",
    ]
    verdicts.add(CellDecided(cell_of(other, AXIOMS["Sat"], Verdict.ERROR)))
    found = drawn(verdicts)
    assert found["finite"] == ["·", "·", "!"]
    assert "P@10" in found
