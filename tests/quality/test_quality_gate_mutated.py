"""The mutated contracts and pinned witnesses that the everyday tests leave out."""

from __future__ import annotations

from pathlib import Path

from tests.gating.test_gate_mutated import (
    contracts_are_told_or_judged_rightly,
    mutated_contracts,
    pinned,
    witnesses_are_told_or_make_an_error_or_change_nothing,
)
from tests.support.suites import others

__all__ = ["pinned"]  # a fixture


def test_mutated_contracts_are_told_or_judged_rightly(pinned: Path) -> None:
    contracts_are_told_or_judged_rightly(pinned, dict(others(list(mutated_contracts().items()), 4)))


def test_mutated_witnesses_are_told_or_make_an_error_or_change_nothing(pinned: Path) -> None:
    witnesses_are_told_or_make_an_error_or_change_nothing(pinned, others)
