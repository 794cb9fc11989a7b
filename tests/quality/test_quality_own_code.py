"""Thresholds of own code, and folds proposed for it, that the everyday tests leave out."""

from __future__ import annotations

from pathlib import Path

import pytest

from axiomcheck.core.verdict import Verdict
from tests.checks import test_checks_as_fold as folds
from tests.proof import test_proof_own_ranks as ranks
from tests.support.suites import others


@pytest.mark.parametrize(("name", "lemma", "deep", "close"), others(ranks.FOUND, 3))
def test_what_is_a_sum_over_ranks_is_decided_at_every_n(
    tmp_path: Path, name: str, lemma: str, deep: Verdict, close: Verdict
) -> None:
    ranks.sum_over_ranks_is_decided_at_every_n(ranks.own(ranks.written(tmp_path), name), lemma, deep, close)


@pytest.mark.parametrize("name", others(folds.FOUND, 2))
def test_a_function_that_is_a_fold_is_told_which(tmp_path: Path, name: str) -> None:
    folds.is_told_which_fold_it_is(folds.written(tmp_path), name)
