"""The LaTeX table is set by pdflatex, and its bibliography by BibTeX; names and symbols reach the page."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from axiomcheck import Cell, Ledger, Verdict
from axiomcheck.reports.bibliography import references
from axiomcheck.reports.latex import to_bibtex, to_latex
from tests.reports.reports_ledgers import compared_by_dominance, made_up, odd, proved, real
from tests.reports.test_reports_latex import HOSTILE
from tests.support.made_records import because
from tests.support.suites import quality

pytestmark = [
    quality,
    *(
        pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")
        for program in ("pdflatex", "bibtex", "pdftotext")
    ),
]

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


@pytest.mark.parametrize("made", [hostile, odd, real, compared_by_dominance, made_up])
def test_tables_fit_the_page(made: Callable[[], Ledger], tmp_path: Path) -> None:
    log = set_in(tmp_path, made())
    assert "Overfull" not in log
    assert "too large" not in log


def test_citations_and_symbols_of_ones_own_reach_the_page(tmp_path: Path) -> None:
    set_in(tmp_path, proved())
    assert "Warning" not in run(tmp_path, "bibtex", "paper")
    assert (tmp_path / "paper.bbl").read_text().count("\\bibitem") == len(references())
    set_in(tmp_path, proved())
    assert "undefined" not in set_in(tmp_path, proved())
    run(tmp_path, "pdftotext", "-layout", "paper.pdf")
    page = (tmp_path / "paper.txt").read_text(encoding="utf-8")
    assert re.search(r"RBP \[\d+\] +YES +YES", page), page
