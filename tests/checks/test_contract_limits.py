"""A limit on time or memory leaves the contract checks that had ended, and names the option that raises it."""

from pathlib import Path

import pytest

from axiomcheck import find_axiom, parse
from axiomcheck.checks import metric
from axiomcheck.checks.contract import CHECKS, Outcome, run_contract
from axiomcheck.checks.metric import check_contract
from axiomcheck.decide.search import Settings
from axiomcheck.engine.events import Interrupted
from axiomcheck.engine.tasks import External
from axiomcheck.processes.isolation import Limits, Workers
from axiomcheck.sources.resolve import resolve
from axiomcheck.trials import calls
from tests.support.suites import quality

HANGING = """
import time

def score(topic, ranking):
    if {condition}:
        {hangs}
    return sum(topic.pool[d][0] for d in ranking if d in topic.pool)
"""


def outcomes_of(folder: Path, limits: Limits, hangs: str, condition: str = "True") -> list[Outcome]:
    """Return what comes of every contract check of a metric that does that now and then."""
    file = folder / "mine.py"
    file.write_text(HANGING.format(condition=condition, hangs=hangs), encoding="utf-8")
    with Workers(1, limits) as workers:
        outcomes = list(check_contract(External(f"{file}:score"), 0, workers).contract)
    assert [outcome.check for outcome in outcomes] == list(CHECKS)
    return outcomes


def test_checks_that_ended_before_the_limit_are_told(tmp_path: Path) -> None:
    outcomes = outcomes_of(tmp_path, Limits(1.0, 2048), "while True: pass", "not ranking")
    at = list(CHECKS).index("empty-ranking")
    assert outcomes[0].status == "passed"
    assert {outcome.status for outcome in outcomes[:at]} <= {"passed", "not-applicable"}
    assert (outcomes[at].status, outcomes[at].reason) == ("error", "ran past the limit of 1 s (--timeout)")
    assert {(outcome.status, outcome.needs) for outcome in outcomes[at + 1 :]} == {
        ("not-applicable", "more time: --timeout")
    }


def test_checks_of_a_metric_that_prints_do_not_count_if_time_runs_out(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(HANGING.format(condition="print() or not ranking", hangs="while True: pass"), encoding="utf-8")
    with Workers(1, Limits(1.0, 2048)) as workers:
        (outcome,) = check_contract(External(f"{file}:score"), 0, workers).contract
    assert (outcome.check, outcome.status) == ("contract", "error")
    assert outcome.reason == "ran past the limit of 1 s (--timeout)"


def test_a_process_that_ends_itself_leaves_no_shorter_row_of_checks(tmp_path: Path) -> None:
    ends = "__import__('os')._exit(0)"
    outcomes = outcomes_of(tmp_path, Limits(30, 2048), ends, "len(set(ranking)) < len(ranking)")
    [twice] = [outcome for outcome in outcomes if outcome.check == "document-twice"]
    assert (twice.status, "exit code 0" in twice.reason) == ("error", True)


def test_a_slow_process_of_the_hash_seed_check_is_no_failed_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.py"
    condition = "__import__('os').environ.get('PYTHONHASHSEED') in ('1', '2')"
    file.write_text(HANGING.format(condition=condition, hangs="time.sleep(1000)"), encoding="utf-8")
    monkeypatch.setattr(calls, "CASES_SECONDS", 0.3)
    [outcome] = run_contract(resolve(f"{file}:score"), checks=["hash-seed"])
    assert (outcome.status, outcome.needs) == ("not-applicable", "a metric that answers within the time limit")
    assert "took longer than 0.3 s in a separate process" in outcome.reason


@quality
def test_a_check_that_meets_the_limit_on_memory_names_the_option(tmp_path: Path) -> None:
    outcomes = outcomes_of(tmp_path, Limits(20.0, 500), "__import__('numpy').ones(400_000_000)")
    told = [outcome.reason for outcome in outcomes if outcome.status == "error"]
    assert told
    assert all("seems to have needed more than the limit of 500 MB (--memory): " in reason for reason in told)


def test_an_interrupted_contract_is_an_interrupted_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(metric, "check_contract", interrupted)
    with pytest.raises(Interrupted) as caught:
        metric.check_metric(parse("RBP"), [find_axiom("Pri")], settings=Settings(proofs=False, examples=10))
    assert [cell.axiom for cell in caught.value.ledger.cells] == ["Pri"]


def test_a_metric_that_never_ends_is_told_after_one_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.py"
    file.write_text(HANGING.format(condition="True", hangs="while True: pass"), encoding="utf-8")

    def never(*_: object, **__: object) -> None:
        raise AssertionError("the metric is asked again")

    monkeypatch.setattr(metric, "check_contract", never)
    checked = metric.check_metric(External(f"{file}:score"), [find_axiom("Pri")], limits=Limits(0.5, 2048))
    limit = "ran past the limit of 0.5 s (--timeout)"
    assert {cell.reason for cell in checked.cells} == {f"{limit} when it was loaded and tried"}
    assert [(one.check, one.reason) for one in checked.tried.contract] == [("contract", limit)]
