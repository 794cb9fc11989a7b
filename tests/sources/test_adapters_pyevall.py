"""PyEvALL: it prints nothing, leaves logging alone, and a report without results is an error.

PyEvALL pins exact versions of numpy, pandas, jsonschema and setuptools, so it is not among the packages that the
other tests need; install the extra `pyevall` in an environment of its own to run these.
"""

import logging
from typing import Any

import pytest

from axiomcheck.core.errors import MetricError
from axiomcheck.sources.adapters import measure
from tests.sources.adapters_topics import random_cases

pytestmark = pytest.mark.extra("pyevall")


@pytest.fixture
def metric() -> Any:
    return measure("pyevall", "nDCG")


def test_nothing_is_printed_and_logging_is_left_alone(metric: Any, capfd: pytest.CaptureFixture[str]) -> None:
    before = list(logging.getLogger().handlers), logging.getLogger().level
    metric.score_rankings(random_cases(metric, 5))
    assert (list(logging.getLogger().handlers), logging.getLogger().level) == before
    assert capfd.readouterr() == ("", "")


def test_a_report_without_results_is_an_error(metric: Any) -> None:
    rows = [{"test_case": "0", "id": "d1", "value": "not a judgment"}]
    with pytest.raises(MetricError, match="reported no results"):
        metric._report(rows, [{"test_case": "0", "id": "d1", "value": 1}])
