"""The command `axiomcheck region`: text, JSON, CSV, pictures, exit codes, errors, interruptions."""

import csv
import io
import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from axiomcheck import Verdict, read_witness
from axiomcheck.cli.program import main
from axiomcheck.studies.region import grid
from tests.support.suites import quality


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["region", *words])


def test_undecided_intervals_exit_with_4() -> None:
    assert run("CT@6", "CloseTh", "--over", "rc=0.3:0.9", "--regime", "finite", "--depth", "1").exit_code == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("RBP", "CloseTh", "--over", "k=1.5:5"), "expected whole numbers"),
        (("RBP", "CloseTh", "--over", "rc=0:1"), "use the finite regime"),
        (("RBP", "Pri", "--regime", "finite", "--over", "rc=0:1"), "no 'rc' to vary here"),
        (("RBP", "CloseTh", *("--over", "p=0.5:0.6") * 2), "expected one or more different parameters"),
        (("RBP@500", "CloseTh", "--regime", "finite", "--over", "rc=0:1"), "expected a cutoff of at most 200"),
        (("INST", "CloseTh", "--regime", "finite", "--over", "rc=0:1"), "metric: Inst is not a fold"),
        (("CT@6", "CloseTh", "--over", "rc=0.1:0.9:3", "--regime", "finite"), "a range of grades, without a count"),
        (("RBP", "CloseTh", "--over", "p=0.5:0.6", "-f", "csv"), "CSV needs a number of values, such as p=0.5:0.99:20"),
        (("NRBP", "Pri", "Deep", "--over", "p=:", "-o", "a.svg"), "shows one axiom over one or two parameters"),
    ],
)
def test_input_that_cannot_be_used(words: tuple[str, ...], message: str) -> None:
    outcome = run(*words)
    assert outcome.exit_code == 2
    assert message in outcome.stderr


@pytest.mark.extra("vl_convert")
@pytest.mark.parametrize(("ending", "start"), [(".png", b"\x89PNG"), (".pdf", b"%PDF-")])
def test_a_map_is_a_picture_of_any_kind(ending: str, start: bytes, tmp_path: Path) -> None:
    files = [tmp_path / f"{number}{ending}" for number in range(2)]
    for file in files:
        assert run("RBP", "CloseTh", "--over", "p=0.5:0.6", "-o", str(file)).exit_code == 0
    assert files[0].read_bytes().startswith(start)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_picture_that_cannot_be_drawn_here_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    outcome = run("RBP", "CloseTh", "--over", "p=0.5:0.6", "-o", str(tmp_path / "a.png"))
    assert outcome.exit_code == 2
    assert "a picture as PNG or PDF needs vl-convert" in outcome.stderr
    assert "vl-convert-python" in outcome.stderr


GRID = ("RBU@5", "Conf", "AspRel", "--over", "p=0.5:0.9:2", "--over", "e=0:0.2:3", "--examples", "50", "-j", "1")


def test_json_has_boxes_that_fill_the_grid_and_witnesses_that_are_right() -> None:
    done = run(*GRID, "-f", "json")
    assert done.exit_code == 0
    document = json.loads(done.output)
    assert (document["schema"], document["version"]) == ("axiomcheck/region", 3)
    conf, asprel = document["regions"]
    assert [axis["count"] for axis in conf["over"]] == [2, 3]
    where = {box["verdict"]: (box["p"], box["e"], box["settings"]) for box in conf["parts"][0]["boxes"]}
    assert where == {
        "refuted": (["1/2", "9/10"], ["0", "0"], 2),
        "proved": (["1/2", "9/10"], ["1/10", "1/5"], 4),
    }
    for each in (conf, asprel):
        assert sum(box["settings"] for box in each["parts"][0]["boxes"]) == 6
        for box in each["parts"][0]["boxes"]:
            if box["verdict"] == "refuted":
                assert read_witness(each["witnesses"][box["witness"] - 1]).axiom.name == each["axiom"]


@quality
def test_csv_has_every_setting_and_axiom() -> None:
    rows = list(csv.DictReader(io.StringIO(run(*GRID, "-f", "csv").output)))
    assert len(rows) == 12
    assert {(row["metric"], row["verdict"]) for row in rows if row["axiom"] == "Conf"} >= {
        ("RBU(p=0.5, e=0)@5", "refuted"),
        ("RBU(p=0.9, e=0.2)@5", "proved"),
    }


def test_interrupted_work_keeps_decided_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    genuine = grid._Column.share_findings

    def interrupted(column: grid._Column) -> None:
        if column.axiom.name == "AspRel":
            raise KeyboardInterrupt
        genuine(column)

    monkeypatch.setattr(grid._Column, "share_findings", interrupted)
    there = tmp_path / "region.json"
    done = run(*GRID, "-f", "json", "-o", str(there))
    assert done.exit_code == 130
    assert "interrupted; settings not decided yet are shown as undecided" in done.stderr
    conf, asprel = json.loads(there.read_text(encoding="utf-8"))["regions"]
    assert {box["verdict"] for box in conf["parts"][0]["boxes"]} == {"proved", "refuted"}
    assert {box["verdict"] for box in asprel["parts"][0]["boxes"]} == {Verdict.UNDECIDED.value}
