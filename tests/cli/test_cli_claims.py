"""`axiomcheck claims`: what is printed, and that a wrong computation shows."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from click.testing import CliRunner

from axiomcheck.cli.program import main
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
    agreeing = sum(claim["agrees"] for claim in _claims("inst"))
    differing = len(_claims("inst")) - agreeing
    text = _run("INST", "--differing").stdout
    assert f"{agreeing + differing} claims: {agreeing} agree, {differing} differ" in text
    assert text.count("\n! ") == differing > 0
    assert "agrees" not in text
