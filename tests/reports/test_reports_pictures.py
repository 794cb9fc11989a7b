"""Pictures of matrices and regions: each cell has its verdict, and nothing is cut off."""

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from axiomcheck import Ledger
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.reports.html.drawing import sign_path
from axiomcheck.reports.layout import Layout
from axiomcheck.reports.matrix_report import matrix_report
from axiomcheck.reports.pictures import report_picture, report_svg
from axiomcheck.reports.region_report import regions_report
from axiomcheck.reports.symbols import BINARY_MARK, FINDING_MARK, SYMBOLS
from axiomcheck.reports.table import Report
from tests.reports.html_pages import HOSTILE, line, point
from tests.reports.reports_ledgers import odd, real

NAMES = {"ledger": real, "odd": odd}


def drawn_cells(picture: str) -> dict[tuple[str, str], tuple[str, str]]:
    """Read (metric, axiom) -> (verdict, marks) from the positions of what is drawn."""
    table = picture.partition('class="frame"')[2]
    across = {
        float(x) - 4: name for x, name in re.findall(r'translate\((\S+) \S+\) rotate\(-90\)">([^<]+)</text>', table)
    }
    upwards = {float(y) - 4: name for y, name in re.findall(r'<text x="0" y="([^"]+)">([^<]+)</text>', table)}
    marks = {
        (float(x), float(y)): text for x, y, text in re.findall(r'superscript" x="([^"]+)" y="([^"]+)">([^<]+)<', table)
    }
    found = {}
    for verdict, d in re.findall(r'<path class="tile-([\w-]+)" d="([^"]+)"/>', table.partition('class="tile"')[0]):
        for x, y, wide, tall in re.findall(r"M(\S+) (\S+)h(\S+)v(\S+)h", d):
            middle, level = float(x) + float(wide) / 2, float(y) + float(tall) / 2
            (axiom,) = (name for at, name in across.items() if abs(at - middle) < 1)
            (metric,) = (name for at, name in upwards.items() if abs(at - level) < 1)
            beside = [text for (at, up), text in marks.items() if 0 < at - middle < 12 and abs(up - level) < 1]
            found[metric, axiom] = (verdict, "".join(beside))
    return found


def cells_of(ledger: Ledger) -> dict[tuple[str, str], tuple[str, str]]:
    """Return what `drawn_cells` is to find."""
    layout = Layout(ledger)
    return {
        (layout.names[cell.metric], cell.axiom): (cell.verdict.value, layout.marks(cell).replace(BINARY_MARK, "b"))
        for cell in ledger.cells
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_of_a_figure_has_its_verdict_and_marks(name: str) -> None:
    ledger = NAMES[name]()
    assert drawn_cells(report_svg(matrix_report(ledger))) == cells_of(ledger)
    swapped = (ledger.cells[1].verdict, *(cell.verdict for cell in ledger.cells[1:]))
    planted = replace(ledger, cells=tuple(replace(c, verdict=v) for c, v in zip(ledger.cells, swapped, strict=True)))
    assert (drawn_cells(report_svg(matrix_report(planted))) == cells_of(ledger)) is (
        ledger.cells[0].verdict is ledger.cells[1].verdict
    )


def test_the_texts_of_a_figure_end_within_it_and_the_legend_has_what_occurs() -> None:
    """A figure of two axioms was as wide as they, and cut its legend off."""
    ledger = real()
    narrow = replace(ledger, cells=tuple(cell for cell in ledger.cells if cell.axiom in ("Pri", "Deep")))
    for each in (ledger, narrow):
        picture = report_svg(matrix_report(each))
        ElementTree.fromstring(picture)
        width = float(re.findall(r'<svg[^>]* width="(\d+)"', picture)[0])
        legend = re.findall(
            r'translate\((\d+) \d+\)"><svg class="tile".*?<text x="28" y="12">([^<]+)</text>', picture, re.S
        )
        assert legend
        assert all(16 + int(x) + 28 + 7.5 * len(text) < width for x, text in legend)
        said = {text for _, text in legend}
        assert ("differs from the published table" in said) is bool(each.findings)
        assert ("violated" in said) is any(cell.verdict is Verdict.REFUTED for cell in each.cells)


def test_symbols_differ_in_shape_so_that_they_differ_in_grey() -> None:
    paths = [sign_path(symbol, 0, 0) for symbol in SYMBOLS.values()]
    letters = [symbol for symbol in SYMBOLS.values() if not sign_path(symbol, 0, 0)]
    assert letters == ["?", "!"]
    assert len(set(paths)) == len(SYMBOLS) - len(letters) + 1
    assert FINDING_MARK == "*"  # a letter of every font, unlike the mark of binary instances


@pytest.mark.extra("vl_convert")
def test_figures_are_pictures_for_papers_and_for_screens(tmp_path: Path) -> None:
    report = matrix_report(real())
    assert str(report_picture(report, ".svg")).startswith("<svg") or "<svg" in str(report_picture(report, ".svg"))
    assert bytes(report_picture(report, ".png"))[:4] == b"\x89PNG"
    assert bytes(report_picture(report, ".pdf"))[:4] == b"%PDF"


def texts(picture: str) -> str:
    """Return the texts of a picture, which is XML without variables."""
    ElementTree.fromstring(picture)
    assert not re.search(r"var\(|light-dark|https?://(?!www\.w3\.org)", picture)
    return " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", picture))


def test_the_legend_names_the_verdicts_that_occur_and_names_are_text() -> None:
    said = texts(report_svg(regions_report([point()])))
    assert "refuted at these settings" in said
    assert "undecided" not in said
    said = texts(report_svg(regions_report([replace(line(), subject=HOSTILE)])))
    assert "&lt;script&gt;" in said
    assert "x" * 100 not in said


def test_a_report_without_a_plot_or_with_several_is_no_picture() -> None:
    with pytest.raises(InvalidInput, match=r"none: the report has nothing to draw"):
        report_svg(Report("none", [], []))
    both = Report("both", [], [*regions_report([line()]).sections, *regions_report([point()]).sections])
    with pytest.raises(InvalidInput, match="both: the report has several plots to draw"):
        report_svg(both)
