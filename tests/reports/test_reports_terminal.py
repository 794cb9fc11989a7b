import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest

from axiomcheck import AXIOMS, Cell, Domain, Ledger, Reading, Regime, Verdict
from axiomcheck.checks.contract import Outcome
from axiomcheck.checks.metric import Checked, Examined
from axiomcheck.cli.program import main
from axiomcheck.core.published import published_claim
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.metrics import CATALOGUE, paper_rows, parse, row_of, rows_named
from axiomcheck.records.sentences import brief_pair
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.reports.check_report import check_report
from axiomcheck.reports.contract_case import case_text
from axiomcheck.reports.layout import Layout, decided_on_binary
from axiomcheck.reports.matrix_report import matrix_report, next_steps
from axiomcheck.reports.symbols import BINARY_MARK, SYMBOLS
from axiomcheck.reports.table import report_text
from axiomcheck.reports.words import finding_sentence, published_word, verdict_in_brief
from axiomcheck.sources.resolve import resolve
from tests.reports.reports_ledgers import made_up, odd, real
from tests.support.commands import command
from tests.support.made_records import because, pair_evidence

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
    """Of every metric of the catalogue and of every default row; parameters that tell rows apart stay."""
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
    lines = text[text.index("2 of 3 contract checks failed") :].splitlines()
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
