"""Text from elsewhere shows and is run by no spreadsheet; symbols stay distinct; files are written whole."""

import ast
import csv
import dataclasses
import io
import json
import os
import stat
import sys
from pathlib import Path

import pytest

import axiomcheck.reports
from axiomcheck import Cell, Verdict
from axiomcheck.cli.console import print_report
from axiomcheck.cli.program import guarded_streams, main
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import LONGEST_MESSAGE, escaped, printable, shown, spreadsheet_cell
from axiomcheck.core.writing import write_atomically
from axiomcheck.reports.matrix_report import matrix_report, to_csv, to_markdown
from axiomcheck.reports.symbols import BINARY_MARK, FINDING_MARK, PLAIN, SYMBOLS, fitting
from tests.gating.gate_projects import leave_checks_out
from tests.reports.reports_ledgers import made_up
from tests.support.made_records import because, pair_evidence
from tests.support.suites import each

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
    assert shown(deep) == "a value of type list that is too large to be shown"
    assert shown(16**5000) == "a value of type int that is too large to be shown"
    assert shown("\u202e") == r"'\u202e'"
    assert len(shown("x" * 10**6)) < 300


def test_text_that_a_spreadsheet_would_run_is_quoted_and_numbers_and_other_text_stay() -> None:
    for text in ("=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-", "+", "=", "-1-1", "-inf"):
        assert spreadsheet_cell(text) == f"'{escaped(text)}"
    for text in ("-0.5", "+7", "-1e-9", "0", "", "a=b", "no +", "'x", "1-1"):
        assert spreadsheet_cell(text) == text
    ledger = made_up(Cell("=a\u202e.py:m", "=row", "Pri", Verdict.ERROR, None, because('@x\x1b[31m,"\n|y')))
    (row,) = csv.DictReader(io.StringIO(to_csv(ledger)))
    assert (row["metric"], row["row"], row["reason"]) == ("'=a\\u202e.py:m", "'=row", "'@x\\u001b[31m,\"\n|y")
    assert to_markdown(ledger).replace("\n", "").isprintable()


POOR = ["ascii", "cp437", "cp932"]


class Printed:
    """A standard output of some encoding, and what goes there."""

    def __init__(self, encoding: str, patch: pytest.MonkeyPatch) -> None:
        self.encoding, self._bytes = encoding, io.BytesIO()
        patch.setattr(sys, "stdout", io.TextIOWrapper(self._bytes, encoding))

    @property
    def text(self) -> str:
        return self._bytes.getvalue().decode(self.encoding)


@pytest.mark.parametrize("encoding", POOR)
def test_symbols_give_way_together_and_stay_distinct_in_the_matrix(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = [fitting(symbol, encoding) for symbol in (*SYMBOLS.values(), FINDING_MARK, BINARY_MARK)]
    assert len(set(shown)) == len(shown)
    assert all(len(symbol) == 1 and symbol.isascii() for symbol in shown)
    assert [verdict for verdict in Verdict if fitting(SYMBOLS[verdict], encoding) == "?"] == [Verdict.UNDECIDED]
    assert len({fitting(mark, encoding) for mark in "✓✗·?!"}) == 5
    evidence = pair_evidence(instances=7, binary=True)
    held = Cell("RBP", "RBP", "Pri", Verdict.HELD, None, because("no violation"), evidence=evidence)
    cells = [dataclasses.replace(held, metric=f"m{k}", verdict=verdict) for k, verdict in enumerate(Verdict)]
    printed = Printed(encoding, monkeypatch)
    with guarded_streams():
        print_report(matrix_report(made_up(*cells)))
    lines = printed.text.splitlines()
    rows = {line.split()[0]: line.split()[-1] for line in lines if line[:1] == "m" and line[1:2].isdigit()}
    assert len(rows) == len(set(rows.values())) == len(Verdict)
    for k, verdict in enumerate(Verdict):
        symbol = rows[f"m{k}"].removesuffix("b")
        assert any(line.startswith(f"{symbol} ") and verdict.value.split("-")[0] in line for line in lines)
    assert "-" * 10 in printed.text  # the rule below the heading


def test_symbols_stay_where_all_can_be_encoded_and_every_sign_of_reports_has_a_plain_one() -> None:
    for encoding in (None, "utf-8", "UTF-16", "utf_8_sig", "gb18030"):
        assert fitting("".join(PLAIN), encoding) == "".join(PLAIN)
    folders = [Path(next(iter(axiomcheck.reports.__path__))), Path(axiomcheck.__file__).parent]
    found = set()
    into_latex = {folders[0] / "latex.py"}  # which has the letters in ASCII
    for file in {file for folder in folders for file in folder.rglob("*.py")} - into_latex:
        text = file.read_text(encoding="utf-8")
        for node in () if text.isascii() else ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= {c for c in node.value if not c.isascii()}
    drawn = {"≤", "≥", *"⁰¹²³⁴⁵⁶⁷⁸⁹"}  # in pictures and pages only, which have a font
    named = {"é"}  # in a document's name, which is told as it is
    assert found - drawn - named <= set(PLAIN)


@each(
    ("words", "expected"),
    [
        ("matrix RBP -a Conf -a Pri --examples 50 -j 1 --no-proofs -f markdown", ["| R |", "H held"]),
        ("gate -j 1", ["X Conf: expected to hold", "1 worse than expected"]),
        ("check RBP -a Conf --examples 50 -j 1 -v", ["R Conf", "x eps"]),
    ],
    2,
)
def test_commands_print_no_question_mark_that_means_nothing(
    words: str, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    leave_checks_out(monkeypatch)
    monkeypatch.setattr("axiomcheck.checks.metric.run_contract", lambda *_, **__: [])
    contract = 'examples = 1\n[metrics."RBP".axioms]\nConf = "holds"\nPri = "holds"\n'
    (tmp_path / "axiomcheck.toml").write_text(contract, encoding="utf-8")
    printed = Printed("ascii", monkeypatch)
    with pytest.raises(SystemExit):
        main(words.split(), prog_name="axiomcheck")
    assert printed.text
    assert "?" not in printed.text
    assert r"\u" not in printed.text
    for part in expected:
        assert part in printed.text


def test_writes_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_atomically(path, "α\r\nb\n")
    assert path.read_bytes() == "α\r\nb\n".encode()
    write_atomically(str(path), "new")
    assert path.read_text() == "new"
    write_atomically(path, '"\ud800 α"')
    assert path.read_text(encoding="utf-8") == '"\\ud800 α"', "a lone surrogate is written as its escape"
    assert json.loads(path.read_text(encoding="utf-8")) == "\ud800 α"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("error", "raised", "says"),
    [
        (OSError(28, "No space left on device"), InvalidInput, r"cannot write .*report\.json: No space left on device"),
        (KeyboardInterrupt("now"), KeyboardInterrupt, "now"),
    ],
)
def test_a_failed_replacement_leaves_the_old_file(
    error: BaseException, raised: type[BaseException], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.json"
    path.write_text("old")
    seen = []

    def fails(source: Path, target: Path) -> None:
        seen.append((Path(source).read_text(), Path(source).parent, Path(target)))
        raise error

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(raised, match=says):
        write_atomically(path, "new")
    assert seen == [("new", tmp_path, path)]
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("file/report.json", "there is no directory"),
        ("a", "cannot write"),
    ],
)
def test_no_file_is_written_where_there_is_no_place_for_one(name: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    (tmp_path / "there").mkdir()
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(InvalidInput, match=says):
        write_atomically(tmp_path / name, "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "file", "there"]
    assert (tmp_path / "file").read_text() == "old"
    assert list((tmp_path / "there").iterdir()) == []


def test_permissions_are_kept_new_files_follow_the_umask_and_links_are_followed(tmp_path: Path) -> None:
    old, new, plain = tmp_path / "old", tmp_path / "new", tmp_path / "plain"
    old.write_text("old")
    old.chmod(0o640)
    plain.write_text("")
    write_atomically(old, "new")
    write_atomically(new, "new")
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert stat.S_IMODE(new.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    (tmp_path / "sub").mkdir()
    target, link = tmp_path / "sub" / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
