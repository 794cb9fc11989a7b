"""The study of informativeness as a command: text, JSON, errors."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from research.informativeness.__main__ import command
from tests.cli.test_command_conformance import refused
from tests.support.transcripts import ROOT, write_files

PAGE = ROOT / "docs" / "how-to" / "informativeness.md"
GIVEN = ("--qrels", "web.qrels", "--run", "one.run", "--run", "two.run", "--depth", "5")


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(write_files(PAGE.read_text("utf-8"), tmp_path)) == 3


def run(*words: str) -> Result:
    return CliRunner().invoke(command, words)


def test_json_has_every_fit() -> None:
    document = json.loads(run("ERR", "ap-ia", *GIVEN, "-f", "json").stdout)
    assert (document["schema"], document["version"]) == ("axiomcheck/informativeness", 3)
    assert [one["target"] for one in document["outcomes"]] == ["ERR", "AP-IA"]
    assert len(document["fits"]) == 2 * 4
    for one in document["fits"]:
        assert one["status"] == "converged"
        assert (one["off"] <= 1e-8, one["unsteady"] <= 1e-5) == (True, True)
    lists = {(one["run"], one["topic"], one["target"]): one["p"] for one in document["fits"]}
    assert sum(map(sum, lists["one", "1", "ERR"])) == pytest.approx(3)
    assert [sum(column) for column in zip(*lists["one", "1", "AP-IA"], strict=True)] == pytest.approx([2, 2])
    (one,) = [p for p in document["predictions"] if (p["target"], p["predicted"]) == ("ERR", "AP")]
    assert [row["run"] for row in one["runs"]] == ["one", "two"]
    squares = [(row["expected"] / row["actual"] - 1) ** 2 for row in one["runs"]]
    assert one["rmsr"] == pytest.approx((sum(squares) / 2) ** 0.5, abs=1e-12)


def test_settings_are_shown_as_they_are() -> None:
    text = run("ERR", *GIVEN, "--topics", "1", "--alpha", "0.9999999999999999", "--beta", "0.1234567").stdout
    assert "alpha = 0.9999999999999999, beta = 0.1234567\n" in text


def test_one_run_has_no_rank_correlation() -> None:
    result = run("AP", "--qrels", "web.qrels", "--run", "one.run", "--topics", "1")
    assert result.exit_code == 0
    assert result.stdout.startswith("1 run, 1 topic, 1 list; N = 10, ")
    assert re.search(r"^AP +nDCG +- +0\.\d+ +1$", result.stdout, re.MULTILINE)
    assert result.stderr == "1 of 2 topics, 1 of 1 run\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["P@10", *GIVEN], "'P@10' is not one of 'err-ia', 'nrbp'"),
        (["ERR", *GIVEN, "--alpha", "1"], "0<x<1"),
        (["ERR", *GIVEN, "--scoring", "gain=exponential"], "gain and gmax apply to graded measures"),
        (["ERR", *GIVEN, "--scoring", "tie=run"], "unknown name in --scoring 'tie'; did you mean ties?"),
        (["ERR", *GIVEN, "--scoring", "ties"], "--scoring ties: expected ties=VALUE"),
        (["ERR", *GIVEN, "--scoring", "level=0"], "--scoring level=0: 0 is not in the range x>=1"),
        (["ERR", "--qrels", "one.run", "--run", "two.run"], "one.run"),
    ],
)
def test_errors(words: list[str], said: str) -> None:
    refused(run(*words), said)
