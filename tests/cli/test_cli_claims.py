"""`axiomcheck claims`: what is printed, what is written, and that a wrong computation shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from axiomcheck.cli.program import main
from axiomcheck.metrics.inst import walk
from axiomcheck.studies.claims import Claim


def _run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["claims", *arguments])


def test_every_claim_comes_with_both_values() -> None:
    printed = _run("--format", "json").stdout
    document = json.loads(printed)
    assert {claim["paper"] for claim in document["claims"]} == {"INST", "P@H"}
    for claim in document["claims"]:
        assert claim["published"]
        assert claim["computed"]
        assert claim["agrees"] or claim["note"], f"{claim['where']}: no explanation"
    places = [(claim["paper"], claim["where"], claim["what"]) for claim in document["claims"]]
    assert len(places) == len(set(places))
    assert _run("--format", "json").stdout == printed


def test_only_what_differs_is_shown() -> None:
    every, differing = (
        json.loads(_run("inst", "--format", "json", *more).stdout)["claims"] for more in ((), ("--differing",))
    )
    assert differing == [claim for claim in every if not claim["agrees"]]
    assert 0 < len(differing) < len(every)
    text = _run("INST", "--differing").stdout
    assert f"{len(every)} claims: {len(every) - len(differing)} agree, {len(differing)} differ" in text
    assert "agrees" not in text


def test_a_wrong_metric_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def agreeing() -> int:
        return sum(claim["agrees"] for claim in json.loads(_run("INST", "--format", "json").stdout)["claims"])

    before = agreeing()
    monkeypatch.setattr("axiomcheck.studies.claims.inst.walk", lambda a, gains, target: walk(a, 0 * gains, target))
    assert before - agreeing() > 30  # a user who never finds anything


def test_output_goes_to_a_file_whole(tmp_path: Path) -> None:
    path = tmp_path / "claims.txt"
    result = _run("INST", "-o", str(path))
    assert (result.exit_code, result.stdout) == (0, "")
    assert "Table 1" in path.read_text(encoding="utf-8")
    missing = _run("INST", "-o", str(tmp_path / "none" / "claims.txt"))
    assert missing.exit_code == 2
    assert "not a directory" in missing.stderr


def test_an_unknown_paper_is_a_usage_error() -> None:
    result = _run("RBU")
    assert result.exit_code == 2
    assert "'RBU' is not one of 'inst', 'p@h'" in result.stderr


def test_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop() -> list[Claim]:
        raise KeyboardInterrupt

    monkeypatch.setattr("axiomcheck.studies.claims.inst.claims", stop)
    result = _run("INST")
    assert result.exit_code == 130
    assert "interrupted" in result.stderr
