"""Repairs for every pair of assumptions; the everyday tests have one pair in six."""

from __future__ import annotations

from tests.studies.test_weakest_assumptions import EMPTY, PAIRS, named, reaches
from tests.support.suites import others


def test_repair_reaches_pairs_of_assumptions_too() -> None:
    assert {named(*case) for case in others(PAIRS, 6) if not reaches(*case)} == EMPTY & {
        named(*case) for case in others(PAIRS, 6)
    }
