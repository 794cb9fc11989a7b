"""Code that goes another way for exact numbers than for floats is seen to."""

import functools
import re
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from axiomcheck import Metric, as_metric, exactly, parse
from axiomcheck.core.errors import InvalidInput
from axiomcheck.sources.code_inspection import check_same_branches
from tests.support.unread import unread

Array = Any


def honest(grades: Array, weights: Array) -> Array:
    score = grades[:, 0, 0] * 0
    for rank in range(grades.shape[1]):
        if rank < 2:
            score = score + grades[:, rank, 0]
    return np.where(score > 1, score * exactly("1/2", like=grades), score)


def asks_for_dtype(grades: Array, weights: Array) -> Array:
    if grades.dtype == np.float64:
        grades = grades * 1
    return grades[:, 0, 0]


def helper(x: Any) -> Any:
    return x if type(x) is np.float64 else x + 0


def asks_in_a_helper(grades: Array, weights: Array) -> Array:
    return np.array([helper(x) for x in grades[:, 0, 0]], dtype=grades.dtype)


@functools.lru_cache
def remembered(n: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(1, 2**i) for i in range(n))


def asks_a_cache(grades: Array, weights: Array) -> Array:
    return (grades[..., 0] * exactly(list(remembered(grades.shape[1])), like=grades)).sum(axis=1)


@pytest.mark.parametrize("metric", [as_metric(honest, "mine"), as_metric(asks_a_cache, "cached"), parse("nDCG@3")])
def test_one_definition_for_all_numbers_goes_one_way(metric: Metric) -> None:
    remembered.cache_clear()
    check_same_branches(metric)


@pytest.mark.parametrize("function", [asks_for_dtype, asks_in_a_helper])
def test_code_that_asks_for_the_kind_of_number_is_named(function: Any) -> None:
    where = helper if function is asks_in_a_helper else function
    with pytest.raises(InvalidInput) as error:
        check_same_branches(as_metric(unread(function), "mine"))
    found = re.fullmatch(r"at line (\d+) of test_proof_paths\.py, it behaves, or may behave, .*", str(error.value))
    assert found is not None
    line = int(found[1])
    assert where.__code__.co_firstlineno <= line <= max(end for _, _, end in where.__code__.co_lines() if end)


def test_a_debuggers_trace_is_left_in_place() -> None:
    def mine(frame: Any, event: str, argument: Any) -> None:
        return None

    before = sys.gettrace()
    sys.settrace(mine)
    try:
        check_same_branches(as_metric(honest, "mine"))
        assert sys.gettrace() is mine
    finally:
        sys.settrace(before)
