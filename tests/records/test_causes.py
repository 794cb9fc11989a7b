"""Causes are codes with just the numbers and texts that they need, each of which has words and stands in the docs."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest

from axiomcheck import Cell, InvalidInput
from axiomcheck.core.documents import document_of, read
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.records.causes import Cause, CauseCode, CauseNumbers, Remark, RemarkCode, cause
from axiomcheck.records.sentences import remark_words
from tests.support.made_records import pair_evidence, pair_witness
from tests.support.suites import each

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "report.md"

WHOLE: dict[str, Cause] = {
    "grades-too-coarse": cause("grades-too-coarse", levels=4),
    "cutoff-too-short": cause("cutoff-too-short", cutoff=2, rank=3),
    "ties-on-few-shapes": cause("ties-on-few-shapes", shapes=2),
    "dominance-open": cause("dominance-open", instances=1),
    "vanishing-ties": cause("vanishing-ties", instances=2),
    "not-told-apart": cause("not-told-apart", instances=3),
    "open-beyond": cause("open-beyond", fails_from=3, up_to=24),
    "no-n-decided": cause("no-n-decided", up_to=24),
    "error": cause("error", "raised ValueError"),
    "names-matter": cause("names-matter", "1 for d1, and 2 for d2"),
    "multiples": Cause("error", text="-", remarks=(Remark("multiples", numbers=(0.01,)),)),
}
REMARKS = {
    "proof-contradicted": Remark("proof-contradicted", "a proof says proved, but the search says refuted"),
    "names-matter": Remark("names-matter", "1 for d1, and 2 for d2"),
    "multiples": Remark("multiples", numbers=(0.01,)),
    "spacing": Remark("spacing", numbers=(1e17, 16.0)),
}


@pytest.mark.parametrize("code", get_args(CauseCode))
def test_every_code_has_words_where_no_evidence_tells_it(code: CauseCode) -> None:
    told = Cell("m", None, "Pri", Verdict.UNDECIDED, None, WHOLE.get(code) or cause(code)).reason
    assert "{" not in told
    from_evidence = ("counterexample", "no-violation", "top-ahead", "block-ahead", "open-beyond")
    assert bool(told) is (code not in from_evidence)


@pytest.mark.parametrize("code", get_args(RemarkCode))
def test_every_remark_has_words(code: RemarkCode) -> None:
    told = remark_words(REMARKS.get(code) or Remark(code))
    assert told
    assert "{" not in told


def test_the_page_on_reports_has_every_code() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("## Causes")[2].partition("## Exit codes")[0]
    rows: dict[str, str] = dict(re.findall(r"^\| (.+?) \| (.+) \|$", table, re.MULTILINE))
    remarks = {*re.findall(r"`([a-z-]+)`", rows.pop("remarks"))}
    assert remarks == {*get_args(RemarkCode)}
    assert {code for codes in rows.values() for code in re.findall(r"`([a-z-]+)`", codes)} == {*get_args(CauseCode)}


def test_sentences_are_made_of_the_values_of_a_cell() -> None:
    evidence = pair_evidence(instances=1234)
    held = Cell("m", None, "Pri", Verdict.HELD, None, cause("no-violation"), evidence=evidence)
    assert held.reason == "no violation in 1,234 distinct instances"
    assert held.remarked(Remark("code-changed")).reason == (
        "no violation in 1,234 distinct instances; its code or its state changed while it was scored, so "
        "nothing is proved"
    )
    open_ = Cell("m", None, "Pri", Verdict.UNDECIDED, None, WHOLE["not-told-apart"], evidence=evidence)
    assert open_.reason == "floats could not decide 3 instances; there is no violation in the other 1,234"
    assert Cell("m", None, "Pri", Verdict.ERROR, None, WHOLE["error"], Failure.METRIC).reason == "raised ValueError"
    refuted = Cell("m", None, "Pri", Verdict.REFUTED, None, cause("counterexample"), witness=pair_witness())
    assert refuted.reason.startswith("a ")


@each(
    ("document", "says"),
    [
        ({"code": "no-such-code"}, "code is 'no-such-code'"),
        ({"code": "open-beyond", "numbers": {"up_to": 3}}, "numbers are up_to; expected fails_from, up_to"),
        ({"code": "no-n-decided", "numbers": {"up_to": -3}}, "up_to is -3"),
        ({"code": "error"}, "text is missing"),
        ({"code": "no-violation", "text": "really"}, "text is not expected"),
        ({"code": "error", "text": "x", "remarks": [{"code": "multiples"}]}, "numbers has 0 entries; expected 1"),
    ],
    2,
)
def test_a_cause_with_other_entries_than_its_code_needs_is_refused(document: Any, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        read(Cause, document, "cause")


def test_a_cause_comes_back_as_it_was_written() -> None:
    for one in (*WHOLE.values(), Cause("no-violation", remarks=tuple(REMARKS.values()))):
        assert read(Cause, document_of(one), "cause") == one
    assert Cause("no-n-decided", CauseNumbers(up_to=3)).counts == {"up_to": 3}
