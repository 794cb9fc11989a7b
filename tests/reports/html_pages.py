"""What tests of pages share: a page taken apart, and small documents of every subject, each made once."""

import re
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pytest

from axiomcheck import AXIOMS, parse
from axiomcheck.checks.metric import Checked, check_metric
from axiomcheck.decide.search import Settings
from axiomcheck.runs.trec import Scores
from axiomcheck.studies.region.axes import read_axis
from axiomcheck.studies.region.decide import regions_of
from axiomcheck.studies.region.result import Region

HOSTILE = "<script>alert(1)</script>\x1b[2J\u202e" + "x" * 5000
SHOWN = "<script>alert(1)</script>\\u001b[2J\\u202exxx"
"""How it begins on a page, read as a browser reads it."""


class Page(HTMLParser):
    """A page taken apart: tags that do not match are an error.

    Args:
        text: of the page.

    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.rows: list[list[str]] = []
        self.shown = ""
        self.texts: dict[str, str] = {}
        """Name of a cell's section -> its text."""
        self.files: dict[str, list[str]] = {}
        """Name of a cell's section -> what can be copied there."""
        self._section = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.elements.append((tag, found))
        if tag == "section" and found.get("class") == "cell":
            self._section = found["id"]
        if tag == "pre" and "details" in self._open:
            self.files.setdefault(self._section, []).append("")
        if tag in {"meta", "br", "img", "input"}:
            return
        self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"} and self._open[-2] == "tr":
            self.rows[-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag
        if tag == "section":
            self._section = ""

    def handle_data(self, data: str) -> None:
        if {"style", "script"} & set(self._open):
            return
        self.shown += data
        if self._section:
            self.texts[self._section] = self.texts.get(self._section, "") + data
        if self._open[-1:] == ["pre"] and "details" in self._open:
            self.files[self._section][-1] += data
        if {"td", "th"} & set(self._open) and self.rows[-1]:
            self.rows[-1][-1] += data

    def all(self, tag: str, **wanted: str) -> list[dict[str, str]]:
        """The attributes of elements of a tag that have some of them as they are wanted."""
        return [a for name, a in self.elements if name == tag and wanted.items() <= a.items()]


def self_contained(page: Page) -> Page:
    """Return a page of which nothing is loaded, and nothing styled or run but what its policy names; ids are unique."""
    for tag, attributes in page.elements:
        assert tag not in {"link", "img", "iframe", "object", "base"}
        for name, value in attributes.items():
            assert name not in {"style", "src"}, (tag, name)
            assert not name.startswith("on"), (tag, name)
            assert name not in {"srcset", "action", "data", "poster", "background", "ping"}, (tag, name)
            assert name != "href" or value.startswith("#"), (tag, value)
    assert len(page.all("script")) == len(page.all("style")) == 1
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {a["href"][1:] for a in page.all("a") if a["href"].startswith("#")} - set(ids) <= {""}
    assert not re.search(r"@import|url\((?!#)|//[a-z]+\.[a-z]+", page.text)
    for name, value in re.findall(r'\b(width|height|x|y|x1|x2|y1|y2)="([^"]*)"', page.text):
        assert float(value.removesuffix("%")) >= -1e-9 or name.startswith(("x", "y")), (name, value)
    return page


FEW = Settings(examples=20, exhaustive=False, proofs=False)


@cache
def region(axiom: str, metric: str, *over: str) -> Region:
    """Return the region of some parameters, roughly where boundaries are exact."""
    asked, parsed = AXIOMS[axiom], parse(metric)
    axes = [read_axis(text, asked, parsed, True) for text in over]
    depth = None if any(axis.count for axis in axes) or not axiom.endswith("Th") else 1
    return regions_of(parsed, {asked: axes}, settings=FEW, depth=depth)[0]


def line() -> Region:
    """One parameter, with an end that is the root of a polynomial."""
    return region("CloseTh", "RBP", "p=0.5:0.99")


def plane() -> Region:
    """Two parameters, where a half fails and a half is undecided."""
    return region("CloseTh", "RBU@6", "p=0.5:0.99", "e=0:1")


def point() -> Region:
    """One parameter, and a grid of six settings of which the first is refuted by a witness."""
    return region("Conf", "RBU", "e=0:1:6")


@cache
def scored() -> tuple[Scores, ...]:
    """Three runs by two metrics on two topics, one of the metrics and one of the runs with a hostile name."""
    values = np.random.default_rng(0).random((3, 2, 2))
    metrics, found = (HOSTILE, "m"), []
    for run, by_topic in zip(("a", HOSTILE, "c"), values, strict=True):
        per_topic = {f"t{n}": dict(zip(metrics, row.tolist(), strict=True)) for n, row in enumerate(by_topic)}
        mean = dict(zip(metrics, by_topic.mean(axis=0).tolist(), strict=True))
        found.append(Scores(run, mean, per_topic, {"m": 0.125}))
    return tuple(found)


@cache
def checked(metric: str = "NRBP", axioms: tuple[str, ...] = ("Pri", "Red")) -> Checked:
    """A metric that violates an axiom, and satisfies others; its contract is not asked."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("axiomcheck.checks.metric.run_contract", lambda *_, **__: [])
        return check_metric(parse(metric), [AXIOMS[name] for name in axioms], settings=FEW)


def luminance(colour: str) -> float:
    """Return how light a colour is, as the guidelines on contrast define it."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the ratio of two colours, 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)
