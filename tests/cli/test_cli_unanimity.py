"""`axiomcheck unanimity` as a user runs it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from axiomcheck.cli.program import main
from tests.cli.test_command_conformance import refused

QRELS = "1 1 a 2\n1 2 a 0\n1 1 b 1\n1 2 b 1\n1 2 c 1\n2 1 d 1\n2 2 e 3\n2 1 f 0\n3 1 g 1\n3 2 g 0\n"
RANKED = {"one": ("abc", "de", "g"), "two": ("bcx", "fd", "xg"), "three": ("xa", "efd", "")}
METRICS = ("RBU(p=0.9)@inf", "RBU(p=0.5)@inf", "P-IA@2", "AP-IA")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)
    for name, topics in RANKED.items():
        lines = [f"{t} Q0 {d} {i} {9 - i} tag\n" for t, ranked in enumerate(topics, 1) for i, d in enumerate(ranked)]
        (tmp_path / name).write_text("".join(lines))
    return tmp_path


def invoke(*words: str, runs: tuple[str, ...] = tuple(RANKED), **given: Any) -> Result:
    named = [word for run in runs for word in ("--run", run)]
    return CliRunner().invoke(main, ["unanimity", *words, "--qrels", "qrels", *named], **given)


def printed(*words: str, **given: Any) -> str:
    result = invoke(*words, **given)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_no_samples_are_no_intervals(here: Path) -> None:
    lines = printed(*METRICS, "--samples", "0").splitlines()
    assert lines[0] == "4 metrics, 3 runs, 3 topics: 18 ordered pairs"
    assert lines[2].split() == ["Metric", "Variants", "MU", "Unanimous", "Captured"]


def test_json_has_the_counts_that_mu_comes_from(here: Path) -> None:
    result = invoke(*METRICS, "-f", "json", "--samples", "50")
    assert result.stderr == "three lacks 1 of 3 topics, scored as empty rankings\n"
    document = json.loads(result.stdout)
    assert (document["schema"], document["version"], document["pairs"]) == ("axiomcheck/unanimity", 2, 18)
    assert document["set"] == ["RBU(p=0.9, e=0.05)@inf", "RBU(p=0.5, e=0.05)@inf", "P-IA@2", "AP-IA"]
    assert document["topics"] == ["1", "2", "3"]
    for entry in document["metrics"]:
        assert entry["mu"] == pytest.approx(np.log2(2 * entry["captured"] / entry["unanimous"]), abs=1e-12)
        assert entry["low"] <= entry["mu"] <= entry["high"]
    assert len(document["metrics"]) == 4


def test_undefined_mu_is_said_and_is_no_number(here: Path) -> None:
    """Two runs of one topic: the one is ahead for RR-IA, the other for both others."""
    (here / "qrels").write_text("1 1 a 1\n1 1 b 1\n")
    (here / "one").write_text("1 Q0 a 1 3 t\n1 Q0 x 2 2 t\n1 Q0 y 3 1 t\n")
    (here / "two").write_text("1 Q0 x 1 3 t\n1 Q0 a 2 2 t\n1 Q0 b 3 1 t\n")
    words = ("P-IA@3", "AP-IA", "RR-IA", "--samples", "20")
    table = printed(*words, runs=("one", "two"))
    assert [line.split()[:2] for line in table.splitlines()[4:7]] == [
        ["RR-IA", "-inf"],
        ["P-IA@3", "undefined"],
        ["AP-IA", "undefined"],
    ]
    assert "undefined: there is no pair that the other metrics agree on." in table
    assert "-inf: none of the pairs that the others agree on is captured." in table
    assert "nan" not in table.split()
    worst, undefined, _ = json.loads(printed(*words, "-f", "json", runs=("one", "two")))["metrics"]
    assert (worst["mu"], worst["low"], worst["undefined_samples"]) == (None, None, 0)
    assert worst["reason"].startswith("minus infinity")
    assert (undefined["mu"], undefined["low"], undefined["undefined_samples"]) == (None, None, 20)
    assert undefined["reason"].startswith("undefined")
    assert not {"nan", "inf", "-inf"} & set(
        printed(*words, "-f", "csv", runs=("one", "two")).replace("\n", ",").split(",")
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("P-IA@2",), "only P-IA@2 was given; expected at least two metrics"),
        (
            ("AP", "P-IA@2"),
            "AP supports only one aspect, but topic '1' has 2; lift it to the largest grade over aspects",
        ),
        (("P-IA@2", "Nope"), "unknown metric 'Nope'"),
        (("P-IA@2", "AP-IA", "--seed", "-1"), "--seed -1: expected 0 or more"),
    ],
)
def test_errors_say_how_to_ask(here: Path, words: tuple[str, ...], said: str) -> None:
    refused(invoke(*words), said)


def test_one_run_has_nothing_to_compare(here: Path) -> None:
    refused(invoke("P-IA@2", "AP-IA", runs=("one",)), "only one run was given; expected --run at least twice")
