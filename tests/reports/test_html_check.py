"""The page of checked metrics: a row per regime whose cells open, contract checks with their cases, neighbours."""

from __future__ import annotations

from dataclasses import replace

from axiomcheck.checks.contract import Outcome
from axiomcheck.checks.metric import Checked
from axiomcheck.core.verdict import Verdict
from axiomcheck.reports.check_report import contract_counts, told_cells, told_neighbours
from axiomcheck.reports.contract_case import case_text
from axiomcheck.reports.html.check_page import check_page
from tests.reports.html_pages import HOSTILE, SHOWN, Page, check_self_contained, checked

CASE = {
    "topic": {"weights": [1.0], "pool": {"d1": [1.0]}},
    "rankings": [["d1"], ["d1"]],
    "scores": [1.0, 0.5],
}


def planted(alone: bool = False) -> Checked:
    """A metric with a failed check, one that is admitted and one that was not asked."""
    outcomes = (
        Outcome("finite", "values", "passed", "", 12, None),
        Outcome("repeatable", "purity", "failed", f"{HOSTILE} changes", 3, CASE),
        Outcome("renaming", "purity", "admitted", "says so", 2, None),
        Outcome("monotone", "values", "not-applicable", "", 0, None, needs="monotone declared"),
    )
    known = checked(axioms=()) if alone else checked()
    return replace(known, metric=HOSTILE, tried=replace(known.tried, contract=outcomes, notes=(HOSTILE,)))


def test_every_cell_of_every_regime_opens() -> None:
    page = Page(check_page([checked(), planted()]))
    check_self_contained(page)
    sections = {one["id"] for one in page.all("section", **{"class": "cell"})}
    cells = page.all("td", **{"data-verdict": Verdict.REFUTED.value})
    assert len(sections) == 2 * len(checked().cells)
    assert len(cells) == 2 * sum(cell.verdict is Verdict.REFUTED for cell in checked().cells)
    linked = {one["href"][1:] for one in page.all("a")}
    assert sections <= linked
    assert [row[0] for row in page.rows[:5]][2:] == ["stated", "limit", "finite"]
    assert page.shown.count("axiomcheck replay ") >= len(cells) / 2


def test_what_the_terminal_says_is_there() -> None:
    page = Page(check_page([checked()]))
    told = [(heading, one) for heading, each in told_cells(checked()) for one in each]
    assert any(one.verdict is Verdict.REFUTED for _, one in told)
    for heading, one in told:
        assert heading in page.shown
        assert f"{one.where}: {one.text}" in page.shown
        for what, sentence in one.further:
            assert f"{what}: {sentence}." in page.shown
    neighbours = list(told_neighbours(checked()))
    assert neighbours
    assert all(text in page.shown for _, text in neighbours)
    shares = [cell.pairs.violations.share for cell in checked().cells if cell.pairs and cell.pairs.violations]
    assert shares
    found = {float(one["data-value"]) for one in page.all("td") if one.get("data-value", "x")[:1].isdigit()}
    assert {share for share in shares if share is not None} <= found


def test_contract_checks_are_told_with_their_cases_and_alone_without_a_table_of_cells() -> None:
    alone = planted(alone=True)
    page = Page(check_page([alone]))
    check_self_contained(page)
    assert not page.all("section")
    assert "controls" not in page.text[page.text.index("</script>") :]
    assert "finite: Every score is a finite number." in page.shown
    rows = [row for row in page.rows if len(row) == 3 and row[0].split()[-1:] in (["failed"], ["admitted"], ["passed"])]
    assert [row[0].split()[-1] for row in rows] == ["failed", "admitted", "passed"]
    assert case_text(CASE) in rows[0][1]
    assert "show(lambda: scores(" in rows[0][1]
    assert f"Contract checks: {contract_counts(alone)}" in page.shown
    assert "monotone: needs monotone declared" in page.shown
    assert page.shown.count(SHOWN) >= 4
    assert "\x1b" not in page.text
