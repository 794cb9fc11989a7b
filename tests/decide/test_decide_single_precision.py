"""Scores in single precision: its rounding refutes nothing and fails no check, and what is more than that does."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axiomcheck import Cell, Domain, InvalidInput, Metric, Reading, Regime, Verdict, find_axiom, metric
from axiomcheck.checks.contract import run_contract
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.sources.external_metrics import is_single
from axiomcheck.sources.resolve import resolve
from tests.support.suites import each

Array = Any
single = np.float32


def discounts(n: int, third: float = 1 / np.log2(4)) -> Array:
    found = 1 / np.log2(np.arange(2, n + 2))
    found[2:3] = third
    return found.astype(single)


def rbp(grades: Array, weights: Array) -> Array:
    gains = grades[:, :, 0].astype(single)
    return single(0.2) * (gains * single(0.8) ** np.arange(gains.shape[1], dtype=single)).sum(axis=1)


def ndcg(grades: Array, weights: Array, pool: Array, **wrong: float) -> Array:
    found, best = grades[:, :, 0].astype(single), -np.sort(-pool[:, :, 0].astype(single), axis=1)
    gain, ideal = ((gains * discounts(gains.shape[1], **wrong)).sum(axis=1) for gains in (found, best))
    return np.where(ideal > 0, gain / np.where(ideal > 0, ideal, 1), single(0))


def ndcg_wrong(grades: Array, weights: Array, pool: Array) -> Array:
    """Let the third rank count for 1e-4 more than the second."""
    return ndcg(grades, weights, pool, third=1 / np.log2(3) + 1e-4)


def share(topic: Any, ranking: Any) -> float:
    """Divide the grades by themselves: 1, which appending a document leaves as it is, but for the last digits."""
    thirds = whole = single(0)
    for name in ranking:
        for grade in topic.pool[name]:
            thirds, whole = thirds + single(grade) / single(3), whole + single(grade)
    return float(thirds / whole * single(3)) if whole else 0.0


def cell(made: Metric, axiom: str, regime: Regime = Regime.FINITE) -> Cell:
    reading, settings = Reading(regime, Domain.GRADED), Settings(examples=300)
    return run_matrix([made], [find_axiom(axiom)], reading, settings).cells[0]


def made(function: Callable[..., Any], **declared: Any) -> Metric:
    return metric(name="made", single_aspect=True, **declared)(function)


@each(("function", "axiom", "regime"), [(rbp, "Pri", Regime.FINITE), (ndcg, "Deep", Regime.STATED)], 2)
def test_a_correct_metric_is_not_refuted(function: Callable[..., Any], axiom: str, regime: Regime) -> None:
    found = cell(made(function), axiom, regime)
    assert found.verdict in (Verdict.HELD, Verdict.UNDECIDED), found.reason
    assert found.certificate is None


def test_scores_wrong_by_more_than_rounding_and_ties_that_are_none_of_it_are_refuted() -> None:
    found = cell(made(ndcg_wrong), "Pri")
    assert found.verdict is Verdict.REFUTED
    assert found.witness.scores.arithmetic == "numerical"
    found = cell(made(rbp), "Conf")
    assert (found.verdict, found.witness and found.witness.kind) == (Verdict.REFUTED, "tie")


def test_digits_that_are_declared_are_all_there_are() -> None:
    """Taken for doubles, these scores have noise where digits are missing, and it looks like a violation."""
    alarm, told = (cell(metric(name="share", dtype=dtype)(share), "Sat") for dtype in ("float64", "float32"))
    assert (alarm.verdict, alarm.witness and alarm.witness.kind) == (Verdict.REFUTED, "reversal")
    assert told.verdict in (Verdict.HELD, Verdict.UNDECIDED)


@pytest.mark.parametrize("function", [rbp, ndcg])
def test_a_correct_metric_fails_no_contract_check(function: Callable[..., Any]) -> None:
    declared = {"high": 1.0, "ideal": function is ndcg, "low": 0.0, "monotone": True}
    outcomes = run_contract(made(function, **declared))
    assert [one for one in outcomes if one.status in ("failed", "error")] == []
    [finite] = [one for one in outcomes if one.check == "finite"]
    assert finite.cases > 100


def unlike_in_batches(by: float) -> Callable[..., Any]:
    return lambda grades, weights: rbp(grades, weights) + single(by if len(grades) > 1 else 0)


def unlike_again(by: float) -> Callable[..., Any]:
    rng = np.random.default_rng(0)

    def function(grades: Array, weights: Array) -> Array:
        return rbp(grades, weights) + single(by * rng.integers(2))

    return function


@pytest.mark.parametrize(("fault", "check"), [(unlike_in_batches, "batch-as-alone"), (unlike_again, "repeatable")])
def test_noise_of_the_last_digits_passes_and_more_does_not(fault: Callable[..., Any], check: str) -> None:
    for by, status in ((3e-7, "passed"), (1e-4, "failed")):
        [outcome] = run_contract(made(fault(by)), checks=[check])
        assert outcome.status == status, outcome.reason
    in_doubles = fault(3e-7)
    [outcome] = run_contract(made(lambda grades, weights: in_doubles(grades, weights).astype(float)), checks=[check])
    assert outcome.status == "failed"


def half(grades: Array, weights: Array) -> Array:
    scores = grades[:, :, 0].sum(axis=1)
    return scores.astype(single) if len(grades) > 64 else scores


def test_a_metric_is_single_as_soon_as_it_shows_it_in_every_copy_and_has_no_certificate() -> None:
    """Exact numbers would prove what single precision does not do."""
    gain = made(half)
    copied = gain.with_exactness(gain._exactness)  # type: ignore[attr-defined]
    assert (is_single(gain), gain.numerical(small=False)) == (False, "")
    copied.evaluate(np.ones((65, 1, 1)), np.ones((65, 1)), np.zeros((65, 1), dtype=np.int64))
    assert is_single(gain)
    assert "single precision" in gain.numerical(small=False)
    found = cell(made(half), "AspDiv")
    assert (found.certificate, found.verdict.satisfied and found.verdict is not Verdict.HELD) == (None, False)


def test_digits_are_declared_in_a_table_too(tmp_path: Path) -> None:
    file, table = tmp_path / "own.py", tmp_path / "axiomcheck.toml"
    file.write_text("def gain(topic, ranking):\n    return float(len(ranking))\n")
    table.write_text('[declared."own.py:gain"]\ndtype = "float32"\n')
    assert is_single(resolve(f"{file}:gain"))
    table.write_text('[declared."own.py:gain"]\ndtype = "float16"\n')
    with pytest.raises(InvalidInput, match="dtype"):
        resolve(f"{file}:gain")
    with pytest.raises(InvalidInput, match="dtype is 'float16'; expected one of 'float32', 'float64'"):
        metric(dtype="float16")  # type: ignore[arg-type]
