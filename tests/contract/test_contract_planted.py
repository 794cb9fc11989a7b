"""Every contract check finds its planted faults, and passes the same metric without them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from contract_planted import PLANTS, Plant, dcg, graded, ideal, ndcg, over, plain_dcg, share_found

from axiomcheck.contract import CHECKS, Outcome, purity, run_contract
from axiomcheck.metrics import Metric, parse
from axiomcheck.metrics.own import FloatTopic, NamedMetric
from axiomcheck.resolve import resolve

SEEDS = (0, 1, 2)


def asked(
    check: str, metric: Metric, seed: int = 0, reference: Metric | None = None, tolerance: float = 1e-9
) -> Outcome:
    [outcome] = run_contract(metric, checks=[check], seed=seed, reference=reference, tolerance=tolerance)
    assert outcome.check == check
    return outcome


@pytest.mark.parametrize("plant", PLANTS, ids=repr)
@pytest.mark.parametrize("seed", SEEDS)
def test_planted_fault_is_found(plant: Plant, seed: int) -> None:
    outcome = asked(plant.check, plant.faulty(), seed)
    assert outcome.status == plant.status, outcome
    assert outcome.reason
    assert outcome.cases > 0
    of_all_cases = plant.check == "parameters-matter" or outcome.reason.startswith("no document below rank")
    assert (outcome.counterexample is None) == of_all_cases
    json.dumps(outcome.to_json(), allow_nan=False)


@pytest.mark.parametrize("plant", PLANTS, ids=repr)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_sound_passes(plant: Plant, seed: int) -> None:
    outcome = asked(plant.check, plant.sound(), seed)
    assert (outcome.status, outcome.counterexample) == ("passed", None), outcome
    assert outcome.cases > 0


def test_every_check_has_a_planted_fault() -> None:
    elsewhere = {"measures-together", "hash-seed", "reference"}  # below
    assert {plant.check for plant in PLANTS} | elsewhere == set(CHECKS)


def documents(outcome: Outcome) -> int:
    assert outcome.counterexample is not None
    return len(outcome.counterexample["topic"]["pool"])


@pytest.mark.parametrize(
    "plant", [p for p in PLANTS if p.check in ("finite", "in-range", "empty-ranking", "nothing-relevant")], ids=repr
)
def test_counterexamples_are_small(plant: Plant) -> None:
    assert documents(asked(plant.check, plant.faulty())) <= 3


def test_a_counterexample_is_what_the_metric_scores() -> None:
    metric = graded(high=1.0)(lambda topic, ranking: 2 * share_found(topic, ranking))
    outcome = asked("in-range", metric)
    assert outcome.counterexample == {
        "topic": {"weights": [1.0], "pool": {"d1": [0.5]}},
        "rankings": [["d1"]],
        "scores": [2.0],
    }
    assert outcome.reason == "scores 2, outside the declared [0, 1]"


# ------------------------------------------------------------------------------------------------ measures-together


class Shared(NamedMetric):
    """A measure of a library whose measures share a discount that each sets when it is computed."""

    latest = 1.0

    def __init__(self, label: str, discount: float, keeps_apart: bool) -> None:
        super().__init__(label, single_aspect=True)
        self.discount = discount
        self.keeps_apart = keeps_apart

    def score_rankings(self, cases: Sequence[tuple[FloatTopic, Sequence[str]]]) -> list[float]:
        # The fault: the other measure's discount is in force for the first ranking after it.
        discount, Shared.latest = (self.discount if self.keeps_apart else Shared.latest), self.discount
        return [sum(topic.pool[d][0] * discount**rank for rank, d in enumerate(r)) for topic, r in cases]


@pytest.mark.parametrize(("keeps_apart", "status"), [(False, "failed"), (True, "passed")])
def test_measures_that_disturb_each_other(monkeypatch: pytest.MonkeyPatch, keeps_apart: bool, status: str) -> None:
    monkeypatch.setattr(purity, "COMPANIONS", {"planted": ("other",)})
    monkeypatch.setattr(purity, "measure", lambda prefix, name: Shared(f"{prefix}:{name}", 0.5, keeps_apart))
    metric = Shared("planted:one", 0.8, keeps_apart)
    metric.score_rankings([])
    outcome = asked("measures-together", metric)
    assert outcome.status == status, outcome
    assert outcome.cases > 10


def test_without_a_library_no_measures_to_disturb() -> None:
    assert asked("measures-together", plain_dcg()).status == "not-applicable"
    assert asked("measures-together", parse("RBP")).status == "not-applicable"


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


@pytest.mark.parametrize(("name", "status"), [("hashed", "failed"), ("listed", "passed")])
def test_hash_seed(tmp_path: Path, name: str, status: str) -> None:
    file = tmp_path / "metrics_of_mine.py"
    file.write_text(METRICS, encoding="utf-8")
    outcome = asked("hash-seed", resolve(f"{file}:{name}"))
    assert outcome.status == status, outcome
    assert outcome.cases > 10


@pytest.mark.parametrize(("name", "said"), [("exits", "SystemExit: no more"), ("dies", "exit code 7")])
def test_hash_seed_of_what_does_not_come_back(tmp_path: Path, name: str, said: str) -> None:
    file = tmp_path / "metrics_of_mine.py"
    file.write_text(METRICS, encoding="utf-8")
    outcome = asked("hash-seed", resolve(f"{file}:{name}"))
    assert outcome.status == "error"
    assert said in outcome.reason


def test_a_function_that_no_name_leads_to_is_not_asked() -> None:
    outcome = asked("hash-seed", graded(name="RBP")(lambda topic, ranking: share_found(topic, ranking)))
    assert outcome.status == "not-applicable"


# -------------------------------------------------------------------------------------------------------- reference


def squared_ndcg() -> Metric:
    return graded(high=1.0)(lambda grades, weights, pool: over(dcg(grades), ideal(pool)) ** 2)


def test_reference_that_agrees() -> None:
    outcome = asked("reference", ndcg(), reference=parse("nDCG"))
    assert outcome.status == "passed", outcome
    assert outcome.cases > 1000
    assert "agrees with nDCG" in outcome.reason
    assert "the same way" in outcome.reason


def test_monotone_transform_disagrees_and_orders_alike() -> None:
    outcome = asked("reference", squared_ndcg(), reference=parse("nDCG"))
    assert outcome.status == "failed"
    assert "pairs of rankings the same way" in outcome.reason
    assert outcome.counterexample is not None
    assert "ordered_otherwise" not in outcome.counterexample


def test_reference_that_orders_otherwise() -> None:
    outcome = asked("reference", parse("ERR"), reference=parse("nDCG@20"))
    assert outcome.status == "failed"
    assert "otherwise" in outcome.reason
    assert outcome.counterexample is not None
    pair = outcome.counterexample["ordered_otherwise"]
    (ours_a, ours_b), (theirs_a, theirs_b) = pair["scores"], pair["reference"]
    assert (ours_a < ours_b, ours_a > ours_b) != (theirs_a < theirs_b, theirs_a > theirs_b)


def test_disagreement_is_shown_on_the_smallest_ranking() -> None:
    """The natural logarithm in place of the binary one; without a normaliser rank 1 differs already."""
    outcome = asked(
        "reference", graded()(lambda grades, weights, pool: over(dcg(grades), 1 + ideal(pool))), reference=ndcg()
    )
    assert outcome.counterexample is not None
    assert len(outcome.counterexample["rankings"][0]) == 1
    assert documents(outcome) == 1
    late = graded(high=1.0)(lambda grades, weights, pool: over(dcg(grades, 2), ideal(pool)))
    outcome = asked("reference", late, reference=ndcg())
    assert outcome.counterexample is not None
    assert len(outcome.counterexample["rankings"][0]) == 3


def test_tolerance() -> None:
    near = graded(high=1.0)(lambda grades, weights, pool: over(dcg(grades), ideal(pool)) * 0.999)
    assert asked("reference", near, reference=ndcg()).status == "failed"
    assert asked("reference", near, reference=ndcg(), tolerance=0.002).status == "passed"


def test_without_a_reference() -> None:
    assert asked("reference", ndcg()).status == "not-applicable"


def test_a_reference_that_raises_on_everything_is_an_error() -> None:
    def broken(grades: object, weights: object) -> object:
        raise OverflowError("too much")

    outcome = asked("reference", ndcg(), reference=graded()(broken))
    assert outcome.status == "error"
    assert "too much" in outcome.reason
