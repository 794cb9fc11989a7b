"""Reports as they come out of the commands, to be looked at."""

from __future__ import annotations

import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path

from pages import Pages
from runs import made_once, matrix_words

from axiomcheck.records.cells import Ledger
from axiomcheck.reports.formats import FORMATS, render

FOLDER = "reports"

SUFFIXES = {"html": "html", "markdown": "md", "csv": "csv", "latex": "tex", "badge": "svg"}
"""Form of the matrix -> the suffix of its files, of the forms that are worth looking at."""

STUDIES = {
    "region-rbp": "axiomcheck region RBP CloseTh --over p=0.5:0.99 --format html",
    "region-nrbp": "axiomcheck region NRBP CloseTh --over p=0.5:0.99 --over alpha=0:1 --depth 6 --format html",
    "region-alpha-ndcg": "axiomcheck region alpha-nDCG CloseTh --over alpha=0:1 --over k=4:12 --format html",
}
"""File -> the command that writes a page of a study."""

_ANSWERED = (0, 4)
"""Exit codes of a study: decided throughout, and in part."""


def write(pages: Pages, ledger: Ledger, folder: Path, examples: int | None) -> None:
    """Writes the matrix in every form and pages of studies, and a page that lists them.

    Args:
        pages: where to.
        ledger: of the default matrix.
        folder: where what was run is kept.
        examples: the matrix's random instances per cell; None for the default.

    """
    shown = {f"{FOLDER}/matrix.{suffix}": form for form, suffix in SUFFIXES.items() if form in FORMATS}
    for file, form in shown.items():
        pages.write(f"files/{file}", render(ledger, form))
    for name, command in STUDIES.items():
        made = made_once(folder, name, partial(_run, command))
        pages.write(f"files/{FOLDER}/{name}.html", made.read_text(encoding="utf-8"))
    words = " ".join(["axiomcheck", *matrix_words(examples)])
    pages.fill(
        "gallery.md",
        "gallery.md.j2",
        matrices={file: f"{words} --format {form} --output {Path(file).name}" for file, form in shown.items()},
        studies={f"{FOLDER}/{name}.html": f"{command} --output {name}.html" for name, command in STUDIES.items()},
    )


def _run(command: str, file: Path) -> None:
    words = [sys.executable, "-m", *shlex.split(command), "--output", str(file)]
    done = subprocess.run(words, check=False)
    if done.returncode not in _ANSWERED:
        raise RuntimeError(f"{command}: exit code {done.returncode}")
