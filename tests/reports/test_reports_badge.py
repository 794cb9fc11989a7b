"""Badges: what they say of one metric and of several, and that none is green where something is not proved."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from axiomcheck import AXIOMS, Cell, Ledger
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.reports import badge
from axiomcheck.reports.badge import badge_in_markdown, badge_of
from axiomcheck.reports.formats import to_badge
from tests.reports.html_pages import contrast
from tests.reports.reports_ledgers import made_up, odd, proved
from tests.support.made_records import because, pair_evidence

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
    assert badge_of(of(*[Verdict.PROVED] * 9)).label == "9 axioms of choice (stated)"
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
