"""Verdicts on the functions of the corpus, and proofs of them, that the everyday tests leave out."""

from __future__ import annotations

import pytest

from tests.natural.corpus import CORPUS, Written
from tests.natural.test_natural_corpus import (
    PROVED,
    SECOND_WAY,
    TWINS,
    named,
    natural_code_gets_bounded_proofs,
    no_verdict_is_wrong,
    runs_exactly_or_names_line_and_reason,
    scores_as_its_twin,
)
from tests.support.suites import others

ALIKE = {*PROVED, f"arrays.py:{SECOND_WAY}"}
"""What is looked for wrong verdicts with its proofs, and what scores as another does."""


@pytest.mark.parametrize("written", [one for one in others(CORPUS, 24) if one.name not in ALIKE], ids=named)
def test_no_verdict_is_wrong(written: Written) -> None:
    no_verdict_is_wrong(written)


@pytest.mark.parametrize("written", others(TWINS, 3), ids=named)
def test_a_function_scores_as_its_twin(written: Written) -> None:
    scores_as_its_twin(written)


@pytest.mark.parametrize("name", others(list(PROVED), 6))
def test_natural_code_gets_bounded_proofs(name: str) -> None:
    natural_code_gets_bounded_proofs(name)


def test_the_others_run_exactly_or_name_line_and_reason() -> None:
    for written in others(CORPUS, 5):
        runs_exactly_or_names_line_and_reason(written)
