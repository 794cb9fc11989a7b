"""The arguments about long blocks, against the scores of long blocks.

A tail bounds L(n) / T: L(n) is what n relevant documents at ranks n+1..2n earn, T what one at rank 1 earns,
of one grade on one aspect, before any cost per document. Both come here from the metric's own scores, its
cost set to 0, less what as many non-relevant documents score, which is something for INST-upper alone.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from axiomcheck.metrics import CATALOGUE, Metric, Tail, parse
from axiomcheck.numbers.arithmetic import Floats
from tests.support.metrics_topics import NEEDS_CUTOFF, variants
from tests.support.suites import each

REACH = 25
"""How many n from the start of an argument are scored."""

FARTHEST = 100
"""The largest n that is scored."""

GRADES = (1.0, 0.75, 0.5, 0.1, 1e-3)
ROUNDING = 1e-9

WITHOUT_A_TAIL = NEEDS_CUTOFF
"""Metrics that are nothing without a cutoff, so that no block is long."""

EXTREMES = [
    "NRBP(p=0.99, alpha=0.01)",
    "alpha-nDCG(alpha=0.01)@inf",
    "EU(alpha=0.5, e=0, log=1.01)",
    "CT(level=0.01)@inf",
    "trec-nNRBP(alpha=0, beta=0.95)",
    "INST(T=0.5)",
    "INST-upper(T=0.5)",
]


def ratios(metric: Metric, n: int) -> list[float]:
    """L(n) / T for every grade; rankings of one length, 2n, over a pool of n relevant documents."""
    grades = np.array(GRADES)[:, None]
    all_ = np.zeros((3, len(GRADES), 2 * n, 1))
    all_[0, :, n:, 0] = grades
    all_[1, :, :1, 0] = grades
    late, top, nothing = metric.score(Floats(), all_, np.ones(1), all_[0, :, n:])
    return [float(x) for x in (late - nothing) / (top - nothing)]


def bounded(metric: Metric) -> Metric:
    """The part of a metric that its bound is of: the whole, but in D#-nDCG, whose S-Recall part ties."""
    if metric.name == "D#-nDCG" and metric.values["lambda"] < 1:
        return CATALOGUE["D-nDCG"](metric.cutoff)
    return metric


def numbers_of(tail: Tail) -> list[int]:
    """The n to score: from the start on and doubling; from 1 on where the start is out of reach.

    An argument that starts out of reach says when its bound falls below 1; the bound itself is of every n.
    """
    first = tail.start if tail.start <= FARTHEST else 1
    steps = {first + i for i in range(REACH)} | {first * 2**i for i in range(12)}
    return sorted(n for n in steps if n <= max(FARTHEST, first))


def holds(metric: Metric, tail: Tail) -> bool:
    """Tell whether a bound is on its side of 1 from the start on, and every scored L(n) / T within the bound."""
    numbers = numbers_of(tail)
    for n in [*(n for n in numbers if n >= tail.start), *(tail.start * 2**i for i in range(40))]:
        bound = tail.bound(n)
        if not {"below": bound < 1, "above": bound > 1, "equal": bound == 1}[tail.side]:
            return False
    for n in numbers:
        bound = tail.bound(n)
        slack = ROUNDING * max(1.0, bound)
        part = bounded(metric)
        scored = ratios(part, n)
        for ratio in scored:
            if not {
                "below": ratio <= bound + slack,
                "above": ratio >= bound - slack,
                "equal": abs(ratio - 1) <= slack,
            }[tail.side]:
                return False
        if n < tail.start:
            continue
        for ratio in scored if part is metric else ratios(metric, n):
            if not {"below": ratio < 1, "above": ratio > 1, "equal": True}[tail.side]:
                return False
    return True


@each("name", sorted(set(CATALOGUE) - WITHOUT_A_TAIL), 13)
def test_tails_hold_on_blocks(name: str) -> None:
    checked = 0
    for metric in variants(name, (None,)):
        tail = metric.tail()
        if metric.values.get("e", 0) == 0 and tail is not None:
            assert holds(metric, tail), (metric, tail)
            checked += 1
    assert checked


@each("text", EXTREMES, 6)
def test_tails_hold_at_extreme_parameters(text: str) -> None:
    metric = parse(text)
    tail = metric.tail()
    assert tail is not None
    assert holds(metric, tail), (metric, tail)


@pytest.mark.parametrize(
    "text",
    [
        *sorted(WITHOUT_A_TAIL),
        # p = 1, which needs a cutoff
        *("RBP(p=1)@20", "NRBP(p=1, alpha=0)@20", "trec-NRBP(alpha=0, beta=1)@20"),
        "alpha-nDCG(alpha=0.0001)@inf",  # its bound falls below 1 beyond any use
    ],
)
def test_metrics_that_need_a_cutoff_and_bounds_of_no_use_are_no_tail(text: str) -> None:
    assert parse(text).tail() is None


def test_every_other_metric_has_a_tail() -> None:
    """At its defaults, without a cutoff."""
    assert [x for x in sorted(set(CATALOGUE) - WITHOUT_A_TAIL) if parse(f"{x}@inf").tail() is None] == []


def test_a_cost_does_not_change_the_tail() -> None:
    """It cancels between rankings of one length, and the argument is about what is before any cost."""
    for name in ("EU", "RBU", "RBU-program"):
        cheap, dear = CATALOGUE[name](None, e=0).tail(), CATALOGUE[name](None, e=3).tail()
        assert (cheap.side, cheap.start, cheap.statement) == (dear.side, dear.start, dear.statement)


def wrong(side: Any, start: int, bound: Callable[[int], float]) -> Tail:
    return Tail(side, start, bound, "a planted fault")


@pytest.mark.parametrize(
    ("text", "tail"),
    [
        ("RBP(p=0.8)", wrong("below", 1, lambda n: 0.8**n / 0.2)),
        ("RBP(p=0.8)", wrong("below", 8, lambda n: 0.8**n)),
        ("AP", wrong("above", 1, lambda n: (n + 1) / 2)),
        ("S-Recall@inf", wrong("equal", 1, lambda n: 0.999)),
        # right up to the last n that a bare sample would look at, wrong beyond
        ("RR", wrong("below", 1, lambda n: 1 / (n + 1) if n < 10**6 else 1.0)),
    ],
)
def test_wrong_tails_are_rejected(text: str, tail: Tail) -> None:
    assert not holds(parse(text), tail)
