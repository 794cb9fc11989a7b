"""Witnesses, certificates and causes are refused for their form with the place and what was expected there."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest

from axiomcheck import Cell, InvalidInput, Verdict
from axiomcheck.core.documents import document_of, read
from axiomcheck.records import certificates, witnesses
from axiomcheck.records.causes import Cause, CauseCode, CauseNumbers, Remark, RemarkCode, cause
from axiomcheck.records.certificates import OrthantCertificate, certified_verdict, proof_sentence, read_certificate
from axiomcheck.records.sentences import remark_words
from axiomcheck.records.witnesses import ThresholdWitness
from tests.proof.documents import handwritten
from tests.support.made_records import pair_witness
from tests.support.suites import each
from tests.support.tampering import changed, put

Document = dict[str, Any]
HEAD: Document = {"schema": "axiomcheck/certificate", "version": 1}

GEOMETRIC = {"keep": {"1": "1/2", "p": "-3"}, "n0": 4, "signs": [1, 0, 1]}
TAIL = handwritten("RBP(p=0.8)", "CloseTh", "fails", "geometric", GEOMETRIC, parameters=["p"])
MIXED: Document = TAIL | {
    "claim": "holds",
    "axiom": "DeepTh",
    "lemma": "mixture",
    "data": {"parts": {"1": {"lemma": "cutoff", "n0": 3}, "2": {"lemma": "growth", "rising": True, "n0": None}}},
}
INDUCTION: Document = {
    **HEAD,
    "kind": "induction",
    "metric": "RBP(p=0.8)",
    "axiom": "Pri",
    "small": True,
    "domain": "graded",
    "strict": True,
    "discount": "decreasing",
    "support": False,
    "parameters": ["p"],
    "scope": {"ranked": "all", "aspects": "all", "cutoff": "any"},
    "cases": [
        {
            "grades": {"a": "free", "b": "positive"},
            "invariants": {"0": [["s", ["zero"]]]},
            "obligations": [
                {
                    "where": "end",
                    "what": "ahead",
                    "relation": ">",
                    "ranges": {"p": "(0, 1)"},
                    "coefficients": {"p": "1"},
                }
            ],
        }
    ],
}
MIXTURE: Document = {
    **HEAD,
    **{key: INDUCTION[key] for key in ("metric", "axiom", "small", "domain", "strict", "parameters")},
    "kind": "mixture",
    "parts": [INDUCTION, {**INDUCTION}],
}
ORTHANT: Document = {
    **HEAD,
    "kind": "orthant",
    "metric": "RBP(p=0.8)",
    "axiom": "Pri",
    "reading": {"regime": "stated", "domain": "graded"},
    "small": True,
    "scope": {"ranked": 3, "aspects": 1, "unretrieved": "any", "parameters": [], "discount": "own"},
    "settings": [{"shape": [3, 1, 3], "positions": {"i": 1, "j": 2}, "tree": 0}],
    "trees": [["1.1=0", None, "1.1<=>2.1", 0, None, 0]],
    "differences": [{"variables": 0, "order": 1, "terms": {"1": 0, "w2": 0}}],
    "variables": [[["x", "[0, oo)"], ["w2", "(0, oo)"]]],
    "polynomials": [{"1": "3", "x": "1/2"}],
}
ALL = {"tail": TAIL, "mixed": MIXED, "induction": INDUCTION, "mixture": MIXTURE, "orthant": ORTHANT}


@pytest.mark.parametrize("document", ALL.values(), ids=ALL)
def test_certificates_are_of_the_published_form_and_come_back(document: Document) -> None:
    assert document_of(read_certificate(document)) == document
    assert jsonschema.Draft202012Validator(certificates.schema()).is_valid(document)


def test_certificates_say_what_they_show() -> None:
    verdicts = [certified_verdict(read_certificate(document)) for document in ALL.values()]
    assert verdicts == [Verdict.REFUTED, Verdict.PROVED, Verdict.PROVED, Verdict.PROVED, Verdict.BOUNDED]
    assert (
        proof_sentence(read_certificate(TAIL))
        == "refuted for every n and every p inside its range, by the geometric lemma"
    )
    assert proof_sentence(read_certificate(ORTHANT)) == (
        "proved for at most 3 ranked documents and 1 aspect, by positive coefficients"
    )


def test_the_cases_of_a_bounded_proof_are_the_ends_of_its_trees() -> None:
    certificate = read_certificate(ORTHANT)
    assert isinstance(certificate, OrthantCertificate)
    assert [case.splits for case in certificate.cases()] == [("1.1>0", "1.1<2.1"), ("1.1>0", "1.1>2.1")]
    assert {case.difference.order for case in certificate.cases()} == {1}
    case = next(certificate.cases())
    assert case.coefficients == {"1": "3", "x": "1/2", "w2": "3", "w2*x": "1/2"}
    assert case.variables == (("x", "[0, oo)"), ("w2", "(0, oo)"))


WRONG: dict[str, tuple[str, Callable[[Document], None], str]] = {
    "a kind that is not known": ("tail", put("kind", "smt"), "kind is 'smt'; expected one of 'blocks', 'induction'"),
    "an entry that is not known": ("orthant", put("solver", "x"), "solver is not known"),
    "a number that a lemma lacks": ("tail", put("data", {"n0": 4}), "data.keep is missing; expected with the "),
    "the same in a part": ("mixed", put("data.parts.2.lemma", "harmonic"), "data.parts.2.keep is missing"),
    "a range that is not known": (
        "induction",
        put("cases.0.obligations.0.ranges.p", "(0, 2)"),
        "cases[0].obligations[0].ranges.p is '(0, 2)'; expected one of",
    ),
    "a difference that is not there": (
        "orthant",
        put("trees.0.3", 1),
        "trees[0][3] is 1; expected an index of differences, below 1",
    ),
}


@pytest.mark.parametrize(("which", "change", "says"), WRONG.values(), ids=WRONG)
def test_a_certificate_of_another_form_is_refused(which: str, change: Callable[[Document], None], says: str) -> None:
    document = changed(ALL[which], change)
    with pytest.raises(InvalidInput) as error:
        read_certificate(document, "report", ("cells", 58, "certificate"))
    assert str(error.value).startswith(f"report: cells[58].certificate.{says}")


@pytest.mark.parametrize("document", [None, [], "tail", 3])
def test_a_certificate_is_an_object(document: Any) -> None:
    with pytest.raises(InvalidInput, match=r"certificate: the document is .*; expected an object"):
        read_certificate(document)


def test_witnesses_are_of_the_published_form() -> None:
    published = jsonschema.Draft202012Validator(witnesses.schema())
    pair = document_of(pair_witness())
    threshold = {
        **{key: pair[key] for key in ("schema", "version", "metric", "reading", "small")},
        "axiom": "CloseTh",
        "kind": "threshold",
        "rc": "eps",
        "unretrieved_relevant": 0,
        "ahead": ["top", "not tried"],
        "ahead_beyond": "top",
        "argument": "because",
    }
    assert published.is_valid(pair)
    assert published.is_valid(document_of(read(ThresholdWitness, threshold, "witness")))
    assert not published.is_valid(pair | {"ahead": ["top"]})
    with pytest.raises(InvalidInput, match=r"witness: rc is '1/2'; expected 'eps', since small is true"):
        read(ThresholdWitness, threshold | {"rc": "1/2"}, "witness")


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


@each(
    ("document", "says"),
    [
        ({"code": "no-such-code"}, "code is 'no-such-code'"),
        ({"code": "open-beyond", "numbers": {"up_to": 3}}, "numbers are up_to; expected fails_from, up_to"),
        ({"code": "error"}, "text is missing"),
        ({"code": "no-violation", "text": "really"}, "text is not expected"),
        ({"code": "error", "text": "x", "remarks": [{"code": "names-matter"}]}, "text is missing"),
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
