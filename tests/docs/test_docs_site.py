"""What the site is made with (docs/_extensions): its statuses, links and escapes. CI builds the site itself."""

import re
import typing
from pathlib import Path

import cells
import findings_pages
import identity_claims
import pytest
import runs
from pages import Pages, code

from axiomcheck import AXIOMS, Cell, Ledger, Verdict, parse
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.records.certificates import Certificate
from research.claims import Claim
from tests.reports.reports_ledgers import made_up
from tests.support.made_records import because
from tests.support.transcripts import ROOT


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    cells = [
        run_matrix([parse(metric)], [AXIOMS[axiom]], settings=Settings(examples=50)).cells[0]
        for metric, axiom in (("RBU", "Red"), ("RBP", "Pri"))
    ]
    return made_up(*cells)


def made(verdict: Verdict, published: typing.Any) -> Cell:
    return Cell("RBP(p=0.8)", "RBP", "CloseTh", verdict, published, because("because"))


@pytest.mark.parametrize(
    ("published", "verdict", "status"),
    [
        ("yes", Verdict.PROVED, findings_pages.CONFIRMED),
        ("yes", Verdict.HELD, findings_pages.NOT_REFUTED),
        ("yes", Verdict.REFUTED, findings_pages.REFUTED),
        ("no", Verdict.REFUTED, findings_pages.CONFIRMED),
        ("no", Verdict.PROVED, findings_pages.REFUTED),
        ("no", Verdict.HELD, findings_pages.NOT_CONFIRMED),
        ("yes", Verdict.UNDECIDED, findings_pages.OPEN),
        ("yes?", Verdict.PROVED, findings_pages.OPEN),
        ("contradictory", Verdict.PROVED, findings_pages.OPEN),
    ],
)
def test_a_claim_has_the_status_that_its_verdict_gives_it(published: str, verdict: Verdict, status: str) -> None:
    cell = made(verdict, published)
    assert findings_pages.table_status(cell, []) == status
    # What the matrix calls a finding is refuted here, or not confirmed, and nothing else is.
    assert cell.finding == (status in (findings_pages.REFUTED, findings_pages.NOT_CONFIRMED))


def test_a_claim_that_depends_on_a_parameter() -> None:
    """The study is the real one, which takes a tenth of a second."""
    study = runs._study(AXIOMS["CloseTh"], parse("RBP"), "p=0:1")
    assert study.depends
    assert study.sentence.startswith("proved for p in (p*, 1), refuted for p in (0, p*]; p* = 0.7548776662")
    assert findings_pages.table_status(made(Verdict.PROVED, "yes"), [study]) == findings_pages.DEPENDS
    assert not runs._study(AXIOMS["DeepTh"], parse("RBP"), "p=0:1").depends


def test_numbers_are_confirmed_or_refuted() -> None:
    assert [
        findings_pages.number_status(Claim("INST", "here", "it", "1", found, agrees))
        for found, agrees in (("1", True), ("2", False))
    ] == [findings_pages.CONFIRMED, findings_pages.REFUTED]


def test_metrics_that_are_said_to_be_one() -> None:
    claim = identity_claims.CLAIMS[1]
    relation, text = identity_claims.decided(claim)
    assert (relation, text.splitlines()[1]) == ("different", f"B = {claim.second}")
    statuses = [findings_pages.identity_status(one) for one in (relation, "equal", "proportional", "undecided")]
    confirmed, refuted = findings_pages.CONFIRMED, findings_pages.REFUTED
    assert statuses == [refuted, confirmed, confirmed, findings_pages.OPEN]


def test_a_cell_in_words_has_its_counterexample_or_the_way_to_its_argument(ledger: Ledger) -> None:
    said = {(cell.metric, cell.axiom): cells.because(cell, "../../") for cell in ledger.cells}
    assert "must score above" in said["RBU(p=0.8, e=0.05)@20", "Red"]
    assert said["RBP(p=0.8)", "Pri"].endswith("([induction](../../lemmas/induction.md)).")
    shown = {
        (cell.metric, answer.axiom): answer
        for cell, answer in zip(ledger.cells, cells.answers(ledger.cells, ""), strict=True)
    }
    red = shown["RBU(p=0.8, e=0.05)@20", "[Red](generated/axioms/Red.md)"]
    assert red.verdict == "○\N{NO-BREAK SPACE}refuted\N{NO-BREAK SPACE}\\*"
    assert red.metric == "[RBU(p=0.8, e=0.05)@20](generated/metrics/RBU.md)"


def test_every_kind_of_certificate_says_where_its_lemmas_are() -> None:
    kinds = typing.get_args(typing.get_args(Certificate)[0]) or typing.get_args(Certificate)
    assert len(kinds) >= 4
    for kind in kinds:
        named = re.search(r"docs/lemmas/(\w+)\.md", kind.__doc__ or "")
        assert named, kind
        assert (ROOT / "docs" / "lemmas" / f"{named[1]}.md").is_file()


def test_text_is_text(tmp_path: Path) -> None:
    pages = Pages(tmp_path)
    hostile = "<script>|`*[x](y)\u202e"
    pages.fill("a.md", "exit-codes.md.j2", meanings={0: hostile})
    written = (tmp_path / "a.md").read_text(encoding="utf-8")
    assert r"\<script>\|\`\*\[x](y)\\u202e" in written
    assert code("a | b `c`") == r"`` a \| b `c` ``"
