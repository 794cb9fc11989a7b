"""Every check of entry points finds its planted faults, shows them with a program, and passes what is sound."""

import json
import os
import re
import runpy
from collections.abc import Callable
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from axiomcheck.checks.contract import CHECKS, Outcome, run_contract
from axiomcheck.core.errors import InvalidInput
from axiomcheck.reports.contract_case import case_program, case_text
from axiomcheck.sources.evaluators import Documented, EvaluatedMetric, JudgmentRange, evaluator
from axiomcheck.sources.resolve import resolve
from axiomcheck.trials import calls
from tests.checks.native_planted import ADMITTED, PLANTS
from tests.support.forked import as_started, forked
from tests.support.suites import each, quality

NATIVE = [check.name for check in CHECKS.values() if check.group in ("native", "runs")]
DIGITS = Documented("judgments are digits", "its manual")

FIRST = dict(reversed(PLANTS))
"""A check -> the first fault that it finds."""


@pytest.fixture(scope="module")
def label(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Copy the entry points out of the tests' package; return how one is typed."""
    file = tmp_path_factory.mktemp("native") / "native_planted.py"
    file.write_bytes(Path(__file__).with_name("native_planted.py").read_bytes())
    return lambda name: f"{file}:{name}"


@cache
def found(typed: str, check: str) -> Outcome:
    [outcome] = run_contract(resolve(typed), checks=[check])
    return outcome


def documents(outcome: Outcome) -> int:
    calls = outcome.counterexample["calls"]
    return max(sum(len({*call["qrels"].get(q, {}), *call["run"].get(q, {})}) for q in call["qrels"]) for call in calls)


every_plant = pytest.mark.parametrize(
    ("check", "name"),
    [pytest.param(check, name, marks=() if FIRST[check] == name else quality) for check, name in PLANTS],
)


@every_plant
def test_planted_fault_is_found_and_shown_small(check: str, name: str, label: Callable[[str], str]) -> None:
    outcome = found(label(name), check)
    assert outcome.status == "failed", outcome
    assert outcome.cases > 0
    assert outcome.reason
    assert outcome.counterexample is not None
    json.dumps(asdict(outcome), allow_nan=False)
    # Four documents are the fewest that tell rank 3 from rank 4.
    assert documents(outcome) <= 4, outcome


@each(("check", "name", "said"), ADMITTED, 2)
def test_a_documented_limit_is_told_and_no_failure(
    check: str, name: str, said: Documented | JudgmentRange, label: Callable[[str], str]
) -> None:
    outcome = found(label(name), check)
    documented = said if isinstance(said, Documented) else said.documented
    assert outcome.status == "admitted", outcome
    assert outcome.reason.endswith(f"; documented: {documented}")
    assert outcome.cases > 0
    assert outcome.counterexample is not None


@each("name", ["sound", "sound_average"], 2)
def test_sound_entry_points_pass(name: str, label: Callable[[str], str]) -> None:
    outcomes = run_contract(resolve(label(name)), checks=NATIVE)
    bad = [outcome for outcome in outcomes if outcome.status in ("failed", "error")]
    assert bad == []
    assert {o.check for o in outcomes if o.status == "passed"} >= set(NATIVE) - {"mean-of-topics"}


def test_rounding_of_single_precision_is_no_fault(label: Callable[[str], str]) -> None:
    checks = ["in-range", "ideal-attains-maximum", "mean-of-topics", "small-pools"]
    outcomes = run_contract(resolve(label("scores_in_single")), checks=checks)
    assert {o.check: o.status for o in outcomes} == dict.fromkeys(checks, "passed"), outcomes


@each(("check", "name"), PLANTS, 11)
def test_the_program_of_a_counterexample_shows_it(
    check: str, name: str, label: Callable[[str], str], tmp_path: Path
) -> None:
    outcome = found(label(name), check)
    shown = outcome.counterexample
    assert shown is not None
    program = tmp_path / "show.py"
    program.write_text(case_program(label(name), shown), encoding="utf-8")
    done = forked(partial(_shown, program), Path.cwd(), os.environ)
    if name == "process_ends":
        assert done.code == 3
        return
    assert done.code == 0, done.stderr
    printed = done.stdout.splitlines()
    told = [str(call.get("raised") or call["score"]) for call in shown["calls"]]
    assert printed == [re.sub(r" \(line \d+ of \S+\)$", "", text) for text in told]  # a traceback has lines of its own
    if len(shown["calls"]) > 1:
        assert len(set(printed)) > 1


def _shown(program: Path) -> int:
    as_started(program.parent)
    runpy.run_path(str(program), run_name="__main__")
    return 0


IN_WORDS = {
    ("paired_by_place", "topics-in-one-call"): (
        "ndcg@10 on topic 1: judged d1=0 d2=2, run d1=2.0 d2=1.0: by ndcg@10, topic 1 scores 0.6309297535714575; then "
        "ndcg@10 on topic 1: judged d1=2, run d1=1.0; topic 2: judged d1=0 d2=2, run d1=2.0 d2=1.0: "
        "by ndcg@10, topic 2 scores 0.0"
    ),
    ("single_precision", "increasing-maps"): (
        "ndcg@10; judged d1=0 d2=1; run d1=2.0 d2=1.0 scores 0.6309297535714575; "
        "run d1=16777218.0 d2=16777217.0 scores 1.0"
    ),
}


@pytest.mark.parametrize("plant", IN_WORDS)
def test_a_counterexample_in_words(plant: tuple[str, str], label: Callable[[str], str]) -> None:
    name, check = plant
    shown = found(label(name), check).counterexample
    assert shown is not None
    assert case_text(shown) == IN_WORDS[plant]


def test_without_an_entry_point_nothing_is_asked() -> None:
    outcomes = run_contract(resolve("nDCG@10"), checks=NATIVE)
    assert {(o.status, o.reason) for o in outcomes} == {
        ("not-applicable", "it has no entry point that takes judgments and runs")
    }


def test_an_entry_point_is_a_metric_of_its_first_measure(label: Callable[[str], str]) -> None:
    metric = resolve(label("sound"))
    assert isinstance(metric, EvaluatedMetric)
    assert (metric.canonical, metric.cutoff, metric.claims.ideal) == (label("sound"), 10, True)
    assert metric.native.name == label("sound")


def declaring(**declared: Any) -> Callable[[], Any]:
    return lambda: evaluator(**declared)(lambda qrels, run, measures: {})


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        (declaring(measures={}), "expected at least one"),
        (declaring(measures={"p@3": {"hihg": 1}}), "hihg"),
        (declaring(measures=["p@3"], ties="whatever"), "whatever"),
        (declaring(measures=["p@3"], grades=(1, 2)), "from 0"),
        (declaring(measures=["p@3"], single_precision=True), "expected Documented"),
        (declaring(measures=["p@3"], judgments=(0, 9)), "expected JudgmentRange"),
        (declaring(measures=["p@3"], judgments=JudgmentRange(0, 1, DIGITS)), "2 is not among"),
        (declaring(measures=["p@3"], judgments=JudgmentRange(0, 9, DIGITS), grades=(0, 0.5, 1)), "0.5 is not among"),
        (lambda: JudgmentRange("0", "9", DIGITS), "expected integers"),  # type: ignore[arg-type]
        (lambda: JudgmentRange(False, True, DIGITS), "expected integers"),
        (lambda: JudgmentRange(5, 3, DIGITS), "lowest judgment first"),
        (lambda: JudgmentRange(0, 9, "digits"), "expected Documented"),  # type: ignore[arg-type]
        (lambda: evaluator(measures=["p@3"])(lambda run, qrels: {}), r"expected \(qrels, run, measures\)"),
    ],
)
def test_declarations_that_cannot_be_are_refused(declared: Callable[[], Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        declared()


def test_a_slow_process_of_odd_judgments_is_no_failed_check(
    label: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "CALL_SECONDS", 0.01)  # less than it takes to start a process
    [outcome] = run_contract(resolve(label("process_ends")), checks=["odd-judgments"])
    assert (outcome.status, outcome.needs) == ("not-applicable", "a library that answers within the time limit")
    assert outcome.reason == "a call took longer than 0.01 s in a separate process"


def test_scores_that_are_documented_to_be_undefined_fail_nothing(label: Callable[[str], str]) -> None:
    checks = ["finite", "in-range", "nothing-relevant", "ideal-attains-maximum", "mean-of-topics", "unusual-topics"]
    outcomes = run_contract(resolve(label("undefined_none")), checks=checks)
    assert [outcome for outcome in outcomes if outcome.status in ("failed", "error")] == []


@each(
    ("name", "failing"),
    [
        ("undefined_without_a_word", {"nothing-relevant", "unusual-topics"}),
        ("undefined_in_the_mean", {"mean-of-topics"}),
        ("undefined_where_something_is_relevant", {"empty-ranking", "unusual-topics"}),
    ],
    3,
)
def test_undefined_is_no_excuse_for_other_topics_or_means(
    name: str, failing: set[str], label: Callable[[str], str]
) -> None:
    outcomes = run_contract(resolve(label(name)), checks=sorted(failing))
    assert failing == {outcome.check for outcome in outcomes if outcome.status in ("failed", "error")}
