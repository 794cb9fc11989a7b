from __future__ import annotations

import io

import pytest
from made_records import pair_evidence
from reports_ledgers import EVERYDAY, made_up, odd, real
from rich.cells import cell_len
from rich.console import Console

from axiomcheck.axioms import AXIOMS
from axiomcheck.core.domain import Reading
from axiomcheck.core.published import published_claim
from axiomcheck.core.verdict import Verdict
from axiomcheck.engine.sentences import finding_sentence
from axiomcheck.metrics import CATALOGUE, paper_rows, row_of
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.reports.layout import Layout, decided_on_binary
from axiomcheck.reports.symbols import BINARY_MARK, SYMBOLS
from axiomcheck.reports.terminal import print_findings, print_matrix

ALL = made_up(
    *(
        Cell(
            m.canonical,
            row_of(m),
            axiom,
            verdict,
            published_claim(row_of(m), axiom),
            "why",
            evidence=pair_evidence(binary=k % 2 == 0),
        )
        for k, m in enumerate(paper_rows())
        for axiom, verdict in zip(AXIOMS, [*Verdict, Verdict.HELD, Verdict.REFUTED], strict=True)
    )
)
"""All twenty rows under all axioms, with every verdict."""


def matrix(ledger: Ledger, width: int, **options: object) -> str:
    console = Console(file=io.StringIO(), width=width, **options)  # type: ignore[arg-type]
    print_matrix(console, ledger)
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def findings(ledger: Ledger, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width)
    print_findings(console, ledger)
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def line_of(text: str, metric: str) -> str:
    (line,) = (line for line in text.splitlines() if line.startswith(f"{metric} "))
    return line


WIDTHS = (80, 100, 120, 200)


def has_one_row_per_metric(which: str | Reading, width: int) -> None:
    ledger = real(which) if isinstance(which, Reading) else ALL if which == "all" else odd()
    text = matrix(ledger, width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert "…" not in text
    assert text.count("Metric ") == 1
    axioms = [axiom for names in Layout(ledger).groups.values() for axiom in names]
    for metric in Layout(ledger).metrics:
        shown = line_of(text, metric).removeprefix(metric)
        symbols = [c for c in shown if c in SYMBOLS.values()]
        cells = {c.axiom: c for c in ledger.cells if c.metric == metric}
        assert symbols[-len(axioms) :] == [SYMBOLS[cells[a].verdict] for a in axioms]
        assert shown.count("*") == sum(c.finding for c in cells.values())
        assert shown.count(BINARY_MARK) == sum(decided_on_binary(ledger, c) for c in cells.values())


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("which", ["all", "odd", *EVERYDAY], ids=str)
def test_one_row_per_metric_with_its_whole_name(which: str | Reading, width: int) -> None:
    has_one_row_per_metric(which, width)


def test_published_rows_are_a_column_where_there_is_room() -> None:
    for metric, row in Layout(ALL).metrics.items():
        assert line_of(matrix(ALL, 120), metric).removeprefix(metric).split()[0] == row
        assert line_of(matrix(ALL, 80), metric).removeprefix(metric).split()[0][0] in SYMBOLS.values()


def test_headings_are_whole_at_120_and_broken_at_80() -> None:
    def headings(width: int) -> list[str]:
        return matrix(ALL, width).splitlines()[1:3]

    assert headings(120)[0].split() == ["Metric", "Row", *AXIOMS]
    assert headings(80)[0].split() == ["Deep", "Close", "Asp", "Asp"]
    assert headings(80)[1].split() == ["Metric", "Pri", "Deep", "Th", "Th", "Conf", "Div", "Red", "MRed", "Sat", "Rel"]


@pytest.mark.parametrize("width", [80, 120])
def test_groups_stand_over_their_columns(width: int) -> None:
    band, *lines = matrix(ALL, width).splitlines()
    assert band.split() == ["Relevance-oriented", "Diversity-oriented"]
    heading = next(line for line in lines if line.startswith("Metric"))
    end = heading.index("Conf") + 4
    assert heading.index("Pri") <= band.index("Relevance") < band.index("oriented") + 8 <= end
    assert end < band.index("Diversity")
    assert cell_len(band) <= cell_len(lines[2 if width == 80 else 1].rstrip())


def test_columns_of_symbols_stand_in_line() -> None:
    text = matrix(ALL, 80)
    places = {
        tuple(k for k, c in enumerate(line_of(text, metric)) if c in SYMBOLS.values() and k > 28)
        for metric in Layout(ALL).metrics
    }
    assert len(places) == 1
    assert len(places.pop()) == 10


def test_a_narrow_console_gets_a_table_per_group() -> None:
    text = matrix(ALL, 60)
    assert max(map(cell_len, text.splitlines())) <= 60
    assert text.count("Relevance-oriented") == text.count("Diversity-oriented") == 1
    for metric in Layout(ALL).metrics:
        assert sum(line.startswith(f"{metric} ") for line in text.splitlines()) == 2


def test_long_names_are_never_cut() -> None:
    name = "mine(first=0.123456789, second=0.123456789, third=0.5)@20"
    ledger = made_up(*(Cell(name, None, a, Verdict.HELD, None, "") for a in AXIOMS))
    assert f"\n{name} " in matrix(ledger, 80) or f"\n{name} " in matrix(ledger, 100)
    folded = matrix(ledger, 60)
    joined = "".join(line.split("   ")[0].strip() for line in folded.splitlines())
    assert name.replace(" ", "") in joined.replace(" ", "")


def test_default_names_of_the_whole_catalogue_fit_80_columns() -> None:
    metrics = [cls() for cls in CATALOGUE.values()]
    ledger = made_up(*(Cell(m.canonical, row_of(m), a, Verdict.HELD, None, "") for m in metrics for a in AXIOMS))
    text = matrix(ledger, 80)
    assert max(map(cell_len, text.splitlines())) <= 80
    for metric in metrics:
        assert any(line.startswith(f"{metric.canonical} ") for line in text.splitlines())


def test_colour_only_on_a_terminal() -> None:
    piped, shown = matrix(real(), 80), matrix(real(), 80, force_terminal=True, color_system="standard")
    assert "\x1b" not in piped
    assert "\x1b[31m○" in shown
    assert "\x1b[36m◐" in shown


def test_only_the_axioms_of_the_ledger() -> None:
    cells = [c for c in ALL.cells if c.axiom in ("Sat", "Deep")]
    text = matrix(made_up(*cells), 80)
    heading = next(line for line in text.splitlines() if line.startswith("Metric"))
    assert heading.split() == ["Metric", "Deep", "Sat"]
    alone = matrix(made_up(*(c for c in cells if c.axiom == "Sat")), 80)
    assert "Diversity-oriented" in alone
    assert "Relevance" not in alone


def test_caption_legend_and_rows_of_other_names() -> None:
    text = " ".join(matrix(ALL, 80).split())
    assert "seed 7; 1,200 examples per cell; nothing enumerated; no proofs tried." in text
    assert "In the published table D#-nDCG(lambda=0.5)@20 is D#-Measure@k." in text
    assert all(f"{symbol} {words}" in text for symbol, words in Layout(ALL).legend())
    assert "In the published table" not in matrix(ALL, 120)
    assert "● proved" not in matrix(real(), 80)


def paragraphs(text: str) -> list[str]:
    """The printed paragraphs, unwrapped."""
    joined: list[str] = []
    for line in text.splitlines():
        if line.startswith("  "):
            joined[-1] += f" {line.strip()}"
        else:
            joined.append(line)
    return joined


def findings_are_those_of_the_ledger(reading: Reading, width: int) -> None:
    ledger = real(reading)
    text = findings(ledger, width)
    assert max(map(cell_len, text.splitlines())) <= width
    headline, *rest = paragraphs(text)
    number = len(ledger.findings)
    assert number >= 3
    assert headline == f"Findings: {number} cells differ from the published claim"
    assert rest[:number] == [f"- {finding_sentence(cell)}" for cell in ledger.findings]
    assert rest[number] == ""
    assert rest[number + 1].startswith("30 cells: ")
    assert len(rest) == number + 2


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("reading", EVERYDAY, ids=str)
def test_findings_are_those_of_the_ledger(reading: Reading, width: int) -> None:
    findings_are_those_of_the_ledger(reading, width)


def test_cells_without_an_answer_are_listed_with_their_reason() -> None:
    *_, heading, undecided, error = paragraphs(findings(odd()))
    assert heading == "Without an answer"
    assert undecided == "? EU(alpha=0.5, e=0.05, log=2), Sat: interrupted [before] a | b * c"
    assert error == "! mine(p=[1/2]), Pri: raised ValueError: [bold]no[/bold] <b>"


def test_nothing_without_an_answer_is_not_mentioned() -> None:
    assert "Without an answer" not in findings(real())
    assert findings(made_up(odd().cells[0])).splitlines() == [
        "Findings: no cell differs from the published claim",
        "",
        "1 cell: 1 proved",
    ]
