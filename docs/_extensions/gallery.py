"""Write a gallery of reports as the commands print them."""

from __future__ import annotations

import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path

from pages import Pages
from runs import made_once

from axiomcheck.records.cells import Ledger
from axiomcheck.reports.formats import FORMATS, render

FOLDER = "reports"

SUFFIXES = {"html": "html", "markdown": "md", "csv": "csv", "latex": "tex"}
"""File extensions by format, for the formats of the matrix in the gallery."""

STUDIES = {
    "region-rbp": "axiomcheck region RBP CloseTh --over p=0.5:0.99 --format html",
    "region-nrbp": "axiomcheck region NRBP CloseTh --over p=0.5:0.99 --over alpha=0:1 --depth 6 --format html",
    "region-alpha-ndcg": "axiomcheck region alpha-nDCG CloseTh --over alpha=0:1 --over k=4:12 --format html",
}
"""Commands that write pages of studies, by file name."""

_ANSWERED = (0, 4)
"""Exit codes of studies that are decided completely or partly."""


def write(pages: Pages, ledger: Ledger, folder: Path, words: list[str]) -> None:
    """Write the matrix in every format, pages of studies, and a page that lists them.

    Args:
        pages: Writer of the pages.
        ledger: Default matrix.
        folder: Folder of cached results.
        words: Words of the command that made the matrix, after ``axiomcheck``.

    """
    shown = {f"{FOLDER}/matrix.{suffix}": form for form, suffix in SUFFIXES.items() if form in FORMATS}
    for file, form in shown.items():
        pages.write(f"files/{file}", render(ledger, form))
    for name, command in STUDIES.items():
        made = made_once(folder, name, partial(_run, command))
        pages.write(f"files/{FOLDER}/{name}.html", made.read_text(encoding="utf-8"))
    command = " ".join(["axiomcheck", *words])
    pages.fill(
        "gallery.md",
        "gallery.md.j2",
        matrices={file: f"{command} --format {form} --output {Path(file).name}" for file, form in shown.items()},
        studies={f"{FOLDER}/{name}.html": f"{command} --output {name}.html" for name, command in STUDIES.items()},
    )


def _run(command: str, file: Path) -> None:
    words = [sys.executable, "-m", *shlex.split(command), "--output", str(file)]
    done = subprocess.run(words, check=False)
    if done.returncode not in _ANSWERED:
        raise RuntimeError(f"{command}: exit code {done.returncode}")
