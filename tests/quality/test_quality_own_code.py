"""Folds proposed for own code that the everyday tests leave out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checks import test_checks_as_fold as folds
from tests.support.suites import others


@pytest.mark.parametrize("name", others(folds.FOUND, 2))
def test_a_function_that_is_a_fold_is_told_which(tmp_path: Path, name: str) -> None:
    folds.is_told_which_fold_it_is(folds.written(tmp_path), name)
