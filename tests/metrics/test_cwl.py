"""User models against certified arithmetic, which `test_metrics_reference` holds to the definitions, and each other."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import flint
import numpy as np
import pytest
from flint import arb, fmpq

from axiomcheck import InvalidInput, parse
from axiomcheck.metrics.cwl import (
    Evaluation,
    FiniteModel,
    GeometricModel,
    InstModel,
    UserModel,
)
from axiomcheck.metrics.inst import walk
from axiomcheck.numbers.arithmetic import Balls
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
