"""Every metric of ranx, and ranx asked by its own objects: what it compiles takes most of two minutes."""

from __future__ import annotations

import pytest

from tests.sources.test_adapters_ranx import METRICS, OTHERS, assert_agrees, assert_is_ranx

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("text", METRICS)
def test_is_ranx_itself(text: str) -> None:
    assert_is_ranx(text, objects=True)


@pytest.mark.parametrize(("text", "name"), OTHERS)
def test_agrees_with_the_catalogue(text: str, name: str) -> None:
    assert_agrees(text, name)
