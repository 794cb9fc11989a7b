"""The registry, the runner, and the whole catalogue."""

import json
import re
from dataclasses import asdict
from typing import Any

import pytest

from axiomcheck import FloatTopic, InvalidInput, UnknownName, as_metric, metric
from axiomcheck.checks.contract import CHECKS, Outcome, check, run_contract
from axiomcheck.checks.contract.registry import passed
from axiomcheck.checks.metric import Checked, Examined
from axiomcheck.metrics import CATALOGUE, Abilities, parse
from axiomcheck.reports.check_report import check_report
from axiomcheck.reports.table import report_text
from axiomcheck.trials.subject import Subject
from tests.checks.contract_planted import cannot_do_three, cannot_rank_three, graded, ndcg
from tests.support.metrics_topics import variants
from tests.support.suites import each, few

IN_THIS_PROCESS = [name for name in CHECKS if name != "hash-seed"]
"""The check that starts two processes is asked below, of one metric."""

TIE_ORDER = {"alpha-nDCG-greedy", "trec-nERR-IA", "trec-alpha-nDCG", "trec-nNRBP"}
"""Metrics over the greedy ideal, whose ties go to the first document of the pool: a documented dependence on names."""


@each("name", [*dict.fromkeys(("P", "trec-nNRBP", *CATALOGUE))], 90, share=40)
def test_catalogue_keeps_its_contract(name: str) -> None:
    outcomes = run_contract(CATALOGUE[name](), checks=IN_THIS_PROCESS)
    bad = {outcome.check for outcome in outcomes if outcome.status in ("failed", "error")}
    assert bad == ({"renaming"} if name in TIE_ORDER else set()), [o for o in outcomes if o.check in bad]
    assert sum(outcome.status == "passed" for outcome in outcomes) >= 13
    assert all(outcome.cases > 0 for outcome in outcomes if outcome.status == "passed")
    assert all(outcome.reason for outcome in outcomes if outcome.status != "passed")
    json.dumps([asdict(outcome) for outcome in outcomes], allow_nan=False)


CLAIMED = ("in-range", "ideal-attains-maximum", "monotone", "below-cutoff")


@each("name", list(CATALOGUE), 60, share=40)
def test_claims_hold_whatever_the_parameters_and_the_cutoff(name: str) -> None:
    tried, cut = (list(variants(name, cutoffs=(cutoff,))) for cutoff in ("default", 2))
    asked = [metric.values for metric in tried]
    tried += [metric for number, metric in enumerate(cut) if metric.values not in asked or number % 3 == 0]
    most = 3 if "greedy" in name else 12  # a greedy ideal takes half a second for each
    tried = few(tried, 1 + len(tried) // most)
    # Everyone ends at the last document of P@H-ERR, so that it never matters which one it is.
    checks = [check for check in CLAIMED if (name, check) != ("P@H-ERR", "below-cutoff")]
    for variant in tried:
        outcomes = run_contract(variant, checks=checks)
        assert all(outcome.status in ("passed", "not-applicable") for outcome in outcomes), (variant, outcomes)


def test_catalogue_does_not_depend_on_the_hash_seed() -> None:
    [outcome] = run_contract(parse("alpha-nDCG-greedy(alpha=0.3)"), checks=["hash-seed"])
    assert outcome.status == "passed"
    assert outcome.cases > 30


def test_same_seed_same_outcomes() -> None:
    def faulty() -> Any:
        return graded(high=0.9, ideal=True)(lambda grades, weights: grades[:, :, 0].max(axis=1, initial=0))

    chosen = ["in-range", "grades-above-scale", "ideal-attains-maximum", "batch-as-alone"]
    assert run_contract(faulty(), seed=3, checks=chosen) == run_contract(faulty(), seed=3, checks=chosen)
    assert run_contract(faulty(), seed=3, checks=chosen) != run_contract(faulty(), seed=4, checks=chosen)


def test_a_check_alone_says_what_it_says_among_others() -> None:
    together = run_contract(parse("nDCG@5"), checks=["renaming", "in-range", "monotone", "call-order"])
    for outcome in together:
        assert run_contract(parse("nDCG@5"), checks=[outcome.check]) == [outcome]


NEVER = r"raised RuntimeError: never works \(line \d+ of test_contract_run.py\)"


def test_a_metric_that_only_raises_passes_nothing() -> None:
    def broken(grades: Any, weights: Any) -> Any:
        raise RuntimeError("never works")

    made = graded(cutoff=3, high=1.0, ideal=True, monotone=True)(broken)
    outcomes = {o.check: o for o in run_contract(made, checks=IN_THIS_PROCESS)}
    assert [o.check for o in outcomes.values() if o.status == "passed"] == []
    assert [o.check for o in outcomes.values() if o.status in ("failed", "error")] == ["finite"]
    assert re.fullmatch(NEVER, outcomes["finite"].reason)
    assert outcomes["repeatable"].reason == "it does not score any ordinary case (see finite)"
    [alone] = run_contract(graded()(broken), checks=["repeatable"])
    assert alone.status == "error"
    assert re.fullmatch(NEVER.replace("raised", "no case could be tried:"), alone.reason)


def test_other_faults_are_told_of_a_metric_that_only_raises() -> None:
    def changes_and_raises(grades: Any, weights: Any) -> Any:
        grades += 1
        if grades.shape[1] == 0:
            raise ValueError("of nothing")
        raise RuntimeError("never works")

    outcomes = {o.check: o for o in run_contract(graded()(changes_and_raises), checks=IN_THIS_PROCESS)}
    bad = {o.check: o.reason for o in outcomes.values() if o.status in ("failed", "error")}
    assert re.fullmatch(NEVER, bad.pop("finite"))
    assert re.fullmatch(r"raised ValueError: of nothing \(line \d+ of test_contract_run.py\)", bad.pop("empty-ranking"))
    assert bad == {"inputs-unmodified": "the metric changed its argument grades"}


def test_one_odd_answer_costs_one_case() -> None:
    """What raises now and then is an error where that is asked, and everything else is asked of the rest."""
    asked = ["finite", "in-range", "call-order"]
    sound = {o.check: o.cases for o in run_contract(ndcg(), checks=asked)}
    for odd in (cannot_do_three(), cannot_rank_three()):
        outcomes = {o.check: o for o in run_contract(odd, checks=asked)}
        assert outcomes.pop("finite").status == "error"
        assert {o.status for o in outcomes.values()} == {"passed"}
        assert outcomes["in-range"].cases > 50
        if odd.most_examples is None:
            assert all(sound[name] / 2 < outcome.cases < sound[name] for name, outcome in outcomes.items())


def test_slow_metrics_are_asked_less() -> None:
    slow = graded(high=1.0)(lambda topic, ranking: 0.5)
    fast = graded(high=1.0)(lambda grades, weights: 0.5 + 0 * grades[:, :, 0].sum(axis=1))
    few, many = (run_contract(one, checks=["in-range"])[0].cases for one in (slow, fast))
    assert 20 <= few < many / 2


def test_grades_stay_on_the_scale_of_the_library() -> None:
    seen: set[float] = set()

    def function(topic: Any, ranking: Any) -> float:
        seen.update(grade for grades in topic.pool.values() for grade in grades)
        assert set(topic.weights) == {1 / len(topic.weights)}
        return 0.0

    coarse = metric()(function)
    coarse.abilities = Abilities(weights=False, levels=4)
    chosen = [name for name in IN_THIS_PROCESS if name != "grades-above-scale"]
    outcomes = run_contract(coarse, checks=chosen)
    assert not [o for o in outcomes if o.status == "error"]
    assert seen <= {0, 0.25, 0.5, 0.75, 1}


def test_unknown_check() -> None:
    with pytest.raises(UnknownName, match="did you mean renaming"):
        run_contract(ndcg(), checks=["renamin"])


@pytest.mark.parametrize(
    "bad", [{"tolerance": -1.0}, {"tolerance": float("nan")}, {"seed": -1}, {"seed": 1.5}, {"seed": True}]
)
def test_bad_arguments(bad: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(bad))):
        run_contract(ndcg(), **bad)


def nothing(subject: Subject) -> Outcome:
    return passed(0)


def test_two_checks_of_one_name_are_refused() -> None:
    with pytest.raises(InvalidInput, match="already"):
        check("finite", group="values", asks="Every score is there.")


def test_a_check_that_tried_nothing_does_not_pass() -> None:
    try:
        registered = check("fresh-name", group="values", asks="Every score is there.")(nothing)
        assert registered.asks == "Every score is there."
        [outcome] = run_contract(ndcg(), checks=["fresh-name"])
        assert outcome == Outcome("fresh-name", "values", "not-applicable", "no case could be tried", 0, None)
    finally:
        del CHECKS["fresh-name"]


def test_a_dictionary_cannot_hold_a_document_twice() -> None:
    def score(topic: Any, ranking: list[str]) -> float:
        run = {document: -rank for rank, document in enumerate(ranking)}
        ranked = sorted(run, key=lambda document: -run[document])
        return sum(sum(map(float, topic.pool[document])) / (rank + 2) for rank, document in enumerate(ranked))

    [outcome] = run_contract(as_metric(score, "by-dictionary"), checks=["document-twice"])
    assert outcome.status == "not-applicable"
    assert outcome.reason.startswith(
        "a repeated document keeps only its last rank, because the ranking becomes a dictionary"
    )


def test_a_document_that_comes_again_may_take_a_rank_and_earn_nothing() -> None:
    def score(topic: Any, ranking: list[str]) -> float:
        found = sum(topic.pool[name][0] > 0 for name in {*ranking} if name in topic.pool)
        return found / max(1, len(ranking))

    [outcome] = run_contract(as_metric(score, "precision"), checks=["document-twice"])
    assert (outcome.status, outcome.reason) == ("passed", "the second copy takes a rank and earns nothing")


def two_causes(topic: FloatTopic, ranking: list[str]) -> float:
    if not ranking:
        raise KeyError("empty")
    return len(ranking) / sum(max(grades) > 0 for grades in topic.pool.values())


CAUSES = {"raised KeyError": {"empty-ranking", "nothing-judged"}, "raised ZeroDiv": {"nothing-relevant"}}


def test_a_cause_has_one_line_with_all_its_checks() -> None:
    outcomes = run_contract(metric(single_aspect=True)(two_causes), checks=IN_THIS_PROCESS)
    text = report_text(check_report(Checked("mine", (), Examined(tuple(outcomes)))), width=400)
    lines = [line for line in text.partition("contract checks failed")[2].splitlines() if line.startswith("! ")]
    named = {line: set(line.removeprefix("! ").partition(":")[0].split(", ")) for line in lines}
    for cause, checks in CAUSES.items():
        [line] = [line for line in lines if cause in line]
        assert checks <= named[line]
    failing = {outcome.check for outcome in outcomes if outcome.status in ("failed", "error")}
    assert failing == set().union(*named.values())
