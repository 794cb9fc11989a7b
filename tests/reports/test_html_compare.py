"""The page of compared runs: every number of the terminal's tables, bars that are the topics' differences."""

from __future__ import annotations

import re

import pytest

from axiomcheck.reports.compare_report import comparison_text
from axiomcheck.reports.html import compare_page
from axiomcheck.reports.html.compare_page import comparison_page
from tests.reports.html_pages import SHOWN, Page, check_self_contained, comparison


def page_of(baseline: str = "first") -> Page:
    page = Page(comparison_page(comparison(), baseline))
    check_self_contained(page)
    return page


@pytest.mark.parametrize("baseline", ["first", "best"])
def test_it_has_the_numbers_of_the_terminal(baseline: str) -> None:
    page = page_of(baseline)
    shown = " ".join(page.shown.split())
    for number in re.findall(r"[+-]?\d+\.\d+", comparison_text("table", comparison(), baseline, ())):
        assert number in shown
    assert page.shown.count(SHOWN) >= 4
    assert "8 topics. Paired randomization test, two-sided, all 256 sign flips, seed 0." in shown


def test_who_is_significantly_better_is_said_in_words_too() -> None:
    page = page_of()
    means = {row[0][:2]: row[1:] for row in page.rows if row and row[0][:2] in {"r0", "r2"} and len(row) == 3}
    assert means["r0"] == [f"{one.means[0]:.4f}bbaseline" for one in comparison().metrics]
    assert all(cell.endswith("=equal") for cell in means["r2"])
    better = [one for one in comparison().metrics if one.corrected[one.place(1, 0)] <= 0.05]
    assert len(better) == 2
    assert page.shown.count("+significantly better") == 4  # among the means, and among the differences


def test_bars_are_the_differences_of_topics() -> None:
    page = page_of()
    above = [path["d"] for path in page.all("path", **{"class": "bar-above"})]
    heights = [float(height) for height in re.findall(r"v([\d.]+)h", above[0])]
    found = comparison().metrics[0].differences(1, 0)
    wanted = sorted((14 * each / found.max() for each in found.tolist()), reverse=True)
    assert heights == pytest.approx(wanted, abs=0.01)
    assert above[1] == ""  # a run with the scores of the first


def test_many_runs_are_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare_page, "_MOST_DRAWN", 3)
    page = page_of()
    assert not page.all("svg")
    assert "By topic" not in page.shown
