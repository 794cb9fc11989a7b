"""Several alarms of one cause are told once: of metrics without scores."""

from typing import Any

from axiomcheck import FloatTopic, Metric, metric
from axiomcheck.checks.contract import run_contract
from axiomcheck.checks.metric import Checked, Examined
from axiomcheck.reports.check_report import check_report
from axiomcheck.reports.table import report_text
from tests.support.suites import each

Array = Any


def mean_of_found(grades: Array, weights: Array) -> Array:
    return grades.sum(axis=(1, 2)) / (grades > 0).sum(axis=(1, 2))


def share_of_relevant(topic: FloatTopic, ranking: list[str]) -> float:
    return len(ranking) / sum(max(grades) > 0 for grades in topic.pool.values())


def two_causes(topic: FloatTopic, ranking: list[str]) -> float:
    if not ranking:
        raise KeyError("empty")
    return share_of_relevant(topic, ranking)


CAUSES = [
    (mean_of_found, {"scores nan": {"finite", "empty-ranking", "nothing-relevant"}}),
    (two_causes, {"raised KeyError": {"empty-ranking", "nothing-judged"}, "raised ZeroDiv": {"nothing-relevant"}}),
]


@each(("function", "causes"), CAUSES, 2, ids=lambda one: getattr(one, "__name__", ""))
def test_a_cause_has_one_line_with_all_its_checks(function: Any, causes: dict[str, set[str]]) -> None:
    own: Metric = metric(single_aspect=True)(function)
    checked = Checked(own.canonical, (), Examined(tuple(run_contract(own))))
    text = report_text(check_report(checked), width=400)
    text = text.partition("contract checks failed")[2]
    lines = [line for line in text.splitlines() if line.startswith("! ")]
    for cause, checks in causes.items():
        [line] = [line for line in lines if cause in line]
        assert checks <= set(line.removeprefix("! ").partition(":")[0].split(", "))
    failing = {outcome.check for outcome in checked.tried.contract if outcome.status in ("failed", "error")}
    assert failing == {name for line in lines for name in line.removeprefix("! ").partition(":")[0].split(", ")}
