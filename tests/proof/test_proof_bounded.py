"""Bounded proofs: found for what is true, not for what is false, and rejected when anything about them is changed."""

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiomcheck import Domain, InvalidInput, Metric, parse
from axiomcheck.axioms import Shape
from axiomcheck.axioms.relations import Cell
from axiomcheck.decide.comparison import signs
from axiomcheck.decide.sampling import generator, sample_batches
from axiomcheck.decide.space import InstanceSpace
from axiomcheck.proof.check import bounded_run, bounded_symbols
from axiomcheck.proof.check.bounded_run import Space, SpaceSetting, SymbolicCase
from axiomcheck.proof.check.quotients import Quotient
from axiomcheck.proof.find import bounded
from axiomcheck.proof.find.bounded import prove_bounded
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric
from tests.proof.documents import PAIRS, additive, attempt, bounded_proof, check_document, fooled, pair_axiom
from tests.support.planted import tied
from tests.support.suites import each
from tests.support.tampering import Document, put, refused, tampered


def certificate_of(metric: Metric, axiom: str, small: bool, ranked: int, aspects: int = 1, **budget: int) -> Document:
    """Return the certificate that the prover finds."""
    document = attempt(metric, axiom, small, ranked, aspects, **budget)
    assert document is not None
    return document


def test_grades_that_are_above_one_another_in_a_circle_leave_nothing() -> None:
    """A circle of five, which is found only by going on concluding."""
    pri = pair_axiom("Pri")
    setting = SpaceSetting(pri, Shape(5, 1, 5), (0, 1, 0, 0), binary=False, small=True)
    circle: list[tuple[str, Cell, Cell | None]] = [(">", ((k + 1) % 5, 0), (k, 0)) for k in range(5)]
    assert not Space(setting, circle[:-1]).is_empty()
    assert Space(setting, circle).is_empty()


TRUE = [
    # metric, axiom, small, (N, M), symbolic parameters, discount, unretrieved
    ("RBP", "Pri", True, (4, 1), ["p"], "own", "any"),
    ("nDCG", "Deep", True, (5, 1), [], "convex", 1),
    ("AP", "Pri", True, (4, 1), [], "decreasing", 1),
    ("EU", "Conf", True, (3, 1), ["alpha", "e"], "decreasing", "any"),
    ("D#-nDCG", "AspDiv", True, (2, 2), ["lambda"], "decreasing", 1),
    ("NRBP", "Red", False, (3, 2), ["p", "alpha"], "own", "any"),
    ("CT", "Sat", False, (2, 2), ["alpha"], "decreasing", "any"),
    ("RBP-IA", "AspRel", False, (3, 2), ["p"], "own", "any"),
    # of values of the zeta function
    ("INST(T=3)", "Deep", False, (4, 1), [], "own", "any"),
]


@each(("name", "axiom", "small", "scope", "parameters", "discount", "unretrieved"), TRUE, 5)
def test_true_cells_are_proved_and_the_certificates_pass(
    name: str, axiom: str, small: bool, scope: tuple[int, int], parameters: list[str], discount: str, unretrieved: Any
) -> None:
    document = bounded_proof(name, axiom, small, *scope)
    ranks = {"ranked": scope[0], "aspects": scope[1], "unretrieved": unretrieved}
    assert document["scope"] == ranks | {"parameters": parameters, "discount": discount}
    check_document(document)


FALSE = [
    # metric, axiom, small, the largest n at which it is true (0: none), m
    ("RBP", "Conf", True, 0, 1),
    ("alpha-nDCG", "Pri", True, 2, 1),
    ("RBU", "AspRel", False, 1, 2),
    ("INST(T=1/2)", "Pri", False, 2, 1),
]


@each(("name", "axiom", "small", "last", "aspects"), FALSE, 4)
def test_false_cells_are_proved_only_up_to_the_length_at_which_they_are_violated(
    name: str, axiom: str, small: bool, last: int, aspects: int
) -> None:
    document = attempt(parse(name), axiom, small, last + 1, aspects)
    assert (0 if document is None else document["scope"]["ranked"]) == last


PROVED = ["ERR-IA", "RBU-program"]


@each("name", PROVED, 2)
def test_proofs_pass_the_check_and_no_sampled_instance_contradicts_them(name: str) -> None:
    metric, proofs = parse(name), 0
    for axiom, small in product(PAIRS, (False, True)):
        if (small and not axiom.can_be_small) or (axiom.group == "diversity" and not metric.applies_to_aspects()):
            continue
        document = prove_bounded(axiom, metric, small, Domain.GRADED, max(2, axiom.min_ranked), 2, 2000)
        if document is None:
            continue
        proofs += 1
        check_document(json.loads(json.dumps(document)), metric)
        domain = Domain.BINARY if metric.binary_only else Domain.GRADED
        space = InstanceSpace(axiom, domain, small, 4)
        for batch in sample_batches(space, 200, generator(0, name, axiom.name), (0, 1)):
            shape, scope = batch.draft.shape, document["scope"]
            if batch.size and shape.ranked <= scope["ranked"] and shape.aspects <= scope["aspects"]:
                part = type(batch)(axiom, batch.draft.pick(np.arange(min(batch.size, 8))), small)
                assert not {-1, 0 if axiom.strict else -1} & set(signs(metric, part)), (axiom, scope)
    assert proofs


def test_a_small_budget_gives_a_small_scope() -> None:
    full, some = (certificate_of(parse("RBP"), "Pri", True, 5, **budget) for budget in ({}, {"budget": 200}))
    assert 2 <= some["scope"]["ranked"] < full["scope"]["ranked"] == 5
    check_document(some)
    assert attempt(parse("RBP"), "Pri", True, 5, budget=10) is None


def test_parameters_at_an_end_of_their_range_stay_what_they_are() -> None:
    document = certificate_of(parse("EU(e=0, alpha=0)"), "Pri", True, 3)
    assert document["scope"]["parameters"] == []
    tampered(check_document, document, put("scope.parameters", ["alpha"]), "an endpoint of its range")


def own(function: Callable[..., Any], **declared: Any) -> FunctionMetric:
    return FunctionMetric(function, "own", **declared)


def test_a_users_own_metric_is_proved_by_its_own_code() -> None:
    def score(grades: Any, weights: Any) -> Any:
        ranks = np.arange(1, grades.shape[1] + 1)
        halved = grades / (2**ranks)[None, :, None]
        return (halved.sum(axis=1) * weights).sum(axis=1)

    metric = own(score)
    document = certificate_of(metric, "AspDiv", True, 3, 2)
    assert document["scope"]["unretrieved"] == "any"
    check_document(document, metric)
    other = own(lambda grades, weights: ((grades**2).sum(axis=1) * weights).sum(axis=1))
    with pytest.raises(InvalidInput, match="order"):
        check_document(document, other)


def test_a_metric_of_the_pool_is_proved_for_the_pools_tried() -> None:
    metric = own(lambda grades, weights, pool: grades[:, 0, 0] / pool[:, :, 0].sum(axis=1), single_aspect=True)
    document = certificate_of(metric, "Pri", False, 3)
    assert document["scope"]["ranked"] == 2  # only rank 1 counts, so ranks 2 and 3 can be swapped for nothing
    assert document["scope"]["unretrieved"] == 1
    tampered(lambda d: check_document(d, metric), document, put("scope.unretrieved", "any"), "reads the pool")


def test_an_axiom_that_states_no_relations_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    document = bounded_proof("RBP", "Pri", True, 4, 1)
    monkeypatch.delattr(type(pair_axiom("Pri")), "relate")
    assert attempt(parse("RBP"), "Pri", True, 2) is None
    refused(check_document, document, "states no relations")


def test_a_metric_of_named_documents_is_not_proved() -> None:
    metric = CallableMetric(lambda topic, ranking: 1.0, "named")
    assert attempt(metric, "Pri", False, 2) is None
    document = bounded_proof("RBP", "Pri", False, 3, 1) | {"metric": "named"}
    document["scope"]["parameters"] = []
    with pytest.raises(InvalidInput, match="raised MetricError"):
        check_document(document, metric)


@pytest.mark.parametrize(
    "function",
    [
        lambda grades, weights: np.log2(grades[:, 0, 0] + 1),
        lambda grades, weights: 0.5 * grades[:, 0, 0],
        lambda grades, weights: -(grades[:, :, 0] != 0.0).sum(axis=1),  # a symbol is no float
    ],
)
def test_code_that_does_not_run_on_symbols_proves_nothing(function: Callable[..., Any]) -> None:
    assert attempt(own(function), "Pri", False, 2) is None
    assert attempt(own(function, single_aspect=True), "Conf", False, 2) is None


def test_truth_values_of_symbols_do_not_deceive_the_checker(monkeypatch: pytest.MonkeyPatch) -> None:
    # Whatever is an object is true for numpy, unless it says otherwise: this counts documents, relevant or not.
    metric = own(lambda grades, weights: -grades[:, :, 0].astype(bool).sum(axis=1))
    with monkeypatch.context() as patch:
        patch.setattr(Quotient, "__bool__", lambda self: True)
        document = certificate_of(metric, "Conf", False, 2)
    with pytest.raises(InvalidInput, match=r"depends on the values|tie"):
        check_document(document, metric)


@each(
    ("name", "axiom", "small", "ranked", "aspects"),
    [
        ("alpha-nDCG", "Pri", True, 3, 1),
        ("RBU", "AspRel", False, 2, 2),
        ("NRBP", "Sat", False, 1, 2),
    ],
    3,
)
def test_a_false_certificate_of_a_fooled_prover_is_rejected(
    monkeypatch: pytest.MonkeyPatch, name: str, axiom: str, small: bool, ranked: int, aspects: int
) -> None:
    fooled(monkeypatch)
    document = certificate_of(parse(name), axiom, small, ranked, aspects)
    assert document["scope"]["ranked"] == ranked
    refused(check_document, document, r"do not show that the difference is positive|depends on the values|are equal")


@pytest.mark.parametrize(
    ("metric", "name", "forgetful", "complaint"),
    [
        (
            "RBP",
            "settings_of",
            lambda every, *a: [s for s in every(*a) if s.chosen["j"] == s.chosen["i"] + 1],
            "no tree covers",
        ),
        ("AP", "decisions_of", lambda every, split: every(split)[1:], "the tree ends too early"),
    ],
)
def test_a_prover_that_forgets_instances_or_branches_is_caught(
    monkeypatch: pytest.MonkeyPatch, metric: str, name: str, forgetful: Callable[..., Any], complaint: str
) -> None:
    every = getattr(bounded_run, name)
    monkeypatch.setattr(bounded, name, lambda *asked: forgetful(every, *asked))
    document = prove_bounded(pair_axiom("Pri"), parse(metric), True, Domain.GRADED, 3, 1)
    with pytest.raises(InvalidInput, match=complaint):
        check_document(document)


def test_a_prover_that_skips_an_order_of_eps_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def later(self: SymbolicCase) -> tuple[int, Quotient]:
        return next((order, each) for order, each in self.by_order.items() if order > 1 and not each.is_zero)

    with monkeypatch.context() as patch:
        fooled(patch)
        patch.setattr(SymbolicCase, "leading", later)
        document = certificate_of(parse("RBU"), "Deep", True, 4)
    assert "order is 2; expected 1, the first nonzero order" in refused(check_document, document)


def test_a_discount_that_is_not_decreasing_is_not_taken_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    metric = additive(tied(2, Fraction(1, 2)), "rising")  # rank 3 is worth as much as rank 1, and rank 2 the half
    document = certificate_of(metric, "Pri", True, 3)
    assert document["scope"]["ranked"] == 2
    with monkeypatch.context() as patch:
        patch.setattr(bounded_symbols, "_has_shape", lambda *a: True)
        document = certificate_of(metric, "Pri", True, 3)
    assert document["scope"]["ranked"] == 3
    with pytest.raises(InvalidInput, match=r"but .* is not"):
        check_document(document, metric)


def test_the_page_on_bounded_proofs_shows_a_real_case() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lemmas" / "bounded.md").read_text()
    shown = json.loads(page.split("```json\n")[1].split("```")[0])
    document = bounded_proof("RBP", "Pri", True, 2, 1)
    assert shown == {key: document[key] for key in shown}
    assert list(shown) == ["settings", "trees", "differences", "variables", "polynomials"]
