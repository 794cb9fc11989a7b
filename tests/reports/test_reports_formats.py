"""JSON, CSV and Markdown of a ledger, its captions and sentences."""

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import jsonschema
import pytest
from msgspec import structs

from axiomcheck import Cell, Ledger, Verdict
from axiomcheck.core.documents import parse_json
from axiomcheck.decide.witness import read_any_witness
from axiomcheck.records.evidence import Example, ThresholdEvidence
from axiomcheck.records.matrix import from_document, to_json
from axiomcheck.records.sentences import brief, brief_pair, decimal
from axiomcheck.reports.documents import schema
from axiomcheck.reports.layout import Layout, caption, counts, decided_on_binary, unsettled
from axiomcheck.reports.matrix_report import to_csv, to_markdown
from axiomcheck.reports.symbols import BINARY_MARK, SYMBOLS
from axiomcheck.reports.words import finding_sentence, findings_headline
from tests.reports.reports_ledgers import made_up, odd, proved, real, sampled
from tests.support.made_records import because, pair_evidence, pair_witness, violations


def from_json(text: str) -> Ledger:
    return from_document(parse_json(text))


@cache
def validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema())


def complaints(ledger: Ledger) -> list[str]:
    """Return what the published schema has against the JSON document of a ledger."""
    return [error.message for error in validator().iter_errors(json.loads(to_json(ledger)))]


HERE = Cell("α-metric", None, "Sat", Verdict.NOT_APPLICABLE, None, because("ε → 0"))


@pytest.mark.parametrize("made", [real, odd, proved, sampled, lambda: made_up(HERE)])
def test_every_ledger_meets_the_schema_and_comes_back(made: Callable[[], Ledger]) -> None:
    ledger = made()
    assert complaints(ledger) == []
    again = from_json(to_json(ledger))
    assert again == ledger
    assert [type(c.verdict) for c in again.cells] == [Verdict] * len(ledger.cells)
    assert to_json(again) == to_json(ledger)
    for cell in again.cells if made is not odd else ():  # which has a metric that is not there
        if cell.witness is not None:
            assert read_any_witness(cell.witness).record() == cell.witness


def rows_of(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[entry.strip() for entry in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


@pytest.mark.parametrize("made", [real, sampled])
def test_csv_has_every_cell(made: Callable[[], Ledger]) -> None:
    ledger = made()
    lines = list(csv.DictReader(io.StringIO(to_csv(ledger))))
    header = "metric,row,axiom,verdict,published,finding,instances,violation share,reason"
    assert to_csv(ledger).splitlines()[0] == header
    assert len(lines) == len(ledger.cells)
    for line, cell in zip(lines, ledger.cells, strict=True):
        assert (line["metric"], line["row"], line["axiom"]) == (cell.metric, cell.row, cell.axiom)
        assert (line["verdict"], line["published"], line["reason"]) == (cell.verdict, cell.published, cell.reason)
        assert (line["finding"] == "true") is cell.finding
        assert line["instances"] == str(cell.instances or "")
        share = cell.violations and cell.violations.share
        assert line["violation share"] == ("" if share is None else str(share))
    assert any(line["violation share"] for line in lines) is (made is sampled)


@pytest.mark.parametrize("made", [odd, real])
def test_markdown_has_a_row_per_metric(made: Callable[[], Ledger]) -> None:
    ledger = made()
    header, rule, *rows = [row for row in rows_of(to_markdown(ledger)) if not row[0].startswith("**")]
    axioms = list(dict.fromkeys(cell.axiom for cell in ledger.cells))
    assert header == ["Metric", *axioms]
    assert all(re.fullmatch(r":-+:?", entry) for entry in rule)
    assert {len(row) for row in [header, rule, *rows]} == {len(axioms) + 1}
    assert len(rows) == len({cell.metric for cell in ledger.cells})
    shown = {(re.sub(r"\\", "", row[0]), axiom): e for row in rows for axiom, e in zip(axioms, row[1:], strict=True)}
    names = Layout(ledger).names
    for cell in ledger.cells:
        entry = shown[names[cell.metric], cell.axiom]
        assert entry[0] == SYMBOLS[cell.verdict]
        assert (r"\*" in entry) is cell.finding
        assert (BINARY_MARK in entry) is decided_on_binary(ledger, cell)


def test_markdown_has_legend_findings_and_reading_and_text_as_it_is() -> None:
    ledger = real()
    text = to_markdown(ledger)
    assert len(ledger.findings) >= 4
    lines = text.replace("\\", "").splitlines()
    assert [line for line in lines if line.startswith("- ")] == [f"- {finding_sentence(c)}" for c in ledger.findings]
    assert all(f"{symbol} {words}" in lines for _, symbol, words in Layout(ledger).legend())
    assert f"### {findings_headline(ledger)}" in lines
    assert f"{caption(ledger)}." in lines
    assert not text.endswith("\n\n")
    text = to_markdown(odd())
    assert r"interrupted \[before] a \| b \* c" in text
    assert r"\[bold]no\[/bold] \<b>" in text
    assert "mine(p=\\[1/2])" in text


def test_cells_decided_on_binary_grades_are_marked() -> None:
    def cell(axiom: str, binary: bool | None) -> Cell:
        evidence = None if binary is None else pair_evidence(binary=binary)
        return Cell("m", None, axiom, Verdict.HELD, None, because(), evidence=evidence)

    graded, binary = made_up(), made_up(domain="binary")
    assert decided_on_binary(graded, cell("Pri", True))
    assert not decided_on_binary(graded, cell("Pri", False))
    assert not decided_on_binary(graded, cell("Pri", None))
    assert not decided_on_binary(graded, cell("Red", True)), "Red is binary by definition"
    assert not decided_on_binary(binary, cell("Pri", True)), "nothing else was asked for"


def test_legend_has_what_occurs_and_says_how_many_instances() -> None:
    for ledger, symbols in ((odd(), "●◑∥–?!*"), (real(), "◐○–*ᵇ"), (made_up(), "")):
        assert "".join(symbol for _, symbol, _ in Layout(ledger).legend()) == symbols
    cells = [
        Cell("m", None, axiom, Verdict.HELD, None, because(), evidence=pair_evidence(instances=n))
        for axiom, n in (("Pri", 12_345), ("Deep", 60), ("Conf", 99))
    ]
    ((_, _, words),) = Layout(made_up(*cells)).legend()
    assert words.endswith("(here N = 60 to 12,345)")  # of 60, none was random
    ((_, _, words),) = Layout(made_up(cells[0])).legend()
    assert words.endswith(
        "(here N = 12,345; a violation in 1 of 2,637 random instances is found with 99 % probability)"
    )


def test_caption_counts_and_headlines_say_what_was_asked_and_found() -> None:
    assert caption(odd()) == (
        "Reading: stated (r << 1 for the axioms that state it), graded; "
        "seed 7; 1,200 examples per cell; nothing enumerated; no proofs tried"
    )
    assert counts(odd()) == ("6 cells: 1 proved, 1 bounded, 1 incomparable, 1 not applicable, 1 undecided, 1 error")
    assert [(c.metric, c.axiom) for c in unsettled(odd())] == [
        ("EU(alpha=0.5, e=0.05, log=2)", "Sat"),
        ("mine(p=[1/2])", "Pri"),
    ]
    yes, no = (Cell("m", "RBP", "Pri", Verdict.REFUTED, claim, because("why")) for claim in ("yes", "no"))
    other = Cell("m", "RBP", "Deep", Verdict.REFUTED, "yes", because("why"))
    assert findings_headline(made_up(yes, other)) == "Findings: 2 cells differ from the published claim"
    assert findings_headline(made_up(yes)) == "Findings: 1 cell differs from the published claim"
    assert findings_headline(made_up(no)) == "Findings: no cell differs from the published claim"
    assert "none, because no" in findings_headline(made_up(Cell("m", None, "Pri", Verdict.HELD, None, because())))


def sentence(axiom: str = "Pri", share: float | None = None, **changes: object) -> str:
    evidence = pair_evidence(violations=violations(share))
    cell = Cell("NRBP(p=0.8)", "NRBP", axiom, Verdict.REFUTED, "yes", because("why"), evidence=evidence)
    return finding_sentence(replace(cell, witness=pair_witness(axiom, **changes)))


def test_sentences_tell_the_pair_its_aspects_what_the_scores_are_and_how_often() -> None:
    assert sentence(share=0.0318) == (
        "NRBP(p=0.8) violates Pri (published: satisfied): [1/2, 1, 0] × eps must score above [0, 1, 1/2] × eps "
        "but scores 9/10 against 24/25 (a reversal; as coefficients of eps); "
        "violated in 3.18% of the sampled instances."
    )
    pool = {"d1": ["1/2", "0"], "d'": ["0", "1/2"], "e1": ["0", "1"], "e2": ["0", "0"]}
    text = sentence(
        "AspRel",
        small=False,
        topic={"weights": ["1/3", "2/3"], "pool": pool},
        worse=["d1"],
        better=["d'"],
        kind="tie",
        scores={"worse": "1/3", "better": "1/3", "arithmetic": "rational", "order": 0},
    )
    assert text == (
        "NRBP(p=0.8) violates AspRel (published: satisfied): with weights (1/3,2/3) and (0,1) judged but in neither "
        "ranking, [(0,1/2)] must score above [(1/2,0)] but both score 1/3 (an exact tie)."
    )
    scores = {"worse": "1", "better": "1/2", "arithmetic": "rational"}
    assert "(a reversal; in the limit eps -> 0)" in sentence(scores=scores | {"order": 0})
    assert "(a reversal; as coefficients of eps^3)" in sentence(scores=scores | {"order": 3})
    assert "(a reversal)." in sentence(small=False, scores=scores | {"order": 0})
    assert "must not score below" in sentence("Sat")
    assert "weights" not in sentence(
        topic={"weights": ["1/2", "1/2"], "pool": {name: ["1", "0"] for name in ("d1", "d2", "d3")}}
    )
    assert sentence(share=0.0).endswith("; found only on enumerated instances.")
    assert sentence(share=None).endswith("eps).")
    assert sentence(share=1.0).endswith("; violated in 100% of the sampled instances.")


def test_sentences_of_what_holds() -> None:
    def held(axiom: str, verdict: Verdict = Verdict.HELD, example: Example | None = None) -> str:
        evidence = example and ThresholdEvidence(
            instances=12, exact=True, up_to_n=3, argument=None, unretrieved_relevant=(0,), example=example, seed=0
        )
        reason = "no violation in 12 instances"
        return finding_sentence(Cell("m", "RBP", axiom, verdict, "no", because(reason), evidence=evidence))

    assert held("Pri") == "m was not seen to violate Pri (published: violated): no violation in 12 instances."
    assert held("Pri", Verdict.PROVED).startswith("m satisfies Pri (published: violated): ")
    assert held("Pri", Verdict.BOUNDED).startswith("m satisfies, within stated bounds, Pri ")
    example = Example(3, "eps", 0, "23/60", "1/3", 0, "rational")
    assert held("CloseTh", example=example) == (
        "m was not seen to violate CloseTh (published: violated): at m = 3 the 3 relevant documents after 3 others "
        "score 23/60, above the 1/3 of one on top (in the limit eps -> 0)."
    )
    assert held("CloseTh", example=structs.replace(example, rc="1/2")).endswith("of one on top (rc = 1/2).")


def test_numbers_are_shortened() -> None:
    assert brief("1/3") == "1/3"
    assert brief("6004799503160661/9007199254740992") == "~0.666667"
    assert brief_pair("1/3", "2/3") == ("1/3", "2/3")
    assert brief_pair("0.80063051302795313699", "0.68354350434265104566") == ("0.800631", "0.683544")
    assert brief_pair("0.12345678901234567890", "0.12345678901200000000") == ("0.1234567890123", "0.123456789012")
    assert brief_pair("0.12345678901234567890", "0.12345678901234567890") == ("0.123457", "0.123457")
    assert brief_pair("0.00000000000000000001", "0") == ("1e-20", "0")
    assert decimal("1/8", 6) == "0.125"
    assert decimal("100", 2) == "1e+2"
    assert decimal("-2/3", 3) == "-0.667"
