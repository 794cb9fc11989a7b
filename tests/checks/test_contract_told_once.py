"""Several alarms of one cause are told once: of metrics without scores."""

from axiomcheck import FloatTopic, Metric, metric
from axiomcheck.checks.contract import CHECKS, run_contract
from axiomcheck.checks.metric import Checked, Examined
from axiomcheck.reports.check_report import check_report
from axiomcheck.reports.table import report_text


def two_causes(topic: FloatTopic, ranking: list[str]) -> float:
    if not ranking:
        raise KeyError("empty")
    return len(ranking) / sum(max(grades) > 0 for grades in topic.pool.values())


CAUSES = {"raised KeyError": {"empty-ranking", "nothing-judged"}, "raised ZeroDiv": {"nothing-relevant"}}


def test_a_cause_has_one_line_with_all_its_checks() -> None:
    own: Metric = metric(single_aspect=True)(two_causes)
    outcomes = run_contract(own, checks=[name for name in CHECKS if name != "hash-seed"])
    checked = Checked(own.canonical, (), Examined(tuple(outcomes)))
    text = report_text(check_report(checked), width=400)
    text = text.partition("contract checks failed")[2]
    lines = [line for line in text.splitlines() if line.startswith("! ")]
    for cause, checks in CAUSES.items():
        [line] = [line for line in lines if cause in line]
        assert checks <= set(line.removeprefix("! ").partition(":")[0].split(", "))
    failing = {outcome.check for outcome in checked.tried.contract if outcome.status in ("failed", "error")}
    assert failing == {name for line in lines for name in line.removeprefix("! ").partition(":")[0].split(", ")}
