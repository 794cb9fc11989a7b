"""Pictures of regions: what is drawn is inside the range, and the legend names no more than that."""

import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

import axiomcheck
from axiomcheck.core.errors import InvalidInput
from axiomcheck.reports.pictures import report_svg
from axiomcheck.reports.region_report import region_report, regions_report
from axiomcheck.reports.table import Report
from tests.reports.html_pages import HOSTILE, line, point
from tests.support.suites import quality


def texts(picture: str) -> str:
    """Return the texts of a picture, which is XML without variables."""
    ElementTree.fromstring(picture)
    assert not re.search(r"var\(|light-dark|https?://(?!www\.w3\.org)", picture)
    return " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", picture))


@quality
@pytest.mark.parametrize("over", [{"k": (1, 3)}, {"p": (0.6, 0.7), "k": (1, 3)}, {"p": (0.7, 0.85), "k": (1, 3)}])
def test_values_of_the_metric_outside_the_range_are_neither_drawn_nor_named(over: dict[str, Any]) -> None:
    """Drawn, a mark at k = 20 made the picture of k = 1 to 3 a fifth of its width."""
    said = texts(report_svg(region_report(axiomcheck.region("RBP@20", "CloseTh", over=over).region)))
    assert "k = 20" not in said
    assert ("p = 0.8" in said) is (over.get("p", (0, 0))[1] > 0.8)


def test_the_legend_names_the_verdicts_that_occur_and_names_are_text() -> None:
    said = texts(report_svg(region_report(point())))
    assert "refuted at these settings" in said
    assert "undecided" not in said
    said = texts(report_svg(region_report(replace(line(), subject=HOSTILE))))
    assert "&lt;script&gt;" in said
    assert "x" * 100 not in said


def test_a_report_without_plots_is_no_picture_and_several_plots_lie_beside_each_other() -> None:
    with pytest.raises(InvalidInput, match=r"CloseTh of RBP.*nothing to draw"):
        report_svg(regions_report([line()]))
    both = Report("both", [], [*region_report(line()).sections, *region_report(point()).sections])
    places = re.findall(r'<g transform="translate\((\d+) (\d+)\)">\n<text', report_svg(both))
    assert len(places) == len(set(places)) == 2
