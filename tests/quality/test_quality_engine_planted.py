"""Planted faults are found whatever the seed; the everyday tests have seed 0 with enumeration."""

from __future__ import annotations

import pytest

from tests.engine.test_engine_planted import as_planted, believed
from tests.support.planted import PLANTED
from tests.support.planted_base import Planted

__all__ = ["believed"]  # a fixture that every test here uses

SEEDS = range(1, 4)
SEEDS_WITHOUT_ENUMERATION = range(3)


@pytest.mark.parametrize("cls", PLANTED, ids=lambda cls: str(cls.name))
def test_found_for_every_seed(cls: type[Planted]) -> None:
    for seed in SEEDS:
        as_planted(cls, seed, exhaustive=True)


@pytest.mark.parametrize("cls", PLANTED, ids=lambda cls: str(cls.name))
def test_found_without_enumeration(cls: type[Planted]) -> None:
    for seed in SEEDS_WITHOUT_ENUMERATION:
        as_planted(cls, seed, exhaustive=False)
