"""INST in every arithmetic, in the limit regime, and under exact comparison."""

import itertools
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import pytest
from flint import arb, fmpq

from axiomcheck.core.errors import NotRational
from axiomcheck.decide.batch import Pairs
from axiomcheck.decide.comparison import judge, signs
from axiomcheck.metrics import parse
from axiomcheck.metrics.inst import InstUpper
from axiomcheck.numbers.arithmetic import Balls, Floats, Rationals, Symbols, expanded_ratio, trigamma
from axiomcheck.numbers.series import Series, Truncated
from tests.support.metrics_topics import batch, floats

ONE = np.array([[fmpq(1)]], dtype=object)


def column(*gains: Any) -> Any:
    """Gains of one ranking on one aspect, exactly, (1, n, 1)."""
    out = np.empty((1, len(gains), 1), dtype=object)
    out[0, :, 0] = [fmpq(*Fraction(str(g)).as_integer_ratio()) for g in gains]
    return out


def pairs(worse: Any, better: Any, small: bool = False) -> Pairs:
    rows = np.arange(worse.shape[1] + better.shape[1])[None]
    pool = np.concatenate([worse, better], axis=1)
    return Pairs(pool, ONE, rows[:, : worse.shape[1]], rows[:, worse.shape[1] :], small)


def sampled(seed: int, size: int = 4) -> tuple[Any, Any, Any]:
    return batch(np.random.default_rng(seed), size, 5, 6, 1)


@pytest.mark.parametrize("text", ["INST", "INST(T=0.5)", "INST(T=7.3)"])
def test_rationals_refuse_the_trigamma_function(text: str) -> None:
    with pytest.raises(NotRational, match="zeta"):
        parse(text).score(Rationals(), *sampled(0))


def value(x: Any, symbols: Symbols) -> arb:
    """A fraction of polynomials in zeta symbols, with their values put in."""
    if isinstance(x, fmpq):
        return arb(x)
    known = {1 + k: key for k, key in enumerate(symbols._zeta._symbols)}

    def polynomial(terms: Any) -> arb:
        total = arb(0)
        for powers, coefficient in terms:
            product = arb(fmpq(int(coefficient.numerator), int(coefficient.denominator)))
            for k, power in enumerate(powers):
                if power:
                    s, base, slope = known[k]
                    assert slope == 0
                    product *= arb(s).zeta(arb(fmpq(base.numerator, base.denominator))) ** power
            total += product
        return total

    return polynomial(x.numer.terms()) / polynomial(x.denom.terms())


@pytest.mark.parametrize("target", ["0.5", "1", "7.3"])
def test_symbols_with_their_values_are_the_balls(target: str) -> None:
    metric, rng = parse(f"INST(T={target})"), np.random.default_rng(1)
    with flint.ctx.workprec(200):
        for n in range(1, 6):
            gains = column(*[Fraction(int(g), 3) for g in rng.integers(0, 4, n)])
            symbols = Symbols(n)
            symbolic = metric.score(symbols, gains, ONE, gains).item()
            ball = arb(metric.score(Balls(), gains, ONE, gains).item())
            assert value(symbolic, symbols).overlaps(ball)
            assert ball.rad() < arb("1e-40")


def test_half_integers_are_the_symbols_of_integers() -> None:
    """psi_1(1/2) = 3 psi_1(1), which certified numbers cannot show."""
    symbols = Symbols(3)
    half, whole = (symbols.zeta(2, np.array([x], dtype=object))[0] for x in (fmpq(1, 2), fmpq(1)))
    assert half - 3 * whole == 0
    assert symbols.zeta(2, np.array([fmpq(5, 2)], dtype=object))[0] - (half - 4 - fmpq(4, 9)) == 0
    assert symbols.zeta(3, np.array([fmpq(1, 2)], dtype=object))[0] - 3 * whole != 0


@pytest.mark.parametrize("text", ["INST(T=0.5)", "INST-upper(T=7.3)"])
@pytest.mark.parametrize("keep", [1, 4])
def test_series_are_scores_at_small_grades(text: str, keep: int) -> None:
    """Up to the first order left out: the error falls by eps^(keep + 1)."""
    metric, (grades, weights, pool) = parse(text), sampled(3)
    score = metric.score(Balls(), Series({1: grades}, keep), weights, Series({1: pool}, keep))
    assert score.dropped
    assert max(score.terms) == keep
    with flint.ctx.workprec(300):
        for eps in (fmpq(1, 100), fmpq(1, 10_000)):
            there = metric.score(Balls(), grades * eps, weights, pool * eps)
            total = sum(c * eps**k for k, c in score.terms.items())
            for x, y in zip(there.flat, total.flat, strict=True):
                assert abs(arb(x) - arb(y)) < 20 * arb(eps) ** (keep + 1)


def test_endless_series_are_not_kept_whole() -> None:
    x = Series({0: np.array([2.0]), 1: np.array([1.0])})
    with pytest.raises(Truncated):
        expanded_ratio(x, x)
    with pytest.raises(Truncated):
        trigamma(Floats(), x)


@pytest.mark.parametrize(("text", "small"), [("INST", False), ("INST(T=7.3)", True)])
def test_a_non_relevant_document_at_the_end_is_an_identity(text: str, small: bool) -> None:
    judged = judge(parse(text), pairs(column("1/3", 0, 1, 0), column("1/3", 0, 1), small))
    assert (judged.sign, judged.arithmetic) == (0, "identity")
    floats_ = [
        parse(text).score(Floats(), floats(x), np.ones((1, 1)), floats(x)).item()
        for x in (column("1/3", 0, 1, 0), column("1/3", 0, 1))
    ]
    assert floats_[0] == floats_[1]  # to the last bit


@pytest.mark.parametrize(("text", "small"), [("INST-upper", False), ("INST", True)])
def test_exact_signs_are_those_of_floats(text: str, small: bool) -> None:
    metric = parse(text)
    rows = [column(*[Fraction(k, 2) for k in g]) for g in itertools.product(range(3), repeat=2)]
    seen = set()
    for worse, better in itertools.permutations(rows, 2):
        (sign,) = signs(metric, pairs(worse, better, small))
        eps = 1e-4 if small else 1.0
        w, b = (metric.score(Floats(), floats(x) * eps, np.ones((1, 1)), floats(x)).item() for x in (worse, better))
        assert sign == (0 if abs(b - w) < 1e-13 else np.sign(b - w))
        seen.add(sign)
    assert {1, -1} <= seen


class Hidden(InstUpper):
    """Adds eps^5, which a series up to eps^2 does not show, to rankings of three documents."""

    def kernel(self, a: Any, grades: Any, weights: Any, pool: Any) -> Any:
        score = super().kernel(a, grades, weights, pool)
        first = grades[..., 0, 0]
        return score + first * first * first * first * first if grades.shape[-2] == 3 else score


def test_a_tie_in_every_order_kept_is_no_tie() -> None:
    """It is left open, unless it is shown at every eps."""
    short, long = column(1, 1), column(1, 1, 1)
    full = pairs(long, short, True)
    unequal = signs(InstUpper(), full)
    assert unequal == [1]
    same = pairs(column(1, 0, 1), column(1, 0, 1), True)
    assert signs(InstUpper(), same) == [0]
    worse, better = column("1/2", 0, 0), column("1/2", 0, 0)
    assert signs(Hidden(), pairs(worse, better, True)) == [0]

    class Shifted(Hidden):
        def kernel(self, a: Any, grades: Any, weights: Any, pool: Any) -> Any:
            return super().kernel(a, grades if grades.shape[-2] == 3 else grades[..., :2, :], weights, pool)

        def only_aspect(self, grades: Any) -> Any:
            return super().only_aspect(grades)[..., :2]

    assert signs(Shifted(), pairs(worse, worse[:, :2], True)) == [None]
    assert signs(Shifted(), pairs(worse, worse[:, :2], False)) == [-1]
