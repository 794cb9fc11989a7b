"""The matrix as LaTeX: what it says, that nothing in a name is a command, the papers that it is from; it compiles."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from axiomcheck import AXIOMS, Cell, Ledger, Verdict
from axiomcheck.metrics import metric_names, parse
from axiomcheck.reports import latex
from axiomcheck.reports.bibliography import (
    Reference,
    references,
    references_in,
    references_of_axiom,
    references_of_metric,
)
from axiomcheck.reports.latex import as_latex, bibliography_of, to_bibtex, to_latex
from axiomcheck.reports.layout import Layout
from tests.reports.reports_ledgers import compared_by_dominance, made_up, odd, proved, real
from tests.support import transcripts
from tests.support.commands import command
from tests.support.made_records import because
from tests.support.suites import quality

PLAIN_COMMANDS = {
    *("textbackslash", "textasciicircum", "textasciitilde", "textless", "textgreater", "textbar", "char", "ensuremath"),
    *("times", "ss", "ae", "AE", "oe", "OE", "o", "O", "l", "L", "i", "j", "u", "r", "H", "v", "c"),
    *latex._COMMANDS.split(),
}
"""All that text may become, none of which can do harm."""


def rows_of(text: str) -> list[list[str]]:
    """The rows of the table, without those that are headings."""
    inside = text.partition(r"\midrule")[2].partition(r"\bottomrule")[0]
    lines = [line.removesuffix(r" \\") for line in inside.splitlines() if line and r"\multicolumn" not in line]
    return [line.split(" & ") for line in lines]


def test_every_cell_is_in_the_table() -> None:
    for ledger in (odd(), proved()):
        axioms = [name for name in AXIOMS if any(cell.axiom == name for cell in ledger.cells)]
        rows, short = rows_of(to_latex(ledger)), Layout(ledger).names
        assert len(rows) == len({cell.metric for cell in ledger.cells})
        for cell in ledger.cells:
            name = as_latex(short[cell.metric])
            (row,) = [row for row in rows if row[0].partition(r"\axcite")[0] == name]
            entry = row[1 + axioms.index(cell.axiom)]
            assert entry.startswith(rf"\ax{cell.verdict.value.replace('-', '')}{{}}")
            assert (r"\axfinding" in entry) is cell.finding
    assert r"\axfinding{} a finding" in to_latex(odd())
    assert r"\axfinding{} a finding" not in to_latex(proved())


def test_the_legend_has_what_occurs_the_caption_what_it_depends_on_and_the_page_its_commands() -> None:
    text = to_latex(odd())
    legend = text.partition(r"\begin{minipage}")[2]
    occurring = {cell.verdict for cell in odd().cells}
    for verdict in Verdict:
        assert (rf"\ax{verdict.value.replace('-', '')}{{}}" in legend) is (verdict in occurring)
    (caption,) = re.findall(r"\\caption\{(.*)\}", text)
    assert r"Reading: stated ($r \ll 1$ for the axioms that state it), graded; seed 7; 1,200 examples" in caption
    assert re.search(r"; axiomcheck [0-9.]+\S*\.$", caption)
    text = (transcripts.ROOT / "docs" / "how-to" / "paper.md").read_text(encoding="utf-8")
    preamble = to_latex(odd()).partition(r"\begin{table*}")[0].splitlines()
    commands = {line.partition("{\\")[2].partition("}")[0] for line in preamble if "command{" in line}
    assert len(commands) >= 10
    assert {name for name in commands if f"\\{name}" not in text} <= {"axcircle", "axmarks"}


def test_families_are_headings_where_they_have_several_rows() -> None:
    def table(*names: str) -> str:
        return to_latex(made_up(*(Cell(name, None, "Pri", Verdict.UNDECIDED, None, because()) for name in names)))

    several = table("NRBP(p=0.8, alpha=0.5)", "RR", "EU(alpha=0.5, e=0.05, log=2)", "AP")
    shown = re.findall(r"\\textit\{(.*?)\}|^([\w-]+)\\axcite", several, re.MULTILINE)
    assert [heading or name for heading, name in shown] == ["Ad hoc", "RR", "AP", "Diversity", "NRBP", "EU"]
    assert "In full: NRBP(p=0.8, alpha=0.5); EU(alpha=0.5, e=0.05, log=2)." in several
    assert r"\textit" not in table("RR", "AP")
    assert "In full" not in table("RR", "AP")


HOSTILE = (
    r"100%_&#$~^\{}",
    r"\end{table*}\input{/etc/passwd}",
    "``b''--,,?`!`<<>>|\"",
    "é ü Ł ß α Ω µ 中 😀",
    "\u202e\x00\x1b[31m\ud800",
    "x\n\n% y\\par",
    "^^41",
    "A" * 5000,
)


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_names_are_text(name: str) -> None:
    text = as_latex(name)
    assert text.isascii()
    assert text.isprintable()
    assert set(re.findall(r"\\([a-zA-Z]+)", text)) <= PLAIN_COMMANDS
    # what is left has no character that LaTeX takes for anything else than itself, but braces in pairs
    left = re.sub(r"\\([a-zA-Z]+|.)", "", text)
    assert not set(left) & set('%&#$^~_"`')
    assert "--" not in left
    depth = 0
    for brace in re.findall(r"[{}]", left):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0
    cells = (Cell(name, None, axiom, Verdict.UNDECIDED, None, because()) for axiom in ("Pri", "Red"))
    ((first, *entries),) = rows_of(to_latex(made_up(*cells)).replace(r"\&", ""))
    assert entries == [r"\axundecided{}"] * 2
    assert len(first) < 4000


def test_known_letters_stay_readable() -> None:
    assert as_latex("Järvelin, α-nDCG_2") == r"J{\"{a}}rvelin, \ensuremath{\alpha}-nDCG\_2"
    assert as_latex("中") == r"\textbackslash{}u4e2d"
    assert as_latex("Amigo\u0301") == as_latex("Amigó")


def test_every_metric_and_axiom_has_the_papers_that_its_source_names() -> None:
    without = {name for name in metric_names() if not references_of_metric(parse(name).canonical)}
    assert without == {name for name in metric_names() if parse(name).source.startswith("ndeval")}
    named = {one.key for name in metric_names() for one in references_of_metric(parse(name).canonical)}
    assert named == {*references()}
    assert {references_of_axiom(name)[0].key for name in AXIOMS} == {"amigo2018"}
    assert references_of_metric("mine.py:RBP") == references_of_metric("<script>") == []
    assert [one.key for one in references_of_metric("S-RR@100%")] == ["zhai2003"]
    for name in metric_names():
        source = parse(name).source
        years = re.findall(r"\b(?:19|20)\d\d\b", source)
        assert len(references_in(source)) == len(years), source


def test_bibtex_has_an_entry_for_each_reference_and_all_that_is_cited() -> None:
    text = to_bibtex([*references().values()] * 2)
    keys = re.findall(r"^@\w+\{(\w+),$", text, re.MULTILINE)
    assert keys == sorted(references())
    assert text.isascii()
    assert text.count("{") == text.count("}")
    for one in references().values():
        assert {"author", "title", "year"} <= set(one.fields)
        assert one.fields["year"] in one.named[0]
    ledger: Ledger = proved()
    cited = {key for keys in re.findall(r"\\axcite\{([^}#]+)\}", to_latex(ledger)) for key in keys.split(",")}
    entries = set(re.findall(r"^@\w+\{(\w+),$", bibliography_of(ledger), re.MULTILINE))
    assert cited == {"amigo2018", "moffat2008", "sakai2011"}
    assert cited <= entries


def test_each_axiom_has_its_own_source(monkeypatch: pytest.MonkeyPatch) -> None:
    assert r"Which axioms\axcite{amigo2018} evaluation" in to_latex(proved())
    assert "Axioms: " not in to_latex(proved())

    def ours(name: str) -> list[Reference]:
        return [] if name == "DeepTh" else references_of_axiom(name)

    monkeypatch.setattr("axiomcheck.reports.latex.references_of_axiom", ours)
    own = as_latex(AXIOMS["DeepTh"].source)
    mixed = to_latex(proved())
    assert "Which axioms evaluation metrics satisfy" in mixed
    assert rf"Axioms: Pri\axcite{{amigo2018}}; DeepTh ({own})." in mixed
    alone = to_latex(made_up(*(cell for cell in proved().cells if cell.axiom == "DeepTh")))
    assert "Which axioms evaluation metrics satisfy" in alone
    assert f"Axioms: DeepTh ({own})." in alone
    other = Cell("mine.py:f", None, "DeepTh", Verdict.REFUTED, "yes", because())
    assert r"claim\axcite{amigo2018}" in to_latex(made_up(other))
    assert "{amigo2018," in bibliography_of(made_up(other))


def test_the_command_writes_both_files(tmp_path: Path) -> None:
    words = ["matrix", "RBP", "-a", "Pri", "--examples", "200", "--no-proofs", "-j", "1", "--format", "latex"]
    assert command(*words, "-o", tmp_path / "table.tex").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table.bib", "table.tex"]
    assert "moffat2008" in (tmp_path / "table.bib").read_text(encoding="utf-8")
    (tmp_path / "table.bib").unlink()
    assert command(*words, "-o", tmp_path / "table").exit_code == 0
    assert not list(tmp_path.glob("*.bib"))
    (tmp_path / "table.bib").mkdir()
    failed = command(*words, "-o", tmp_path / "table.tex")
    assert failed.exit_code == 2
    assert "table.bib: it is a directory" in failed.stderr


PAPER = r"""\documentclass[twocolumn]{article}
\usepackage[margin=2cm]{geometry}
\usepackage{booktabs}
\newcommand{\axcite}[1]{~\cite{#1}}
\newcommand{\axproved}{YES}
\begin{document}
Text \nocite{*}.
\input{table}
\bibliographystyle{plain}
\bibliography{table}
\end{document}
"""


def run(directory: Path, *words: str) -> str:
    """Return what a program printed that ended well."""
    done = subprocess.run(
        words, cwd=directory, capture_output=True, text=True, errors="replace", timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:]
    return done.stdout


def set_in(directory: Path, ledger: Ledger) -> str:
    """Return what was logged in one pass, which stops at the first error."""
    (directory / "table.tex").write_text(to_latex(ledger), encoding="utf-8")
    (directory / "table.bib").write_text(to_bibtex(references().values()), encoding="utf-8")
    (directory / "paper.tex").write_text(PAPER, encoding="utf-8")
    run(directory, "pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper")
    return (directory / "paper.log").read_text(encoding="utf-8", errors="replace").replace("\n", "")


def hostile() -> Ledger:
    return made_up(*(Cell(name, None, "Pri", Verdict.HELD, None, because()) for name in HOSTILE))


FITTING = (hostile, odd, real, compared_by_dominance, made_up)
COMPILED = [
    quality,
    *(
        pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")
        for program in ("pdflatex", "bibtex", "pdftotext")
    ),
]
"""Marks what needs LaTeX."""


@pytest.mark.parametrize("made", [pytest.param(each, marks=COMPILED) for each in FITTING])
def test_tables_fit_the_page(made: Callable[[], Ledger], tmp_path: Path) -> None:
    log = set_in(tmp_path, made())
    assert "Overfull" not in log
    assert "too large" not in log


@pytest.mark.parametrize("made", [pytest.param(proved, marks=COMPILED)])
def test_citations_and_symbols_of_ones_own_reach_the_page(made: Callable[[], Ledger], tmp_path: Path) -> None:
    set_in(tmp_path, made())
    assert "Warning" not in run(tmp_path, "bibtex", "paper")
    assert (tmp_path / "paper.bbl").read_text().count("\\bibitem") == len(references())
    set_in(tmp_path, proved())
    assert "undefined" not in set_in(tmp_path, proved())
    run(tmp_path, "pdftotext", "-layout", "paper.pdf")
    page = (tmp_path / "paper.txt").read_text(encoding="utf-8")
    assert re.search(r"RBP \[\d+\] +YES +YES", page), page
