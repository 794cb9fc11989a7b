"""The LaTeX table is set by pdflatex and lualatex, and its bibliography by BibTeX; names and symbols reach the page."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from axiomcheck import Cell, Ledger, Verdict
from axiomcheck.reports.bibliography import references
from axiomcheck.reports.latex import bibliography_of, to_bibtex, to_latex
from tests.reports.reports_ledgers import compared_by_dominance, made_up, odd, proved, real
from tests.reports.test_reports_latex import HOSTILE
from tests.support.made_records import because
from tests.support.suites import quality

pytestmark = quality

PAPER = r"""\documentclass[twocolumn]{article}
\usepackage[margin=2cm]{geometry}
\usepackage{booktabs}
%s
\begin{document}
Text \nocite{*}.
\input{table}
\bibliographystyle{plain}
\bibliography{table}
\end{document}
"""
CITED = r"\newcommand{\axcite}[1]{~\cite{#1}}"


def needs(*programs: str) -> None:
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed")


def run(directory: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=directory, capture_output=True, text=True, errors="replace", timeout=120, check=False
    )


def set_by(engine: str, directory: Path, ledger: Ledger, before: str = "") -> tuple[int, str]:
    """The exit code of one pass of an engine that stops at the first error, and what it logged."""
    (directory / "table.tex").write_text(to_latex(ledger), encoding="utf-8")
    (directory / "table.bib").write_text(bibliography_of(ledger), encoding="utf-8")
    (directory / "paper.tex").write_text(PAPER % before, encoding="utf-8")
    done = run(directory, engine, "-interaction=nonstopmode", "-halt-on-error", "paper")
    log = (directory / "paper.log").read_text(encoding="utf-8", errors="replace")
    return done.returncode, log.replace("\n", "")


def hostile() -> Ledger:
    pairs = zip(HOSTILE, [*Verdict, Verdict.HELD, Verdict.HELD], strict=False)
    kept = [(name, Verdict.UNDECIDED if verdict is Verdict.ERROR else verdict) for name, verdict in pairs]
    return made_up(
        *(Cell(name, None, axiom, verdict, None, because()) for name, verdict in kept for axiom in ("Pri", "Red"))
    )


@pytest.mark.parametrize("engine", ["pdflatex", "lualatex"])
def test_hostile_names_are_set(engine: str, tmp_path: Path) -> None:
    needs(engine)
    code, log = set_by(engine, tmp_path, hostile())
    assert code == 0, log[-3000:]
    assert "Overfull" not in log


@pytest.mark.parametrize("made", [odd, real, compared_by_dominance, made_up])
def test_tables_fit_the_page(made: Callable[[], Ledger], tmp_path: Path) -> None:
    needs("pdflatex")
    code, log = set_by("pdflatex", tmp_path, made())
    assert code == 0, log[-3000:]
    assert "Overfull" not in log
    assert "too large" not in log


def test_citations_and_symbols_of_ones_own(tmp_path: Path) -> None:
    needs("pdflatex", "bibtex", "pdftotext")
    before = CITED + r"\newcommand{\axproved}{YES}"
    assert set_by("pdflatex", tmp_path, proved(), before)[0] == 0
    cited = run(tmp_path, "bibtex", "paper")
    assert cited.returncode == 0, cited.stdout
    assert "Warning" not in cited.stdout
    set_by("pdflatex", tmp_path, proved(), before)
    code, log = set_by("pdflatex", tmp_path, proved(), before)
    assert code == 0
    assert "undefined" not in log
    run(tmp_path, "pdftotext", "-layout", "paper.pdf")
    page = (tmp_path / "paper.txt").read_text(encoding="utf-8")
    assert re.search(r"RBP \[\d\] +YES +YES", page), page
    assert "Rank-Biased Precision for Measurement" in re.sub(r"\s+", " ", page).replace("Pre- cision", "Precision")


def test_every_entry_is_set_by_bibtex(tmp_path: Path) -> None:
    needs("pdflatex", "bibtex")
    set_by("pdflatex", tmp_path, proved())
    (tmp_path / "table.bib").write_text(to_bibtex(references().values()), encoding="utf-8")
    done = run(tmp_path, "bibtex", "paper")
    assert done.returncode == 0, done.stdout
    assert "Warning" not in done.stdout
    assert (tmp_path / "paper.bbl").read_text().count("\\bibitem") == len(references())
