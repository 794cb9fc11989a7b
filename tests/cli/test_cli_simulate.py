"""`axiomcheck simulate`: text, JSON, pictures, errors."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from axiomcheck.cli.program import main
from axiomcheck.core.errors import InvalidInput
from axiomcheck.reports.pictures import report_svg
from axiomcheck.reports.simulate_report import study_report
from tests.cli.test_command_conformance import refused
from tests.support.suites import each, quality

RUNS = ("--run", "1,0,0,1,0,0,1,0,0,1", "--run", "0,1,1,1,1,0,0,0,0,0")


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["simulate", *words])


def test_text() -> None:
    result = run(*RUNS, "--users", "1000")
    assert result.exit_code == 0
    assert result.stdout.startswith("P@H-walk(p=0.5, q=0.25, loss=0.25): 1,000 simulated users per run, seed 0\n")
    rows = [line.split() for line in result.stdout.splitlines() if line.startswith("E[T/f(H)]  ")]
    assert [row[1:3] for row in rows] == [["1", "0.555704"], ["2", "0.430953"]]
    assert "E[T/f(H)]: run 1 is ahead\nE[T]/E[f(H)]: run 2 is ahead\ndominance: incomparable" in result.stdout
    assert "\n7/18     2/3    more users of run 2 score x or more\n" in result.stdout


def test_one_run_has_nothing_to_compare() -> None:
    result = run("--run", "1/2,0.25", "--browsing", "RBP(p=0.8)", "--users", "50")
    assert result.exit_code == 0
    assert "P@H-RBP(p=0.8): 50 simulated users" in result.stdout
    assert "run 1: 1/2 1/4" in result.stdout
    assert "ahead" not in result.stdout


def test_json_has_everything() -> None:
    words = (*RUNS, "--browsing", "AP", "--users", "1000", "--format", "json")
    document = json.loads(run(*words).stdout)
    assert (document["schema"], document["version"], document["seed"]) == ("axiomcheck/simulate", 1, 0)
    assert document["orders"] == {"mean": "second", "ratio": "second", "dominance": "incomparable"}
    assert document["runs"][0]["mean"]["exact"] == "163/280"
    assert document["runs"][0]["distribution"] == {
        "values": ["2/5", "3/7", "1/2", "1"],
        "probabilities": ["1/4"] * 4,
        "left_out": "0",
        "most_steps": None,
    }
    assert document["segments"][-1] == {"low": "4/5", "high": "1", "ahead": "first"}
    assert json.loads(run(*words, "--seed", "1").stdout)["runs"][0]["mean"]["simulated"] != pytest.approx(
        document["runs"][0]["mean"]["simulated"], abs=1e-12
    )


@pytest.mark.parametrize(
    ("browsing", "name"),
    [
        ("walk(loss=0)", "P@H-walk(p=0.5, q=0.25, loss=0)"),
        ("P@H-walk(p=0.5,q=0.25,loss=0.25)", "P@H-walk(p=0.5, q=0.25, loss=0.25)"),
        ("P@H-RBP(p=0.9, order=dominance)", "P@H-RBP(p=0.9)"),
        ("p", "P@H-P"),
        ("ERR@3", "P@H-ERR@3"),
        ("DCG", "P@H-DCG(log=2)"),
    ],
)
def test_names_of_browsing_models(browsing: str, name: str) -> None:
    document = json.loads(run("--run", "1,0,1,1", "--browsing", browsing, "--users", "10", "--format", "json").stdout)
    assert document["browsing"] == name
    assert len(document["runs"][0]["run"]) == (3 if "@3" in name else 4)


def test_a_chain_of_its_own_is_the_walk_that_it_describes() -> None:
    own = ("--forward", "0.75,0.5,0", "--backward", "0,0.25,0.25", "--loss", "0.25")
    first = json.loads(run("--run", "1,0,1", *own, "--users", "100", "--format", "json").stdout)
    second = json.loads(run("--run", "1,0,1", "--users", "100", "--format", "json").stdout)
    assert first["runs"] == second["runs"]
    assert first["browsing"] != second["browsing"]
    forward = json.loads(run("--run", "1,0,1", "--forward", "0.5,0.5,0", "--users", "100", "--format", "json").stdout)
    named = json.loads(run("--run", "1,0,1", "--browsing", "RBP(p=0.5)", "--users", "100", "--format", "json").stdout)
    assert forward["runs"][0]["mean"] == named["runs"][0]["mean"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--run", "1", "--run", "0", "--run", "1"), "--run is given 3 times"),
        (("--run", "1,x"), "--run: cannot read 'x' at place 2"),
        (("--run", ""), "--run: cannot read '' at place 1"),
        (("--run", "1,-1"), "grade -1 at rank 2; expected 0 or more"),
        (("--run", "1,2", "--browsing", "ERR"), "grade 2 at rank 2; expected a probability"),
        (("--run", "1", "--browsing", "wolk(p=0.1)"), "unknown browsing model 'wolk'; did you mean walk?"),
        (("--run", "1", "--browsing", "nDCG"), "unknown browsing model 'nDCG'"),
        (("--run", "1", "--browsing", "AP", "--forward", "0"), "expected one of them"),
        (("--run", "1", "--backward", "0"), "--backward and --loss go with --forward"),
        (("--run", "1", "--forward", "0", "--loss", "1,2"), "--loss 1,2: expected one number"),
        (("--run", "1", "--forward", "0", "--loss", "2"), "expected 0 <= loss <= 1"),
        (("--run", "1,1", "--forward", "0"), "--forward has 1 probability and --run 1,1 2 documents; expected one for"),
        (("--run", "1,0,1", "--forward", "0.9,0.5"), "--forward has 2 probabilities and --run 1,0,1 3 documents"),
        (("--run", "1,0", "--run", "1", "--forward", "0.9,0"), "--forward has 2 probabilities and --run 1 1 document;"),
        (("--run", "1,0", "--forward", "1,0", "--backward", "0"), "--backward has 1 probability and --run 1,0 2 doc"),
        (("--run", "1", "--seed", "-1"), "--seed -1: expected 0 or more"),
        (("--run", "1", "--users", "1"), "1 is not in the range 2<=x<=10000000"),
        (("--run", "1", "-o", "/no/such/x.png"), "cannot write"),
        (("--run", "1e999999999"), "cannot read '1e999999999'"),
        (("--run", "1_0"), "cannot read '1_0'"),
        (("--run", "\u0661"), "cannot read"),
        (("--run", ",".join(["1"] * 201)), "201 documents; expected at most 200"),
        pytest.param(
            ("--run", "1,0", "--browsing", "walk(p=0.00001,q=0.9999)", "--users", "50"),
            "users go on for too long",
            marks=quality,
        ),
    ],
)
def test_errors_are_one_line(words: tuple[str, ...], message: str) -> None:
    refused(run(*words), message)


# ---------------------------------------------------------------------------------------------------- pictures


@quality
def test_the_picture_is_the_same_each_time_and_another_of_other_runs(tmp_path: Path) -> None:
    files = []
    for number, words in enumerate([RUNS, RUNS, (RUNS[2], RUNS[3], RUNS[0], RUNS[1])]):
        files.append(tmp_path / f"{number}.svg")
        assert run(*words, "--users", "500", "-o", str(files[-1])).exit_code == 0
    assert "500 simulated users" in files[0].read_text("utf-8")
    assert files[0].read_bytes() == files[1].read_bytes() != files[2].read_bytes()


@each(
    ("runs", "browsing", "equal"),
    [
        (("1,0,0,1", "0,1,1,0"), "AP", (False, True)),  # 3/5 both
        (("1,0,1", "0,1,1"), "P", (True, True)),
        (("1,0", "0,1"), "RBP(p=0.5)", (False, False)),
    ],
    3,
)
def test_the_picture_draws_expectations_exactly(
    runs: tuple[str, str], browsing: str, equal: tuple[bool, bool], tmp_path: Path
) -> None:
    """However few users are simulated: equal expectations of two runs are one line, others two."""
    file = tmp_path / "x.svg"
    words = ("--run", runs[0], "--run", runs[1], "--browsing", browsing)
    assert run(*words, "--users", "10", "-o", str(file)).exit_code == 0
    text = file.read_text("utf-8")
    style = 'class="line-{} {}" d="M(.*?) 12V372"'
    places = {n: [re.findall(style.format(n, what), text)[0] for what in ("mean", "ratio")] for n in (1, 2)}
    (mean_1, ratio_1), (mean_2, ratio_2) = places.values()
    assert (mean_1 == mean_2, ratio_1 == ratio_2) == equal
    document = json.loads(run(*words, "--format", "json", "--users", "10").stdout)
    for number, of_run in enumerate(document["runs"], 1):
        for which, what in (("mean", "E[T/f(H)]"), ("ratio", "E[T]/E[f(H)]")):
            exact = float(Fraction(of_run[which]["exact"]))
            assert f"run {number}: {what} = {exact:.3f}" in text


def test_nothing_is_written_where_drawing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> str:
        raise InvalidInput("no picture")

    monkeypatch.setattr("axiomcheck.reports.pictures.report_svg", broken)
    assert run("--run", "1", "-o", str(tmp_path / "x.svg")).exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_scores_above_one_are_in_the_picture() -> None:
    from axiomcheck.metrics.browsing import Logarithmic, User
    from axiomcheck.runs.simulate import study

    found = study("DCG", User(Logarithmic(), effort="none"), [[Fraction(3), Fraction(2)]], 100)
    assert found.simulations[0].values.max() == 5
    assert "run 1" in report_svg(study_report(found))
