"""JSON, CSV and Markdown of a ledger, its captions and sentences; what a terminal shows of it."""

import csv
import io
import json
import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest
from msgspec import structs

from axiomcheck import AXIOMS, Cell, Domain, Ledger, Reading, Regime, Verdict
from axiomcheck.checks.contract import Outcome
from axiomcheck.checks.metric import Checked, Examined
from axiomcheck.cli.program import main
from axiomcheck.core.documents import parse_json
from axiomcheck.core.published import published_claim
from axiomcheck.decide.search import Settings
from axiomcheck.decide.witness import read_any_witness
from axiomcheck.engine.run import run_matrix
from axiomcheck.metrics import CATALOGUE, paper_rows, parse, row_of, rows_named
from axiomcheck.records.evidence import Example, ThresholdEvidence
from axiomcheck.records.matrix import from_document, to_json
from axiomcheck.records.sentences import brief, brief_pair, decimal
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.reports.check_report import check_report
from axiomcheck.reports.contract_case import case_text
from axiomcheck.reports.documents import schema
from axiomcheck.reports.layout import Layout, caption, counts, decided_on_binary, reasons_told_once
from axiomcheck.reports.matrix_report import matrix_report, next_steps, to_csv, to_markdown
from axiomcheck.reports.symbols import BINARY_MARK, SYMBOLS
from axiomcheck.reports.table import report_text
from axiomcheck.reports.words import finding_sentence, findings_headline, published_word, verdict_in_brief
from axiomcheck.sources.resolve import resolve
from tests.reports.reports_ledgers import made_up, odd, proved, real, sampled
from tests.support.commands import command
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
    told = [text.partition(": ")[0] for _, text in reasons_told_once(odd())]
    assert told == ["EU(alpha=0.5, e=0.05, log=2), Sat", "mine(p=[1/2]), Pri"]
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


ALL = made_up(
    *(
        replace(Cell(m.canonical, row, axiom, verdict, published_claim(row, axiom), because("why")), evidence=evidence)
        for k, m in enumerate(paper_rows())
        for row, evidence in [(row_of(m), pair_evidence(binary=k % 2 == 0))]
        for axiom, verdict in zip(AXIOMS, [*Verdict, Verdict.HELD, Verdict.REFUTED], strict=True)
    )
)
"""All twenty rows under all axioms, with every verdict."""


def matrix(ledger: Ledger, width: int = 80) -> str:
    return report_text(matrix_report(ledger), width)


def findings(ledger: Ledger, width: int = 80, explain: bool = False) -> str:
    text = report_text(matrix_report(ledger, explain), width)
    return text[text.index("\nFindings: ") + 1 :]


def lines_of(text: str, name: str) -> list[str]:
    """The rows of a metric with what stands behind its name."""
    table = text.split("\nReading:")[0]
    return [line.strip().removeprefix(name) for line in table.splitlines() if f"{line.strip()} ".startswith(f"{name} ")]


def symbols_of(text: str, name: str) -> list[str]:
    """The symbols in the only row of a metric."""
    (line,) = lines_of(text, name)
    return [c for c in line if c in SYMBOLS.values()]


def names_of(*metrics: str) -> dict[str, str]:
    """The names that a table has for metrics."""
    return Layout(made_up(*(Cell(m, None, "Pri", Verdict.HELD, None, because()) for m in metrics))).names


WIDTHS = (80, 200)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("which", ["all", "odd", "real"])
def test_a_metric_has_one_row_with_its_whole_name(which: str, width: int) -> None:
    ledger = {"all": ALL, "odd": odd(), "real": real()}[which]
    text, rows = matrix(ledger, width), Layout(ledger)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    assert text.count("Metric ") == 1
    for metric in rows.metrics:
        (shown,) = lines_of(text, rows.names[metric])
        cells = [cell for cell in ledger.cells if cell.metric == metric]
        assert symbols_of(text, rows.names[metric]) == [SYMBOLS[cell.verdict] for cell in cells]
        assert shown.count("*") == sum(cell.finding for cell in cells)
        assert shown.count(BINARY_MARK) == sum(decided_on_binary(ledger, cell) for cell in cells)


def test_rows_stand_below_their_families_and_headings_are_of_the_axioms_asked() -> None:
    text = matrix(ALL)
    order = [line.strip().split()[0] for line in text.split("\nReading:")[0].splitlines()[3:] if line.strip()]
    assert order[:2] == ["Ad", "P@20"]
    assert order.index("RBP") < order.index("Intent-aware") < order.index("P-IA@20")
    assert order.index("RBP-IA") < order.index("Diversity") < order.index("S-Recall@20")
    assert not any(family in matrix(odd()) for family in ("Ad hoc", "Your own")), "two rows need no headings"
    cells = [c for c in ALL.cells if c.axiom in ("Sat", "Deep")]
    heading = next(line for line in matrix(made_up(*cells)).splitlines() if line.startswith("Metric"))
    assert heading.split() == ["Metric", "Deep", "Sat"]
    alone = matrix(made_up(*(c for c in cells if c.axiom == "Sat")))
    assert "Diversity-oriented" in alone
    assert "Relevance" not in alone


def test_short_names_mean_what_the_whole_ones_mean_and_fit_80_columns() -> None:
    """Shorten the names of all catalogue metrics and default rows; keep the parameters that distinguish rows."""
    metrics = {*(cls() for cls in CATALOGUE.values()), *rows_named("all"), parse("RBU(p=0.9)@10")}
    names = names_of(*(m.canonical for m in metrics))
    assert len({*names.values()}) == len(names) == len(metrics)
    assert all(parse(short) == parse(name) for name, short in names.items())
    ledger = made_up(*(Cell(m.canonical, None, a, Verdict.HELD, None, because()) for m in metrics for a in AXIOMS))
    text = matrix(ledger)
    assert max(map(len, text.splitlines())) <= 80
    for name in names.values():
        assert sum(c in SYMBOLS.values() for line in lines_of(text, name) for c in line) == 10
    assert names["RBU(p=0.9, e=0.05)@10"] == "RBU(p=0.9)@10"
    assert names["NRBP(p=0.8, alpha=0.5)"] == "NRBP"
    assert names["RBP(p=0.8)"] == "RBP(p=0.8)"
    assert names["P@H-RBP(p=0.5, order=mean)@20"] == "P@H-RBP(order=mean)@20"


def test_files_lose_their_folder_unless_two_have_one_name() -> None:
    assert [*names_of("/a/b/mine.py:gain", "/a/b/mine.py:loss").values()] == ["mine.py:gain", "mine.py:loss"]
    for whole in (
        ["/a/mine.py:gain", "/b/mine.py:gain"],
        ["package.module:gain", "ir_measures:nDCG@10"],
        ["<script>", "\x1b[31m", "x" * 5000],
    ):
        assert [*names_of(*whole).values()] == whole


def test_the_legend_tells_whole_names_once_and_what_the_table_depends_on() -> None:
    text = " ".join(matrix(ALL).split())
    assert "seed 7; 1,200 examples per cell; nothing enumerated; no proofs tried." in text
    assert "In the published table, D#-nDCG@20 is D#-Measure@k." in text
    assert all(f"{symbol} {words}" in text for _, symbol, words in Layout(ALL).legend())
    assert "● proved" not in matrix(real())
    for width in WIDTHS:
        table, legend = matrix(ALL, width).split("\nReading:")
        told = " ".join(legend.split("In full: ")[1].split(".\nIn the published")[0].split())
        assert told.split("; ") == Layout(ALL).in_full
        assert not any(name in table for name in Layout(ALL).in_full)


def test_a_narrow_console_gets_a_table_per_group_and_long_names_are_never_cut() -> None:
    text = matrix(ALL, 50)
    assert max(map(len, text.splitlines())) <= 50
    assert text.count("Relevance-oriented") == text.count("Diversity-oriented") == 1
    assert {len(lines_of(text, name)) for name in Layout(ALL).names.values()} == {2}
    name = "mine(first=0.123456789, second=0.123456789, third=0.5)@20"
    ledger = made_up(*(Cell(name, None, a, Verdict.HELD, None, because()) for a in AXIOMS))
    assert f"\n{name} " in matrix(ledger, 80) or f"\n{name} " in matrix(ledger, 100)
    folded = matrix(ledger, 60)
    joined = "".join(line.split("   ")[0].strip() for line in folded.splitlines())
    assert name.replace(" ", "") in joined.replace(" ", "")


def paragraphs(text: str) -> list[str]:
    """The printed paragraphs, unwrapped."""
    joined: list[str] = []
    for line in text.splitlines():
        if line.startswith("  "):
            joined[-1] += f" {line.strip()}"
        else:
            joined.append(line)
    return joined


@pytest.mark.parametrize("width", [80, 200])
def test_findings_are_those_of_the_ledger(width: int) -> None:
    ledger = real()
    text = findings(ledger, width, True)
    assert max(map(len, text.splitlines())) <= width
    headline, *rest = paragraphs(text)
    number = len(ledger.findings)
    assert number >= 3
    assert headline == f"Findings: {number} cells differ from the published claim"
    assert rest[:number] == [f"- {finding_sentence(cell)}" for cell in ledger.findings]
    assert rest[number] == ""
    assert rest[number + 1].startswith("30 cells: ")
    assert rest[number + 2] == ""
    assert rest[number + 3].startswith("Next axiomcheck explain ")


def test_in_brief_a_finding_is_a_line_below_its_axiom() -> None:
    ledger = real()
    names, axiom, published, found = Layout(ledger).names, "", "", []
    lines = findings(ledger, 100).split("\n\n")[0].splitlines()[1:]
    for line in lines:
        if not line.startswith(" "):
            axiom, published = re.fullmatch(r"(\w+) \(published: (\w+); .*here\)", line).groups()  # type: ignore[union-attr]
            continue
        symbol, name, told = line.split(maxsplit=2)
        found.append((name, axiom, published))
        (cell,) = (c for c in ledger.findings if (names[c.metric], c.axiom) == (name, axiom))
        assert (symbol, told, published) == (SYMBOLS[cell.verdict], verdict_in_brief(cell), published_word(cell))
        if isinstance(cell.witness, PairWitness):
            assert brief_pair(cell.witness.scores.worse, cell.witness.scores.better)[1] in told
    assert sorted(found) == sorted((names[c.metric], c.axiom, published_word(c)) for c in ledger.findings)


def test_the_next_steps_are_commands_that_work_for_the_run() -> None:
    reading = Reading(Regime.FINITE, Domain.BINARY)
    metrics = [parse("RR-IA"), parse("RBP-IA(p=0.7)")]
    ledger = run_matrix(metrics, [AXIOMS["AspRel"]], reading, Settings(examples=10, exhaustive=False))
    explain, prove, options = next_steps(ledger, ("-v", "--witnesses"))
    done = command(*explain.split()[1:])
    assert (done.exit_code, explain.split()[2] in done.output) == (0, True)
    words = shlex.split(prove)
    assert command(*words[1:], "--examples", "10").exit_code == 0
    (cell,) = (c for c in ledger.cells if parse(c.metric) == parse(words[2]) and c.axiom == words[3])
    assert cell.certificate is not None
    asked = dict(zip(words[5::2], words[6::2], strict=True))
    assert (asked.get("--regime", "stated"), asked.get("--domain", "graded")) == (ledger.regime, ledger.domain)
    matrix_command = main.get_command(click.Context(main), "matrix")
    known = {name for parameter in matrix_command.params for name in parameter.opts}
    assert {*re.findall(r"--\w+", options)} <= known
    assert "-v" in options
    assert "--witnesses" in options
    assert "-v" not in next_steps(ledger, ["--witnesses"])[-1]
    assert "--witnesses" not in next_steps(ledger, ["-v"])[-1]
    assert next_steps(ledger)[-1] == "the same with --format html -o report.html"
    assert next_steps(made_up(Cell("m", None, "Pri", Verdict.HELD, None, because("nothing to do")))) == []


def test_cells_without_an_answer_are_listed_with_their_reason() -> None:
    *_, heading, undecided, error, _empty, _next = paragraphs(findings(odd()))
    assert heading == "Cells without an answer"
    assert undecided == "? EU(alpha=0.5, e=0.05, log=2), Sat: interrupted [before] a | b * c"
    assert error == "! mine(p=[1/2]), Pri: raised ValueError: [bold]no[/bold] <b>"
    assert "Cells without an answer" not in findings(real())
    assert findings(made_up(odd().cells[0])).splitlines() == [
        "Findings: no cell differs from the published claim",
        "",
        "1 cell: 1 proved",
        "",
        "Next",
        "    axiomcheck prove EU Pri -v",
        "    the same with --format html -o report.html",
    ]


OWN = "def f(grades, weights):\n    return sum(grades[:, i, 0] * {base}**i for i in range(grades.shape[1]))\n"


def test_the_command_printed_for_a_metric_in_a_file_runs_and_means_that_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its short name is that of another file, of which the axiom is violated."""
    folder = "it's a folder with a name that is long/and another one"
    monkeypatch.chdir(tmp_path)
    for file, base in ((Path(folder) / "mine.py", 0.5), (Path("mine.py"), 2)):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(OWN.format(base=base), "utf-8")
    settings = Settings(examples=20, exhaustive=False)
    ledger = run_matrix([resolve(f"{folder}/mine.py:f")], [AXIOMS["Pri"]], Reading(), settings)
    (cell,) = ledger.cells
    assert cell.certificate is not None, cell.reason
    (line,) = re.findall(r"axiomcheck prove .*", findings(ledger, width=40))
    words = shlex.split(line)
    assert words[2] == cell.metric
    done = command(*words[1:], "--examples", "0")
    assert done.exit_code == 0, done.output


ONE = {"weights": [1.0], "pool": {"d1": [1.0], "d2": [0.0]}}
TWO = {"weights": [0.25, 0.75], "pool": {"d1": [0.0, 0.5]}}


def test_a_reference_that_passed_is_not_part_of_a_failure() -> None:
    ledger = run_matrix([parse("RBP")], [AXIOMS["Conf"]], settings=Settings(examples=10, proofs=False))
    outcomes = (
        Outcome("monotone", "invariances", "failed", "falls", 3, None),
        Outcome("finite", "values", "error", "raised", 3, None),
        Outcome("reference", "reference", "passed", "agrees with nDCG@10", 3, None),
    )
    text = report_text(check_report(Checked("RBP", (ledger,) * 3, Examined(outcomes))), 100)
    lines = text[text.index("1 of 3 contract checks failed; 1 ended in an error") :].splitlines()
    assert lines[1:4] == ["= reference: agrees with nDCG@10", "! monotone: falls", "! finite: raised"]


def test_a_case_has_each_topic_with_its_ranking_and_lists_and_counts_what_else_was_scored() -> None:
    shown = {"topic": ONE, "rankings": [["d1", "d2"], []], "scores": [0.5, None], "reference": 0.25}
    assert case_text(shown) == "grades d1=1; d1 d2 scores 0.5; an empty ranking has no score; by the reference 0.25"
    shown = {"topics": [TWO, ONE], "rankings": [["d1"], ["d2"]], "scores": [0.5, 1.0]}
    assert case_text(shown) == "weights (0.25, 0.75); grades d1=(0, 0.5): d1 scores 0.5; grades d1=1: d2 scores 1.0"
    other = {"topic": TWO, "ranking": ["d1"]}
    target = {"topic": ONE, "ranking": ["d1"]}
    both: dict[str, Any] = {"topic": ONE, "rankings": [["d1"], ["d1"]], "scores": [0.5, 1.0]}
    listed = "d1 of weights (0.25, 0.75); grades d1=(0, 0.5)"
    assert case_text(both | {"call": [other, target], "place": 1}).endswith(f"; in one call with {listed}")
    assert case_text(both | {"calls_before": [other]}).endswith(f"; after calls with {listed}")
    assert case_text(both | {"calls_between": []}).endswith("d1 scores 1.0")
    many = case_text(both | {"calls_between": [other] * 9})
    assert len(re.findall(re.escape(listed), many)) == 3
    assert many.endswith("and 6 more (-f json has all)")
