"""Every adapter: the scores of its library, names that parse back, refusals that say what to do, no memory of a call.

`tests.sources.adapter_table.LISTED` has a row per adapter, and says what its measures have to be worth.
"""

import importlib.metadata
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from axiomcheck import FloatTopic, InvalidInput, MetricError, parse
from axiomcheck.checks.contract import run_contract
from axiomcheck.sources.adapters import ADAPTERS, measure
from axiomcheck.sources.adapters.common import quiet
from axiomcheck.sources.resolve import resolve
from tests.sources.adapter_table import LISTED, Adapter
from tests.sources.adapters_topics import assert_same, catalogue_scores, found, random_cases
from tests.support.suites import exhaustive, quality

FIXED = FloatTopic((1.0,), {"d1": (1.0,), "d2": (0.0,), "d3": (0.5,), "d4": (0.0,)})
RANKINGS = [["d1", "d2", "d3"], ["d2", "d3"], ["d4"], ["d3", "d1"]]


def suite_of(number: int, step: int) -> list[pytest.MarkDecorator]:
    """Return the mark of a row by its number, of which everyday rows have none."""
    return [quality if number % 12 == 1 else exhaustive] if number % step else []


def rows(field: str, step: int = 1) -> pytest.MarkDecorator:
    """Parametrize a test over (adapter, measure) of a field; of each adapter's, everyday has every ``step``-th.

    The quality suite has every twelfth of the others, and the exhaustive suite the rest.
    """
    sets = [
        pytest.param(adapter, text, marks=[pytest.mark.extra(adapter.needs), *suite_of(number, step)], id=str(text))
        for adapter in LISTED
        for number, text in enumerate(getattr(adapter, field))
    ]
    return pytest.mark.parametrize(("adapter", "text"), sets)


each_adapter = pytest.mark.parametrize(
    "adapter", [pytest.param(one, marks=pytest.mark.extra(one.needs), id=one.prefix) for one in LISTED]
)


def test_every_adapter_is_listed() -> None:
    assert sorted(adapter.prefix for adapter in LISTED) == sorted(ADAPTERS)


@pytest.mark.parametrize("prefix", ADAPTERS)
def test_a_library_that_is_not_installed_is_told_with_the_command_that_gets_it(
    prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (listed,) = (adapter for adapter in LISTED if adapter.prefix == prefix)
    monkeypatch.delitem(sys.modules, ADAPTERS[prefix], raising=False)
    for name in [listed.needs, *(name for name in sys.modules if name.startswith(f"{listed.needs}."))]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(
        InvalidInput, match=rf"^{prefix}:any needs {listed.needs}[.a-z]*, which is not installed.*pip install"
    ):
        measure(prefix, "any")


@rows("measures", step=5)
def test_scores_are_those_of_the_library_called_directly(adapter: Adapter, text: str, tmp_path: Path) -> None:
    metric = found(adapter.prefix, text)
    cases = random_cases(metric, 30)
    with quiet():
        expected = adapter.directly(adapter.measures[text], metric, cases, tmp_path)
    assert_same(metric.score_rankings(cases), expected)


@rows("fractions")
def test_scores_of_a_fixed_topic_are_exact(adapter: Adapter, text: str) -> None:
    scores = found(adapter.prefix, text).score_rankings([(FIXED, ranking) for ranking in RANKINGS])
    assert scores == pytest.approx(adapter.expected(text), abs=1e-12)


@rows("catalogue", step=5)
def test_scores_agree_with_the_metric_of_the_catalogue(adapter: Adapter, text: str) -> None:
    metric = found(adapter.prefix, text)
    cases = random_cases(metric, 60)
    assert_same(metric.score_rankings(cases), catalogue_scores(parse(adapter.catalogue[text]), cases), 1e-9)


@rows("fractions", step=4)
def test_scores_of_a_batch_are_those_of_single_calls_in_any_order_and_change_no_input(
    adapter: Adapter, text: str
) -> None:
    metric = found(adapter.prefix, text)
    cases = random_cases(metric, 15)
    before = deepcopy(cases)
    at_once = metric.score_rankings(cases)
    assert at_once == [metric.score_rankings([case])[0] for case in cases]
    assert metric.score_rankings(cases[::-1]) == at_once[::-1]
    assert cases == before


@rows("as_judged_zero", step=4)
def test_documents_without_a_judgment_are_as_those_judged_zero(adapter: Adapter, text: str, tmp_path: Path) -> None:
    metric = found(adapter.prefix, text)
    cases = [case for case in random_cases(metric, 40) if any(map(any, case[0].pool.values()))]
    with quiet():
        judged, unjudged = (adapter.directly(None, metric, cases, tmp_path, judged_zero=zero) for zero in (True, False))
    assert_same(unjudged, judged)
    assert any("judged 0" in note for note in metric.abilities.notes)


@rows("declared")
def test_cutoff_levels_and_aspects_are_declared_and_the_name_parses_back(adapter: Adapter, text: str) -> None:
    metric = found(adapter.prefix, text)
    told = metric.cutoff, metric.abilities.levels, metric.binary_only, metric.single_aspect
    assert told == adapter.declared[text]
    assert not metric.abilities.weights
    assert str(metric) == metric.canonical == f"{adapter.prefix}:{text}"
    again = resolve(metric.canonical)
    assert (type(again), again.canonical, again.cutoff) == (type(metric), metric.canonical, metric.cutoff)


@rows("refused")
def test_names_options_and_values_that_the_library_has_not_are_refused(adapter: Adapter, text: str) -> None:
    with pytest.raises(InvalidInput, match=adapter.refused[text]):
        measure(adapter.prefix, text)


@rows("misspelled")
def test_misspelled_names_are_told_with_the_nearest(adapter: Adapter, text: str) -> None:
    with pytest.raises(InvalidInput, match=f"did you mean {adapter.misspelled[text]}"):
        measure(adapter.prefix, text)


@each_adapter
def test_an_error_of_the_library_is_told_with_its_version(adapter: Adapter, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(cases: Any) -> list[float]:
        raise ZeroDivisionError("by zero")

    metric = found(adapter.prefix, next(iter(adapter.fractions)))
    monkeypatch.setattr(metric, "call", failing)
    version = importlib.metadata.version(adapter.distribution)
    with pytest.raises(MetricError, match=rf"[-_\w]+ {version} raised ZeroDivisionError: by zero"):
        metric.score_rankings([(FIXED, ["d1"])])


@each_adapter
def test_grades_between_levels_and_more_aspects_are_refused(adapter: Adapter) -> None:
    between = FloatTopic((1.0,), {"d1": (0.3,), "d2": (0.0,)})
    several = FloatTopic((0.5, 0.5), {"d1": (1.0, 0.0), "d2": (0.0, 1.0)})
    for text in adapter.declared:
        metric = found(adapter.prefix, text)
        if metric.abilities.levels:
            with pytest.raises(MetricError, match="not a multiple of 1/"):
                metric.score_rankings([(between, ["d1"])])
        if metric.single_aspect:
            with pytest.raises(MetricError, match="supports only one aspect, but was given 2"):
                metric.score_rankings([(several, ["d1"])])


@pytest.mark.parametrize(
    ("name", "says"),
    [
        pytest.param("sklearn:ndcg_score(k=10)", "", marks=pytest.mark.extra("sklearn")),
        pytest.param("ir_measures:ERR_IA@20", "", marks=pytest.mark.extra("pyndeval")),
        pytest.param("ir_measures:alpha_DCG@20", "the depth cutoff ch", marks=pytest.mark.extra("pyndeval")),
        pytest.param("ranx:bpref@10", "cutoff has no effect", marks=[pytest.mark.extra("ranx"), quality]),
    ],
)
def test_options_of_measures_do_what_they_say(name: str, says: str) -> None:
    [outcome] = run_contract(resolve(name), checks=["parameters-matter"])
    assert outcome.status == ("failed" if says else "passed"), outcome
    assert outcome.reason.startswith(says)
