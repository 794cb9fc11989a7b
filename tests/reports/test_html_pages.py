"""Pages of checked metrics, regions, runs and metric unanimity: what is said and drawn is what the terminal says."""

import json
import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from axiomcheck.checks.contract import Outcome
from axiomcheck.checks.metric import Checked
from axiomcheck.core.documents import document_of
from axiomcheck.core.verdict import Verdict
from axiomcheck.reports import compare_report
from axiomcheck.reports.check_report import check_page, check_report
from axiomcheck.reports.compare_report import comparison_report
from axiomcheck.reports.contract_case import case_text
from axiomcheck.reports.html.drawing import Scale, drawing, path_of_rectangles
from axiomcheck.reports.html.page import report_page
from axiomcheck.reports.plot import PlotAxis
from axiomcheck.reports.region_report import region_findings, regions_page
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.reports.table import Report, report_text
from axiomcheck.reports.unanimity_report import unanimity_report, unanimity_rows
from axiomcheck.runs.unanimity import Unanimity, measure
from axiomcheck.studies.region.result import Region
from tests.reports.html_pages import (
    HOSTILE,
    SHOWN,
    Page,
    checked,
    comparison,
    grid,
    line,
    plane,
    point,
    self_contained,
    unanimity,
)

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


def test_a_page_of_a_checked_metric_has_the_sentences_of_the_terminal() -> None:
    page = Page(check_page([checked()]))
    sections = check_report(checked()).sections
    assert any(line.startswith(SYMBOLS[Verdict.REFUTED]) for section in sections for line in section.lines)
    shown = " ".join(page.shown.split())
    for section in sections:
        assert section.heading in shown
        assert all(" ".join(each[1:].split()) in shown for each in section.lines)
    shares = [cell.pairs.violations.share for cell in checked().cells if cell.pairs and cell.pairs.violations]
    assert shares
    assert all(f"in {100 * share:.3g}% of the sampled instances" in shown for share in shares if share is not None)


def test_contract_checks_are_told_with_their_cases_and_alone_without_a_table_of_cells() -> None:
    alone = planted(alone=True)
    page = self_contained(Page(check_page([alone])))
    assert not page.all("section")
    assert "controls" not in page.text[page.text.index("</script>") :]
    assert "Every score is a finite number." in page.shown
    rows = {row[0]: row[1] for row in page.rows if len(row) == 5}
    assert (rows["repeatable"], rows["renaming"], rows["finite"]) == ("failed", "admitted", "passed")
    assert case_text(CASE) in page.shown
    assert "show(lambda: scores(" in page.shown
    assert "1 of 3 contract checks failed" in page.shown
    assert [row[-1] for row in page.rows if row[:1] == ["monotone"]] == ["monotone declared"]
    assert page.shown.count(SHOWN) >= 4
    assert "\x1b" not in page.text


COMMAND = "axiomcheck region RBP CloseTh --over p=0.5:0.99"


def page_of(region: Region) -> Page:
    return Page(regions_page([region], COMMAND))


def rectangles(page: Page) -> dict[str, list[tuple[float, ...]]]:
    """Return the (left, top, width, height) of the map's rectangles, by verdict."""
    drawn = {path["class"].removeprefix("fill-"): path["d"] for path in page.all("path")}
    return {
        verdict: [tuple(map(float, box)) for box in re.findall(r"M(\S+) (\S+?)h(\S+?)v(\S+?)h-\S+?z", path)]
        for verdict, path in drawn.items()
        if verdict in {"proved", "refuted", "undecided"}
    }


@pytest.mark.parametrize("made", [line, plane, point])
def test_the_map_has_the_shares_of_the_region(made) -> None:  # type: ignore[no-untyped-def]
    region, page = made(), page_of(made())
    self_contained(page)
    found = {verdict: sum(w * h for _, _, w, h in boxes) for verdict, boxes in rectangles(page).items()}
    for verdict, share in region.shares().items() if region.grid is None else ():
        assert found.get(verdict, 0.0) / sum(found.values()) == pytest.approx(float(share), abs=2e-3)
    for finding in region_findings(region):
        assert finding.strip("○●◐") in page.shown
    assert COMMAND in page.shown


def test_rectangles_lie_where_their_parameters_are() -> None:
    boxes = rectangles(page_of(plane()))
    (part,) = plane().parts
    assert len(part.cells) == sum(map(len, boxes.values())) == 4
    for cell in part.cells:
        (p, e) = ((float(low) + float(high)) / 2 for _, low, high in cell.box)
        x, y = 62 + 640 * (p - 0.5) / 0.49, 12 + 400 * (1 - e)
        assert any(left < x < left + w and top < y < top + h for left, top, w, h in boxes[cell.finding.verdict])


def test_an_end_is_shown_with_its_polynomial() -> None:
    page = page_of(line())
    assert "p* = 0.754877666246692760049508896358..., the root of p**3 + p**2 - 1 in (3/4, 19/25)" in page.shown
    # the dashed line of RBP(p=0.8) lies right of the end, three fifths of the way
    (line_of_metric,) = (one["d"] for one in page.all("path", **{"class": "named"}) if one["d"] != "M0 7H34")
    assert float(line_of_metric[1:].split()[0]) == pytest.approx(62 + 640 * (0.8 - 0.5) / 0.49, abs=0.01)


def test_settings_are_drawn_halfway_to_their_neighbours_and_a_witness_is_told() -> None:
    page = page_of(point())
    ((left, _, width, _),) = rectangles(page)["refuted"]
    assert (left, width) == (62, 64)  # half of a fifth of 640 pixels
    (witness,) = point().witnesses
    (text,) = re.findall(r"^\{$.*?^\}$", page.shown, re.DOTALL | re.MULTILINE)
    assert json.loads(text) == document_of(witness)
    assert "axiomcheck replay witness-1.json" in page.shown
    assert page.all("a", href="#witness-Conf-1")


def test_ticks_are_round_and_within_and_rectangles_are_a_path() -> None:
    for low, high in ((0.5, 0.99), (0, 1), (-3.2, 17), (3.5, 12.5), (0.7547, 0.7549), (1e-9, 2e-9)):
        scale = Scale(PlotAxis("", low, high), 10, 110)
        ticks = scale.ticks()
        assert 2 <= len(ticks) <= 7
        assert all(10 <= tick.at <= 110 for tick in ticks)
        for tick in ticks:
            assert scale.at(float(tick.text)) == pytest.approx(tick.at, abs=0.5)
    assert [tick.text for tick in Scale(PlotAxis("", 3.5, 5.5, whole=True), 0, 1).ticks()] == ["4", "5"]
    assert path_of_rectangles([(1, 2, 3.5, 4)]) == "M1 2h3.5v4h-3.5z"


def compared(baseline: str = "first") -> Page:
    return self_contained(Page(report_page(comparison_report(comparison(), baseline))))


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
    wanted = sorted((14 * each / (1.05 * found.max()) for each in found.tolist()), reverse=True)
    assert heights == pytest.approx(wanted, abs=0.01)
    assert above[1] == ""  # a run with the scores of the first


def test_many_runs_are_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare_report, "_MOST_DRAWN", 3)
    page = compared()
    assert not page.all("svg", **{"class": "interval"})
    assert "By topic" not in page.shown


def unanimous(found: Unanimity) -> Page:
    return self_contained(Page(report_page(unanimity_report(found, 0))))


@pytest.mark.parametrize(
    "made",
    [
        lambda: comparison_report(comparison(), "first"),
        lambda: unanimity_report(unanimity(), 0),
    ],
    ids=["differences", "unanimity"],
)
def test_a_page_has_the_numbers_and_the_lines_of_the_terminal(made: Callable[[], Report]) -> None:
    report = made()
    page = self_contained(Page(report_page(report)))
    shown = " ".join(page.shown.split())
    assert all(number in shown for number in re.findall(r"[+-]?\d+\.\d+", report_text(report)))
    assert all(" ".join(line.split()) in shown for line in report.lines[1:])
    assert SHOWN in page.shown


def drawn_marks(page: Page, style: str) -> list[float]:
    """Return the positions at which marks of a plot begin, without that of the legend."""
    paths = [path["d"] for path in page.all("path", **{"class": style})]
    return [
        float(re.match(r"M(\S+) ", d)[1]) for d in paths if d not in ("M0 7H34", "M13 7a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z")
    ]  # type: ignore[index]


def test_an_interval_lies_where_its_numbers_are_beside_its_metric() -> None:
    page, found = unanimous(unanimity()), unanimity()
    plot = unanimity_report(found, 0).sections[0].plot
    assert plot is not None
    x = drawing(plot).x
    order = [row.number for row in unanimity_rows(found, False)][::-1]
    spans, dots = drawn_marks(page, "span"), drawn_marks(page, "dot")
    for n, name, left, dot in zip(order, plot.y.names, spans, dots, strict=True):
        assert name.startswith(found.grid.metrics[n][:20])
        assert left == pytest.approx(max(x.at(float(found.low[n])), x.start), abs=0.02)
        assert dot + 4 == pytest.approx(x.at(float(found.values[n])), abs=0.02)
    assert x.start < min(spans) < max(dots) < x.end


def test_a_value_that_is_no_number_is_sorted_last_and_not_drawn_and_without_intervals_there_are_none() -> None:
    values = np.array([[[1.0], [0.5]], [[0.0], [1.0]], [[0.5], [0.5]]])
    found = measure(grid(values), ("a", "b", "c"), 20, 0)
    assert not np.isfinite(found.values).all()
    page = unanimous(found)
    missing = [row for row in page.rows[1:] if {"undefined", "-inf"} & set(row[1:2])]
    assert missing
    assert sum(one.get("data-value") == "" for one in page.all("td")) >= len(missing)
    assert len(drawn_marks(page, "dot")) == int(np.isfinite(found.values).sum())
    page = unanimous(measure(unanimity().grid, unanimity().families))
    assert page.rows[0] == ["Metric", "Variants", "MU", "Unanimous", "Captured"]
    assert not drawn_marks(page, "span")
