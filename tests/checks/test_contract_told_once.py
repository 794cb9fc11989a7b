"""Several alarms of one cause are told once: of metrics without scores, and of wrappers that fill a ranking."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from io import StringIO
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from axiomcheck.checks.contract import Outcome, run_contract
from axiomcheck.checks.metric import check_metric
from axiomcheck.metrics import Metric
from axiomcheck.reports.check_report import print_check
from axiomcheck.sources.function_metrics import FloatTopic, metric
from tests.support.suites import each

Array = Any


def mean_of_found(grades: Array, weights: Array) -> Array:
    return grades.sum(axis=(1, 2)) / (grades > 0).sum(axis=(1, 2))


def infinite_of_nothing(grades: Array, weights: Array) -> Array:
    return np.where(grades.sum(axis=(1, 2)) > 0, 1.0, np.inf)


def share_of_relevant(topic: FloatTopic, ranking: list[str]) -> float:
    return len(ranking) / sum(max(grades) > 0 for grades in topic.pool.values())


def two_causes(topic: FloatTopic, ranking: list[str]) -> float:
    if not ranking:
        raise KeyError("empty")
    return share_of_relevant(topic, ranking)


def lookup(topic: FloatTopic, ranking: list[str]) -> float:
    return topic.pool[ranking[0]][0]


CAUSES = [
    (mean_of_found, {"scores nan": {"finite", "empty-ranking", "nothing-relevant"}}),
    (infinite_of_nothing, {"scores inf": {"finite", "empty-ranking", "nothing-relevant"}}),
    (share_of_relevant, {"raised ZeroDivisionError": {"nothing-relevant", "nothing-judged"}}),
    (two_causes, {"raised KeyError": {"empty-ranking", "nothing-judged"}, "raised ZeroDiv": {"nothing-relevant"}}),
    (lookup, {"raised IndexError": {"empty-ranking", "nothing-judged"}}),
]


@pytest.mark.parametrize(("function", "causes"), CAUSES, ids=lambda one: getattr(one, "__name__", ""))
def test_a_cause_has_one_line_with_all_its_checks(function: Any, causes: dict[str, set[str]]) -> None:
    text = StringIO()
    own: Metric = metric(single_aspect=True)(function)
    checked = check_metric(own, [])
    print_check(Console(file=text, width=400), checked)
    lines = [line for line in text.getvalue().splitlines() if line.startswith("! ")]
    for cause, checks in causes.items():
        [line] = [line for line in lines if cause in line]
        assert checks <= set(line.removeprefix("! ").partition(":")[0].split(", "))
    failing = {outcome.check for outcome in checked.tried.contract if outcome.status in ("failed", "error")}
    assert failing == {name for line in lines for name in line.removeprefix("! ").partition(":")[0].split(", ")}


FILLED = "a ranking is scored as if the rest of the pool were listed after it"
ORDERS: dict[str, Callable[[Iterable[str]], list[str]]] = {
    "as judged": list,
    "last judged first": lambda names: list(names)[::-1],
    "by name": sorted,
    "last name first": lambda names: sorted(names, reverse=True),
}


def failing(function: Callable[[Any, list[str]], float], **declared: Any) -> dict[str, Outcome]:
    """Return the outcomes that failed."""
    outcomes = run_contract(metric(single_aspect=True, **declared)(function))
    return {outcome.check: outcome for outcome in outcomes if outcome.status in ("failed", "error")}


def discounted(gains: Sequence[float]) -> float:
    return math.fsum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains))


def gains_of(topic: Any, names: Iterable[str]) -> list[float]:
    return [topic.pool[name][0] if name in topic.pool else 0.0 for name in names]


@each("order", ORDERS, 4)
def test_a_wrapper_that_fills_rankings_has_one_alarm_that_says_so(order: str) -> None:
    def score(topic: Any, ranking: list[str]) -> float:
        return discounted(gains_of(topic, dict.fromkeys([*ranking, *ORDERS[order](topic.pool)])))

    found = failing(score)
    assert [outcome.reason.startswith(f"{FILLED}: ") for outcome in found.values()] == [True]


@each("cutoff", [2, 3, 5], 3)
def test_what_filling_breaks_of_a_declared_ideal_and_cutoff_is_told_once(cutoff: int) -> None:
    def score(topic: Any, ranking: list[str]) -> float:
        best = discounted(sorted(gains_of(topic, topic.pool), reverse=True)[:cutoff])
        filled = dict.fromkeys([*ranking, *topic.pool])
        return discounted(gains_of(topic, filled)[:cutoff]) / best if best else 0.0

    found = failing(score, low=0, high=1, ideal=True, cutoff=cutoff)
    assert len(found) == 1
    assert all(outcome.reason.startswith(FILLED) for outcome in found.values())


def test_another_fault_of_a_wrapper_that_fills_rankings_keeps_its_alarm() -> None:
    def score(topic: Any, ranking: list[str]) -> float:
        gains = gains_of(topic, dict.fromkeys([*ranking, *topic.pool]))
        return discounted(gains) if any(gains) else math.nan

    found = failing(score)
    assert "nothing-relevant" in found
    assert not found["nothing-relevant"].reason.startswith(FILLED)


def test_what_is_sound_or_ignores_order_is_not_said_to_fill_rankings() -> None:
    def as_given(topic: Any, ranking: list[str]) -> float:
        return discounted(gains_of(topic, dict.fromkeys(ranking)))

    def by_name(topic: Any, ranking: list[str]) -> float:
        return as_given(topic, sorted(ranking))

    def of_the_pool(topic: Any, ranking: list[str]) -> float:
        return math.fsum(gains_of(topic, topic.pool)) / (1 + len(next(iter([*topic.pool, "x"]))))

    assert failing(as_given) == {}
    for function in (by_name, of_the_pool):
        found = failing(function)
        assert found
        assert not any(outcome.reason.startswith(FILLED) for outcome in found.values())
