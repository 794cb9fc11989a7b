"""Runs compared: in processes of their own; and the tables of docs/how-to/compare.md, made again."""

from __future__ import annotations

import re
from typing import Any

import pytest

from axiomcheck.runs.comparison import Significance, compare_runs
from axiomcheck.runs.grid import score_grid
from axiomcheck.runs.trec import Options, metrics_named
from tests.runs.test_comparison_command import PAGE, grid, numbers
from tests.runs.trec_data import RUNS, judgments, needs_data, runs


def rows_of(title: str) -> list[list[str]]:
    """The table of the page whose head begins so, without the head."""
    lines = PAGE.read_text(encoding="utf-8").partition(title)[2].split("\n")[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[: lines.index("")]]


def test_processes_change_nothing() -> None:
    how = Significance(samples=200, correction="tukey")
    assert numbers(compare_runs(grid(), "wxyz", how, jobs=2)) == numbers(compare_runs(grid(), "wxyz", how))


@needs_data
def test_the_tables_of_the_page() -> None:
    power, tau = rows_of("| | metric |"), rows_of("| | 1 |")
    scored = score_grid(metrics_named([row[1] for row in power]), judgments(), runs(), Options())
    names = [path.name for path in RUNS]
    found = compare_runs(scored, names, Significance(samples=20_000))
    assert len(found.metrics) == len(power) == len(tau) == 12
    for row, one in zip(power, found.metrics, strict=True):
        # of fewer samples, by which p-values at the threshold move
        assert int(row[2]) == pytest.approx(one.significant(corrected=False), abs=1)
        assert int(row[3]) == pytest.approx(one.significant(), abs=1)
        told_apart = found.pairs[one.corrected <= 0.05]
        assert all(len({names[run] for run in pair} & {"ql-cata.txt.gz", "rm-cata.txt.gz"}) == 1 for pair in told_apart)
    for i, row in enumerate(tau):
        shown: list[Any] = [None if not cell else float(cell) for cell in row[1:]]
        for j, value in enumerate(shown):
            wanted = (found.tau if i < j else found.tau_ap)[i][j] if i != j else None
            assert value == (None if wanted is None else pytest.approx(wanted, abs=0.00501))
    assert re.search(r"--samples 100000 -m", PAGE.read_text(encoding="utf-8"))
