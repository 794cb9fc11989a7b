"""`axiomcheck wild` on the files of docs/how-to/wild.md: the forms of its report, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from axiomcheck.cli.program import main
from tests.support.transcripts import ROOT, write_files

PAGE = ROOT / "docs" / "how-to" / "wild.md"
FILES = ("--qrels", "web.qrels", "--run", "one.run", "--run", "two.run")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a directory with the files that the page shows."""
    monkeypatch.chdir(tmp_path)
    assert len(write_files(PAGE.read_text(encoding="utf-8"), tmp_path)) == 3
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["wild", *words, *FILES, "-j", "1"])


def test_json_has_witnesses_that_replay(place: Path) -> None:
    document = json.loads(run("NRBP", "ERR", "-f", "json").stdout)
    assert (document["schema"], document["version"], document["topics"]) == ("axiomcheck/wild", 2, 2)
    cells = {(cell.pop("metric"), cell.pop("axiom")): cell for cell in document["cells"]}
    assert cells["ERR@20", "Pri"]["ties"] == 1
    assert cells["ERR@20", "Sat"] == {"why_not": "not applicable: the metric knows one aspect"}
    worst = [cell["worst"] for cell in cells.values() if cell.get("worst")]
    assert len(worst) == sum(bool(cell.get("ties") or cell.get("reversals")) for cell in cells.values()) > 2
    for one in worst:
        (place / "witness.json").write_text(json.dumps(one["witness"]), encoding="utf-8")
        assert CliRunner().invoke(main, ["replay", "witness.json"]).exit_code == 0
    worst[0]["witness"]["scores"] |= {"worse": "1/7", "better": "1/9"}
    (place / "witness.json").write_text(json.dumps(worst[0]["witness"]), encoding="utf-8")
    assert CliRunner().invoke(main, ["replay", "witness.json"]).exit_code != 0


def test_csv_and_a_file(place: Path) -> None:
    done = run("ERR", "P@2", "-f", "csv", "-o", "out.csv")
    assert (done.exit_code, done.stdout) == (0, "")
    rows = list(csv.DictReader(io.StringIO((place / "out.csv").read_text())))
    assert len(rows) == 20
    assert [row["applicable"] for row in rows[:2]] == ["5", "0"]
    assert [row["share"] for row in rows[:2]] == ["0.2", ""]
    assert rows[2]["why_not"].startswith("no edit")


def test_vacuous_axioms_and_drawn_edits_are_said(place: Path) -> None:
    text = run("nDCG", "--depth", "3", "--edits", "2").stdout
    assert "Deep: vacuous: no candidate\n" in text
    assert "Pri: 8 of 36 candidates were drawn, seed 0." in text
    text = run("NRBP", "-a", "MRed", "-a", "mred").stdout
    assert text.count("MRed: vacuous: ") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nDCG", "--scoring", "gmax=1"), "web.qrels: a grade of 2; expected none above gmax 1"),
        (("P@H-walk(order=dominance)",), "orders rankings and has no single score"),
    ],
)
def test_refusals_are_one_line(place: Path, words: tuple[str, ...], message: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
