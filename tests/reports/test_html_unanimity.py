"""The page of metric unanimity: every number of the table, intervals on one scale."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from axiomcheck.reports.html.unanimity_page import unanimity_page
from axiomcheck.reports.unanimity_report import UnanimityView, unanimity_rows, unanimity_text
from axiomcheck.runs.unanimity import Unanimity, measure
from tests.reports.html_pages import SHOWN, Page, check_self_contained, grid, unanimity

ALL = UnanimityView("official", "judgments and rankings as they are", 0, True)


def page_of(found: Unanimity, asked: UnanimityView = ALL) -> Page:
    page = Page(unanimity_page(found, asked))
    check_self_contained(page)
    return page


@pytest.mark.parametrize("every", [True, False])
def test_it_has_the_numbers_of_the_terminal(every: bool) -> None:
    asked = replace(ALL, every=every)
    page = page_of(unanimity(), asked)
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
    page, found = page_of(unanimity()), unanimity()
    spans, dots = page.all("line", **{"class": "span"}), page.all("circle")
    order = [row.number for row in unanimity_rows(found, True)]
    ends = [float(part[n]) for n in order for part in (found.low, found.values, found.high)]
    low, high = (choose(end for end in ends if math.isfinite(end)) for choose in (min, max))
    for n, span, dot in zip(order, spans, dots, strict=True):
        for value, pixel in ((found.low, span["x1"]), (found.high, span["x2"]), (found.values, dot["cx"])):
            assert float(pixel) == pytest.approx(6 + 148 * (max(float(value[n]), low) - low) / (high - low), abs=0.01)


def test_what_is_no_number_is_sorted_last_and_not_drawn() -> None:
    values = np.array([[[1.0], [0.5]], [[0.0], [1.0]], [[0.5], [0.5]]])
    found = measure(grid(values), ("a", "b", "c"), 20, 0)
    assert not np.isfinite(found.values).all()
    page = page_of(found)
    missing = [row for row in page.rows[1:] if {"undefined", "-inf"} & set(row[1:2])]
    assert missing
    assert sum(one.get("data-value") == "" for one in page.all("td")) >= len(missing)
    assert len(page.all("circle")) == int(np.isfinite(found.values).sum())


def test_without_intervals_there_are_none() -> None:
    page = page_of(measure(unanimity().grid, unanimity().families))
    assert page.rows[0] == ["Metric", "MU", "Unanimous", "Captured"]
    assert not page.all("svg")
