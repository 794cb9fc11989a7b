"""Hold the names of known definitions to functions that follow them, depart from them, or have no known one."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiomcheck.checks.contract import run_contract
from axiomcheck.checks.definitions import dictionary
from axiomcheck.checks.definitions.dictionary import DEPARTURES, Definition, definitions
from axiomcheck.checks.definitions.known import AspectDefinition, KnownDefinition, aspect_definitions, known_definition
from axiomcheck.checks.definitions.scored import one_aspect, padded, several_aspects
from axiomcheck.core.typing import Array
from axiomcheck.metrics import parse
from axiomcheck.sources.function_metrics import CallableMetric, metric
from axiomcheck.trials.subject import Subject
from tests.checks.contract_planted import alpha_dcg
from tests.support.suites import each, exhaustive, quality

Grades = list[float]


def written(**declared: Any) -> Callable[[Callable[[Grades, Grades], float]], CallableMetric]:
    """Turn a function of the grades of a ranking and of its pool into a metric."""

    def decorate(function: Callable[[Grades, Grades], float]) -> CallableMetric:
        def scored(topic: Any, ranking: list[str]) -> float:
            return function([topic.pool[d][0] for d in ranking], [grades[0] for grades in topic.pool.values()])

        made: CallableMetric = metric(single_aspect=True, **declared)(scored)
        return made

    return decorate


def dcg(grades: Grades, shift: int = 1) -> float:
    return sum(g / math.log2(i + shift) for i, g in enumerate(grades, start=1))


def best_first(grades: Grades) -> Grades:
    return sorted(grades, reverse=True)


def over(total: float, by: float, empty: float = 0.0) -> float:
    return total / by if by else empty


def precisions(grades: Grades) -> float:
    return sum((g > 0) * sum(x > 0 for x in grades[:i]) / i for i, g in enumerate(grades, start=1))


def hits(grades: Grades) -> int:
    return sum(g > 0 for g in grades)


def first_hit(grades: Grades) -> int:
    return next((i for i, g in enumerate(grades, start=1) if g > 0), 0)


WRITTEN: dict[str, tuple[Callable[[Grades, Grades], float], str, tuple[str, ...]]] = {
    "ndcg": (lambda r, p: over(dcg(r[:10]), dcg(best_first(p)[:10])), "nDCG@10", ()),
    "of the retrieved": (lambda r, p: over(dcg(r[:5]), dcg(best_first(r)[:5])), "nDCG@5", ("ideal-retrieved",)),
    "of the first": (lambda r, p: over(dcg(r[:5]), dcg(best_first(r[:5]))), "nDCG@5", ("ideal-first-k",)),
    "uncut": (lambda r, p: over(dcg(r[:5]), dcg(best_first(p))), "nDCG@5", ("ideal-not-cut",)),
    "empty": (
        lambda r, p: over(dcg(r, 2), dcg(best_first(p), 2), 1.0),
        "nDCG",
        ("discount-shifted", "one-without-relevant"),
    ),
    "gain": (lambda r, p: dcg([2**g - 1 for g in r]), "DCG (gain 2^g - 1)", ()),
    "ap": (lambda r, p: over(precisions(r), hits(p)), "AP", ()),
    "ap of hits": (lambda r, p: over(precisions(r), hits(r)), "AP", ("normalised-by-hits",)),
    "ap of min": (lambda r, p: over(precisions(r[:5]), min(5, hits(p))), "AP@5", ("normalised-by-min",)),
    "p of a short list": (lambda r, p: hits(r[:3]) / min(3, len(r)), "P@3", ("normalised-by-retrieved",)),
    "recall": (lambda r, p: over(hits(r[:3]), min(3, hits(p))), "Recall@3", ("normalised-by-min",)),
    "rr off by one": (lambda r, p: 1 / (first_hit(r) + 1) if first_hit(r) else 0.0, "RR", ("rank-shifted",)),
    "rounded": (lambda r, p: round(over(dcg(r[:10]), dcg(best_first(p)[:10])), 4), "nDCG@10", ("rounded",)),
    "ones": (lambda r, p: dcg(r[:5]) / dcg([1.0] * 5), "nDCG@5", ("ideal-all-relevant",)),
    "f2": (lambda r, p: over(5 * hits(r[:10]), 10 + 4 * hits(p)), "F2@10", ()),
    "rbp of any p": (lambda r, p: sum(0.3 * 0.7**i * g for i, g in enumerate(r)), "RBP(p=0.7)", ()),
}


@each("name", list(WRITTEN), 8)
def test_written_definitions_are_named_with_their_departures(name: str) -> None:
    function, known, departures = WRITTEN[name]
    found = known_definition(written()(function))
    assert found.exact
    assert (found.name, tuple(one.name for one in found.differences)) == (known, departures)
    for one in found.differences:
        case = one.counterexample
        pool = [grades[0] for grades in case["topic"]["pool"].values()]
        ranked = [case["topic"]["pool"][d][0] for d in case["rankings"][0]]
        assert math.isclose(function(ranked, pool), case["scores"][0], abs_tol=1e-4)
        assert abs(case["reference"] - case["scores"][0]) > 1e-9


FAULTY: dict[str, tuple[Callable[[Grades, Grades], float], str]] = {
    "short lists": (
        lambda r, p: over(dcg(r[:10]), dcg(best_first(p)[:10])) * (1.0 if len(r) >= 10 else 0.5),
        "nDCG@10 except where the list has fewer than 10 documents",
    ),
    "ideal cut late": (
        lambda r, p: over(dcg(r[:5]), dcg(best_first(p)[:6])),
        "nDCG@5 except where the topic has more than 5 relevant documents",
    ),
}
"""Functions with one fault, and what is true of them as far as a known definition goes."""


@each("name", list(FAULTY), 2)
def test_nothing_false_is_said_of_a_faulty_function(name: str) -> None:
    function, told = FAULTY[name]
    found = known_definition(written()(function))
    assert (found and found.told) == told


@quality
def test_lists_that_are_completed_are_told() -> None:
    def scored(topic: Any, ranking: list[str]) -> float:
        grades = [topic.pool[d][0] for d in [*ranking, *(d for d in topic.pool if d not in ranking)]]
        return over(dcg(grades[:5]), dcg(best_first(grades)[:5]), 1.0)

    found = known_definition(metric(single_aspect=True)(scored))
    assert (found.told, found.exact) == ("nDCG@5 except one-without-relevant, list-completed", True)
    assert found.differences[1].counterexample["rankings"] == [["d1"]]


def of_names(function: Callable[[Grades, Grades], float], left_out: bool) -> CallableMetric:
    """Turn a function of grades into one that leaves documents without a judgment out, or gives them grade 0."""

    def scored(topic: Any, ranking: list[str]) -> float:
        kept = [d for d in ranking if not left_out or d in topic.pool]
        return function([topic.pool.get(d, (0,))[0] for d in kept], [grades[0] for grades in topic.pool.values()])

    made: CallableMetric = metric(single_aspect=True)(scored)
    return made


def test_documents_without_a_judgment_that_are_left_out_are_told() -> None:
    function, _, departures = WRITTEN["of the retrieved"]
    usual, condensed = (known_definition(of_names(function, left_out)) for left_out in (False, True))
    assert condensed is not None
    assert [one.name for one in usual.differences] == list(departures)
    assert [one.name for one in condensed.differences] == [*departures, "unjudged-left-out"]
    one = condensed.differences[-1].counterexample
    assert one["rankings"][0] == ["unjudged", "d1"]
    assert one["scores"][0] > one["reference"]


def bpref(topic: Any, ranking: list[str], left_out: bool = True) -> float:
    relevant = [d for d, grades in topic.pool.items() if grades[0] > 0]
    most, above, total = min(len(relevant), len(topic.pool) - len(relevant)), 0, 0.0
    for d in ranking:
        if d in relevant:
            total += 1 - min(above, most) / most if most else 1.0
        elif d in topic.pool or not left_out:
            above += 1
    return total / len(relevant) if relevant else 0.0


def test_bpref_leaves_documents_without_a_judgment_out() -> None:
    def counted(topic: Any, ranking: list[str]) -> float:
        return bpref(topic, ranking, left_out=False)

    for function, told in ((bpref, "bpref"), (counted, "bpref except unjudged-irrelevant")):
        found = known_definition(metric(single_aspect=True)(function))
        assert found.told == told


def test_a_declared_departure_passes_and_any_other_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    function = WRITTEN["of the first"][0]
    computed = {id(function): known_definition(written()(function)), id(strange): None}
    now = id(function)
    monkeypatch.setattr("axiomcheck.checks.definitions.known.known_definition", lambda metric: computed[now])

    def outcome(definition: str) -> tuple[str, str]:
        [found] = run_contract(written(definition=definition)(function), checks=["reference"])
        return found.status, found.reason

    assert outcome("nDCG@5 except ideal-first-k") == ("passed", "it is nDCG@5 except ideal-first-k, as declared")
    for other in ("nDCG@5", "nDCG@10 except ideal-first-k", "nDCG@5 except ideal-retrieved", "AP"):
        assert outcome(other) == ("failed", f"it is declared to be {other}, but it is nDCG@5 except ideal-first-k")
    now = id(strange)
    assert outcome("AP") == ("failed", "it is declared to be AP, but no known definition gives these scores")


def test_a_cutoff_is_named_by_the_deepest_rank_that_earns() -> None:
    found = known_definition(written()(lambda r, p: over(1, first_hit(r[:25]))))
    assert (found.told, found.exact) == ("RR@25", True)


def test_a_condition_is_no_departure_to_declare() -> None:
    [found] = run_contract(
        written(definition="AP except where several documents are relevant")(WRITTEN["ap"][0]), checks=["reference"]
    )
    assert found.status == "error"
    assert "is not a known departure" in found.reason


def strange(ranked: Grades, pool: Grades) -> float:
    return sum(g * math.exp(-((i / 3) ** 2)) for i, g in enumerate(ranked))


def test_strange_functions_have_no_name() -> None:
    assert known_definition(written()(strange)) is None


def test_a_function_that_raises_has_no_name() -> None:
    def broken(ranked: Grades, pool: Grades) -> float:
        raise ValueError("no")

    assert known_definition(written()(broken)) is None


# ---------------------------------------------------------------------------------------------- several aspects


def of_aspects(function: Callable[[Array, Array], Array]) -> KnownDefinition | None:
    made: CallableMetric = metric()(function)
    return known_definition(made)


def discounts(grades: Array) -> Array:
    return 1 / np.log2(np.arange(2, grades.shape[1] + 2))


def largest(grades: Array, weights: Array) -> Array:
    return (grades.max(axis=2) * discounts(grades)).sum(axis=1)


def novel(grades: Array, weights: Array) -> Array:
    hits = grades > 0
    gain = (grades * 0.5 ** (np.cumsum(hits, axis=1) - hits)).sum(axis=2)
    return (gain * discounts(grades)).sum(axis=1)


COMBINED: list[tuple[Callable[[Array, Array], Array], str, str | None]] = [
    (largest, "DCG", "of each document's largest grade"),
    (lambda grades, weights: largest(grades[..., :1], weights), "DCG", "of the first aspect only"),
    (novel, "alpha-nDCG(alpha=0.5)@inf", None),
    (lambda grades, weights: (grades.sum(axis=2) * discounts(grades)).sum(axis=1), "DCG", "the sum over aspects"),
    (
        lambda grades, weights: (grades.prod(axis=2) * discounts(grades)).sum(axis=1),
        "",
        "several aspects are combined in an unknown way",
    ),
]


@each(("function", "name", "aspects"), COMBINED, 4)
def test_combinations_of_aspects_are_named(
    function: Callable[[Array, Array], Array], name: str, aspects: str | None
) -> None:
    found = of_aspects(function)
    assert name in ("", found.name)
    assert aspects in (None, found.aspects)


def test_weights_of_aspects_that_have_no_effect_are_told() -> None:
    def alike(name: str) -> CallableMetric:
        known = parse(name)

        def scored(topic: Any, ranking: list[str]) -> float:
            aspects, order = len(topic.weights), [list(topic.pool).index(d) for d in ranking]
            pool, equal = np.array([list(topic.pool.values())]), np.full((1, aspects), 1 / aspects)
            return float(known.evaluate(pool, equal, np.array([order]))[0])

        made: CallableMetric = metric()(scored)
        return made

    found = known_definition(alike("RBU@20"))
    assert (found.told, found.exact) == (f"{parse('RBU@20').canonical} except weights-ignored", True)
    weights = found.differences[0].counterexample["topic"]["weights"]
    assert len(set(weights)) > 1
    found = known_definition(alike("ERR-IA@20"))
    assert (found.told, found.exact) == ("ERR@20, the mean over aspects with equal weights", True)


def test_an_ideal_of_alpha_ndcg_that_is_none_is_told() -> None:
    def scored(topic: Any, ranking: list[str]) -> float:
        by_own_gain = sorted(ranking, key=lambda d: -round(sum(topic.pool[d]), 9))
        return over(alpha_dcg(topic, ranking[:10]), alpha_dcg(topic, by_own_gain[:10]))

    found = known_definition(metric()(scored))
    assert (found.name, found.exact) == ("alpha-nDCG-greedy(alpha=0.5)@10", True)
    assert [one.name for one in found.differences] == ["ideal-retrieved", "ideal-static"]
    one = found.differences[0]
    assert list(one.counterexample["topic"]["pool"].values()) == [[1.0, 0.0], [0.0, 1.0]]
    assert (one.metric_sum, one.standard_sum) == ("1", "(1) / 1.631 = 0.6131")


@exhaustive
def test_every_definition_of_several_aspects_is_told_from_every_other_one() -> None:
    blocks = several_aspects(Subject(parse("alpha-nDCG-greedy")))
    seen: dict[bytes, AspectDefinition] = {}
    for definition in aspect_definitions(None):
        scores = np.concatenate([np.round(definition.scores(block), 10) for block in blocks]).tobytes()
        assert scores not in seen, (definition, seen[scores])
        seen[scores] = definition
    assert len(seen) > 100


# ------------------------------------------------------------------------------------------------ the dictionary


def test_every_definition_is_told_from_every_other_one() -> None:
    seen: dict[bytes, Definition] = {}
    subject = Subject(parse("nDCG"))
    blocks = one_aspect(subject)
    parts = padded(blocks, [np.zeros(block.size) for block in blocks], 4)
    count = 0
    for definition in definitions((None, 5, 10), 0.7):
        scores = np.concatenate([np.round(definition.scores(part.rankings), 10) for part in parts]).tobytes()
        assert scores not in seen, (definition.name, definition.departures, seen[scores])
        seen[scores] = definition
        count += 1
    assert count > 400


def test_each_departure_belongs_to_a_definition_and_has_a_section() -> None:
    every = [*definitions((None, 5)), *aspect_definitions(5)]
    used = {name for definition in every for name in definition.departures}
    assert used | {"rounded", "unjudged-left-out", "unjudged-irrelevant", "list-completed"} == set(DEPARTURES)
    page = Path(dictionary.__file__).parents[3] / "docs" / "reference" / "definitions.md"
    headings = {
        line[3:].strip("` ") for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("## ")
    }
    assert headings >= set(DEPARTURES)


@pytest.mark.parametrize("scale", [1e-310, 1e160, 1e307])
def test_scores_of_any_size_are_looked_at(scale: float) -> None:
    """Squares of such scores, and the scores as float32, are out of range."""

    @metric(single_aspect=True)
    def scaled(grades: Array, weights: Array) -> Array:
        return scale * (grades[:, :, 0] * 0.25 ** np.arange(1, grades.shape[1] + 1)).sum(axis=1)

    definition = known_definition(scaled)
    assert definition is None or definition.sentence
