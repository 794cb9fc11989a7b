"""Passports: each trial leaves its answer, and what comes of a cell depends on it."""

import datetime
import gc
import os
import pickle
import sys
import time
from contextlib import closing
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from axiomcheck import Cell, Metric, MetricError, Reading, Verdict, as_metric, find_axiom, parse
from axiomcheck.core.errors import OverLimit
from axiomcheck.decide.search import Settings
from axiomcheck.engine.cells import decide
from axiomcheck.engine.tasks import Task
from axiomcheck.sources.probes import listed
from axiomcheck.sources.provenance import Origin
from axiomcheck.trials import passport as passports
from axiomcheck.trials.calls import OtherProcess
from axiomcheck.trials.fresh_process import FreshProcess, _names_of_clocks, pairs_of_blocks
from axiomcheck.trials.passport import Passport, passport_of
from tests.support.suites import each

PRI = find_axiom("Pri")
DISCOUNTS = 1 / np.log2(np.arange(2, 80))


def gain(grades: Any, weights: Any) -> Any:
    """Sum discounted grades."""
    return np.asarray(grades, dtype=float)[..., 0] @ DISCOUNTS[: grades.shape[1]]


def first_three(grades: Any, weights: Any) -> Any:
    """Sum the grades of three ranks, without saying so."""
    return gain(grades[:, :3], weights)


def by_name(topic: Any, ranking: Any) -> float:
    """Prefer one document by its name."""
    return sum((2.0 if name == "d2" else 1.0) * topic.pool[name][0] / k for k, name in enumerate(ranking, start=1))


def passport(given: Any, *, proofs: bool = True, probed: bool = True) -> Passport:
    metric = given if isinstance(given, Metric) else as_metric(given, given.__name__)
    return passport_of(metric, PRI, small=False, seed=0, proofs=proofs, probed=probed)


def test_metrics_of_the_catalogue_pass_without_a_trial() -> None:
    metric = parse("RBP")
    assert passport(metric) == Passport(metric, metric, metric, Origin.CATALOGUE, True, None, None, None, "")


def test_each_trial_leaves_its_answer() -> None:
    found = passport(gain)
    assert not found.genuine
    assert found.identity
    assert found.identity == found.identity_when_tried
    assert found.fresh is not None
    assert (found.searched is found.metric, found.names_matter) == (True, "")
    assert found.state_remark() is None


def test_a_cutoff_is_found_and_the_metric_itself_is_left_as_it_is() -> None:
    found = passport(first_three)
    assert (found.metric.cutoff, found.searched.cutoff) == (None, 3)


def test_a_metric_that_was_tried_once_is_not_tried_for_each_axiom_that_does_not_apply(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    once, again = as_metric(first_three, "once"), as_metric(first_three, "again")
    passports.try_once(once)
    tried: list[Metric] = []
    monkeypatch.setattr(passports, "check_metric_is_one_function", lambda metric, small: tried.append(metric))
    for metric in (once, again):
        passports.check_tried(metric, small=False)
    assert tried == [again]


def test_a_metric_that_is_not_one_function_has_no_passport() -> None:
    calls: list[int] = []

    def counting(grades: Any, weights: Any) -> Any:
        calls.append(1)
        return gain(grades, weights) + len(calls)

    with pytest.raises(MetricError, match="when it is called again"):
        passport(counting)


CLOCKS: dict[str, Any] = {
    "time": lambda: time.time() % 2 < 1,
    "ns": lambda: time.monotonic_ns() // 10**9 % 2,
    "text": lambda: time.strftime("%S") < "30",
    "datetime": lambda: datetime.datetime.now(datetime.UTC).second % 2,
    "process": lambda: os.getpid() % 2,
}


def turned_by(clock: Any) -> Any:
    """Return a metric that is upside down at some times, between which a cell may be decided."""
    return lambda grades, weights: gain(grades, weights) * (1 if clock() else -1)


@each("name", list(CLOCKS), 4)
def test_a_metric_that_asks_for_the_time_has_no_passport(name: str) -> None:
    before = time.time, datetime.datetime, perf_counter, os.getpid
    with pytest.raises(MetricError, match=r"depends on the time or on the process|differently|other rankings"):
        passport(as_metric(turned_by(CLOCKS[name]), name))
    assert before == (time.time, datetime.datetime, perf_counter, os.getpid)


def test_a_metric_that_takes_its_own_time_passes() -> None:
    def timed(grades: Any, weights: Any) -> Any:
        began = perf_counter()
        assert isinstance(datetime.datetime.now(), datetime.date)
        assert perf_counter() - began < 60
        return gain(grades, weights)

    assert passport(timed).fresh is not None


@cache
def held_cell() -> Cell:
    """Return the cell of a metric that passes all trials."""
    settings = Settings(examples=100, proofs=False, exhaustive=False)
    (cell,) = decide(Task(PRI, (as_metric(gain, "gain"),), Reading(), settings), lambda share: None)
    assert cell.verdict is Verdict.HELD
    return cell


def test_a_cell_is_stamped_with_what_the_trials_found() -> None:
    held, named = held_cell(), passport(by_name)
    assert "for the same documents called" in named.names_matter
    stamped = named.stamped(held, lambda: pairs_of_blocks(named.metric))
    assert (stamped.verdict, stamped.cause.code) == (Verdict.UNDECIDED, "names-matter")


def test_a_cell_is_an_error_where_a_fresh_process_scores_otherwise() -> None:
    state = {"factor": 1.0}

    def scaled(grades: Any, weights: Any) -> Any:
        return state["factor"] * gain(grades, weights)

    found = passport(scaled)
    held = held_cell()
    assert found.stamped(held, lambda: pairs_of_blocks(found.metric)) == held
    state["factor"] = 2.0
    stamped = found.stamped(held, lambda: pairs_of_blocks(found.metric))
    assert (stamped.verdict, stamped.evidence) == (Verdict.ERROR, None)
    assert "depends on what was scored before it" in stamped.reason


def dies_of_two(topic: Any, ranking: Any) -> float:
    """End the process that scores two documents."""
    return float(len(ranking)) if len(ranking) != 2 else os._exit(3)


def test_a_request_is_not_given_the_answer_to_another_and_may_cost_its_process_alone() -> None:
    metric = as_metric(dies_of_two, "dies_of_two")
    fresh, (two, five, twelve) = FreshProcess(metric), pairs_of_blocks(metric)
    fresh._channel.send(os.urandom(8) + pickle.dumps(([five], False)))  # of a fork that was killed meanwhile
    assert fresh.scores([twelve], better_first=False) == [(12, 1)]
    with pytest.raises(MetricError, match="ended the separate process"):
        fresh.scores([two], better_first=False)
    assert fresh.scores([five], better_first=True) == [(5, 1)]
    fresh.close()


def test_a_process_that_does_not_read_a_long_question_is_late(tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    file.write_text("import time\ntime.sleep(60)\ndef gain(topic, ranking):\n    return 0.0\n")
    with closing(OtherProcess(f"{file}:gain")) as process, pytest.raises(OverLimit, match="longer than 1 s"):
        process.ask([listed(np.zeros((1, 200_000, 1)))], 1.0)


def test_modules_that_finalizers_import_meanwhile_end_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "modules", dict(sys.modules))

    class Imports:
        def __del__(self) -> None:
            sys.modules[f"late {len(sys.modules)}"] = sys
            if len(sys.modules) < most:
                garbage()

    def garbage() -> None:
        made = Imports()
        made.itself = made  # type: ignore[attr-defined]

    most, threshold = len(sys.modules) + 3000, gc.get_threshold()
    garbage()
    try:
        gc.set_threshold(1)
        assert _names_of_clocks()
    finally:
        gc.set_threshold(*threshold)
    assert "late" in "".join(sys.modules)
