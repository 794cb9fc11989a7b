"""Contract checks of the metrics, seeds and metrics that raise which the everyday tests leave out."""

from __future__ import annotations

import pytest

from axiomcheck.metrics import CATALOGUE
from tests.checks.contract_planted import PLANTS, Plant
from tests.checks.test_contract_native import SOUND, what_is_sound_passes
from tests.checks.test_contract_planted import (
    DEPENDS,
    RAISING,
    a_metric_that_raises_gets_an_outcome_of_every_check,
    counterexample_holds_what_it_takes,
    planted_fault_is_found,
    sound_plant_passes,
)
from tests.checks.test_contract_run import (
    KEEPING,
    SEVERAL,
    catalogue_keeps_its_contract,
    does_not_depend_on_the_hash_seed,
)
from tests.support.suites import others

each_other_seed = pytest.mark.parametrize("seed", [1, 2])


@each_other_seed
@pytest.mark.parametrize("plant", PLANTS, ids=repr)
def test_planted_fault_is_found_and_what_is_sound_passes(plant: Plant, seed: int) -> None:
    planted_fault_is_found(plant, seed)
    sound_plant_passes(plant, seed)


@each_other_seed
@pytest.mark.parametrize("plant", DEPENDS, ids=repr)
def test_a_counterexample_holds_what_it_takes_to_see_it_again(plant: Plant, seed: int) -> None:
    counterexample_holds_what_it_takes(plant, seed)


@pytest.mark.parametrize(("kind", "which"), others(RAISING, 10))
def test_a_metric_that_raises_gets_an_outcome_of_every_check(kind: str, which: str) -> None:
    a_metric_that_raises_gets_an_outcome_of_every_check(kind, which)


@pytest.mark.parametrize("name", [name for name in CATALOGUE if name not in KEEPING])
def test_catalogue_keeps_its_contract(name: str) -> None:
    catalogue_keeps_its_contract(name)


@pytest.mark.parametrize("name", others(SEVERAL, 3))
def test_catalogue_does_not_depend_on_the_hash_seed(name: str) -> None:
    does_not_depend_on_the_hash_seed(name)


@pytest.mark.parametrize("name", SOUND)
def test_what_is_sound_passes_with_another_seed(name: str) -> None:
    what_is_sound_passes(name, 1)
