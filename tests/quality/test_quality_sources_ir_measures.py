"""The measures of ir_measures that the everyday tests leave out."""

from __future__ import annotations

import pytest

from tests.sources.test_adapters_ir_measures import OTHERS, assert_is_ir_measures
from tests.support.suites import others


@pytest.mark.parametrize("text", others(OTHERS, 3))
def test_is_ir_measures_itself(text: str) -> None:
    assert_is_ir_measures(text)
