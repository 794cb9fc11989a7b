"""`axiomcheck claims`: what is printed, and that a wrong computation shows."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from click.testing import CliRunner

from axiomcheck.cli.program import main
from axiomcheck.metrics.inst import walk
from tests.support.suites import each, quality


def _run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["claims", *arguments])


@cache
def _claims(*papers: str) -> list[dict[str, Any]]:
    claims: list[dict[str, Any]] = json.loads(_run(*papers, "--format", "json").stdout)["claims"]
    return claims


@each("paper", ["inst", "p@h"], 2)
def test_every_claim_comes_with_both_values(paper: str) -> None:
    for claim in _claims(paper):
        assert claim["paper"].lower() == paper
        assert claim["published"]
        assert claim["computed"]
        assert claim["agrees"] or claim["note"], f"{claim['where']}: no explanation"
    places = [(claim["paper"], claim["where"], claim["what"]) for claim in _claims(paper)]
    assert len(places) == len(set(places))


@quality
def test_both_papers_are_computed_without_being_named() -> None:
    assert _claims() == [*_claims("inst"), *_claims("p@h")]


def test_only_what_differs_is_shown() -> None:
    every, differing = _claims("inst"), json.loads(_run("inst", "--format", "json", "--differing").stdout)["claims"]
    assert differing == [claim for claim in every if not claim["agrees"]]
    assert 0 < len(differing) < len(every)
    text = _run("INST", "--differing").stdout
    assert f"{len(every)} claims: {len(every) - len(differing)} agree, {len(differing)} differ" in text
    assert "agrees" not in text


def test_a_wrong_metric_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    before = sum(claim["agrees"] for claim in _claims("inst"))
    monkeypatch.setattr("axiomcheck.studies.claims.inst.walk", lambda a, gains, target: walk(a, 0 * gains, target))
    claims = json.loads(_run("INST", "--format", "json").stdout)["claims"]
    assert before - sum(claim["agrees"] for claim in claims) > 30  # a user who never finds anything
