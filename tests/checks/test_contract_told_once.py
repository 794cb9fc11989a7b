"""Several alarms of one cause are told once: of metrics without scores."""

from typing import Any

import numpy as np

from axiomcheck import FloatTopic, Metric, metric
from axiomcheck.checks.metric import check_metric
from axiomcheck.reports.check_report import check_report
from axiomcheck.reports.table import report_text
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


@each(("function", "causes"), CAUSES, 5, ids=lambda one: getattr(one, "__name__", ""))
def test_a_cause_has_one_line_with_all_its_checks(function: Any, causes: dict[str, set[str]]) -> None:
    own: Metric = metric(single_aspect=True)(function)
    checked = check_metric(own, [])
    text = report_text(check_report(checked), width=400)
    text = text.partition("contract checks failed")[2]
    lines = [line for line in text.splitlines() if line.startswith("! ")]
    for cause, checks in causes.items():
        [line] = [line for line in lines if cause in line]
        assert checks <= set(line.removeprefix("! ").partition(":")[0].split(", "))
    failing = {outcome.check for outcome in checked.tried.contract if outcome.status in ("failed", "error")}
    assert failing == {name for line in lines for name in line.removeprefix("! ").partition(":")[0].split(", ")}
