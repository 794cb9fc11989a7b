"""Every number that a threshold cell states comes out again when that n is scored, by definitions in plain numbers."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from axiomcheck import Cell, Reading, Regime, Verdict, find_axiom, parse
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from tests.support.suites import each

Array = Any
Gains = Callable[[Array], Array]
"""Ranks -> their discounts, or numbers of relevant documents before -> what a relevant one earns of its grade."""

CASES: dict[str, tuple[Gains, Gains]] = {
    "RBP(p=0.8)": (lambda i: 0.2 * 0.8 ** (i - 1.0), np.ones_like),
    "P@20": (lambda i: (i <= 20) / 20, np.ones_like),
    "alpha-nDCG(alpha=0)@inf": (lambda i: 1 / np.log2(i + 1), np.ones_like),
    "NRBP(p=0.95, alpha=0.1)": (lambda i: 0.95 ** (i - 1.0), lambda hits: 0.9**hits),
}
PROVED = ("RBP(p=0.8)", "P@20")
"""The metrics that proofs are tried for, which take their time; they add to the reason and leave the evidence."""
each_metric = each("name", list(CASES), 4)

LARGE = (1500, 3000)
"""Numbers well past what is tried, for verdicts that speak of every large n."""


def blocks(name: str, n: int) -> tuple[float, float]:
    """(block, top): coefficients of eps in the scores where relevant documents have the grade eps."""
    discount, gain = CASES[name]
    gains, ranks = gain(np.arange(n)), np.arange(n + 1, 2 * n + 1)
    return float(discount(ranks) @ gains), float(discount(np.array(1)) * gains[0])


def ahead(name: str, n: int) -> int:
    """1 where the top is, -1 where the block is, 0 where they tie."""
    block, top = blocks(name, n)
    return 0 if abs(top - block) < 1e-12 else 1 if top > block else -1


def decided(name: str, axiom: str) -> Cell:
    """Return the cell; who its reason says to be ahead at each n was so."""
    settings = Settings(examples=0, proofs=name in PROVED)
    (cell,) = run_matrix([parse(name)], [find_axiom(axiom)], Reading(Regime.STATED), settings).cells
    if stated := re.search(r"(the [a-z ]+?) at each n = 1 to (\d+)", cell.reason):
        words = {1: "the top is ahead", -1: "the block is ahead", 0: "the two tie"}
        said = {sign for sign, text in words.items() if text in cell.reason.split(" at each n")[0]}
        assert {ahead(name, n) for n in range(1, int(stated[2]) + 1)} == said
    assert cell.evidence.instances <= cell.evidence.up_to_n * len(cell.evidence.unretrieved_relevant)
    return cell


@each_metric
def test_the_m_of_closeth_is_the_first_at_which_the_block_is_ahead_by_the_scores_stated(name: str) -> None:
    cell = decided(name, "CloseTh")
    stated = re.search(r"at m = (\d+) the block scores (\S+) and the single top document (\S+)", cell.reason)
    m, example = cell.evidence.m, cell.evidence.example
    if not cell.verdict.satisfied:
        assert (m or None, stated) == (None, None)
        assert cell.verdict is not Verdict.REFUTED or all(ahead(name, n) == 1 for n in LARGE)
        return
    shown = [(example.n, example.block, example.top)] if example else []
    for n, *scores in [*shown, *([stated.groups()] if stated else [])]:
        assert [float(Fraction(text)) for text in scores] == pytest.approx(blocks(name, int(n)), rel=1e-9)
    assert stated is None or int(stated[1]) == m
    if m:
        assert [ahead(name, n) == -1 for n in range(1, m + 1)] == [False] * (m - 1) + [True]


@each_metric
def test_the_n_of_deepth_is_the_first_from_which_the_top_is_ahead(name: str) -> None:
    cell = decided(name, "DeepTh")
    n0 = cell.evidence.n0
    if not cell.verdict.satisfied:
        assert not n0
        assert not any(ahead(name, n) == 1 for n in LARGE)
    elif n0 is None:  # from some n on that was not tried
        assert "ahead from n =" not in cell.reason
    else:
        assert f"ahead from n = {n0} on" in cell.reason
        assert n0 == 1 or ahead(name, n0 - 1) != 1
        assert all(ahead(name, n) == 1 for n in (*range(n0, max(n0, cell.evidence.up_to_n) + 1), *LARGE))
