"""Text from elsewhere: every character of it shows, and a spreadsheet runs none of it."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from axiomcheck.cli.program import main
from axiomcheck.core.printable import LONGEST_MESSAGE, escaped, printable, shown, spreadsheet_cell
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell
from axiomcheck.reports import to_csv, to_markdown
from tests.reports.reports_ledgers import made_up

HIDDEN = [*range(32), 127, *range(0x80, 0xA0), 0x200E, 0x200F, 0x2028, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]


def test_no_character_that_does_not_show_is_left() -> None:
    for code in (*HIDDEN, 0xAD, 0x61C, 0xFEFF, 0xD800, 0xDFFF, 0xFFFE, 0xE0041):
        text = escaped(f"a{chr(code)}b")
        assert text == f"a{chr(code)}b" if chr(code) in "\n\t" else text.isprintable(), hex(code)
        assert json.loads(f'"{text}"' if text.isprintable() else json.dumps(text)) == f"a{chr(code)}b"
    assert escaped("naïve 日本 😀 \\u202e") == "naïve 日本 😀 \\u202e"


def test_a_message_of_megabytes_is_cut_and_any_value_can_be_shown() -> None:
    text = printable("\u202e" * 1_000_000)
    assert text == "\\u202e" * LONGEST_MESSAGE + "... (998,000 more characters)"
    assert printable("x" * LONGEST_MESSAGE) == "x" * LONGEST_MESSAGE
    deep: list[object] = []
    for _ in range(sys.getrecursionlimit() * 100):
        deep = [deep]
    assert shown(deep) == "a value too large to be shown, of type list"
    assert shown(16**5000) == "a value too large to be shown, of type int"
    assert shown("\u202e") == r"'\u202e'"
    assert len(shown("x" * 10**6)) < 300


def test_text_that_a_spreadsheet_would_run_is_quoted_and_numbers_and_other_text_stay() -> None:
    for text in ("=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-", "+", "=", "-1-1", "-inf"):
        assert spreadsheet_cell(text) == f"'{escaped(text)}"
    for text in ("-0.5", "+7", "-1e-9", "0", "", "a=b", "no +", "'x", "1-1"):
        assert spreadsheet_cell(text) == text
    ledger = made_up(Cell("=a\u202e.py:m", "=row", "Pri", Verdict.ERROR, None, '@x\x1b[31m,"\n|y'))
    (row,) = csv.DictReader(io.StringIO(to_csv(ledger)))
    assert (row["metric"], row["row"], row["reason"]) == ("'=a\\u202e.py:m", "'=row", "'@x\\u001b[31m,\"\n|y")
    assert to_markdown(ledger).replace("\n", "").isprintable()


def test_scores_stay_numbers_and_names_are_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("=1+1 0 a 1\n-5 0 a 1\n", encoding="utf-8")
    (tmp_path / "=run\u202e").write_text("=1+1 Q0 a 1 2 t\n-5 Q0 b 1 2 t\n", encoding="utf-8")
    words = ["score", "P@1", "--qrels", "qrels", "--run", "=run\u202e", "-q", "--format", "csv"]
    rows = list(csv.DictReader(io.StringIO(CliRunner().invoke(main, words).stdout)))
    assert [(row["run"], row["topic"], float(row["score"])) for row in rows] == [
        ("'=run\\u202e", "'=1+1", 1.0),
        ("'=run\\u202e", "-5", 0.0),
        ("'=run\\u202e", "all", 0.5),
    ]
