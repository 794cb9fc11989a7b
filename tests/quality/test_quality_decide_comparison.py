"""Floats against exact numbers for the metrics that the everyday tests leave out."""

from __future__ import annotations

import pytest

from axiomcheck.metrics import Metric
from tests.decide.test_decide_comparison import (
    FLAT,
    LOGARITHMIC,
    LOST,
    METRICS,
    RATIONAL,
    leading_order_counts,
    limit_is_at_tiny_eps,
    orders_lost_are_no_disagreement,
    signs_agree,
)
from tests.support.suites import others


@pytest.mark.parametrize("metric", others(METRICS, 10), ids=lambda m: str(m.canonical))
def test_clear_signs_are_the_exact_signs(metric: Metric) -> None:
    signs_agree(metric)


@pytest.mark.parametrize("name", others([*RATIONAL, *LOGARITHMIC], 4))
def test_the_limit_is_what_happens_at_tiny_eps(name: str) -> None:
    limit_is_at_tiny_eps(name)


@pytest.mark.parametrize(("name", "axiom"), others(FLAT, 3))
def test_a_leading_order_below_float_resolution_is_not_skipped(name: str, axiom: str) -> None:
    leading_order_counts(name, axiom)


@pytest.mark.parametrize(("name", "axiom"), others(LOST, 4))
def test_orders_lost_in_rounding_are_no_disagreement(name: str, axiom: str) -> None:
    orders_lost_are_no_disagreement(name, axiom)
