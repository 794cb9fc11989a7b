"""Pages of compared runs, simulated users and metric unanimity: what is said and drawn is what the terminal says."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from axiomcheck.metrics.browsing import Explicit, User
from axiomcheck.reports.compare_report import comparison_text
from axiomcheck.reports.html import compare_page
from axiomcheck.reports.html.compare_page import comparison_page
from axiomcheck.reports.html.plot import Scale
from axiomcheck.reports.html.simulate_page import study_page
from axiomcheck.reports.html.unanimity_page import unanimity_page
from axiomcheck.reports.simulate_report import study_text
from axiomcheck.reports.unanimity_report import UnanimityView, unanimity_rows, unanimity_text
from axiomcheck.runs.simulate import study
from axiomcheck.runs.simulate.compared import RunStudy
from axiomcheck.runs.unanimity import Unanimity, measure
from tests.reports.html_pages import HOSTILE, SHOWN, Page, check_self_contained, comparison, grid, unanimity


def compared(baseline: str = "first") -> Page:
    page = Page(comparison_page(comparison(), baseline))
    check_self_contained(page)
    return page


@pytest.mark.parametrize("baseline", ["first", "best"])
def test_compared_runs_have_the_numbers_of_the_terminal(baseline: str) -> None:
    page = compared(baseline)
    shown = " ".join(page.shown.split())
    for number in re.findall(r"[+-]?\d+\.\d+", comparison_text("table", comparison(), baseline, ())):
        assert number in shown
    assert page.shown.count(SHOWN) >= 4
    assert "8 topics. Paired randomization test, two-sided, all 256 sign flips, seed 0." in shown


def test_who_is_better_is_said_in_words_and_bars_are_the_differences_of_topics() -> None:
    page = compared()
    means = {row[0][:2]: row[1:] for row in page.rows if row and row[0][:2] in {"r0", "r2"} and len(row) == 3}
    assert means["r0"] == [f"{one.means[0]:.4f}bbaseline" for one in comparison().metrics]
    assert all(cell.endswith("=equal") for cell in means["r2"])
    better = [one for one in comparison().metrics if one.corrected[one.place(1, 0)] <= 0.05]
    assert len(better) == 2
    assert page.shown.count("+significantly better") == 4  # among the means, and among the differences
    above = [path["d"] for path in page.all("path", **{"class": "bar-above"})]
    heights = [float(height) for height in re.findall(r"v([\d.]+)h", above[0])]
    found = comparison().metrics[0].differences(1, 0)
    wanted = sorted((14 * each / found.max() for each in found.tolist()), reverse=True)
    assert heights == pytest.approx(wanted, abs=0.01)
    assert above[1] == ""  # a run with the scores of the first


def test_many_runs_are_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare_page, "_MOST_DRAWN", 3)
    page = compared()
    assert not page.all("svg")
    assert "By topic" not in page.shown


RUNS = ((1, 0, 1), (0, 1, 1))


@cache
def simulated(runs: int = 2) -> RunStudy:
    half = Fraction(1, 2)
    user = User(Explicit((half, half, Fraction(0)), (Fraction(0),) * 3), Fraction(0))
    return study(HOSTILE, user, [[Fraction(grade) for grade in run] for run in RUNS[:runs]], users=2000)


def height_at(path: str, x: float) -> float:
    """The pixel down at which a path of H and V runs at a pixel across."""
    across, down = (float(number) for number in re.match(r"M(\S+) ([\d.]+)", path).groups())  # type: ignore[union-attr]
    for letter, number in re.findall(r"([HV])([\d.]+)", path):
        if letter == "H" and float(number) > x:
            break
        across, down = (float(number), down) if letter == "H" else (across, float(number))
    return down


@pytest.mark.parametrize("runs", [1, 2])
def test_a_simulation_says_what_the_terminal_says_and_its_curves_are_the_shares_of_users(runs: int) -> None:
    page = Page(study_page(simulated(runs)))
    check_self_contained(page)
    for number, simulation in enumerate(simulated(runs).simulations, start=1):
        path = page.all("path", **{"class": f"line-{number}"})[0]["d"]
        for x in (0.01, 0.2, 0.45, 0.6, 0.9):
            assert abs(simulation.values - x).min() > 0.001
            share = float(np.mean(simulation.values <= x))
            assert height_at(path, 62 + 640 * x) == pytest.approx(12 + 360 * (1 - share), abs=0.01)
    assert SHOWN in page.shown
    text = study_text(simulated(runs)).replace(HOSTILE, "")
    for number in re.findall(r"\d\.\d{6}", text):
        assert number in page.shown
    for line in text.splitlines():
        if ": run" in line or "dominance" in line:
            assert line.split(": ")[1] in page.shown
        if " < x <= " in line:
            low, high, said = re.match(r"  (\S+) < x <= (\S+): (.*)", line).groups()  # type: ignore[union-attr]
            assert [low, high, said] in page.rows
    assert Scale(0, 1, 62, 702).at(0.5) == 382


ALL = UnanimityView("official", "judgments and rankings as they are", 0, True)


def unanimous(found: Unanimity, asked: UnanimityView = ALL) -> Page:
    page = Page(unanimity_page(found, asked))
    check_self_contained(page)
    return page


@pytest.mark.parametrize("every", [True, False])
def test_unanimity_has_the_numbers_of_the_terminal(every: bool) -> None:
    asked = replace(ALL, every=every)
    page = unanimous(unanimity(), asked)
    assert SHOWN in page.shown
    rows = page.rows[1:]
    for row, entry in zip(rows, unanimity_rows(unanimity(), every), strict=True):
        n = entry.number
        low, high, value = (float(part[n]) for part in (unanimity().low, unanimity().high, unanimity().values))
        assert row[0].startswith(unanimity().grid.metrics[n][:20])
        assert f"{value:.4f}" in row
        assert [f"{low:.4f}", f"{high:.4f}"] == row[-5:-3]
    text = unanimity_text("table", unanimity(), asked)
    for line in text.splitlines()[-2:]:
        assert line in page.shown or line.startswith(("m", " "))


def test_an_interval_lies_where_its_numbers_are() -> None:
    page, found = unanimous(unanimity()), unanimity()
    spans, dots = page.all("line", **{"class": "span"}), page.all("circle")
    order = [row.number for row in unanimity_rows(found, True)]
    ends = [float(part[n]) for n in order for part in (found.low, found.values, found.high)]
    low, high = (choose(end for end in ends if math.isfinite(end)) for choose in (min, max))
    for n, span, dot in zip(order, spans, dots, strict=True):
        for value, pixel in ((found.low, span["x1"]), (found.high, span["x2"]), (found.values, dot["cx"])):
            assert float(pixel) == pytest.approx(6 + 148 * (max(float(value[n]), low) - low) / (high - low), abs=0.01)


def test_what_is_no_number_is_sorted_last_and_not_drawn_and_without_intervals_there_are_none() -> None:
    values = np.array([[[1.0], [0.5]], [[0.0], [1.0]], [[0.5], [0.5]]])
    found = measure(grid(values), ("a", "b", "c"), 20, 0)
    assert not np.isfinite(found.values).all()
    page = unanimous(found)
    missing = [row for row in page.rows[1:] if {"undefined", "-inf"} & set(row[1:2])]
    assert missing
    assert sum(one.get("data-value") == "" for one in page.all("td")) >= len(missing)
    assert len(page.all("circle")) == int(np.isfinite(found.values).sum())
    page = unanimous(measure(unanimity().grid, unanimity().families))
    assert page.rows[0] == ["Metric", "MU", "Unanimous", "Captured"]
    assert not page.all("svg")
