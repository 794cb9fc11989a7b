"""Contradictions among axioms, each checked again from the specification, and metrics that separate axioms."""

import re
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import permutations

import numpy as np
import pytest

from axiomcheck import InternalDisagreement, Verdict
from axiomcheck.axioms import AXIOMS, Draft, find_axiom
from axiomcheck.axioms.conf import Confidence
from axiomcheck.core.domain import Reading, Regime
from axiomcheck.metrics.constructed import ConstructedUtility
from research.independence.cycles import Contradiction, Graph, contradictions, maximal_without
from research.independence.graph import (
    Family,
    GradeMeaning,
    Label,
    Topics,
    family_topics,
    instances_of,
    labels_of,
    speaks_of,
)
from research.independence.recheck import faults, is_instance
from research.independence.study import CONDITIONS, Row, _cross_examine, regime_labels
from tests.support.suites import each
from tests.support.transcripts import ROOT

SMALL = (Family(3, 1, True), Family(3, 2, True), Family(4, 2, False), Family(5, 2, False, (1.0,)))


class ReversedConfidence(Confidence):
    """Planted: what Conf says, the other way round."""

    name = "fnoC"

    def rankings(self, d: Draft) -> tuple[np.ndarray, np.ndarray]:
        worse, better = super().rankings(d)
        return better, worse


@lru_cache
def found(regime: Regime) -> tuple[Contradiction, ...]:
    labels = regime_labels(regime)
    graphs = (
        Graph([label for label in labels if speaks_of(label, Reading(regime), grades)], family, grades)
        for grades in GradeMeaning
        for family in SMALL
    )
    return tuple(contradictions(graphs, [*AXIOMS, *CONDITIONS]))


def names(regime: Regime) -> set[frozenset[str]]:
    return {one.names for one in found(regime)}


def test_an_axiom_and_its_reverse_contradict_each_other() -> None:
    labels = labels_of([find_axiom("Pri"), Confidence(), ReversedConfidence()])
    (only,) = contradictions([Graph(labels, Family(2, 1, True), GradeMeaning.AS_GIVEN)], ["Pri", "Conf", "fnoC"])
    assert only.names == {"Conf", "fnoC"}
    assert [(step.axiom, step.worse, step.better) for step in only.cycle] == [
        ("Conf", (0, 1), (0,)),
        ("fnoC", (0,), (0, 1)),
    ]


@each("regime", [Regime.FINITE, Regime.STATED], 2)
def test_every_cycle_is_checked_again_from_the_specification(regime: Regime) -> None:
    assert found(regime)
    for one in found(regime):
        assert faults(one, regime) == []


def stated_on_the_page(regime: Regime, wish: str) -> set[frozenset[str]]:
    """Return the sets that docs/how-to/independence.md says are impossible besides a wish."""
    page = (ROOT / "docs" / "how-to" / "independence.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| `{regime.value}` \| {wish} \| ([^|]*) \|", page, re.MULTILINE)
    return {frozenset(inside.split(", ")) for inside in re.findall(r"\{([^}]*)\}", row)}


@each("regime", [Regime.FINITE, Regime.STATED], 2)
@pytest.mark.parametrize("wish", CONDITIONS)
def test_the_page_has_the_impossible_sets_that_are_found(regime: Regime, wish: str) -> None:
    besides = {one - {wish} for one in names(regime) if one & set(CONDITIONS) == {wish}}
    assert stated_on_the_page(regime, wish) == besides != set()


def test_damaged_cycles_are_noticed() -> None:
    good = next(one for one in found(Regime.FINITE) if one.names == {"Red", "Sat", "monotone"})
    first, *rest = good.cycle
    for damaged, what in [
        (replace(good, cycle=tuple(rest)), "no step is strict"),
        (replace(good, cycle=(first, *rest[:-1])), "does not end where the next begins"),
        (replace(good, cycle=(replace(first, worse=first.better, better=first.worse), *rest)), "no instance"),
        (replace(good, cycle=(replace(first, axiom="MRed"), *rest)), "not among the names"),
        (replace(good, weights=(Fraction(1, 3), Fraction(2, 3))), "no instance"),
        (replace(good, weights=(Fraction(1, 2), Fraction(1))), "sum to 1"),
        (replace(good, grades=GradeMeaning.SMALL), "says nothing"),
        (replace(good, names=frozenset({"Red", "Sat"})), "not among the names"),
        (replace(good, cycle=(first, replace(rest[0], strict=True), *rest[1:])), "is not strict"),
    ]:
        assert any(what in fault for fault in faults(damaged, Regime.FINITE)), what
    assert any("says nothing" in fault for fault in faults(good, Regime.LIMIT))


def exactly(topics: Topics, topic: int) -> tuple[list[Fraction], list[tuple[Fraction, ...]]]:
    weights = [Fraction(int(w), int(topics.weights[topic].sum())) for w in topics.weights[topic]]
    return weights, [tuple(Fraction(float(g)) for g in row) for row in topics.grades[topic]]


@each("family", [Family(3, 1, True), Family(3, 2, False)], 2)
def test_the_graph_misses_no_instance_of_the_specification(family: Family) -> None:
    topics = family_topics(family)
    rankings = [r for n in range(1, 4) for r in permutations(range(3), n)]
    for label in regime_labels(Regime.FINITE):
        part = instances_of(label.axiom, topics)
        for topic in range(topics.size):
            weights, pool = exactly(topics, topic)

            def seen(ranking: tuple[int, ...], pool: list = pool) -> tuple:
                return tuple(pool[d] for d in ranking)

            there = {
                tuple(seen(tuple(int(d) for d in side if d >= 0)) for side in part.documents[k])
                for k in np.flatnonzero(part.topic == topic)
            }
            for worse in rankings:
                for better in rankings:
                    if is_instance(label.axiom.name, weights, pool, worse, better) and worse:
                        # Red has instances on an empty ranking in the words alone: the counts exclude them.
                        assert (seen(worse), seen(better)) in there, label.axiom.name


def test_largest_sets_without_a_forbidden_one() -> None:
    assert maximal_without("abc", [frozenset("ab")]) == [frozenset("ac"), frozenset("bc")]
    assert maximal_without("ab", []) == [frozenset("ab")]


def test_a_label_needs_all_that_it_follows_from() -> None:
    label = Label(Confidence(), ("Conf", "extra"))
    reverse = Label(ReversedConfidence(), ("fnoC",))
    graph = Graph([label, reverse], Family(2, 1, True), GradeMeaning.AS_GIVEN)
    assert graph.consistent(frozenset({"Conf", "fnoC"}))
    assert not graph.consistent(frozenset({"Conf", "extra", "fnoC"}))


def test_a_metric_that_satisfies_a_contradiction_is_a_disagreement() -> None:
    verdicts = {name: Verdict.REFUTED if name == "Conf" else Verdict.HELD for name in AXIOMS}
    rows = [Row("m", verdicts, Verdict.REFUTED, continuous=True)]
    impossible = Contradiction(frozenset({"Pri", "Deep", "continuous"}), GradeMeaning.AS_GIVEN, (), (), ())
    with pytest.raises(InternalDisagreement, match="m appears to satisfy Deep, Pri, continuous"):
        _cross_examine(rows, [impossible])
    _cross_examine(rows, [replace(impossible, names=frozenset({"Pri", other})) for other in ("monotone", "Conf")])


@pytest.mark.parametrize(
    "metric", [ConstructedUtility(cutoff=None), ConstructedUtility(cutoff=None, discount="hyperbolic")]
)
def test_tails_bound_the_blocks(metric: ConstructedUtility) -> None:
    tail = metric.tail()
    for n in range(tail.start, tail.start + 10):
        ratio = sum(metric.discount().real(i) for i in range(n + 1, 2 * n + 1)) / metric.discount().real(1)
        bound = tail.bound(n)
        assert ratio <= bound + 1e-12 < 1 if tail.side == "below" else ratio >= bound - 1e-12 > 1
