"""The page of a region: the map has every part at its place, and what is said is what the region says."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from click.testing import CliRunner

from axiomcheck.cli.program import main
from axiomcheck.reports.html.plot import Scale, path_of_rectangles
from axiomcheck.reports.html.region_page import region_page
from axiomcheck.reports.region_report import region_findings
from axiomcheck.studies.region import Region
from tests.reports.html_pages import HOSTILE, SHOWN, Page, check_self_contained, line, plane, point

COMMAND = "axiomcheck region RBP CloseTh --over p=0.5:0.99"


def page_of(region: Region) -> Page:
    return Page(region_page(region, COMMAND))


def rectangles(page: Page) -> dict[str, list[tuple[float, ...]]]:
    """Return the (left, top, width, height) of the map's rectangles, by verdict."""
    drawn = {path["class"].removeprefix("fill-"): path["d"] for path in page.all("path")}
    return {
        verdict: [tuple(map(float, box)) for box in re.findall(r"M(\S+) (\S+?)h(\S+?)v(\S+?)h-\S+?z", path)]
        for verdict, path in drawn.items()
        if verdict in {"holds", "fails", "undecided"}
    }


@pytest.mark.parametrize("made", [line, plane, point])
def test_the_map_has_the_shares_of_the_region(made) -> None:  # type: ignore[no-untyped-def]
    region, page = made(), page_of(made())
    check_self_contained(page)
    found = {verdict: sum(w * h for _, _, w, h in boxes) for verdict, boxes in rectangles(page).items()}
    for verdict, share in region.shares().items():
        assert found.get(verdict, 0.0) / sum(found.values()) == pytest.approx(float(share), abs=2e-3)
    for finding in region_findings(region):
        assert finding in page.shown
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
    assert ["p*", "0.754877666246692760049508896358…", "p3 + p2 - 1", "3/4 and 19/25", "2, 3"] in page.rows
    assert "p<sup>3</sup> + p<sup>2</sup> - 1" in page.text
    # the dashed line of RBP(p=0.8) lies right of the end, three fifths of the way
    marks = [float(one["x1"]) for one in page.all("line", **{"class": "named"}) if "x1" in one]
    assert marks[0] == pytest.approx(62 + 640 * (0.8 - 0.5) / 0.49, abs=0.01)


def test_a_single_point_is_seen_and_its_witness_told() -> None:
    page = page_of(point())
    (single,) = [one for one in page.all("path") if "single" in one.get("class", "")]
    assert single["class"].startswith("fill-fails")
    assert single["d"].startswith("M62 ")
    (witness,) = point().witnesses
    (text,) = re.findall(r"^\{$.*?^\}$", page.shown, re.DOTALL | re.MULTILINE)
    assert json.loads(text) == witness
    assert "axiomcheck replay witness-1.json" in page.shown
    assert page.all("a", href="#witness-1")


def test_names_are_text() -> None:
    page = page_of(replace(line(), subject=HOSTILE, metric=HOSTILE, notes=(HOSTILE,)))
    assert page.shown.count(SHOWN) >= 4
    assert "\x1b" not in page.text


def test_the_command_prints_the_page_and_how_to_make_it_again() -> None:
    words = ["region", "alpha-nDCG(alpha=0.2)", "CloseTh", "--over", "k=6:9", "--format", "html"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0
    page = Page(done.output)
    check_self_contained(page)
    command = "axiomcheck region 'alpha-nDCG(alpha=0.2)' CloseTh --over k=6:9 --regime stated --seed 0 --format html"
    assert command in page.shown
    assert CliRunner().invoke(main, words).output == done.output


def test_ticks_are_round_and_within_and_rectangles_are_a_path() -> None:
    for low, high in ((0.5, 0.99), (0, 1), (-3.2, 17), (3.5, 12.5), (0.7547, 0.7549), (1e-9, 2e-9)):
        ticks = Scale(low, high, 10, 110).ticks()
        assert 2 <= len(ticks) <= 7
        assert all(10 <= tick.at <= 110 for tick in ticks)
        for tick in ticks:
            assert Scale(low, high, 10, 110).at(float(tick.text)) == pytest.approx(tick.at, abs=0.5)
    assert [tick.text for tick in Scale(3.5, 5.5, 0, 1, whole=True).ticks()] == ["4", "5"]
    assert path_of_rectangles([(1, 2, 3.5, 4)]) == "M1 2h3.5v4h-3.5z"
