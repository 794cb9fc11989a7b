"""Every number that a threshold cell states comes out again when that n is scored, by definitions in plain numbers."""

import functools
import math
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from axiomcheck import Cell, Reading, Regime, Verdict, find_axiom, parse
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from tests.support.suites import each

Number = Fraction | float
Gains = Callable[[int], Number]
"""Number of relevant documents before -> what a relevant one earns, as a share of its grade (r << 1)."""

SETTINGS = Settings(examples=0, proofs=False)
PROVED = ("RBP(p=0.8)", "P@20")
"""The metrics that proofs are tried for, which take their time; they add to the reason and leave the evidence."""


def over_log(base: float) -> Gains:
    """1 / (1 + log_base i), i from 1."""
    return lambda i: 1 / (1 + math.log(i) / math.log(base))


def per_log2(i: int) -> Number:
    return 1 / math.log2(i + 1)


def geometric(p: str, scale: Fraction = Fraction(1)) -> Gains:
    """Exact where that is quick."""
    return lambda i: scale * Fraction(p) ** (i - 1) if i < 200 else float(scale) * float(p) ** (i - 1)


def cut(discount: Gains, k: int) -> Gains:
    return lambda i: discount(i) if i <= k else Fraction(0)


def one(hits: int) -> Number:
    return 1


def fading(alpha: str) -> Gains:
    return lambda hits: (1 - Fraction(alpha)) ** hits if hits < 200 else (1 - float(alpha)) ** hits


CASES: dict[str, tuple[Gains, Gains]] = {
    "RBP(p=0.8)": (geometric("0.8", Fraction(1, 5)), one),
    "EU(alpha=0, log=1.09)": (over_log(1.09), one),
    "EU(alpha=0.1)": (over_log(2), fading("0.1")),
    "EU(alpha=0.01, log=1.5)": (over_log(1.5), fading("0.01")),
    "alpha-nDCG(alpha=0)@inf": (per_log2, one),
    "alpha-nDCG(alpha=0)@20": (cut(per_log2, 20), one),
    "RBP(p=0.999)": (geometric("0.999", Fraction(1, 1000)), one),
    "RBP(p=0.7)": (geometric("0.7", Fraction(3, 10)), one),
    "NRBP(p=0.95, alpha=0.1)": (geometric("0.95"), fading("0.1")),
    "P@20": (cut(lambda i: Fraction(1, 20), 20), one),
    "CT(alpha=0)@inf": (lambda i: Fraction(1, i), one),
}
each_metric = each("name", list(CASES), 4)
each_axiom = pytest.mark.parametrize("axiom", ["DeepTh", "CloseTh"])


@functools.cache
def decided(name: str, axiom: str) -> Cell:
    settings = replace(SETTINGS, proofs=name in PROVED)
    (cell,) = run_matrix([parse(name)], [find_axiom(axiom)], Reading(Regime.STATED), settings).cells
    return cell


@functools.cache
def shares(name: str, size: int) -> tuple[Any, Any]:
    """Return how much the first ranks, and the first relevant documents, count in floats."""
    discount, gain = CASES[name]
    return np.array([float(discount(i + 1)) for i in range(size)]), np.array([float(gain(i)) for i in range(size)])


def blocks(name: str, n: int) -> tuple[Number, Number]:
    """(block, top): coefficients of eps in the scores where relevant documents have the grade eps."""
    discount, gain = CASES[name]
    top = discount(1) * gain(0)
    if isinstance(top, float):
        by_rank, by_hits = shares(name, 2 ** (2 * n).bit_length())
        return float(by_rank[n : 2 * n] @ by_hits[:n]), top
    return sum(discount(n + j) * gain(j - 1) for j in range(1, n + 1)), top


def ahead(name: str, n: int) -> int:
    """1 where the top is, -1 where the block is, 0 where they tie (or floats do not tell)."""
    block, top = blocks(name, n)
    if isinstance(block, Fraction) and isinstance(top, Fraction):
        return (top > block) - (top < block)
    return 0 if abs(float(top - block)) < 1e-12 else 1 if top > block else -1


def number(text: str) -> float:
    return float(Fraction(text))


_EXAMPLE = re.compile(r"at m = (\d+) the block scores (\S+) and the single top document (\S+)")


def assert_example(name: str, n: int, block: str, top: str) -> None:
    """That scores belong to an n, and have the block ahead."""
    expected = blocks(name, n)
    for found, plain in zip((block, top), expected, strict=True):
        assert number(found) == pytest.approx(float(plain), rel=1e-9), (name, n)
    assert ahead(name, n) == -1


@each_metric
def test_the_m_of_closeth_is_the_first_at_which_the_block_is_ahead_by_the_scores_stated(name: str) -> None:
    cell = decided(name, "CloseTh")
    if not cell.verdict.satisfied:
        assert not cell.evidence.m
        assert not _EXAMPLE.search(cell.reason)
        return
    stated = _EXAMPLE.search(cell.reason)
    if stated:
        assert_example(name, int(stated[1]), stated[2], stated[3])
        assert int(stated[1]) == cell.evidence.m
    if cell.evidence.m:
        assert ahead(name, cell.evidence.m) == -1
        assert all(ahead(name, n) != -1 for n in range(1, cell.evidence.m))
    example = cell.evidence.example
    if example:
        assert_example(name, example.n, example.block, example.top)


@each_metric
def test_the_n_of_deepth_is_the_first_from_which_the_top_is_ahead(name: str) -> None:
    cell = decided(name, "DeepTh")
    n0 = cell.evidence.n0
    if not cell.verdict.satisfied:
        assert not n0
        return
    if n0 is None:
        assert "ahead from n =" not in cell.reason
        return
    assert f"ahead from n = {n0} on" in cell.reason
    assert n0 == 1 or ahead(name, n0 - 1) != 1
    assert all(ahead(name, n) == 1 for n in range(n0, max(n0, cell.evidence.up_to_n) + 1))


@each_metric
@each_axiom
def test_a_reason_says_who_was_ahead_at_the_n_that_were_tried(name: str, axiom: str) -> None:
    cell = decided(name, axiom)
    stated = re.search(r"(the [a-z ]+?) at each n = 1 to (\d+)", cell.reason)
    if stated:
        words = {1: "the top is ahead", -1: "the block is ahead", 0: "the two tie"}
        said = {sign for sign, text in words.items() if text in cell.reason.split(" at each n")[0]}
        assert {ahead(name, n) for n in range(1, int(stated[2]) + 1)} == said
    assert cell.evidence.instances <= cell.evidence.up_to_n * len(cell.evidence.unretrieved_relevant)


@each_metric
@each_axiom
def test_a_verdict_on_every_large_n_is_true(name: str, axiom: str) -> None:
    """Verdicts against plain scores well past what is tried, at n = 1,500 and 3,000, where they speak of these."""
    cell = decided(name, axiom)
    if axiom == "DeepTh" and cell.verdict.satisfied and cell.evidence.n0 is None:
        return  # from some n on that was not tried
    by_rank, by_hits = shares(name, 6000)
    seen = {1 if by_rank[0] > math.fsum(by_rank[n : 2 * n] * by_hits[:n]) else -1 for n in (1500, 3000)}
    if axiom == "DeepTh":
        assert seen == ({1} if cell.verdict.satisfied else {-1})
    elif cell.verdict is Verdict.REFUTED:
        assert seen == {1}
