"""The table of functions: its rows are well formed, and say which parameter gets what."""

from typing import Any

import msgspec
import pytest

from axiomcheck import FloatTopic, InvalidInput, MetricError
from axiomcheck.sources.adapters import ADAPTERS
from axiomcheck.sources.adapters.function_adapter import KINDS, LIBRARIES, Library, measure

ROW: dict[str, Any] = {
    "package": "pytest",
    "module": __name__,
    "functions": {"precision": {"cutoff": "k", "ranks": 2}},
    "arguments": {"true": "relevant", "listed": "ranking"},
    "source": "here",
}
CASES = [(FloatTopic((1.0,), {"a": (1.0,), "b": (0.0,), "c": (0.5,)}), ranking) for ranking in (["a"], ["b"], [])]


def precision(true: list[str], listed: list[str], k: int = 2) -> float:
    return len(set(true) & set(listed[:k])) / len(listed)


def scores(monkeypatch: pytest.MonkeyPatch, text: str, **changed: Any) -> list[float]:
    monkeypatch.setitem(LIBRARIES, "tests", msgspec.convert(ROW | changed, Library))
    return measure("tests", text).score_rankings(CASES)


def test_each_parameter_gets_what_the_row_says(monkeypatch: pytest.MonkeyPatch) -> None:
    assert scores(monkeypatch, "precision") == [1.0, 0.0, 0.0]  # the empty ranking is not given to it
    assert scores(monkeypatch, "precision(k=1)") == [1.0, 0.0, 0.0]
    swapped = {"true": "ranking", "listed": "relevant"}
    assert scores(monkeypatch, "precision", arguments=swapped) == [0.5, 0.0, 0.0]
    with pytest.raises(MetricError, match=r"pytest .* raised ZeroDivisionError"):
        scores(monkeypatch, "precision", skips=False)
    with pytest.raises(InvalidInput, match="unknown parameter"):
        scores(monkeypatch, "precision(depth=1)")


def test_rows_have_known_kinds_of_arguments_and_a_prefix() -> None:
    functions = [one for library in LIBRARIES.values() for one in (library, *library.functions.values())]
    assert {kind for one in functions for kind in one.arguments.values()} == set(KINDS)
    assert set(LIBRARIES) <= set(ADAPTERS)
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.convert(ROW | {"cutoff": "k"}, Library)
