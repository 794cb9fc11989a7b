"""Pages that are followed from top to bottom, in an empty folder; names.md, whose examples are run.

python -m tests.docs.test_docs_pages --update    writes the outputs anew
"""

from __future__ import annotations

import doctest
import re
import sys
import tempfile
from pathlib import Path

import pytest

from axiomcheck.cli.exits import MEANINGS
from tests.support.transcripts import ROOT, replayed_page

DOCS = ROOT / "docs"
PAGES = [DOCS / "tutorials" / "matrix.md", DOCS / "explanation" / "limit.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_page_is_what_happens(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)  # or annotations are printed as well
    text = page.read_text(encoding="utf-8")
    assert replayed_page(text, tmp_path) == text
    assert "\n$ axiomcheck " in text


def test_a_page_that_says_otherwise_is_noticed(tmp_path: Path) -> None:
    text = "```console\n$ axiomcheck --version\naxiomcheck, version 0.0.0\n```\n"
    assert replayed_page(text, tmp_path) != text


def test_report_md_has_every_exit_code() -> None:
    text = (DOCS / "reference" / "report.md").read_text(encoding="utf-8")
    assert [int(code) for code in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)] == list(MEANINGS)


def test_the_examples_of_names_md() -> None:
    outcome = doctest.testfile(str(DOCS / "reference" / "names.md"), module_relative=False)
    assert outcome.attempted >= 5
    assert outcome.failed == 0


if __name__ == "__main__" and "--update" in sys.argv:
    for file in PAGES:
        with tempfile.TemporaryDirectory() as made:
            file.write_text(replayed_page(file.read_text(encoding="utf-8"), Path(made)), encoding="utf-8")
