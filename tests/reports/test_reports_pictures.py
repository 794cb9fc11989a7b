"""Pictures of matrices and regions, and badges: each cell has its verdict, nothing is cut off, nothing is too green."""

import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from axiomcheck import AXIOMS, Cell, Ledger
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.reports import badge
from axiomcheck.reports.badge import badge_in_markdown, badge_of, to_badge
from axiomcheck.reports.html.drawing import sign_path
from axiomcheck.reports.layout import Layout
from axiomcheck.reports.matrix_report import matrix_report
from axiomcheck.reports.pictures import report_picture, report_svg
from axiomcheck.reports.region_report import region_report
from axiomcheck.reports.symbols import BINARY_MARK, FINDING_MARK, SYMBOLS
from axiomcheck.reports.table import Report
from tests.reports.html_pages import HOSTILE, contrast, line, point
from tests.reports.reports_ledgers import made_up, odd, proved, real
from tests.support.made_records import because, pair_evidence

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
    said = texts(report_svg(region_report(point())))
    assert "refuted at these settings" in said
    assert "undecided" not in said
    said = texts(report_svg(region_report(replace(line(), subject=HOSTILE))))
    assert "&lt;script&gt;" in said
    assert "x" * 100 not in said


def test_a_report_without_a_plot_or_with_several_is_no_picture() -> None:
    with pytest.raises(InvalidInput, match=r"none: the report has nothing to draw"):
        report_svg(Report("none", [], []))
    both = Report("both", [], [*region_report(line()).sections, *region_report(point()).sections])
    with pytest.raises(InvalidInput, match="both: the report has several plots to draw"):
        report_svg(both)


SVG = "{http://www.w3.org/2000/svg}"


def of(*verdicts: Verdict, name: str = "m") -> Ledger:
    cells = [
        Cell(name, None, axiom, verdict, None, because(), Failure.METRIC if verdict is Verdict.ERROR else None)
        for axiom, verdict in zip(AXIOMS, verdicts, strict=False)
    ]
    return made_up(*cells)


def green(ledger: Ledger) -> bool:
    red, bright, blue = (int(badge_of(ledger).colour[k : k + 2], 16) for k in (1, 3, 5))
    return bright > max(red, blue)


def test_green_means_that_everything_is_proved_on_all_grades_asked() -> None:
    assert green(of(*[Verdict.PROVED] * 10))
    for number in (1, 2):
        for others in combinations([verdict for verdict in Verdict if verdict is not Verdict.PROVED], number):
            ledger = of(*others, *[Verdict.PROVED] * (10 - number))
            assert not green(ledger)
            for verdict in others:
                assert verdict.value.replace("-", " ") in badge_of(ledger).message
    assert not green(made_up())
    assert not green(odd())
    cell = Cell("m", None, "Pri", Verdict.PROVED, None, because(), evidence=pair_evidence(binary=True))
    assert not green(made_up(cell))
    assert badge_of(made_up(cell)).message == "1 of 1 proved, 1 on binary grades only"
    assert green(made_up(replace(cell, evidence=pair_evidence())))


def test_the_message_counts_every_cell_of_every_metric() -> None:
    found = badge_of(of(*[Verdict.PROVED] * 6, Verdict.BOUNDED, Verdict.HELD, Verdict.REFUTED, Verdict.NOT_APPLICABLE))
    assert found.label == "axioms (stated)"
    assert found.message == "6 of 10 proved, 1 bounded, 1 held, 1 refuted, 1 not applicable"
    assert "Reading: stated" in found.title
    found = badge_of(proved())
    assert found.message == "2 metrics: 4 of 4 proved"
    assert found.title.startswith("RBP(p=0.8), D#-nDCG(lambda=0.5)@20. Reading")


def test_few_axioms_and_none_do_not_pass_for_all() -> None:
    assert badge_of(made_up()).label == "no cells (stated)"
    assert ">no cells (stated)<" in to_badge(made_up())
    assert badge_of(of(*[Verdict.PROVED] * 2)).label == "Pri, Deep (stated)"
    assert badge_of(of(*[Verdict.PROVED] * 9)).label == "9 selected axioms (stated)"
    binary = replace(of(*[Verdict.PROVED] * 10), regime="finite", domain="binary")
    assert badge_of(binary).label == "axioms (finite, binary)"


def test_the_picture_is_whole_names_are_text_and_letters_can_be_read_on_every_colour() -> None:
    name = '<script>alert(1)</script>&"\x00\u202e' + "n" * 5000
    text = to_badge(of(Verdict.HELD, name=name))
    root = ElementTree.fromstring(text)
    assert [element.tag for element in root.iter() if "script" in element.tag] == []
    title = root.findtext(f"{SVG}title") or ""
    assert title.startswith('Pri (stated): 0 of 1 proved, 1 held. <script>alert(1)</script>&"\\u0000\\u202en')
    assert "more characters" in title
    assert [element.text for element in root.iter(f"{SVG}text")] == ["Pri (stated)", "0 of 1 proved, 1 held"]
    assert "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")  # nothing comes from elsewhere
    assert text == to_badge(of(Verdict.HELD, name=name))
    for colour in (badge._GREEN, badge._BLUE, badge._ORANGE, badge._GREY, "#444444"):
        assert contrast("#ffffff", colour) >= 4.5, colour


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("my pictures/b.svg", "my%20pictures/b.svg"),
        ("a\n\udcff.svg", "a%0A%FF.svg"),
    ],
)
def test_the_line_of_markdown(path: str, address: str) -> None:
    line = badge_in_markdown(of(Verdict.PROVED), Path(path))
    assert line == f"![Pri (stated): 1 of 1 proved]({address})"
