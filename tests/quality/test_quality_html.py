"""Pages in a browser: by mouse and keyboard, without script, without a network, for everybody."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from axiomcheck import AXIOMS, Cell, Ledger, Reading, Regime, Verdict, parse
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.reports.check_report import check_page
from axiomcheck.reports.html.cells import identities, matrix_page
from axiomcheck.reports.html.page import report_page
from axiomcheck.reports.region_report import regions_report
from axiomcheck.reports.score_report import scores_report
from tests.reports.html_pages import HOSTILE, plane, scored
from tests.reports.test_html_pages import planted
from tests.support.suites import quality

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    quality,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium, chromium-browser or google-chrome here"),
]

QUIET = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
QUIET += ["--renderer-process-limit=1", "--disable-gpu"]
METRICS = ("RBP", "P-IA@20", "P@H-RBP(order=dominance)@20")
AXES = ("Pri", "CloseTh", "Conf", "Red")
PAGES = {
    "plane": lambda: report_page(regions_report([plane()])),
    "scores": lambda: report_page(scores_report(scored(), False)),
    "check": lambda: check_page([planted()]),
}


def ledger(reading: Reading) -> Ledger:
    settings = Settings(examples=20)
    return run_matrix([parse(name) for name in METRICS], [AXIOMS[name] for name in AXES], reading, settings)


@pytest.fixture(scope="module")
def ledgers() -> list[Ledger]:
    made = ledger(Reading(Regime.STATED))
    other = replace(made, domain="binary", cells=tuple(replace(c, witness=None) for c in made.cells[:3]))
    return [made, replace(other, cells=tuple(c for c in other.cells if c.verdict is not Verdict.REFUTED))]


@pytest.fixture(scope="module")
def site(ledgers: list[Ledger], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    (folder / "one.html").write_text(matrix_page(ledgers[:1]), encoding="utf-8")
    (folder / "two.html").write_text(matrix_page(ledgers), encoding="utf-8")
    (folder / "each.html").write_text(matrix_page([each_verdict(ledgers[0]), ledgers[1]]), encoding="utf-8")
    for name, made in PAGES.items():
        (folder / f"{name}.html").write_text(made(), encoding="utf-8")
    return folder


def each_verdict(ledger: Ledger) -> Ledger:
    """One cell of each verdict: all that there is to draw, in a page that is looked at in short time."""
    return replace(ledger, cells=tuple({cell.verdict: cell for cell in reversed(ledger.cells)}.values()))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, "--no-first-run"])
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def new_page(browser: Any) -> Callable[..., Any]:
    """Return a function that opens a page; pages of the same settings share a context, which takes a second to make."""
    made: dict[str, Any] = {}

    def opened(**settings: Any) -> Any:
        key = repr(settings)
        made[key] = made.get(key) or browser.new_context(**settings)
        return made[key].new_page()

    return opened


class Watched:
    def __init__(self, page: Any, address: str) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(address)

    def close(self) -> None:
        self.page.close()
        assert self.complaints == []
        assert [url for url in self.asked if not url.startswith("file://")] == []


@pytest.fixture
def opened(new_page: Callable[..., Any], site: Path) -> Iterator[Any]:
    pages: list[Watched] = []

    def open_page(name: str = "one.html", **context: Any) -> Any:
        file, _, cell = name.partition("#")
        pages.append(Watched(new_page(**context), (site / file).as_uri() + (f"#{cell}" if cell else "")))
        return pages[-1].page

    yield open_page
    for watched in pages:
        watched.close()


def name_of(ledger: Ledger, wanted: Any) -> tuple[str, Cell]:
    return next((name, cell) for name, cell in zip(identities(ledger), ledger.cells, strict=True) if wanted(cell))


def test_filters_say_how_many_cells_are_left(opened: Any, ledgers: list[Ledger]) -> None:
    page, cells = opened(), ledgers[0].cells
    count = page.locator("#count")
    assert count.inner_text() == f"{len(cells)} cells, {len(METRICS)} metrics"
    page.select_option("#verdict", "refuted")
    refuted = [cell for cell in cells if cell.verdict is Verdict.REFUTED]
    assert count.inner_text() == f"{len(refuted)} cells, {len({c.metric for c in refuted})} metrics"
    page.select_option("#verdict", "")
    page.select_option("#family", "Intent-aware")
    assert count.inner_text() == f"{len(AXES)} cells, 1 metric"
    assert page.locator("tbody:visible").count() == 1
    page.select_option("#family", "")
    page.check("#findings")
    assert count.inner_text().startswith(f"{len(ledgers[0].findings)} cell")
    page.uncheck("#findings")
    assert page.locator("td .published:visible").count() == 0
    page.select_option("#show", "published")
    assert page.locator("td .published:visible").count() == sum(bool(c.published) for c in cells)
    assert page.locator("td .verdict:visible").count() == 0
    page.select_option("#show", "differences")
    assert page.locator("td .verdict:visible").count() == len(ledgers[0].findings)
    assert count.inner_text().startswith(f"{len(ledgers[0].findings)} cell")
    page.locator(".matrix td a:visible").first.focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("getComputedStyle(document.activeElement).visibility") == "visible"


def test_a_cell_is_opened_by_mouse_and_shows_its_witness(opened: Any, ledgers: list[Ledger]) -> None:
    page = opened()
    name, cell = name_of(ledgers[0], lambda c: c.metric.startswith("P-IA") and c.verdict is Verdict.REFUTED)
    page.click(f'.matrix a[href="#{name}"]')
    section = page.locator(f'[id="{name}"]')
    assert section.is_visible()
    assert page.url.endswith(f"#{name}")
    assert section.locator("table.ranking").count() == 2
    section.locator(".file summary").first.click()
    assert json.loads(section.locator(".file pre").first.inner_text())["metric"] == cell.metric
    section.locator(".file .copy").first.click()
    page.wait_for_function("/Copied|Selected/.test(document.querySelector('.cell:target .copy').textContent)")
    section.locator(".close").click()
    assert not section.is_visible()


def test_a_cell_is_opened_by_keyboard_and_shows_its_proof(opened: Any, ledgers: list[Ledger]) -> None:
    page = opened()
    first = page.locator(".matrix td a").first
    first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    focused = page.evaluate("document.activeElement.getAttribute('href')")
    assert focused == page.locator(".matrix td a").nth(2).get_attribute("href")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    section = page.locator(".cell:target")
    assert section.get_attribute("id") == first.get_attribute("href")[1:]
    assert page.evaluate("document.activeElement.id") == section.get_attribute("id")
    assert "The argument" in section.inner_text()
    assert section.locator(".argument").is_visible()
    page.keyboard.press("Escape")
    assert page.locator(".cell:target").count() == 0
    assert page.evaluate("document.activeElement.getAttribute('href')") == first.get_attribute("href")
    assert page.locator(".matrix td a[tabindex='0']").count() == 1


def test_readings_are_switched_and_linked_to(opened: Any, ledgers: list[Ledger]) -> None:
    page = opened("two.html")
    assert page.locator(".view:visible").get_attribute("data-reading") == "stated-graded"
    page.select_option("#reading", "stated-binary")
    assert page.locator(".view:visible").get_attribute("data-reading") == "stated-binary"
    assert page.locator("#count").inner_text().startswith(f"{len(ledgers[1].cells)} cell")
    name = identities(ledgers[1])[0]
    linked = opened(f"two.html#{name}")
    assert linked.locator(".view:visible").get_attribute("data-reading") == "stated-binary"
    assert linked.locator(".cell:target").get_attribute("id") == name


def test_without_script_every_cell_can_be_read(opened: Any, ledgers: list[Ledger]) -> None:
    page = opened("two.html", java_script_enabled=False)
    assert page.locator(".view:visible").count() == 2
    assert page.locator("#controls:visible").count() == 0
    name, cell = name_of(ledgers[0], lambda c: c.witness is not None)
    page.click(f'.matrix a[href="#{name}"]')
    assert cell.reason[1:] in page.locator(f'[id="{name}"]').inner_text()


def test_print_has_the_table_and_the_findings(opened: Any) -> None:
    page = opened()
    page.click(".matrix td a >> nth=0")
    page.emulate_media(media="print")
    assert page.locator(".matrix:visible").count() == 1
    assert page.locator(".cell:visible").count() == 0
    assert page.locator("#controls:visible").count() == 0
    assert "Findings" in page.locator("main").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_barrier(opened: Any, ledgers: list[Ledger], scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="carries axe-core").Axe()
    page = opened("each.html", color_scheme=scheme, bypass_csp=True)
    rules = {} if scheme == "light" else {"runOnly": ["color-contrast"]}  # all that schemes differ in

    def barriers() -> list[str]:
        found = axe.run(page, options=rules).response["violations"]
        return [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found if v["impact"] in ("serious", "critical")]

    page.add_style_tag(content=".cell { display: block !important }")  # all cells at once
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    assert page.locator(".cell:visible").count() == len(each_verdict(ledgers[0]).cells) + len(ledgers[1].cells)
    assert barriers() == []
    if scheme == "light":
        page.evaluate("document.querySelector('.cell p').style.color = '#777'")
        assert any(found.startswith("color-contrast") for found in barriers())


def test_a_narrow_screen_does_not_scroll_sideways(opened: Any, ledgers: list[Ledger]) -> None:
    wide = "document.documentElement.scrollWidth > innerWidth"
    assert not opened(viewport={"width": 390, "height": 800}).evaluate(wide)
    page = opened("each.html", viewport={"width": 390, "height": 800})
    for name in identities(each_verdict(ledgers[0])):
        page.evaluate("name => { location.hash = name }", name)
        assert not page.evaluate(wide)
        assert not page.evaluate("(s => s.scrollWidth > s.clientWidth)(document.querySelector('.cell:target'))"), name


def column(page: Any, table: Any, number: int) -> list[str]:
    found: list[str] = table.locator(f"tbody tr > :nth-child({number})").all_inner_texts()
    return found


def test_a_table_is_sorted_by_keyboard_and_says_so(opened: Any) -> None:
    page = opened("scores.html")
    table = page.locator("table.sortable")
    headings = table.locator("thead th")
    assert [one.get_attribute("aria-sort") for one in headings.all()] == ["none"] * 3
    scores = [float(text.split()[0]) for text in column(page, table, 2)]
    headings.nth(1).locator("button").focus()
    for falling, direction in ((True, "descending"), (False, "ascending")):
        page.keyboard.press("Enter")
        assert [float(text.split()[0]) for text in column(page, table, 2)] == sorted(scores, reverse=falling)
        assert headings.nth(1).get_attribute("aria-sort") == direction
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    names = column(page, table, 1)
    assert names == sorted(names, key=str.casefold)
    assert [one.get_attribute("aria-sort") for one in headings.all()[:2]] == ["ascending", "none"]
    assert page.locator("[role=status]").inner_text() == "Sorted by Run, ascending"
    assert page.evaluate("document.activeElement.textContent") == "Run"
    # Rows without a value stay last.
    page.evaluate("document.querySelectorAll('tbody tr')[0].cells[1].dataset.value = ''")
    first = column(page, page.locator("table.sortable"), 1)[0]
    for _ in range(2):
        page.locator("thead button").nth(1).click()
        assert column(page, page.locator("table.sortable"), 1)[-1] == first


def test_a_cell_of_a_checked_metric_opens_and_closes(opened: Any) -> None:
    page = opened("check.html")
    assert page.locator("#count").inner_text() == "6 cells, 3 rows"
    page.select_option("#verdict", "refuted")
    assert page.locator(".matrix td[data-verdict=refuted]:visible").count() > 0
    page.locator(".matrix td[data-verdict=refuted]:not(.out) a:visible").first.focus()
    page.keyboard.press("Enter")
    assert page.locator(".cell:target table.ranking").count() >= 2
    page.keyboard.press("Escape")
    assert page.locator(".cell:visible").count() == 0
    assert page.locator("script:has-text('alert')").count() == 0
    assert HOSTILE[:25] in page.locator("main").inner_text()


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
