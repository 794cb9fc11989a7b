"""Pages of matrices, checked metrics, regions and runs, and what they are made of."""

import hashlib
import json
import re
import shlex
from base64 import b64encode
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from axiomcheck.axioms import AXIOMS
from axiomcheck.checks.contract import Outcome
from axiomcheck.checks.metric import Checked
from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.search import Settings
from axiomcheck.decide.witness import read_witness
from axiomcheck.decide.working import workings
from axiomcheck.engine.run import run_matrix
from axiomcheck.metrics import parse
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.records.witnesses import PairWitness, Roles, ThresholdWitness
from axiomcheck.reports.check_report import check_page, check_report
from axiomcheck.reports.contract_case import case_text
from axiomcheck.reports.html.cells import identities, matrix_page, shown_cells
from axiomcheck.reports.html.drawing import Scale, path_of_rectangles
from axiomcheck.reports.html.page import environment, report_fragment, report_page
from axiomcheck.reports.layout import Layout
from axiomcheck.reports.matrix_report import matrix_report
from axiomcheck.reports.plot import PlotAxis
from axiomcheck.reports.proof_report import argument
from axiomcheck.reports.region_report import region_findings, regions_report
from axiomcheck.reports.score_report import scores_report
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.reports.table import report_text
from axiomcheck.reports.witness import RankingPair, survival_curves
from axiomcheck.sources.names import family_of
from axiomcheck.studies.region.result import Region
from tests.reports.html_pages import (
    FEW,
    HOSTILE,
    SHOWN,
    Page,
    checked,
    contrast,
    line,
    luminance,
    plane,
    point,
    scored,
    self_contained,
)
from tests.reports.reports_ledgers import bounded, compared_by_dominance, made_up, odd, proved

ASSETS = Path(__file__).parents[2] / "reports" / "html" / "assets"


def test_a_page_allows_what_is_inlined_and_nothing_else() -> None:
    page = report_page(scores_report(scored(), True))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1].replace("&#39;", "'")
    assert policy.startswith("default-src 'none'; ")
    for tag in ("style", "script"):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"\sstyle=|\son\w+=|https?://(?!www\.w3\.org)", page)


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
    pair = RankingPair(witness.instance, ("lower", "higher"), workings(witness.metric, witness.batch, witness.eps))
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
    assert "each grade is eps times" in text


def test_a_fragment_has_every_cell_touches_nothing_else_and_shows_names_as_text() -> None:
    text = report_fragment(matrix_report(odd()))
    body = text[: text.index("</table>")]
    for verdict, symbol in SYMBOLS.items():
        number = sum(cell.verdict is verdict for cell in odd().cells)
        assert body.count(f'v-{verdict.value}"><span aria-hidden="true">{symbol}<') == number
    assert "<script" not in text
    css = re.sub(r"/\*.*?\*/", "", re.search(r"<style>(.*)</style>", text, re.DOTALL)[1], flags=re.DOTALL)
    while "{" in css:  # from the rules inside of others to the outermost
        outermost = re.findall(r"(?:^|\})([^{}]+)\{", css)
        css = re.sub(r"\{[^{}]*\}", "", css)
    assert all(part.strip().startswith(".axiomcheck-matrix") for rule in outermost for part in rule.split(","))
    text = report_fragment(matrix_report(made_up(replace(odd().cells[0], metric=HOSTILE))))
    assert "&lt;script&gt;alert(1)" in text
    assert "<script" not in text
    assert "\x1b" not in text


@cache
def small(regime: Regime = Regime.STATED) -> Ledger:
    """Metrics with witnesses of both kinds, findings, cells that hold and others that do not apply."""
    made = [
        run_matrix([parse(name) for name in metrics], [AXIOMS[name] for name in axioms], Reading(regime), FEW)
        for metrics, axioms in ((("P@10", "RR"), ("CloseTh", "MRed")), (("NRBP",), ("Pri", "Conf", "MRed")))
    ]
    return replace(made[0], cells=(*made[0].cells, *made[1].cells))


@cache
def parsed(which: str) -> tuple[Ledger, str, Page]:
    ledger = {"small": small, "proved": proved, "bounded": bounded, "odd": odd}[which]()
    page = matrix_page([ledger])
    return ledger, page, Page(page)


@pytest.mark.parametrize("which", ["small", "odd"])
def test_every_cell_has_a_link_and_a_section_and_the_page_asks_nobody_for_anything(which: str) -> None:
    ledger, text, page = parsed(which)
    self_contained(page)
    for planted in ('<img src="x.png">', '<a href="https://a.b">x</a>'):
        with pytest.raises(AssertionError):
            self_contained(Page(text.replace("<main>", f"<main>{planted}")))
    sections = [a["id"] for a in page.all("section") if a.get("class") == "cell"]
    assert sections == identities(ledger)
    links = [a["href"] for a in page.all("a") if a.get("href", "").startswith("#")]
    assert {f"#{name}" for name in sections} <= set(links)
    for cell, name in zip(ledger.cells, sections, strict=True):
        assert cell.axiom in page.texts[name]
        assert cell.reason[1:] in page.texts[name]


def test_every_refuted_cell_has_a_witness_that_can_be_copied_and_replayed() -> None:
    ledger = small()
    page = Page(matrix_page([ledger]))
    there = 0
    for cell, name in zip(ledger.cells, identities(ledger), strict=True):
        wanted = [document_of(cell.witness)] if cell.witness else []
        shown = page.files.get(name, [])
        assert [json.loads(text) for text in shown if text.startswith("{")] == wanted
        assert all(text.startswith("{") for text in shown)
        if cell.verdict is Verdict.REFUTED:
            assert wanted
            assert f"axiomcheck replay {name}.json" in page.texts[name]
        there += len(wanted)
    assert there >= 4


def test_proofs_are_told_as_the_terminal_tells_them_and_long_ones_say_what_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for which in ("proved", "bounded"):
        ledger, _, page = parsed(which)
        for shown in shown_cells(ledger):
            cell, name = shown.cell, shown.id
            assert cell.certificate is not None
            assert shlex.split(shown.prove)[:4] == ["axiomcheck", "prove", cell.metric, cell.axiom]
            told = sum(len(part.cases) for part in shown.argument)
            assert told + shown.left_out == sum(len(part.cases) for part in argument(cell.certificate))
            for part in shown.argument:
                for said in (*part.lines, *(told for case in part.cases for told in case.lines)):
                    assert said in page.texts[name]
    monkeypatch.setattr("axiomcheck.reports.html.cells._MOST_STEPS", 0)
    (cell,) = bounded().cells
    (shown,) = shown_cells(bounded())
    assert shown.left_out == len([*cell.certificate.cases()]) - len(shown.argument[0].cases) > 0
    assert len(shown.argument[0].cases) == 1  # a whole one in any case
    assert f"{shown.left_out:,} further cases of the same kind are omitted here." in matrix_page([bounded()])


def test_distributions_are_drawn_and_a_curve_steps_where_the_score_can_be() -> None:
    page = matrix_page([compared_by_dominance()])
    for style in ("line-1", "line-2"):
        path = re.search(rf'<path class="{style}" d="(M62[^"]+)"', page)[1]
        heights = [float(height) for height in re.findall(r"V([\d.]+)", path)]
        assert heights == sorted(heights)  # a probability of at least x falls as x grows, and y goes down the page
        assert (float(path.split(" ")[1].split("H")[0]), heights[-1]) == (12.0, 162.0)
    worse, better = survival_curves(("lower", "higher"), ((1.0, 1.0), (2.0, 0.25)), ((2.0, 1.0),)).marks
    assert (worse.xs, worse.ys) == ([0.0, 1.0, 2.0, 2.0], [1.0, 0.25, 0.0, 0.0])  # P[S >= x], level up to 1 and up to 2
    assert (better.xs, better.ys) == ([0.0, 2.0, 2.0], [1.0, 0.0, 0.0])


def test_rows_stand_below_their_family_with_their_findings_and_published_claims() -> None:
    ledger, page, found = parsed("small")
    assert sum("data-finding" in a for a in found.all("td")) == len(ledger.findings) > 0
    assert page.count('<span class="published"') == sum(bool(cell.published) for cell in ledger.cells)
    bodies = [a["data-family"] for a in found.all("tbody") if "data-family" in a]
    assert bodies == list(dict.fromkeys(bodies))
    for metric, name in Layout(ledger).names.items():
        title = f' title="{metric}"' if name != metric else ""
        place = page.index(f'<tr><th scope="row"{title}>{name}')
        assert re.findall(r'data-family="([^"]*)"', page[:place])[-1] == family_of(metric)


def test_hostile_names_are_text() -> None:
    cells = [replace(cell, metric=f"\"' onload=x{HOSTILE}") for cell in small().cells if cell.witness is None][:2]
    cells += [cell.of_metric("<img src=x onerror=y>") for cell in proved().cells[:1]]
    ledger = made_up(*cells)
    page = matrix_page([ledger])
    self_contained(Page(page))
    assert page.count("<script>") == 1
    for name in identities(ledger):
        assert re.fullmatch(r"[\w.=~-]+", name)
        assert len(name) < 200


def test_names_of_cells_differ_on_any_file_system() -> None:
    assert "stated-graded-NRBP_p=0.8_alpha=0.5-Pri" in identities(small())  # as docs/how-to/html-report.md links to it
    cell = small().cells[0]
    found = identities(made_up(*(replace(cell, metric=metric) for metric in ("a b", "a#b", "A_B", "../..", "", "\n"))))
    assert len({name.casefold() for name in found}) == 6
    assert not any("/" in name or name.startswith(".") for name in found)


def test_several_readings_are_one_page_and_reports_that_do_not_belong_together_are_refused() -> None:
    page = matrix_page([small(), small(Regime.LIMIT)])
    readings = [a["data-reading"] for a in Page(page).all("section") if "data-reading" in a]
    assert readings == ["stated-graded", "limit-graded"]
    assert page.count("<option value=") - page.count("<option value=", page.index("</select>")) == 2
    assert Page(matrix_page([replace(small(), cells=())])).all("main")
    with pytest.raises(InvalidInput, match="two reports have regime stated and domain graded"):
        matrix_page([small(), small()])
    other = replace(small(Regime.LIMIT), settings=proved().settings)
    with pytest.raises(
        InvalidInput, match=r"cannot be shown on one page: settings\.examples is 50; expected 20; create them"
    ):
        matrix_page([small(), other])


def pair_cell() -> Cell:
    return next(c for c in small().cells if isinstance(c.witness, PairWitness))


def with_witness(cell: Cell, **changes: Any) -> Cell:
    assert cell.witness is not None
    return replace(cell, witness=structs.replace(cell.witness, **changes))


def test_a_witness_that_is_no_instance_is_refused() -> None:
    cell = pair_cell()
    with pytest.raises(InvalidInput, match=re.escape(f"{cell.metric}, {cell.axiom}: witness: ")):
        matrix_page([made_up(with_witness(cell, roles=Roles(1)))])


def test_a_witness_that_is_not_right_is_marked() -> None:
    pair = pair_cell()
    threshold = next(c for c in small(Regime.LIMIT).cells if isinstance(c.witness, ThresholdWitness))
    assert isinstance(pair.witness, PairWitness)
    for cell, regime in (
        (with_witness(pair, scores=structs.replace(pair.witness.scores, worse="999")), "stated"),
        (pair.of_metric("P@1"), "stated"),
        (with_witness(threshold, argument="it is so"), "limit"),
    ):
        ledger = made_up(cell, regime=regime)
        assert "<strong>Not confirmed:</strong> scoring this witness again did not confirm it." in matrix_page([ledger])


def test_a_witness_that_is_right_is_confirmed_and_one_of_code_that_is_not_run_is_as_the_report_says() -> None:
    _, page, _ = parsed("small")
    assert "Not confirmed" not in page
    assert "As reported: pages do not run code" not in page
    page = matrix_page([made_up(pair_cell().of_metric("mine.py:f"))])
    assert "As reported: pages do not run code of external metrics" in page


def test_a_page_does_not_say_of_a_certificate_that_it_was_checked() -> None:
    page = matrix_page([proved()])
    assert "bytes according to the report; axiomcheck replay checks it" in page
    assert "was checked" not in page
    assert "A report is a claim: <code>axiomcheck replay</code>" in page


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


def page_of(region: Region) -> Page:
    return Page(report_page(regions_report([region])))


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
    assert "RBU(p=0.8, e=0)@20 violates Conf (confidence): an exact tie" in page.shown
    assert "must lower the score. It does not: the scores are 0" in page.shown


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


def test_a_page_has_the_numbers_and_the_lines_of_the_terminal() -> None:
    report = scores_report(scored(), True)
    page = self_contained(Page(report_page(report)))
    shown = " ".join(page.shown.split())
    numbers = re.findall(r"[+-]?\d+\.\d+", report_text(report))
    assert len(numbers) == 3 * (3 * 2 + 1)  # residuals are of means
    assert all(number in shown for number in numbers)
    assert SHOWN in page.shown


def test_a_value_that_is_missing_is_sorted_last() -> None:
    page = self_contained(Page(report_page(scores_report(scored()[:1], False))))
    assert page.rows[0] == ["Topic", "Metric", "Score", "Residual"]
    assert [row[3] for row in page.rows[1:]] == ["", "0.1250"]
    assert [one["data-value"] for one in page.all("td") if "data-value" in one][1::2] == ["", "0.125"]
