"""Browsing models: the paper's transition matrices, and chains that are none."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq

from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics.browsing import (
    CappedLogarithm,
    CascadeModel,
    Deterministic,
    ForwardModel,
    Logarithmic,
    Persistent,
    RetrievedRelevance,
    User,
    WalkModel,
)
from axiomcheck.numbers.arithmetic import Arithmetic, Balls, Floats, Rationals
from research.claims.simulation import Explicit, transitions
from tests.support.metrics_topics import exact, floats

F = Fraction

RUN = [F(1), F(0), F(0), F(1), F(0), F(1), F(0)]


def test_the_logarithmic_model_has_the_matrix_of_appendix_d() -> None:
    forward, _ = transitions(Logarithmic(), Balls(), exact(RUN, 7))
    assert forward[0] == 1
    for i in range(2, 7):
        expected = arb(i).log() / arb(i + 1).log()
        assert arb(forward[i - 1]).overlaps(expected)
        assert float(arb(forward[i - 1]).rad()) < 1e-12
    assert forward[6] == 0


@pytest.mark.parametrize(
    ("base", "rank", "value"),
    [
        *((F(2), 1, F(1)), (F(2), 2, F(1)), (F(2), 8, F(1, 3)), (F(2), 3, None), (F(10), 9, F(1))),
        *((F(10), 100, F(1, 2)), (F(3, 2), 1, F(1)), (F(3, 2), 2, None), (None, 2, F(1)), (None, 3, None)),
    ],
)
def test_the_capped_logarithm(base: F | None, rank: int, value: F | None) -> None:
    discount = CappedLogarithm(base)
    assert discount.rational(rank) == value
    unit = arb(1) if base is None else arb(fmpq(base.numerator, base.denominator)).log()
    log = arb(rank).log() / unit
    expected = 1 / log if log > 1 else arb(1)
    assert discount.ball(rank).overlaps(expected)
    assert discount.real(rank) == pytest.approx(float(expected.mid()), rel=1e-14)


def test_the_walk_has_the_ends_of_figure_1d() -> None:
    forward, backward = WalkModel(F(1, 2), F(1, 4)).chain(10)
    stop = [1 - p - q for p, q in zip(forward, backward, strict=True)]
    assert (forward[0], stop[0]) == (F(3, 4), F(1, 4))
    assert {(forward[i], backward[i], stop[i]) for i in range(1, 9)} == {(F(1, 2), F(1, 4), F(1, 4))}
    assert (forward[9], backward[9], stop[9]) == (F(0), F(1, 4), F(3, 4))
    assert WalkModel(F(1, 2), F(1, 4)).chain(1) == ((F(0),), (F(0),))


FORWARD = (Deterministic(), RetrievedRelevance(), Persistent(F(1, 3)), CascadeModel(), Logarithmic(), Logarithmic(None))


def stops_are_those_of_the_chain(model: ForwardModel, run: list[F]) -> bool:
    """Tell whether P[H = i] is the product of going on at earlier ranks and stopping there, and all sum to 1.

    Exactly, where there are no logarithms.
    """
    in_floats = isinstance(model, Logarithmic)
    a: Arithmetic = Floats() if in_floats else Rationals()
    grades = floats(exact(run, len(run))) if in_floats else exact(run, len(run))
    forward, backward = transitions(model, a, grades)
    stops = np.broadcast_to(model.stops(a, grades), (len(run),))
    products = [np.prod(forward[:i]) * (1 - forward[i]) for i in range(len(run))]
    off = [*(x - y for x, y in zip(stops, products, strict=True)), sum(stops) - 1]
    return not any(abs(x) > 1e-14 if in_floats else x != 0 for x in off) and not any(backward)


@pytest.mark.parametrize("model", FORWARD, ids=repr)
def test_stopping_probabilities_are_those_of_the_chain(model: ForwardModel) -> None:
    """P@H is made of them, which `test_metrics_reference` holds to the formulas of sections 6.1 to 6.5."""
    for run in (RUN, RUN[::-1], [F(0)] * 4, [F(1)], [F(1, 2), F(1, 3)], [F(1, 4), F(1, 2), F(0), F(3, 4)]):
        assert stops_are_those_of_the_chain(model, run)


@dataclass(frozen=True)
class Hurried(Persistent):
    """A planted fault: it forgets those who reach the last rank."""

    def stops(self, a: Any, grades: Any) -> Any:
        reached = self.reach(a, grades)
        return reached * a.number(1 - self.p)


def test_the_comparison_sees_probabilities_that_do_not_sum_to_one() -> None:
    assert not stops_are_those_of_the_chain(Hurried(F(1, 3)), RUN)


@pytest.mark.parametrize(
    ("forward", "backward", "message"),
    [
        ([], [], "0 values of p"),
        ([0.5, 0], [0], "2 values of p and 1 of q"),
        ([0.5, 0.5], [0, 0], "p_2 = 1/2; expected 0"),
        ([0.5, 0], [0.1, 0], "q_1 = 1/10; expected 0"),
        ([0.5, 0.7, 0], [0, 0.4, 0], "at rank 2"),
        ([-0.5, 0], [0, 0], "at rank 1"),
        ([1, 0], [0, 1], "may never end"),
        ([0.5, 0.5, 0], [0, 0.5, 1], None),
        ([0.5, 1, 0], [0, 0, 1], "may never end"),
        ([1, 0.5, 0], [0, 0.5, 0.5], None),
    ],
)
def test_explicit_chains(forward: list[float], backward: list[float], message: str | None) -> None:
    make = lambda: Explicit(tuple(forward), tuple(backward))  # type: ignore[arg-type]  # noqa: E731
    if message is None:
        assert make().chain(len(forward)) == (tuple(map(F, forward)), tuple(map(F, backward)))
        with pytest.raises(InvalidInput, match="given for 3 ranks"):
            make().chain(4)
    else:
        with pytest.raises(InvalidInput, match=message):
            make()


def test_users_and_walks_out_of_range() -> None:
    with pytest.raises(InvalidInput, match=r"p \+ q < 1"):
        WalkModel(F(3, 4), F(1, 4))
    with pytest.raises(InvalidInput, match="0 <= loss <= 1"):
        User(Deterministic(), loss=F(3, 2))
    with pytest.raises(InvalidInput, match="forward browsing model"):
        User(WalkModel(F(1, 2), F(1, 4)), gain="first")
