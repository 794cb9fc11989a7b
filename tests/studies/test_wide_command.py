"""The command `axiomcheck grid`: its JSON and CSV, what it refuses, and what it keeps when it is interrupted."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from axiomcheck.cli.program import main
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.witness import read_witness
from axiomcheck.runs import pieces
from tests.support.suites import quality

ASKED = ("RBU(p=0.5..0.9/2, e=0..0.2/3)@5", "-a", "Conf", "-a", "AspRel", "--examples", "50", "-j", "1")


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["grid", *words])


def test_json_has_regions_that_fill_the_grid_and_witnesses_that_are_right() -> None:
    done = run(*ASKED, "-f", "json")
    assert done.exit_code == 0
    document = json.loads(done.output)
    assert (document["schema"], document["version"]) == ("axiomcheck/grid", 1)
    (grid,) = document["grids"]
    assert [axis["values"] for axis in grid["axes"]] == [["0.5", "0.9"], ["0", "0.1", "0.2"]]
    conf, asprel = grid["axioms"]
    assert conf["verdicts"] == {"proved": 4, "refuted": 2}
    where = {region["verdict"]: region["where"] for region in conf["regions"]}
    assert where == {
        "refuted": {"p": ["0.5", "0.9"], "e": ["0", "0"]},
        "proved": {"p": ["0.5", "0.9"], "e": ["0.1", "0.2"]},
    }
    for each in (conf, asprel):
        assert sum(region["settings"] for region in each["regions"]) == grid["settings"] == 6
        assert each["compared"] > 6 * 50
        for region in each["regions"]:
            finding = each["findings"][region["finding"]]
            assert finding["verdict"] == region["verdict"]
            if finding["witness"]:
                assert read_witness(finding["witness"]).axiom.name == each["axiom"]


@quality
def test_csv_has_every_setting_and_axiom() -> None:
    rows = list(csv.DictReader(io.StringIO(run(*ASKED, "-f", "csv").output)))
    assert len(rows) == 12
    assert {(row["metric"], row["verdict"]) for row in rows if row["axiom"] == "Conf"} >= {
        ("RBU(p=0.5, e=0)@5", "refuted"),
        ("RBU(p=0.9, e=0.2)@5", "proved"),
    }
    shares = {row["axiom"]: float(row["reversal share"]) for row in rows if row["metric"] == "RBU(p=0.9, e=0.2)@5"}
    assert shares["Conf"] == 0 < shares["AspRel"] < 1


def test_interrupted_work_keeps_decided_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    genuine = pieces.results

    def interrupted(*given: Any) -> Iterator[tuple[int, Any]]:
        yield next(genuine(*given))
        raise KeyboardInterrupt

    monkeypatch.setattr(pieces, "results", interrupted)
    there = tmp_path / "grid.json"
    assert run(*ASKED, "-f", "json", "-o", str(there)).exit_code == 130
    document = json.loads(there.read_text(encoding="utf-8"))
    assert document["interrupted"]
    conf, asprel = document["grids"][0]["axioms"]
    assert conf["verdicts"] == {"proved": 4, "refuted": 2}
    assert asprel["verdicts"] == {Verdict.UNDECIDED.value: 6}
