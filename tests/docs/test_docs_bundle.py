"""docs/how-to/bundle.md: its commands and examples are run, its table is that of the program."""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path

import pytest

from axiomcheck.reports.bundle.measures import AD_HOC, ASPECTS
from tests.support import transcripts

PAGE = transcripts.ROOT / "docs" / "how-to" / "bundle.md"
_HERE = {"ir_measures": f"{sys.executable} -m ir_measures", "pytest": f"{sys.executable} -m pytest -p no:xdist"}


def replayed(text: str, directory: Path) -> str:
    """The page with the output of every command as it is now; `cd` holds for the commands after it."""
    out, here = [], directory
    for before, command, _expected in transcripts._commands(text, fenced=True):
        out.append(before)
        program, _, rest = (command or "").partition(" ")
        if program == "cd":
            here = here / rest
        elif program:
            out.append(untimed(transcripts.run(f"{_HERE.get(program, program)} {rest}", here)))
    return "".join(out)


def untimed(printed: str) -> str:
    return re.sub(r" in \d+\.\d+s\b", " in 0.10s", printed)


def table() -> str:
    """The lines of the page's table."""
    lines = [f"| {line.metric.name} | {line.measure} | {line.where} |" for line in AD_HOC]
    lines += [f"| {', '.join(kind.name for kind in e.metrics)} | {e.measure} | {e.where} |" for e in ASPECTS]
    return "\n".join(lines)


def test_the_commands_print_what_the_page_shows(tmp_path: Path) -> None:
    for library in ("ir_measures", "pyndeval", "cwl"):
        pytest.importorskip(library)
    text = PAGE.read_text(encoding="utf-8")
    assert text.count("\n$ ir_measures ") == 2
    assert replayed(text, tmp_path) == text


def test_the_python_examples() -> None:
    outcome = doctest.testfile(str(PAGE), module_relative=False)
    assert outcome.attempted >= 5
    assert outcome.failed == 0


def test_the_table_is_the_programs() -> None:
    assert f"| --- | --- | --- |\n{table()}\n\n" in PAGE.read_text(encoding="utf-8")
