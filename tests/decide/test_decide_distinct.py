"""Counting distinct instances: right for any portions, and little dearer per key where there are many."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from axiomcheck.decide.distinct import Distinct


@pytest.mark.parametrize("high", [1, 3, 50, 10_000, 2**64 - 1])
def test_the_length_is_the_number_of_different_keys_after_every_portion(high: int) -> None:
    rng = np.random.default_rng(high % 1000)
    distinct, expected = Distinct(), set[int]()
    ends = [np.array(portion, dtype=np.uint64) for portion in ([0, high], [high, 1, 0], [high] * 5)]
    sizes = [0, 1, 1, 2, 700, 3, 0, 90, *rng.integers(0, 400, 30)]
    for keys in [*ends, *(rng.integers(0, high, size, dtype=np.uint64, endpoint=True) for size in sizes)]:
        distinct.add(keys)
        expected |= set(keys.tolist())
        assert len(distinct) == len(expected)


@pytest.mark.parametrize("portions", [10, 100, 1000])
def test_a_key_is_sorted_a_logarithmic_number_of_times(portions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sort, moved = np.sort, 0

    def counting(keys: Any, kind: Any = None) -> Any:
        nonlocal moved
        moved += keys.size
        return sort(keys, kind=kind)

    monkeypatch.setattr("axiomcheck.decide.distinct.np.sort", counting)
    keys = np.random.default_rng(0).permutation(np.arange(portions * 100, dtype=np.uint64)).reshape(portions, 100)
    distinct = Distinct()
    for portion in keys:
        distinct.add(portion)
    assert len(distinct) == keys.size
    assert moved < keys.size * (2 + math.log2(portions))
