"""Reports where the output is not UTF-8: other symbols, all of them distinct, and none that means something else."""

from __future__ import annotations

import ast
import dataclasses
import io
import sys
from pathlib import Path

import pytest

import axiomcheck.reports
from axiomcheck.cli.console import console_of_stdout
from axiomcheck.cli.program import main
from axiomcheck.cli.streams import guarded_streams
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell
from axiomcheck.reports.findings import print_findings
from axiomcheck.reports.symbols import BINARY_MARK, FINDING_MARK, PLAIN, SYMBOLS, fitting
from axiomcheck.reports.terminal import print_matrix
from tests.reports.reports_ledgers import made_up
from tests.support.made_records import pair_evidence
from tests.support.suites import each

POOR = ["ascii", "cp1252", "cp437", "latin-1", "koi8-r", "cp932"]


class Printed:
    """What goes to a standard output of some encoding."""

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
    held = Cell("RBP", "RBP", "Pri", Verdict.HELD, None, "no violation", evidence=evidence)
    cells = [dataclasses.replace(held, metric=f"m{k}", verdict=verdict) for k, verdict in enumerate(Verdict)]
    printed = Printed(encoding, monkeypatch)
    with guarded_streams():
        print_matrix(console_of_stdout(), made_up(*cells))
        print_findings(console_of_stdout(), made_up(*cells))
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
    into_latex = {folders[0] / "latex_text.py", folders[0] / "bibliography.py"}  # which have the letters in ASCII
    for file in {file for folder in folders for file in folder.rglob("*.py")} - into_latex:
        text = file.read_text(encoding="utf-8")
        for node in () if text.isascii() else ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= {c for c in node.value if not c.isascii()}
    drawn = {"≤"}  # in a picture only, which has a font
    assert found - drawn <= set(PLAIN)


@each("encoding", ["ascii", "cp437"], 2)
@each(
    ("words", "expected"),
    [
        ("matrix -m RBP -a Conf -a Pri --examples 50 -j 1 --no-proof", ["R refuted", "H held"]),
        ("matrix -m RBP -a Conf -a Pri --examples 50 -j 1 --no-proof -f markdown", ["| R |", "H held"]),
        ("list axioms", ["Pri"]),
        ("gate -j 1", ["+ 1 axiom", "X Conf: expected to hold", "- not in the contract"]),
        ("list metrics", ["nDCG"]),
        ("check RBP -a Conf --examples 50 -j 1", ["R Conf", "x eps"]),
        ("explain Pri", ["< marks the ranks that differ", "---"]),
        ("score P@1 --qrels qrels --run run", ["---", "1.0000"]),
        ("prove RBP Conf --examples 50", ["R refuted"]),
        ("weakest RBP Conf --examples 50", ["R refuted"]),
    ],
    2,
)
def test_commands_print_no_question_mark_that_means_nothing(
    words: str, expected: list[str], encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    contract = 'examples = 1\n[metrics."RBP".axioms]\nConf = "holds"\nPri = "holds"\n'
    for name, content in {"qrels": "1 0 a 1\n", "run": "1 Q0 a 1 2 t\n", "axiomcheck.toml": contract}.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    printed = Printed(encoding, monkeypatch)
    with pytest.raises(SystemExit):
        main(words.split(), prog_name="axiomcheck")
    assert printed.text
    assert "?" not in printed.text
    assert r"\u" not in printed.text
    for part in expected:
        assert part in printed.text
