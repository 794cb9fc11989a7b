"""The pages of regions, unanimity, compared runs and checked metrics in a browser: sorting, opening, for everybody."""

from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from axiomcheck.reports.compare_report import comparison_report
from axiomcheck.reports.html.check_page import check_page
from axiomcheck.reports.html.page import report_page
from axiomcheck.reports.html.region_page import regions_page
from axiomcheck.reports.unanimity_report import unanimity_report
from tests.quality.test_quality_html import CHROMIUM, browser, opened
from tests.reports.html_pages import HOSTILE, checked, comparison, plane, point, unanimity
from tests.reports.test_html_pages import planted
from tests.support.suites import quality

pytestmark = [
    quality,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium, chromium-browser or google-chrome here"),
]
__all__ = ["browser", "opened"]

PAGES = {
    "plane": lambda: regions_page([plane()], "axiomcheck region"),
    "point": lambda: regions_page([point()], "axiomcheck region"),
    "unanimity": lambda: report_page(unanimity_report(replace(unanimity(), families=("a", "d", "b", "c")), 0)),
    "compare": lambda: report_page(comparison_report(comparison(), "first")),
    "check": lambda: check_page([checked(), planted()]),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `opened` opens pages of."""
    folder = tmp_path_factory.mktemp("pages")
    for name, page in PAGES.items():
        (folder / f"{name}.html").write_text(page(), encoding="utf-8")
    return folder


def column(page: Any, table: Any, number: int) -> list[str]:
    found: list[str] = table.locator(f"tbody tr > :nth-child({number})").all_inner_texts()
    return found


def test_a_table_is_sorted_by_keyboard_and_says_so(opened: Any) -> None:
    page = opened("unanimity.html")
    table = page.locator("table.sortable")
    headings = table.locator("thead th")
    values = [float(text) for text in column(page, table, 2)]
    assert values == sorted(values, reverse=True)
    assert headings.nth(1).get_attribute("aria-sort") == "descending"
    headings.nth(1).locator("button").focus()
    page.keyboard.press("Enter")
    assert [float(text) for text in column(page, table, 2)] == sorted(values)
    assert headings.nth(1).get_attribute("aria-sort") == "ascending"
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    names = column(page, table, 1)
    assert names == sorted(names, key=str.casefold)
    assert [one.get_attribute("aria-sort") for one in headings.all()[:2]] == ["ascending", "none"]
    assert page.locator("[role=status]").inner_text() == "Sorted by Metric, ascending"
    assert page.evaluate("document.activeElement.textContent") == "Metric"


def test_rows_without_a_value_stay_last(opened: Any) -> None:
    page = opened("unanimity.html")
    page.evaluate("document.querySelectorAll('tbody tr')[0].cells[1].dataset.value = ''")
    first = column(page, page.locator("table.sortable"), 1)[0]
    for _ in range(2):
        page.locator("thead button").nth(1).click()
        assert column(page, page.locator("table.sortable"), 1)[-1] == first


def test_each_table_of_a_page_is_sorted_by_itself(opened: Any) -> None:
    page = opened("compare.html")
    means, differences = page.locator("table.sortable").nth(0), page.locator("table.sortable").nth(1)
    before = column(page, differences, 1)
    means.locator("thead button").nth(1).click()
    values = [float(text[:6]) for text in column(page, means, 2)]
    assert values == sorted(values, reverse=True)
    assert column(page, differences, 1) == before


def test_a_cell_of_a_checked_metric_opens_and_closes(opened: Any) -> None:
    page = opened("check.html")
    assert page.locator("#count").inner_text() == "12 cells, 6 rows"
    page.select_option("#verdict", "refuted")
    assert page.locator(".matrix td[data-verdict=refuted]:visible").count() > 0
    page.locator(".matrix td[data-verdict=refuted]:not(.out) a:visible").first.focus()
    page.keyboard.press("Enter")
    assert page.locator(".cell:target table.ranking").count() >= 2
    page.keyboard.press("Escape")
    assert page.locator(".cell:visible").count() == 0
    assert page.locator("script:has-text('alert')").count() == 0
    assert HOSTILE[:25] in page.locator("main").inner_text()


def test_without_script_all_is_there(opened: Any) -> None:
    page = opened("point.html", java_script_enabled=False)
    assert page.locator("thead button").count() == 0
    page.locator("a[href='#witness-Conf-1']").click()
    assert page.locator("#witness-Conf-1 table.ranking").count() == 2


@pytest.mark.parametrize(("name", "scheme"), list(zip(PAGES, cycle(("light", "dark")), strict=False)))
def test_no_serious_barrier_and_nothing_sideways(opened: Any, name: str, scheme: str) -> None:
    """Pages share their colours, so that each is looked at in one scheme, and in one width."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="carries axe-core").Axe()
    width = 1280 if scheme == "light" else 390
    page = opened(f"{name}.html", color_scheme=scheme, bypass_csp=True, viewport={"width": width, "height": 800})
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    found = axe.run(page).response["violations"]
    assert [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found if v["impact"] in ("serious", "critical")] == []
