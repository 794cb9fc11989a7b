"""What a result looks like to build servers; the results here are made up, so that every status occurs."""

import dataclasses
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from axiomcheck import Cell, Verdict
from axiomcheck.checks.contract import Outcome
from axiomcheck.cli.gate import finish
from axiomcheck.gating.config import Expectation, load_contract, where
from axiomcheck.gating.judge import Judged, JudgedCheck
from axiomcheck.gating.run import GateResult
from axiomcheck.reports.gate_files import to_annotations, to_junit, to_sarif
from axiomcheck.reports.gate_report import gate_markdown, gate_report, gate_summary
from axiomcheck.reports.table import report_text
from tests.gating.gate_projects import CONTRACT, project
from tests.support.made_records import because, pair_evidence


def test_an_update_is_not_advised_for_what_it_would_keep(result: GateResult) -> None:
    cell, violated = result.cells[1].cell, Expectation("violated")
    assert cell is not None
    undecided = dataclasses.replace(cell, verdict=Verdict.UNDECIDED)
    open_ = dataclasses.replace(result.cells[1], cell=undecided, expectation=violated)
    for cells, advised in (((open_,), False), ((open_, result.cells[2]), True)):
        told = gate_summary(dataclasses.replace(result, cells=cells, checks=()))
        assert told.endswith("axiomcheck gate --update") is advised


METRICS = """
import math

@math_decorator
def gain(grades, weights):
    return 0

other = gain
"""
NAME = "gain.py:gain"
ODD = "100% of <[1/2]> & \x00 | so it is:\nover, there"


@pytest.fixture
def result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GateResult:
    monkeypatch.chdir(tmp_path)
    contract = load_contract(project(tmp_path, CONTRACT + '\n[metrics."RBP"]\n', gain=METRICS))
    held = Cell(
        NAME, None, "Pri", Verdict.HELD, None, because("no violation"), evidence=pair_evidence(instances=7), seconds=1.5
    )
    return GateResult(
        contract,
        (
            Judged(NAME, "Pri", "as-expected", "holds as expected.", held, False, 7),
            Judged(NAME, "Conf", "worse", ODD, dataclasses.replace(held, axiom="Conf")),
            Judged(NAME, "Red", "better", "went away", dataclasses.replace(held, axiom="Red")),
            Judged("RBP", "Pri", "error", "hangs", None),
            Judged("RBP", "Sat", "unrecorded", "new", dataclasses.replace(held, axiom="Sat")),
        ),
        (
            JudgedCheck(NAME, "finite", "as-expected", "", Outcome("finite", "values", "passed", "", 3, None)),
            JudgedCheck(NAME, "monotone", "worse", "falls", Outcome("monotone", "values", "failed", "falls", 3, None)),
        ),
    )


def _kept(result: GateResult) -> GateResult:
    return dataclasses.replace(result, cells=result.cells[:1], checks=result.checks[:1])


def test_exit_codes(result: GateResult) -> None:
    assert result.exit_code == 1
    assert _kept(result).exit_code == 0
    contradiction = Judged(NAME, "Pri", "disagreement", "", None)
    assert dataclasses.replace(result, cells=(*result.cells, contradiction)).exit_code == 3
    assert dataclasses.replace(_kept(result), interrupted=True).exit_code == 130


def test_junit_parses_and_counts(result: GateResult) -> None:
    root = ET.fromstring(to_junit(result))
    assert (root.tag, root.get("tests"), root.get("failures"), root.get("errors")) == ("testsuites", "7", "4", "1")
    suites = {suite.get("name"): suite for suite in root}
    assert [suites[NAME].get(key) for key in ("tests", "failures", "errors")] == ["5", "3", "0"]
    assert [suites["RBP"].get(key) for key in ("tests", "failures", "errors")] == ["2", "1", "1"]
    cases = {(case.get("classname"), case.get("name")): case for case in root.iter("testcase")}
    conf = cases[f"{NAME}.axiom", "Conf"]
    failure = conf.find("failure")
    assert failure.text == ODD.replace("\x00", "\\u0000")
    assert (conf.get("file"), conf.get("line")) == ("gain.py", "5")
    assert cases[f"{NAME}.axiom", "Pri"].get("time") == "1.500"
    assert not list(cases[f"{NAME}.axiom", "Pri"])
    assert cases["RBP.axiom", "Pri"].find("error") is not None
    assert cases[f"{NAME}.check", "monotone"].find("failure") is not None


SARIF_HAS = ["columnKind", "exitCode"]
"""Properties of SARIF 2.1.0, sections 3.14.17 and 3.20.8, that the other program does not look at."""


def unknown_to(model: Any) -> list[str]:
    """Return the properties of a part of SARIF, and of the parts in it, that the other program has no place for."""
    parts = [part for value in dict(model).values() for part in (value if isinstance(value, list) else [value])]
    return [*model.model_extra, *(name for part in parts if hasattr(part, "model_extra") for name in unknown_to(part))]


@pytest.mark.extra("sarif_pydantic")
def test_sarif_is_read_by_another_program_which_knows_all_of_it(result: GateResult) -> None:
    from pydantic import ValidationError
    from sarif_pydantic import Sarif

    for one in (result, _kept(result)):
        again = Sarif.model_validate_json(to_sarif(one))
        assert len(again.runs[0].results or []) == len(one.broken)
        assert unknown_to(again) == SARIF_HAS
    with pytest.raises(ValidationError):
        Sarif.model_validate_json(to_sarif(result).replace('"level": "error"', '"level": "awful"'))


def test_sarif_points_at_the_metric_and_its_rule(result: GateResult) -> None:
    document = json.loads(to_sarif(result))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert all(rule["shortDescription"]["text"] for rule in rules)
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert re.match(r"\d+\.\d+\.\d+", run["tool"]["driver"]["semanticVersion"])
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]
    for found in run["results"]:
        assert rules[found["ruleIndex"]]["id"] == found["ruleId"]
        assert found["properties"]["metric"] in found["message"]["text"]
    told = {(f["ruleId"], f["properties"]["metric"]): f for f in run["results"]}
    assert set(told) == {
        ("axiom/Conf", NAME),
        ("axiom/Red", NAME),
        ("axiom/Pri", "RBP"),
        ("axiom/Sat", "RBP"),
        ("check/monotone", NAME),
    }
    place = told["axiom/Conf", NAME]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "gain.py"}, "region": {"startLine": 5}}
    assert told["axiom/Pri", "RBP"]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "axiomcheck.toml"
    prints = [f["partialFingerprints"]["axiomcheck/v1"] for f in run["results"]]
    assert len(set(prints)) == len(prints)


def test_where_metrics_are(result: GateResult, tmp_path: Path) -> None:
    contract = result.contract
    assert where(contract, NAME) == ("gain.py", 5)
    assert where(contract, "gain.py:other") == ("gain.py", 8)
    assert where(contract, "gain.py:imported") == ("gain.py", 1)
    name, line = where(contract, "RBP")
    assert contract.path.read_text(encoding="utf-8").splitlines()[line - 1] == '[metrics."RBP"]'
    assert name == "axiomcheck.toml"
    assert where(contract, f"{tmp_path}/gain.py:gain") == ("gain.py", 5)
    (tmp_path / "gain.py").write_text("x = 1\ndef gain(:\n", encoding="utf-8")
    assert where(contract, NAME) == ("gain.py", 2)


def test_annotations_are_escaped(result: GateResult) -> None:
    lines = to_annotations(result)
    assert len(lines) == len(result.broken)
    assert not any("\n" in line for line in lines)
    message = ODD.replace("%", "%25").replace("\n", "%0A").replace("\x00", "\\u0000")
    assert lines[0] == f"::error file=gain.py,line=5,title=gain.py%3Again%3A Conf::{message}"


def test_markdown_begins_with_the_summary_and_has_what_is_not_as_expected(result: GateResult) -> None:
    text = gate_markdown(result)
    summary = "**axiomcheck.toml: 2 worse than expected, 1 better than expected, 1 not recorded, 1 in error"
    assert text.startswith(summary)
    assert text.count("worse than expected") == 1
    assert r"✗ Conf: 100% of \<\[1/2]> & " in text
    kept = gate_markdown(_kept(result))
    assert "all 2 cells and checks as expected" in kept
    assert "✗" not in kept


def test_the_terminal_begins_with_what_is_not_as_expected_and_counts_the_rest(result: GateResult) -> None:
    text = report_text(gate_report(result), width=200)
    _, *lines = text.splitlines()
    assert [line[: line.index(":")] for line in lines if line[:1] in "✗!?" and line] == [
        "✗ Conf",
        "✗ monotone",
        "✗ Red",
        "? Sat",
        "! Pri",
    ]
    assert "✓" not in text
    assert text.endswith("1 in error; 2 of 7 cells and checks as expected.\nTerms: docs/reference/glossary.md.\n")
    kept = report_text(gate_report(_kept(result)), width=200)
    assert "✓ 1 axiom and 1 contract check as expected" in kept
    assert "· not in the contract: Deep, DeepTh" in kept


@pytest.mark.parametrize(("form", "annotated"), [("table", True), ("json", False)])
def test_all_reports_are_written_and_annotations_printed_in_github_jobs(
    form: str,
    annotated: bool,
    result: GateResult,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    files = {tmp_path / f"report.{kind}": kind for kind in ("json", "junit", "sarif", "markdown", "table", "html")}
    assert finish(result, False, form, files, {}) == 1
    assert all(path.stat().st_size > 100 for path in files)
    assert capsys.readouterr().out.count("::error ") == (len(result.broken) if annotated else 0)
    monkeypatch.delenv("GITHUB_ACTIONS")
    finish(result, False, form, {}, {})
    assert "::error " not in capsys.readouterr().out
