from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.domain import Instance, Reading, Topic
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.decide.witness import read_witness
from axiomcheck.decide.working import workings
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.metrics import parse
from axiomcheck.reports.argument import argument
from axiomcheck.reports.html.compare_page import comparison_page
from axiomcheck.reports.html.fragment import matrix_fragment
from axiomcheck.reports.html.page import environment
from axiomcheck.reports.ranking_pair import ranking_pair
from axiomcheck.reports.symbols import SYMBOLS
from tests.reports.html_pages import HOSTILE, comparison, contrast, luminance
from tests.reports.reports_ledgers import made_up, odd, proved

ASSETS = Path(__file__).parents[2] / "reports" / "html" / "assets"


def test_a_page_allows_what_is_inlined_and_nothing_else() -> None:
    page = comparison_page(comparison(), "first")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1].replace("&#39;", "'")
    assert policy.startswith("default-src 'none'; ")
    for tag in ("style", "script"):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"\sstyle=|\son\w+=|https?://(?!www\.w3\.org)", page)


def test_a_template_shows_names_as_text_and_one_that_is_not_given_is_an_error() -> None:
    template = environment().from_string("{{ name }}")
    assert template.render(name=HOSTILE).startswith("&lt;script&gt;alert(1)&lt;/script&gt;\\u001b[2J\\u202ex")
    with pytest.raises(UndefinedError, match="name"):
        template.render()


def test_assets_are_ascii() -> None:
    # what is written has characters escaped that do not show, which would change what the policy has the digest of
    for path in ASSETS.iterdir():
        assert path.read_text(encoding="utf-8").isascii(), path.name
        assert b"\r" not in path.read_bytes(), path.name


def test_every_verdict_has_colours_of_enough_contrast_and_different_in_grey() -> None:
    for name, left_out in (("fragment.css", [Verdict.NOT_APPLICABLE]), ("page.css", [])):
        css = (ASSETS / name).read_text()
        assert [verdict for verdict in Verdict if f".v-{verdict.value} " not in css] == left_out
    pairs = {name: (light, dark) for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", css)}
    asked = [(f"{v.value}-text", v.value) for v in Verdict if v.value in pairs]
    asked += [(text, back) for text in ("text", "quiet", "link") for back in ("back", "raised")] + [("text", "edited")]
    assert len(asked) == 14
    for text, back in asked:
        for theme in (0, 1):
            assert contrast(pairs[text][theme], pairs[back][theme]) >= 4.5, (text, back, theme)
    for theme in (0, 1):
        found = [luminance(pairs[name][theme]) for name in ("proved", "bounded", "held")]
        assert found == sorted(found, reverse=theme == 1)
        assert all(max(a, b) / min(a, b) > 1.5 for a, b in pairwise(found))


def drawn(call: str, **data: object) -> str:
    return environment().from_string(f'{{% import "macros.html.j2" as draw %}}{call}').render(**data)


def test_a_pair_is_drawn_with_its_working() -> None:
    (cell,) = run_matrix([parse("NRBP")], [AXIOMS["Pri"]], Reading(), Settings(examples=100, proofs=False)).cells
    witness = read_witness(cell.witness)
    pair = ranking_pair(witness.instance, workings(witness.metric, witness.batch, witness.eps))
    assert pair.folded
    for side in (pair.worse, pair.better):
        total = 0.0
        for document in side:
            # NRBP is a fold of one aspect here, so that a rank adds its gain times its discount
            assert document.adds == pytest.approx(sum(document.gains) * document.discount)
            total += document.adds
            assert document.total == pytest.approx(total)
    text = drawn("{{ draw.ranking_pair(pair) }}", pair=pair)
    assert text.count('<tr class="edited">') == 2 * sum(document.edited for document in pair.worse) == 4
    assert text.count("<rect ") == len(pair.worse) + len(pair.better)
    assert "grades stand for eps times" in text


def test_a_pair_without_working_has_grades_alone() -> None:
    topic = Topic(["1/2", "1/2"], {"d1": ["1/3", "0"], "x": ["1", "1"], "e1": ["0", "1"]})
    text = drawn("{{ draw.ranking_pair(pair) }}", pair=ranking_pair(Instance(topic, ["d1"], ["d1", "x"])))
    assert "adds" not in text
    assert "1/3, 0" in text
    assert "Judged, but in neither ranking: e1 (0, 1)." in text
    assert f'width="{float(round(48 * Fraction(1, 3), 2))}"' in text


def test_an_argument_is_drawn_whole() -> None:
    for cell in proved().cells:
        parts = argument(cell.certificate)
        text = drawn("{{ draw.argument(parts) }}", parts=parts)
        steps = [s for p in parts for s in (*p.steps, *(s for c in p.cases for s in c.steps))]
        assert steps
        assert text.count("<p class=") == len(steps) + len(parts)
        assert text.count("<details") == sum(len(p.cases) for p in parts)


def test_a_fragment_has_every_cell_touches_nothing_else_and_shows_names_as_text() -> None:
    text = matrix_fragment(odd())
    body = text[: text.index('<ul class="legend">')]
    for verdict, symbol in SYMBOLS.items():
        number = sum(cell.verdict is verdict for cell in odd().cells)
        assert body.count(f'v-{verdict.value}"><span aria-hidden="true">{symbol}<') == number
    assert "<script" not in text
    css = re.sub(r"/\*.*?\*/", "", re.search(r"<style>(.*)</style>", text, re.DOTALL)[1], flags=re.DOTALL)
    for rule in re.findall(r"([^{}]+)\{", css):
        assert all(part.strip().startswith(".axiomcheck-matrix ") for part in rule.split(","))
    text = matrix_fragment(made_up(replace(odd().cells[0], metric=HOSTILE)))
    assert "&lt;script&gt;alert(1)" in text
    assert "<script" not in text
    assert "\x1b" not in text
