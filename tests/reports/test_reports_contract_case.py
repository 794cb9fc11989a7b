"""Contract checks on a terminal: what passed and what did not are told apart, and counterexamples are whole."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any

from rich.console import Console

from axiomcheck.axioms import find_axiom
from axiomcheck.checks.contract import Outcome
from axiomcheck.checks.metric import Checked, Examined
from axiomcheck.decide.search import Settings
from axiomcheck.engine.matrix import run_matrix
from axiomcheck.metrics import parse
from axiomcheck.reports.check_report import print_check
from axiomcheck.reports.contract_case import case_text

ONE = {"weights": [1.0], "pool": {"d1": [1.0], "d2": [0.0]}}
TWO = {"weights": [0.25, 0.75], "pool": {"d1": [0.0, 0.5]}}


def test_a_reference_that_passed_is_not_part_of_a_failure() -> None:
    ledger = run_matrix([parse("RBP")], [find_axiom("Conf")], settings=Settings(examples=10, proofs=False))
    outcomes = (
        Outcome("monotone", "invariances", "failed", "falls", 3, None),
        Outcome("finite", "values", "error", "raised", 3, None),
        Outcome("reference", "reference", "passed", "agrees with nDCG@10", 3, None),
    )
    console = Console(file=StringIO(), width=100)
    print_check(console, Checked("RBP", (ledger,) * 3, Examined(outcomes), ()))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    lines = text[text.index("Contract checks") :].splitlines()
    assert lines[1:4] == ["= reference: agrees with nDCG@10", "! monotone: falls", "! finite: raised"]


def test_a_case_of_one_topic() -> None:
    shown = {"topic": ONE, "rankings": [["d1", "d2"], []], "scores": [0.5, None], "reference": 0.25}
    assert case_text(shown) == "grades d1=1; d1 d2 scores 0.5; an empty ranking has no score; by the reference 0.25"


def test_a_case_of_two_topics_has_each_with_its_ranking() -> None:
    shown = {"topics": [TWO, ONE], "rankings": [["d1"], ["d2"]], "scores": [0.5, 1.0]}
    assert case_text(shown) == "weights (0.25, 0.75); grades d1=(0, 0.5): d1 scores 0.5; grades d1=1: d2 scores 1.0"


def test_what_else_was_scored_is_listed_and_counted() -> None:
    other = {"topic": TWO, "ranking": ["d1"]}
    target = {"topic": ONE, "ranking": ["d1"]}
    both: dict[str, Any] = {"topic": ONE, "rankings": [["d1"], ["d1"]], "scores": [0.5, 1.0]}
    listed = "d1 of weights (0.25, 0.75); grades d1=(0, 0.5)"
    assert case_text(both | {"call": [other, target], "place": 1}).endswith(f"; in one call with {listed}")
    assert case_text(both | {"calls_before": [other]}).endswith(f"; after calls with {listed}")
    assert case_text(both | {"calls_between": []}).endswith("d1 scores 1.0")
    many = case_text(both | {"calls_between": [other] * 9})
    assert len(re.findall(re.escape(listed), many)) == 3
    assert many.endswith("and 6 more (-f json has all)")
