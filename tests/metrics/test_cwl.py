"""User models against certified arithmetic and each other; INST in every arithmetic, and under exact comparison."""

import itertools
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import flint
import numpy as np
import pytest
from flint import arb, fmpq

from axiomcheck.core.errors import InvalidInput, NotRational
from axiomcheck.decide.batch import Pairs
from axiomcheck.decide.comparison import judge, signs
from axiomcheck.metrics import parse
from axiomcheck.metrics.cwl import Evaluation, FiniteModel, GeometricModel, InstModel, UserModel
from axiomcheck.metrics.inst import InstUpper, walk
from axiomcheck.numbers.arithmetic import Balls, Floats, Rationals, Symbols, expanded_ratio, trigamma
from axiomcheck.numbers.series import Series, Truncated
from tests.support.metrics_topics import batch, floats
from tests.support.suites import each, exhaustive

nan = np.nan
TABLE_1 = [0, 1, 0.5, 0, 0, 1, 0, 0.2, 0, 1]
TARGETS = (0.5, 0.75, 1.0, 2.0, 3.3, 10.0, 50.0)


def rankings(seed: int, number: int, longest: int = 30) -> list[Any]:
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(number):
        n = int(rng.integers(0, longest + 1))
        gains = rng.choice([0.0, 1.0, 0.25, 0.625], n, p=rng.dirichlet(np.ones(4)))
        gains[rng.random(n) < rng.choice([0.0, 0.2, 0.6])] = nan
        found.append(gains)
    return found


def certified(gains: Any, target: float, tail: int) -> tuple[Any, Any]:
    """(score, depth) as balls."""
    numbers = np.empty(len(gains), dtype=object)
    numbers[:] = [fmpq(*Fraction(float(g)).as_integer_ratio()) for g in np.where(np.isnan(gains), tail, gains)]
    way = walk(Balls(), numbers, Fraction(target))
    rest = np.asarray(way.relevant_tail() if tail else way.irrelevant_tail(Balls()), dtype=object).item()
    depth = arb(np.asarray(way.inspected, dtype=object).item()) + rest
    return (arb(np.asarray(way.earned, dtype=object).item()) + tail * rest) / depth, depth


def off(value: Any, ball: arb) -> float:
    """A relative error, in units of 2^-52."""
    if value == 0 and ball == 0:
        return 0.0
    return float(abs((arb(float(value)) - ball) / ball).upper()) * 2**52


def test_inst_is_exact_to_machine_precision() -> None:
    """Within 16 units in the last place on rankings of up to 200 documents."""
    with flint.ctx.workprec(200):
        for target in TARGETS:
            for gains in rankings(2, 6, 200):
                found = InstModel(target).evaluate(gains)
                for tail, score, depth in ((0, found.score, found.depth_high), (1, found.upper, found.depth_low)):
                    for value, ball in zip((score, depth), certified(gains, target, tail), strict=True):
                        assert off(value, ball) < 16


def test_long_rankings_cost_no_more_than_their_length() -> None:
    """A hundred thousand documents, none of them relevant, have the depth of none."""
    long, empty = InstModel(3).evaluate(np.zeros(100_000)), InstModel(3).evaluate(np.zeros(0))
    assert long.depth_high == pytest.approx(empty.depth_high, rel=1e-9)
    assert long.residual < 1e-4
    assert empty.residual == 1


MODELS: list[UserModel] = [
    InstModel(2.5),
    InstModel(0.5),
    GeometricModel(0.8),
    FiniteModel.precision(7),
    FiniteModel([0.5, 1, 0.25]),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_depth_weights_and_shares_agree(model: UserModel) -> None:
    """W sums to 1 with what is beyond, L = (W(i) - W(i+1)) / W(1), E(W) = sum of i L(i) = 1 / W(1) = sum of shares."""
    for gains in rankings(3, 8):
        e = model.evaluate(gains, depth=3000)
        assert e.residual == pytest.approx(e.upper - e.score, abs=1e-12)
        for s in (e.base, e.full):
            w = s.weights
            assert w.sum() + s.reached[-1] * s.further / s.depth == pytest.approx(1, abs=1e-12)
            assert np.allclose((w[:-1] - w[1:]) / w[0], s.stopping[:-1], atol=1e-14)
            assert 1 / w[0] == pytest.approx(s.depth, rel=1e-12)
            assert s.beyond(0) == 1
            assert s.beyond(10) == pytest.approx(1 - s.stopping[:10].sum(), abs=1e-12)
            assert s.beyond(10) == pytest.approx(w[10] / w[0], abs=1e-14)
            mean = (np.arange(1, 3001) * s.stopping).sum() + s.beyond(3000) * (3000 + s.further)
            assert mean == pytest.approx(s.depth, rel=1e-10)


def test_batches_are_their_topics() -> None:
    topics = rankings(5, 40)
    targets = np.random.default_rng(5).uniform(0.5, 9, 40)
    padded = np.full((40, 30), nan)
    for row, gains in zip(padded, topics, strict=True):
        row[: len(gains)] = gains
    together = InstModel(targets).evaluate(padded)
    for k, gains in enumerate(topics):
        alone = InstModel(targets[k]).evaluate(gains)
        for name in ("score", "residual", "depth_low", "depth_high"):
            assert getattr(together, name)[k] == pytest.approx(getattr(alone, name), rel=1e-12, abs=1e-13)
    assert not np.allclose(together.score, InstModel(targets[::-1]).evaluate(padded).score)


def within(e: Evaluation, scores: Any) -> bool:
    return bool((scores >= e.score - 1e-12).all() and (scores <= e.upper + 1e-12).all())


@each("model", MODELS, 3, ids=lambda m: type(m).__name__)
def test_every_completion_scores_between_the_ends(model: UserModel) -> None:
    rng = np.random.default_rng(6)
    for gains in rankings(6, 60, 12):
        judged = np.append(gains, [nan] * 20)
        filled = np.where(np.isnan(judged), rng.random((50, judged.size)) ** rng.choice([0.1, 1, 8]), judged)
        e = model.evaluate(gains)
        assert within(e, model.scenario(filled, 0).score)
        assert within(e, model.scenario(filled, 1).score)
    e = InstModel(2).evaluate([0, nan, 1])
    assert not within(e, np.array([InstModel(2).evaluate([1, 1, 1]).score]))


def test_the_residual_of_rbp_is_the_weight_of_what_is_unjudged() -> None:
    p, gains = 0.8, np.array([1, nan, 0, nan, 0.5])
    e = GeometricModel(p).evaluate(gains)
    assert e.residual == pytest.approx(0.2 * (p + p**3) + p**5, rel=1e-15)
    assert e.upper == pytest.approx(e.score + e.residual, rel=1e-15)
    deep = GeometricModel(p).evaluate(np.ones(300))
    assert deep.residual == pytest.approx(p**300, rel=1e-12)  # no digits lost to a difference of nearly equal scores
    assert e.depth_low == e.depth_high == pytest.approx(5)


BAD: list[Any] = [
    (lambda: FiniteModel([0.5, 1.5]), r"probability in \[0, 1\] per rank"),
    (lambda: InstModel(0.4), r"T=0\.4: expected a number with 0\.5 <= T"),
    (lambda: GeometricModel(1), r"p=1: expected a number with 0 < p < 1"),
    (lambda: InstModel(3).evaluate([0, 1.5]), r"gains\[1\] is 1\.5; expected a gain in \[0, 1\]"),
    (lambda: InstModel(3).evaluate(0.5), "gains is a single number"),
    (lambda: InstModel(3).evaluate([0]).base.beyond(2), "depth 2: expected 0 to 1"),
    (lambda: InstModel(3).evaluation_depth(1.0), "expected a number between 0 and 1"),
    pytest.param(lambda: InstModel(3).evaluation_depth(1e-9), "more than 16777216 ranks", marks=exhaustive),
]


@pytest.mark.parametrize(("call", "message"), BAD)
def test_bad_input_is_named(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        call()


@pytest.mark.parametrize(
    ("model", "bound", "depth"),
    [
        (InstModel(1), 0.05, 30),
        (InstModel(10), 0.05, 371),
        (GeometricModel(0.847), 0.05, 19),
        (FiniteModel.precision(20), 0.051, 19),
    ],
)
def test_how_deep_to_judge(model: UserModel, bound: float, depth: int) -> None:
    assert model.evaluation_depth(bound) == depth
    assert model.weight_beyond(depth) < bound <= model.weight_beyond(depth - 1)
    assert model.evaluate(np.zeros(depth)).residual < bound


def test_the_weight_beyond_bounds_the_residual_of_every_judged_ranking() -> None:
    rng = np.random.default_rng(8)
    for n, target in product((1, 5, 20), TARGETS):
        gains = rng.random((200, n)) ** rng.choice([0.3, 1, 10], (200, 1))
        assert (InstModel(target).evaluate(gains).residual < InstModel(target).weight_beyond(n)).all()


def test_metrics_have_their_users() -> None:
    assert parse("INST(T=2)").user_model().evaluate(TABLE_1).score.round(3) == 0.306  # type: ignore[attr-defined]
    assert parse("RBP(p=0.5)").user_model().evaluate([0, 1]).score == 0.25  # type: ignore[attr-defined]
    assert parse("P@4").user_model().evaluate([0, 1]).score == 0.25  # type: ignore[attr-defined]
    with pytest.raises(InvalidInput, match="expected RBP without a cutoff"):
        parse("RBP@10").user_model()  # type: ignore[attr-defined]


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
