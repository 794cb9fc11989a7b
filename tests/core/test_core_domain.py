"""Topics and instances: what is not one is turned down, with what, where, and what was expected."""

import dataclasses
from fractions import Fraction
from typing import Any

import pytest

from axiomcheck.core.domain import Instance, Topic, exact
from axiomcheck.core.errors import InvalidInput

HALVES = ["1/2", "1/2"]


def topic(**pool: list[Any]) -> Topic:
    return Topic(HALVES, pool or {"a": [0, 1], "b": ["1/3", 0.1]})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("0.1", Fraction(1, 10)),
        ("1/3", Fraction(1, 3)),
        (1e-7, Fraction(1, 10**7)),
    ],
)
def test_numbers_are_exact(value: Any, expected: Fraction) -> None:
    assert exact(value, "it") == expected


@pytest.mark.parametrize("value", [True, None, "", "a half", "1/0", float("nan"), float("inf"), [1], {}])
def test_values_that_are_no_numbers_are_named(value: Any) -> None:
    with pytest.raises(InvalidInput, match="the grade: expected") as caught:
        exact(value, "the grade")
    assert repr(value) in str(caught.value)


@pytest.mark.parametrize("value", ["1e99999999", "1E-1000", "1e1_000_000", "0." + "3" * 400, "1/" + "3" * 400])
def test_texts_of_numbers_that_take_too_long_are_turned_down(value: str) -> None:
    with pytest.raises(InvalidInput, match="the grade: expected a number of at most 400 characters") as caught:
        exact(value, "the grade")
    assert len(str(caught.value)) < 200


def test_a_sum_of_very_many_digits_is_told() -> None:
    weights = [f"1/{10**397 + k}" for k in range(1, 30)]
    with pytest.raises(InvalidInput, match="sum to a fraction of thousands of digits"):
        Topic(weights, {})


@pytest.mark.parametrize(
    ("weights", "pool", "message"),
    [
        ([], {}, "at least one aspect"),
        (["1/2", "1/3"], {}, "sum to 1 exactly; 1/2, 1/3 sum to 5/6"),
        ([1, 0], {}, "weight of aspect 2: expected a number above 0, got 0"),
        (["x"], {}, "weight of aspect 1: expected a finite number"),
        (HALVES, {"a": [1]}, "document 'a': expected 2 grades, one per aspect, got 1"),
        (HALVES, {"a": [0, "3/2"]}, "grade of document 'a' for aspect 2: expected a number in [0, 1], got 3/2"),
        (HALVES, {"a": [0, False]}, "grade of document 'a': expected a number, got False"),
    ],
)
def test_weights_and_grades_of_no_topic_are_turned_down(
    weights: list[Any], pool: dict[str, list[Any]], message: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        Topic(weights, pool)
    assert message in str(caught.value)


def test_topics_are_exact_immutable_and_hashable() -> None:
    made = Topic([0.1, "9/10"], {"a": [0.3, 1]})
    assert made.weights == (Fraction(1, 10), Fraction(9, 10))
    assert made.pool["a"] == (Fraction(3, 10), Fraction(1))
    assert hash(made) == hash(Topic(["1/10", 0.9], {"a": ["3/10", 1]}))
    assert made == Topic(["1/10", 0.9], {"a": ["3/10", 1]})
    with pytest.raises(TypeError):
        made.pool["a"] = (Fraction(0), Fraction(0))  # type: ignore[index]
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.weights = (Fraction(1),)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("worse", "better", "message"),
    [
        (["a", "c"], ["a"], "worse ranking: document 'c' is not in the pool"),
        (["a", "a"], ["a"], "worse ranking: document 'a' is listed twice"),
    ],
)
def test_documents_of_no_ranking_are_turned_down(worse: list[str], better: list[str], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Instance(topic(), worse, better)
    assert message in str(caught.value)


def test_instances_hold_what_they_were_given() -> None:
    made = Instance(topic(), ["a", "b"], ("b", "a"), small=True)
    assert (made.worse, made.better, made.small) == (("a", "b"), ("b", "a"), True)
    assert made == Instance(topic(), ("a", "b"), ["b", "a"], True)
    assert hash(made) == hash(Instance(topic(), ("a", "b"), ["b", "a"], True))
    assert Instance(topic(), [], []).worse == ()
