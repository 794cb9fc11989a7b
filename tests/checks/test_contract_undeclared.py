"""A cutoff that a metric has and does not declare is found by probing, and no other metric gets that hint."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from axiomcheck import Domain, InvalidInput, Reading, Regime, Verdict, find_axiom, metric
from axiomcheck.checks.contract import run_contract
from axiomcheck.decide.search import Settings
from axiomcheck.engine.cells import decide
from axiomcheck.engine.tasks import Task
from axiomcheck.metrics import CATALOGUE, Metric, parse
from axiomcheck.records.cells import Cell, violation_sentence
from axiomcheck.reports.matrix_report import matrix_report, to_markdown
from axiomcheck.reports.table import report_text
from axiomcheck.trials.consistency import RANKS, undeclared_cutoff
from tests.checks.contract_planted import dcg, graded, ideal, over
from tests.reports.reports_ledgers import made_up
from tests.support.suites import each

Array = Any
FEW = Settings(examples=50, proofs=False)
HINT = "probes show that it ignores everything below rank {0}, so longer rankings were not tested; declare cutoff={0}"


def ndcg(grades: Array, pool: Array, cutoff: int | None) -> Array:
    return over(dcg(grades, cutoff), ideal(pool, cutoff))


def reciprocal(grades: Array, depth: int) -> Array:
    """RR of the first ranks; stops at the first document that is relevant."""
    seen = grades[:, :depth, 0] > 0
    ranks = np.arange(1, seen.shape[1] + 1)
    return (np.where(seen, 1 / ranks, 0)).max(axis=1, initial=0)


class CutIn(type(parse("RBP"))):  # type: ignore[misc]
    """A class that cuts in its kernel."""

    def kernel(self, a: Any, grades: Array, weights: Array, pool: Array) -> Array:
        return super().kernel(a, grades[..., :7, :], weights, pool)


@pytest.mark.parametrize(
    ("made", "cutoff"),
    [
        (lambda: graded()(lambda grades, weights, pool: ndcg(grades, pool, 10)), 10),
        (lambda: graded()(lambda grades, weights: dcg(grades, 49)), 49),
        (lambda: graded()(lambda grades, weights: reciprocal(grades, 20)), 20),
        (lambda: metric()(lambda grades, weights: (grades[:, :3] * weights[:, None]).sum(axis=(1, 2))), 3),
        (lambda: CutIn(None), 7),
        # no such rank, or none that is seen
        (lambda: graded()(lambda grades, weights, pool: ndcg(grades, pool, None)), None),
        (lambda: graded()(lambda grades, weights: reciprocal(grades, 1000)), None),
        (lambda: graded()(lambda grades, weights: dcg(grades, RANKS)), None),
        (lambda: graded()(lambda grades, weights: 1 - (1 - grades[:, :, 0] / 2).prod(axis=1)), None),
        (lambda: graded()(lambda grades, weights: (grades[..., 0] @ 0.8 ** np.arange(grades.shape[1])).round(4)), None),
        (lambda: graded()(lambda grades, weights: dcg(grades, 10) - 0.001 * grades.shape[1]), None),
        (lambda: graded()(lambda grades, weights: dcg(grades, 10 if grades[:, :, 0].sum() <= 60 else 20)), None),
        (lambda: graded()(lambda grades, weights: (grades[:, :, 0] > 0).sum(1) // 2), None),
        (lambda: graded()(lambda grades, weights: np.full(len(grades), np.nan)), None),
        (lambda: graded(cutoff=10)(lambda grades, weights: dcg(grades, 10)), None),
    ],
)
def test_the_cutoff_that_is_found(made: Callable[[], Metric], cutoff: int | None) -> None:
    assert undeclared_cutoff(made()) == cutoff


@each("name", list(CATALOGUE), 12)
def test_the_catalogue_has_no_cutoff_that_it_does_not_declare(name: str) -> None:
    with suppress(InvalidInput):  # it needs a cutoff
        assert undeclared_cutoff(CATALOGUE[name](None)) is None


def _cell(of: Metric, axiom: str) -> Cell:
    task = Task(find_axiom(axiom), (of,), Reading(Regime.FINITE, Domain.GRADED), FEW)
    [cell] = decide(task, lambda share: None)
    ledger = made_up(cell)
    for text in (to_markdown(ledger).replace("\\", ""), report_text(matrix_report(ledger), width=1000)):
        assert ("probes show" in text) == (cell.undeclared_cutoff is not None)
    return cell


def test_a_correct_metric_with_an_undeclared_cutoff_is_searched_as_if_it_were_declared() -> None:
    undeclared = graded(name="ndcg10")(lambda grades, weights, pool: ndcg(grades, pool, 10))
    declared = graded(name="ndcg10", cutoff=10)(lambda grades, weights, pool: ndcg(grades, pool, 10))
    cell, other = _cell(undeclared, "Pri"), _cell(declared, "Pri")
    assert cell.verdict is other.verdict is Verdict.HELD
    assert cell.evidence.undeclared_cutoff == 10
    assert cell.reason.startswith(f"{other.reason}; {HINT.format(10)}")


def test_a_violation_within_the_first_ranks_is_found_and_is_not_due_to_the_cutoff() -> None:
    cell = _cell(graded()(lambda grades, weights: dcg(grades, 10)), "Conf")
    assert cell.verdict is Verdict.REFUTED
    assert len(cell.witness.better) <= 10
    assert "probes" not in cell.reason + violation_sentence(cell)


def test_a_rank_that_counts_again_deeper_down_is_no_cutoff() -> None:
    """Nothing is hidden behind a cutoff that is none."""

    def gap(grades: Array, weights: Array) -> Array:
        return dcg(grades, 4) + 0.01 * grades[:, 5:, 0].sum(axis=1)

    assert undeclared_cutoff(graded()(gap)) is None
    assert _cell(graded()(gap), "Deep").verdict is Verdict.REFUTED


def test_the_contract_says_so_too() -> None:
    undeclared = graded()(lambda grades, weights, pool: ndcg(grades, pool, 10))
    [outcome] = run_contract(undeclared, checks=["below-cutoff"])
    assert outcome.status == "not-applicable"
    assert outcome.reason.startswith("there is no cutoff; " + HINT.format(10))
    [outcome] = run_contract(graded()(lambda grades, weights: dcg(grades)), checks=["below-cutoff"])
    assert outcome.reason == "there is no cutoff"
