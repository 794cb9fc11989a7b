"""Every contract check finds its planted faults, and passes the same metric without them."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiomcheck.checks.contract import CHECKS, Outcome, purity, run_contract
from axiomcheck.metrics import Metric, parse
from axiomcheck.sources.adapters.common import (
    Case,
    LibraryMetric,
    MeasureOption,
    options_of,
    parse_call,
    spelled_call,
)
from axiomcheck.sources.external_metrics import FloatTopic, NamedMetric
from axiomcheck.sources.resolve import resolve
from tests.checks.contract_planted import (
    PLANTS,
    Plant,
    alpha_ndcg_at_2,
    best_short_scaled,
    dcg,
    graded,
    ideal,
    ideal_of_whole_pool,
    ndcg,
    over,
    plain_dcg,
    share_found,
)
from tests.checks.native_planted import PLANTS as NATIVE_PLANTS
from tests.support.suites import each


def asked(check: str, metric: Metric, reference: Metric | None = None, tolerance: float = 1e-9) -> Outcome:
    [outcome] = run_contract(metric, checks=[check], reference=reference, tolerance=tolerance)
    assert outcome.check == check
    return outcome


@pytest.mark.parametrize("plant", PLANTS, ids=repr)
def test_planted_fault_is_found(plant: Plant) -> None:
    outcome = asked(plant.check, plant.faulty())
    assert outcome.status == plant.status, outcome
    assert outcome.reason
    assert outcome.cases > 0
    of_all_cases = plant.check == "parameters-matter" or outcome.reason.startswith("documents below rank")
    assert (outcome.counterexample is None) == of_all_cases
    if plant.check in ("finite", "in-range", "empty-ranking", "nothing-relevant"):
        assert documents(outcome) <= 3
    json.dumps(asdict(outcome), allow_nan=False)


@pytest.mark.parametrize(
    ("check", "sound"), [*dict.fromkeys((plant.check, plant.sound) for plant in PLANTS)], ids=lambda one: str(one)[:24]
)
def test_metric_without_the_fault_passes(check: str, sound: Callable[[], Metric]) -> None:
    outcome = asked(check, sound())
    assert (outcome.status, outcome.counterexample) == ("passed", None), outcome
    assert outcome.cases > 0


def test_a_greedy_ideal_is_beaten() -> None:
    outcome = asked("in-range", alpha_ndcg_at_2(greedy=True))
    assert (outcome.status, outcome.reason) == ("failed", "scores 1.11991, outside the declared [0, 1]")
    assert asked("in-range", alpha_ndcg_at_2(greedy=False)).status == "passed"


def test_every_check_has_a_planted_fault() -> None:
    elsewhere = {"measures-together", "hash-seed", "reference"}  # below
    native = {check for check, _ in NATIVE_PLANTS}
    assert {plant.check for plant in PLANTS} | native | elsewhere == set(CHECKS)


def documents(outcome: Outcome) -> int:
    return len(outcome.counterexample["topic"]["pool"])


def test_a_counterexample_is_what_the_metric_scores() -> None:
    metric = graded(high=1.0)(lambda topic, ranking: 2 * share_found(topic, ranking))
    outcome = asked("in-range", metric)
    assert outcome.counterexample == {
        "topic": {"weights": [1.0], "pool": {"d1": [0.5]}},
        "rankings": [["d1"]],
        "scores": [2.0],
    }
    assert outcome.reason == "scores 2, outside the declared [0, 1]"


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (best_short_scaled, "a ranking of the topic's only document scores 0.9"),
        (ideal_of_whole_pool, "no ranking among its rankings of 1 to 2 documents scores above 0.613147"),
    ],
)
def test_the_rankings_tried_for_an_ideal_are_said(made: Callable[[], Metric], says: str) -> None:
    outcome = asked("ideal-attains-maximum", made())
    assert outcome.reason == f"{says}; the declared maximum is 1"
    assert outcome.counterexample["scores"][0] == pytest.approx(float(says.split()[-1]), abs=1e-6)


# --------------------------------------------------------------------------------- what else it takes to see a fault

DEPENDS = [p for p in PLANTS if p.check in ("batch-as-alone", "call-order", "repeatable")]


def scored(metric: Metric, cases: Sequence[dict[str, Any]]) -> list[float]:
    """The scores of cases of a counterexample, in one call where the metric takes arrays."""
    if isinstance(metric, NamedMetric):
        topics = [
            FloatTopic(tuple(c["topic"]["weights"]), {d: tuple(g) for d, g in c["topic"]["pool"].items()})
            for c in cases
        ]
        return list(metric.score_rankings([(t, c["ranking"]) for t, c in zip(topics, cases, strict=True)]))
    names = [list(c["topic"]["pool"]) for c in cases]
    pool = np.array([[c["topic"]["pool"][d] for d in n] for c, n in zip(cases, names, strict=True)])
    order = np.array([[n.index(d) for d in c["ranking"]] for c, n in zip(cases, names, strict=True)])
    weights = np.array([c["topic"]["weights"] for c in cases])
    found: list[float] = metric.evaluate(pool, weights, order).tolist()
    return found


def shown_again(plant: Plant, shown: dict[str, Any]) -> list[float]:
    """The two scores of a counterexample, from nothing but what it says."""
    target = {"topic": shown["topic"], "ranking": shown["rankings"][0]}
    metric = plant.faulty()
    if "call" in shown:
        there = scored(metric, shown["call"])[shown["place"]]
        if plant.check == "batch-as-alone":
            return [*scored(plant.faulty(), [target]), there]
        return [there, scored(plant.faulty(), shown["call"][::-1])[::-1][shown["place"]]]
    if "calls_between" in shown:
        [before] = scored(metric, [target])
        for one in shown["calls_between"]:
            scored(metric, [one])
        return [before, *scored(metric, [target])]
    for one in shown["calls_before"]:
        scored(metric, [one])
    return [*scored(plant.faulty(), [target]), *scored(metric, [target])]


@pytest.mark.parametrize("plant", DEPENDS, ids=repr)
def test_a_counterexample_holds_what_it_takes_to_see_it_again(plant: Plant) -> None:
    outcome = asked(plant.check, plant.faulty())
    shown = outcome.counterexample
    others = shown.get("call") or shown.get("calls_between", shown.get("calls_before"))
    assert len(others) <= 2, "one other topic is enough for each of these"
    assert shown_again(plant, shown) == pytest.approx(shown["scores"], abs=1e-12)
    before, after = shown["scores"]
    assert abs(before - after) > 1e-9
    assert f"{before:.6g} becomes {after:.6g}" in outcome.reason


def needs_three() -> Metric:
    """Differs from a call of one topic where two others are there, of which one has two relevant documents."""

    def function(grades: Any, weights: Any) -> Any:
        found = (grades[:, :, 0] > 0).sum(axis=1)
        return dcg(grades) + (0.5 if len(grades) > 2 and (found == 2).any() else 0.0)

    return graded()(function)


def test_a_shown_call_has_only_the_arguments_that_the_metric_takes() -> None:
    plant = Plant("batch-as-alone", needs_three, plain_dcg)
    shown = asked("batch-as-alone", needs_three()).counterexample
    assert len(shown["call"]) == 3
    assert shown_again(plant, shown) == pytest.approx(shown["scores"])


def test_a_fault_that_no_less_shows_again_is_said_to_need_the_whole_check() -> None:
    """The state is not the object's, so that no copy of it starts anew, and it changes once and for all."""
    calls = iter(range(10**9))

    def function(grades: Any, weights: Any) -> Any:
        return dcg(grades) + (next(calls) > 12)

    outcome = asked("repeatable", graded()(function))
    assert outcome.status == "failed"
    assert "only the whole check reproduces this" in outcome.reason


# ---------------------------------------------------------------------------------------- metrics that raise


RAISING: list[tuple[str, Callable[[list[float]], bool]]] = [
    ("callable", lambda grades: True),
    ("arrays", lambda grades: not grades),
    ("arrays", any),
    ("callable", lambda grades: max(grades, default=0) > 1),
]


@each(("kind", "problem"), RAISING, 2)
def test_a_metric_that_raises_gets_an_outcome_of_every_check(kind: str, problem: Callable[[list[float]], bool]) -> None:
    def ranked(topic: FloatTopic, ranking: list[str]) -> float:
        if problem([topic.pool[d][0] for d in ranking]):
            raise KeyError("of the metric")
        return share_found(topic, ranking)

    def arrays(grades: Any, weights: Any) -> Any:
        if any(problem(list(one)) for one in grades[:, :, 0]):
            raise KeyError("of the metric")
        return dcg(grades)

    declared = {"low": 0.0, "high": 1.0, "ideal": True, "monotone": True, "cutoff": 3, "binary_only": True}
    made = graded(**declared)(ranked if kind == "callable" else arrays)
    outcomes = run_contract(made, reference=ndcg())
    assert [outcome.check for outcome in outcomes] == list(CHECKS)
    assert all(outcome.reason for outcome in outcomes if outcome.status in ("error", "failed"))
    assert any("KeyError: 'of the metric'" in outcome.reason for outcome in outcomes)


# ------------------------------------------------------------------------------------------------ measures-together


class Shared(LibraryMetric):
    """A measure of a library whose measures share a discount that each sets when it is computed."""

    package = "planted"
    companions = ("other",)
    latest = 1.0

    def __init__(self, label: str, discount: float, keeps_apart: bool) -> None:
        super().__init__(label, single_aspect=True)
        self.discount = discount
        self.keeps_apart = keeps_apart

    def call(self, cases: Sequence[Case]) -> list[float]:
        # The fault: the other measure's discount is in force for the first ranking after it.
        discount, Shared.latest = (self.discount if self.keeps_apart else Shared.latest), self.discount
        return [sum(topic.pool[d][0] * discount**rank for rank, d in enumerate(r)) for topic, r in cases]


@pytest.mark.parametrize(("keeps_apart", "status"), [(False, "failed"), (True, "passed")])
def test_measures_that_disturb_each_other(monkeypatch: pytest.MonkeyPatch, keeps_apart: bool, status: str) -> None:
    monkeypatch.setattr(purity, "measure", lambda prefix, name: Shared(f"{prefix}:{name}", 0.5, keeps_apart))
    metric = Shared("planted:one", 0.8, keeps_apart)
    metric.score_rankings([])
    outcome = asked("measures-together", metric)
    assert outcome.status == status, outcome
    assert outcome.cases > 10


def test_without_a_library_no_measures_to_disturb() -> None:
    assert asked("measures-together", plain_dcg()).status == "not-applicable"
    assert asked("measures-together", parse("RBP")).status == "not-applicable"


# ------------------------------------------------------------------------------------------- options of a library


class Optional(LibraryMetric):
    """A discounted sum of the first k grades, with a persistence."""

    package = "planted"
    fault = ""

    def __init__(self, name: str) -> None:
        self.given = parse_call(name).named
        super().__init__(f"planted:{name}", single_aspect=True)

    @property
    def options(self) -> list[MeasureOption]:
        table = {"k": ((1, 2, 6), True), "p": ((0.25,), False)}
        return options_of(table, table, self.given, partial(spelled_call, "sum"))

    def call(self, cases: Sequence[Case]) -> list[float]:
        k, p = self.given.get("k", 20), self.given.get("p", 0.5)
        k, p = (20 if self.fault == "k" else k), (0.5 if self.fault == "p" else p)
        divisor = k if self.fault == "divisor" else 1.0
        return [sum(topic.pool[d][0] * p**rank for rank, d in enumerate(r[:k])) / divisor for topic, r in cases]


@pytest.mark.parametrize(
    ("name", "fault"), [("sum", ""), ("sum", "k"), ("sum(k=3, p=0.8)", "p"), ("sum(k=3, p=0.8)", "divisor")]
)
def test_options_without_effect_and_depths_with_too_much_are_told(
    monkeypatch: pytest.MonkeyPatch, name: str, fault: str
) -> None:
    monkeypatch.setattr(purity, "measure", lambda prefix, name: Optional(name))
    monkeypatch.setattr(Optional, "fault", fault)
    outcome = asked("parameters-matter", Optional(name))
    assert outcome.status == ("failed" if fault else "passed"), outcome
    assert outcome.cases > 10
    told = {
        "": "",
        "k": "k has no effect: ",
        "p": "p has no effect: ",
        "divisor": "the depth k changes the score of a ",
    }
    assert outcome.reason.startswith(told[fault])
    if fault == "divisor":
        assert len(outcome.counterexample["topic"]["pool"]) == 1


# -------------------------------------------------------------------------------------------------------- hash-seed

METRICS = '''
import os


def hashed(topic, ranking):
    """Ranks come out of a set."""
    return sum(topic.pool[d][0] / rank for rank, d in enumerate(set(ranking), start=1))


def listed(topic, ranking):
    print("not an answer")
    return sum(topic.pool[d][0] / rank for rank, d in enumerate(ranking, start=1))


def exits(topic, ranking):
    raise SystemExit("no more")


def dies(topic, ranking):
    os._exit(7)
'''


@pytest.mark.parametrize(
    ("name", "status", "said"),
    [
        ("hashed", "failed", ""),
        ("listed", "passed", ""),
        ("exits", "error", "SystemExit: no more"),
        ("dies", "error", "exit code 7"),
    ],
)
def test_scores_that_depend_on_the_hash_seed_are_found(tmp_path: Path, name: str, status: str, said: str) -> None:
    file = tmp_path / "metrics_of_mine.py"
    file.write_text(METRICS, encoding="utf-8")
    outcome = asked("hash-seed", resolve(f"{file}:{name}"))
    assert outcome.status == status, outcome
    assert outcome.cases > 10 or said
    assert said in outcome.reason


def test_a_function_that_no_name_leads_to_is_not_asked() -> None:
    outcome = asked("hash-seed", graded(name="RBP")(lambda topic, ranking: share_found(topic, ranking)))
    assert outcome.status == "not-applicable"


# -------------------------------------------------------------------------------------------------------- reference


def test_reference_that_agrees() -> None:
    outcome = asked("reference", ndcg(), reference=parse("nDCG"))
    assert outcome.status == "passed", outcome
    assert outcome.cases > 1000
    assert "agrees with nDCG" in outcome.reason
    assert "the same way" in outcome.reason


def test_monotone_transform_disagrees_and_orders_alike() -> None:
    squared = graded(high=1.0)(lambda grades, weights, pool: over(dcg(grades), ideal(pool)) ** 2)
    outcome = asked("reference", squared, reference=parse("nDCG"))
    assert outcome.status == "failed"
    assert "pairs of rankings the same way" in outcome.reason
    assert outcome.counterexample is not None
    assert "ordered_otherwise" not in outcome.counterexample


def test_reference_that_orders_otherwise() -> None:
    outcome = asked("reference", parse("ERR"), reference=parse("nDCG@20"))
    assert outcome.status == "failed"
    assert "pairs of rankings differently" in outcome.reason
    pair = outcome.counterexample["ordered_otherwise"]
    (ours_a, ours_b), (theirs_a, theirs_b) = pair["scores"], pair["reference"]
    assert (ours_a < ours_b, ours_a > ours_b) != (theirs_a < theirs_b, theirs_a > theirs_b)


def test_disagreement_is_shown_on_the_smallest_ranking() -> None:
    """The natural logarithm in place of the binary one; without a normaliser rank 1 differs already."""
    outcome = asked(
        "reference", graded()(lambda grades, weights, pool: over(dcg(grades), 1 + ideal(pool))), reference=ndcg()
    )
    assert len(outcome.counterexample["rankings"][0]) == 1
    assert documents(outcome) == 1
    late = graded(high=1.0)(lambda grades, weights, pool: over(dcg(grades, 2), ideal(pool)))
    outcome = asked("reference", late, reference=ndcg())
    assert len(outcome.counterexample["rankings"][0]) == 3


def test_tolerance() -> None:
    near = graded(high=1.0)(lambda grades, weights, pool: over(dcg(grades), ideal(pool)) * 0.999)
    assert asked("reference", near, reference=ndcg()).status == "failed"
    assert asked("reference", near, reference=ndcg(), tolerance=0.002).status == "passed"


def test_a_reference_that_raises_on_everything_is_an_error() -> None:
    def broken(grades: object, weights: object) -> object:
        raise OverflowError("too much")

    outcome = asked("reference", ndcg(), reference=graded()(broken))
    assert outcome.status == "error"
    assert "too much" in outcome.reason
