"""Black boxes beside their twins of the catalogue, for the cells that the everyday tests leave out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from axiomcheck.core.domain import Regime
from tests.decide.test_decide_numerical import TWINS, a_black_box_comes_out_as_its_catalogue_twin
from tests.support.suites import others


@pytest.mark.parametrize(("function", "name", "axiom", "regime"), others(TWINS, 5))
def test_a_black_box_comes_out_as_its_catalogue_twin(
    function: Callable[..., float], name: str, axiom: str, regime: Regime
) -> None:
    a_black_box_comes_out_as_its_catalogue_twin(function, name, axiom, regime)
