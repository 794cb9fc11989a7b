"""Cells of metrics that are no functions of their arguments."""

import threading
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from axiomcheck import Metric, as_metric
from tests.adversarial import lies_functions as lies
from tests.adversarial.adversarial_table import (
    HALF_AHEAD,
    ONE_DOUBLE,
    Broken,
    Lie,
    Pair,
    after,
    batch,
    floats,
    of,
    scores,
    without_one,
)

ONE_NUMBER = Pair(of([Fraction(1, 10), Fraction("0.123456789")]), (0, 1), (1, 0))


def named(function: Callable[[], Any], name: str) -> Callable[[], Metric]:
    return lambda: as_metric(function(), name)


def after_itself(metric: Metric) -> tuple[float, float]:
    """(worse, better) where a third ranking stands between the two: better than both."""
    best = Pair(of([Fraction(1), Fraction(1)]), (0, 1), (0, 1))
    found = scores(metric, [(HALF_AHEAD, HALF_AHEAD.worse), (best, best.better), (HALF_AHEAD, HALF_AHEAD.better)])
    return found[0], found[2]


def in_a_thread(metric: Metric) -> tuple[float, float]:
    found: list[tuple[float, float]] = []
    thread = threading.Thread(target=lambda: found.append(floats(metric, HALF_AHEAD)))
    thread.start()
    thread.join()
    return found[0]


def function(id_: str, make: Callable[[], Any], truth: Any, **more: Any) -> Lie:
    return Lie(id_, named(make, id_), "Pri", truth, regime=more.pop("regime", "finite"), **more)


LIES = (
    function("calls-1000", lambda: lies.counting(1000), after(1001), held=True),
    function("batches-of-3", lambda: lies.batches_of(3), batch(3)),
    function("neighbours", lambda: lies.by_neighbours, Broken(after_itself)),
    function("one-double", lambda: lies.one_double, ONE_DOUBLE, plain=without_one(0.123456789), held=True),
    function("one-number", lambda: lies.one_number, ONE_NUMBER, plain=without_one(Fraction("0.123456789")), held=True),
    function("thread", lambda: lies.by_thread, Broken(in_a_thread), held=True),
)
