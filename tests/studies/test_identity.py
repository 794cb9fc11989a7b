import json
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from math import log2
from typing import Any, ClassVar

import numpy as np
import pytest

from axiomcheck import as_metric
from axiomcheck.axioms import AXIOMS
from axiomcheck.core.errors import InternalDisagreement, InvalidInput
from axiomcheck.derivation.agreement import agreeing_fold
from axiomcheck.metrics import Fold, FoldMetric, Metric, parse
from axiomcheck.metrics.adhoc import RankBiasedPrecision
from axiomcheck.metrics.derived_fold import DerivedByIdeal
from axiomcheck.metrics.fold import Additive, Cascade
from axiomcheck.metrics.novelty import RankBiasedUtility
from axiomcheck.numbers.arithmetic import Arithmetic, Rationals
from axiomcheck.numbers.discount import Discount, Geometric
from axiomcheck.proof.check.fold_conditions import check_origin
from axiomcheck.studies.identity import decide as module
from axiomcheck.studies.identity.decide import Identity, decide_identity, prove_identity
from axiomcheck.studies.identity.proof import Binding, IdentityProof, Relation, Scope, Walk
from axiomcheck.studies.region.axes import read_axis
from axiomcheck.studies.region.thresholds import Thresholds
from tests.support.commands import command
from tests.support.metrics_topics import Topic, arrays, random_topic
from tests.support.suites import quality

GRADED = Scope()


@pytest.fixture(autouse=True)
def _believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted metrics stand for the catalogue: proofs are made of them, so that checks have something to find."""
    monkeypatch.setattr(module, "check_origin", lambda *_: None)


@cache
def decided(first: str, second: str, small: bool = False) -> Identity:
    return decide_identity(parse(first), parse(second), small)


def proof_of(found: Identity) -> IdentityProof:
    assert found.proof is not None
    return found.proof


def order_of(found: Identity) -> dict[str, Any]:
    """Return the two rankings that the metrics order differently, with their topic."""
    assert found.order is not None
    return found.order


def proved(metric: FoldMetric, other: FoldMetric | str) -> IdentityProof:
    """Return the proof that there is of two metrics at any grades."""
    proof, _ = prove_identity(metric, parse(other) if isinstance(other, str) else other, GRADED, False)
    assert proof is not None
    return proof


def random_scores(metrics: list[Any], seed: int) -> list[Any]:
    """Return the exact scores of one random ranking of a random topic of three aspects."""
    topic = random_topic(np.random.default_rng(seed), 3, levels=100)
    return [metric.score(Rationals(), *arrays(topic)) for metric in metrics]


def test_proportional_with_the_factor_that_exact_scores_have() -> None:
    found = decided("RBU(e=0.05)@20", "RBU-program(e=0.05)@20")
    assert found.relation is Relation.PROPORTIONAL
    assert proof_of(found).factor == "p/(1 - p)"
    assert found.one_order is True
    value = proof_of(found).value
    seen = 0
    for seed in range(30):
        a, b = random_scores([found.first, found.second], seed)
        assert a == value * b
        seen += b != 0
    assert seen > 15


def test_intent_aware_forms_are_the_base_on_one_aspect() -> None:
    found = decided("ERR@20", "ERR-IA@20")
    assert found.relation is Relation.EQUAL
    assert found.scope.one_aspect


@quality
def test_a_cost_in_another_proportion_orders_rankings_of_two_lengths_otherwise() -> None:
    finite = decided("RBU@5", "RBU(e=0.1)@5")
    assert (finite.relation, finite.proof) == (Relation.DIFFERENT, None)
    assert "the costs and the gains have different ratios" in finite.reasons
    assert len({len(ranking) for ranking in order_of(finite)["rankings"]}) == 2
    assert decided("RBU@5", "RBU(e=0)@5", small=True).relation is Relation.DIFFERENT


def test_metrics_are_alike_up_to_the_smaller_cutoff() -> None:
    found = decided("P@10", "P@20")
    assert (found.relation, found.ranks) == (Relation.PROPORTIONAL, 10)


def test_witnesses_are_confirmed_by_the_metrics_themselves() -> None:
    found = decided("RBU(e=0)@3", "RBP-IA")
    topic = order_of(found)["topic"]
    pool = {name: [Fraction(grade) for grade in row] for name, row in topic["pool"].items()}
    weights = [Fraction(weight) for weight in topic["weights"]]
    for metric, scores in zip((found.first, found.second), order_of(found)["scores"], strict=True):
        for ranking, score in zip(order_of(found)["rankings"], scores, strict=True):
            shown = Topic([pool[name] for name in ranking], weights, list(pool.values()))
            assert str(metric.score(Rationals(), *arrays(shown))) == score


@dataclass(frozen=True)
class Bumped(Discount):
    """Geometric, but for one rank."""

    rank: int
    ratio: Fraction = Fraction(4, 5)

    def rational(self, rank: int) -> Fraction:
        return self.ratio**rank * (2 if rank == self.rank else 1)

    def real(self, rank: int) -> float:
        return float(self.rational(rank))


class Planted(RankBiasedUtility):
    """RBU without a cost, and with a fault."""

    name = "planted"
    declared = RankBiasedUtility.declared
    made: ClassVar[Any] = None

    def fold(self) -> Fold:
        made: Fold = type(self).made(self)
        return made


def planted(make: Any, cutoff: int = 20, **members: Any) -> FoldMetric:
    cls = type("Planted", (Planted,), {"made": staticmethod(make), **members})
    metric: FoldMetric = cls(cutoff, e=0)
    return metric


def no_proof(metric: FoldMetric, other: str, small: bool = False) -> bool:
    return prove_identity(metric, parse(other), GRADED, small)[0] is None


RBU = "RBU(e=0)@20"


def test_a_planted_metric_without_a_fault_is_proved() -> None:
    assert proved(planted(lambda m: Cascade(m.discount())), RBU).relation is Relation.EQUAL


def normalised(topic: Any, ranking: Any, factor: int = 1) -> Any:
    """DCG of some multiple of the grades, divided by the same of the ideal ranking: nDCG, whatever the multiple."""
    ideal = sorted((topic.pool[d][0] for d in topic.pool), reverse=True)
    best = sum(factor * grade / log2(i + 1) for i, grade in enumerate(ideal, start=1))
    if not best:
        return 0.0
    return sum(factor * topic.pool[d][0] / log2(i + 1) for i, d in enumerate(ranking, start=1)) / best


def first_ten(topic: Any, ranking: Any) -> Any:
    return sum(topic.pool[d][0] * 0.8**i for i, d in enumerate(ranking[:10]))


def own(factor: int) -> Metric:
    return as_metric(partial(normalised, factor=factor), f"normalised-{factor}")


def derived(factor: int) -> FoldMetric:
    found = agreeing_fold(own(factor)).metric
    assert isinstance(found, DerivedByIdeal)
    return found


def test_metrics_normalised_by_the_ideal_gain_of_one_fold_are_equal() -> None:
    assert proved(derived(1), "nDCG").relation is Relation.EQUAL
    assert proved(derived(2), derived(1)).relation is Relation.EQUAL


def test_functions_are_compared_by_the_folds_of_their_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "check_origin", check_origin)
    assert decide_identity(own(1), parse("nDCG"), False).relation is Relation.EQUAL
    short = decide_identity(as_metric(first_ten, "ten"), parse("RBP(p=0.8)"), False)
    assert (short.relation, short.ranks) == (Relation.PROPORTIONAL, 10)
    assert short.proof
    assert short.proof.steps[0].startswith("ten has the scores of the fold derived from its source: ")
    assert decide_identity(as_metric(first_ten, "ten"), parse("RBP(p=0.8)@10"), True).relation is Relation.PROPORTIONAL
    # the functions read the first of several aspects
    assert decide_identity(own(2), own(1), False).relation is Relation.UNDECIDED


def test_a_changed_discount_scale_is_a_factor_not_an_equality() -> None:
    metric = planted(lambda m: Cascade(Geometric(m.values["p"], m.values["p"] * Fraction(1, 3))))
    proof = proved(metric, RBU)
    assert (proof.relation, proof.factor) == (Relation.PROPORTIONAL, "1/3")
    assert proof.steps[0] == "discounts: D_A(i) = 1/3 * D_B(i) at every rank i"


def test_a_discount_of_another_kind_is_proved_if_its_values_are_the_same_up_to_the_cutoff() -> None:
    assert no_proof(planted(lambda m: Cascade(Bumped(20))), RBU)
    assert proved(planted(lambda m: Cascade(Bumped(21))), RBU).relation is Relation.EQUAL


@dataclass(frozen=True)
class Gained(Cascade):
    """A cascade whose gains are multiplied by a function of the grade."""

    factor: Any = None

    def step(self, a: Arithmetic, state: tuple[Any, ...], r: Any) -> tuple[Any, tuple[Any, ...]]:
        gain, after = super().step(a, state, r)
        return gain * self.factor(r), after


@pytest.mark.parametrize("small", [False, True])
def test_a_changed_gain_is_not_proved(small: bool) -> None:
    metric = planted(lambda m: Gained(m.discount(), factor=lambda r: r))
    assert no_proof(metric, RBU, small)
    assert decide_identity(metric, parse(RBU), small).relation is Relation.DIFFERENT


def test_a_kernel_that_differs_with_four_aspects_only_is_not_called_equal() -> None:
    def kernel(self: Any, a: Any, grades: Any, weights: Any, pool: Any) -> Any:
        score = FoldMetric.kernel(self, a, grades, weights, pool)
        return score * 2 if grades.shape[-1] == 4 else score

    metric = planted(lambda m: Cascade(m.discount()), cutoff=3, kernel=kernel)
    found = decide_identity(metric, parse("RBU(e=0)@3"), False)
    assert found.relation is Relation.UNDECIDED
    assert found.proof is None


@quality
def test_a_fold_that_breaks_its_contract_with_three_aspects_is_a_contradiction() -> None:
    @dataclass(frozen=True)
    class Sly(Additive):
        def step(self, a: Arithmetic, state: tuple[Any, ...], r: Any) -> tuple[Any, tuple[Any, ...]]:
            return (r * 2 if np.shape(r)[-1:] == (3,) else r), ()

    metric = planted(lambda m: Sly(m.discount()))
    with pytest.raises(InternalDisagreement, match="proved"):
        decide_identity(metric, parse("NRBP(alpha=0, weighted=yes)@20"), False)


def test_an_invariant_that_is_too_strong_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reach falls from document to document, and is no constant."""
    metric = planted(lambda m: Gained(m.discount(), factor=lambda r: 2))
    assert proved(metric, RBU).factor == "2"
    guessed = Walk.guessed

    def too_strong(self: Walk) -> dict[str, Binding]:
        start = self.start()
        return {name: ("=", start[name]) for name in guessed(self)}

    monkeypatch.setattr(Walk, "guessed", too_strong)
    assert no_proof(metric, RBU)


def test_a_false_proof_is_caught_by_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    proof, _ = prove_identity(parse(RBU), parse(RBU), GRADED, False)
    monkeypatch.setattr(module, "prove_identity", lambda *_: (proof, ()))
    with pytest.raises(InternalDisagreement):
        decide_identity(parse(RBU), parse("RBU(e=0, p=0.7)@20"), False)


def test_metrics_neither_proved_alike_nor_told_apart_are_undecided() -> None:
    result = command("identity", "D#-nDCG(lambda=0)@3", "D-nDCG@3", "--format", "json")
    assert result.exit_code == 4
    document = json.loads(result.stdout)
    assert document["relation"] == "undecided"
    assert (document["proof"], document["order_witness"]) == (None, None)
    assert document["reasons"]


class Disguised(RankBiasedPrecision):
    """RBP's fold, and a kernel that says otherwise."""

    def kernel(self, a: Any, grades: Any, weights: Any, pool: Any) -> Any:
        return grades[..., 0, 0]


def test_code_of_its_own_is_not_taken_for_the_fold_that_it_inherits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "check_origin", check_origin)
    proof, reasons = prove_identity(parse("RBP"), Disguised(), Scope(), True)
    assert proof is None
    assert "external code, which no lemma covers" in reasons[0]
    axiom = AXIOMS["CloseTh"]
    with pytest.raises(InvalidInput, match="external code"):
        Thresholds(Disguised(), axiom, [read_axis("p=0.5:0.9", axiom, parse("RBP"), True)], True)
