"""Several runs from Python: lists and dicts of runs, told from one run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from axiomcheck.api.score import score
from axiomcheck.core.errors import InvalidInput
from axiomcheck.runs.trec import Scores, read_run
from tests.runs.test_trec_score import Doc

QRELS = {"q": {"a": 1, "b": 0}, "p": {"a": 1}}
GOOD, BAD = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 1.0, "b": 2.0}, "p": {}}


def test_a_dict_of_runs_is_scored_by_name() -> None:
    found = score(["RR", "P@1"], QRELS, {"good": GOOD, "bad": BAD})
    assert list(found) == ["good", "bad"]
    assert [scores.run for scores in found.values()] == ["good", "bad"]
    for name, run in (("good", GOOD), ("bad", BAD)):
        assert found[name].mean == score(["RR", "P@1"], QRELS, run).mean
    assert found["good"].missing == ("p",)


def test_a_list_of_runs_is_scored_in_its_order(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q Q0 b 1 2 t\nq Q0 a 2 1 t\n")
    read = read_run(tmp_path / "run")
    given: list[Any] = [GOOD, str(tmp_path / "run"), read, BAD]
    found = score("RR", QRELS, given)
    assert [scores.mean["RR"] for scores in found] == [1.0, 0.5, 0.5, 0.25]
    assert [scores.run for scores in found] == ["run 1", str(tmp_path / "run"), str(tmp_path / "run"), "run 4"]
    assert [scores.run for scores in score("RR", QRELS, [GOOD])] == ["run 1"]
    assert score("RR", QRELS, {"mine": read})["mine"].run == "mine"
    assert read.name == str(tmp_path / "run")  # what was given stays as it was


@pytest.mark.parametrize("run", [GOOD, {"q": {}}, {"q": {"a": 1.0}, "p": {}}, [Doc("q", "a", 1.0), Doc("q", "b", 0.5)]])
def test_one_run_is_one(run: Any) -> None:
    assert isinstance(score("RR", QRELS, run), Scores)


@pytest.mark.extra("pandas")
def test_frames_are_runs() -> None:
    import pandas

    frame = pandas.DataFrame([Doc("q", "a", 1.0), Doc("q", "b", 2.0)])
    assert score("RR", QRELS, frame).mean["RR"] == 0.5
    assert [one.mean["RR"] for one in score("RR", QRELS, [frame, GOOD])] == [0.5, 1.0]
    assert score("RR", QRELS, {"x": frame})["x"].mean["RR"] == 0.5


def test_an_error_says_of_which_run() -> None:
    with pytest.raises(InvalidInput, match=r"^second: .*'high'"):
        score("RR", QRELS, {"first": GOOD, "second": {"q": {"a": "high"}}})
    with pytest.raises(InvalidInput, match=r"^run 2: .*'high'"):
        score("RR", QRELS, [GOOD, {"q": {"a": "high"}}])
