"""P@H: against the listing of every path; `test_metrics_reference` has its definitions, with linear algebra."""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq

from axiomcheck.core.errors import InvalidInput, MetricError, NotRational
from axiomcheck.metrics import parse, stopping_value
from axiomcheck.metrics.browsing import CappedLogarithm, ChainModel, Deterministic, User, WalkModel
from axiomcheck.metrics.stopping import StoppingMetric
from axiomcheck.metrics.stopping_value import distribution, expectation, expected_steps
from axiomcheck.numbers.arithmetic import Balls, Floats, Rationals, Symbols, to_fmpq
from axiomcheck.numbers.series import Series
from research.claims.simulation import Explicit, known, segments_of
from tests.metrics.slow_definitions import all_paths, gain_of
from tests.support.metrics_topics import exact, floats
from tests.support.suites import each

F = Fraction

R = [F(x) for x in (1, 0, 0, 1, 0, 0, 1, 0, 0, 1)]
S = [F(x) for x in (0, 1, 1, 1, 1, 0, 0, 0, 0, 0)]


def score(name: str, run: list[F], arithmetic: Any = None) -> Any:
    grades = exact(run, len(run), 1)
    found = parse(name).score(arithmetic or Rationals(), grades, exact([F(1)], 1), grades)
    return F(int(found.p), int(found.q)) if isinstance(found, fmpq) else found


CHAINS: list[ChainModel] = [
    WalkModel(F(1, 2), F(1, 4)),
    WalkModel(F(1, 5), F(1, 3)),
    WalkModel(F(2, 5), F(0)),
    Explicit((F(1, 3), F(1), F(0), F(0)), (F(0), F(0), F(1, 2), F(1, 4))),
    Explicit((F(1, 2), F(1, 4), F(1, 2), F(0)), (F(0), F(1, 4), F(1, 8), F(2, 3))),
]
GRADES = [F(1, 2), F(0), F(1), F(1, 3)]


def brackets(model: ChainModel, run: list[F], loss: F, mean: Any, ratio: Any, longest: int = 13) -> bool:
    """Tell whether both expectations are possible, given the paths of at most so many steps."""
    forward, backward = model.chain(len(run))
    means = gains = steps = left = F(0)
    for path, chance in all_paths(forward, backward, longest):
        gain = gain_of(path, run, loss)
        means, gains, steps = means + chance * gain / len(path), gains + chance * gain, steps + chance * len(path)
        left += chance
    left = 1 - left
    # Longer paths earn between 0 and the largest grade per step.
    low, high = float(means), float(means + left * max(run))
    narrow = left < F(1, 50)
    total = F(ratio) * expected_steps(model, len(run))
    return bool(narrow and low - 1e-12 <= float(mean) <= high + 1e-12 and float(gains) <= float(total) + 1e-12)


@each(("model", "loss"), list(product(CHAINS, [F(0), F(1, 4)])), 5, ids=str)
def test_expectations_agree_with_the_listing_of_paths(model: ChainModel, loss: F) -> None:
    grades = exact(GRADES, 4)
    user = User(model, loss)
    mean = expectation(Floats(), user, floats(grades), "mean")
    ratio = expectation(Rationals(), user, grades, "ratio")
    assert brackets(model, GRADES, loss, mean, F(int(ratio.p), int(ratio.q)))
    assert not brackets(model, GRADES, loss, mean + 0.05, F(int(ratio.p), int(ratio.q)))


def test_users_who_never_seem_to_stop_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping_value, "_MOST_STEPS", 1 << 9)
    slow = User(Explicit((1, 0), (0, F(10**9 - 1, 10**9))))  # type: ignore[arg-type]
    with pytest.raises(MetricError, match="order=ratio has no such limit"):
        expectation(Floats(), slow, np.array([1.0, 0.0]), "mean")
    assert expectation(Floats(), slow, np.array([1.0, 0.0]), "ratio") == pytest.approx(0.5)


def by_value(values: Any, masses: Any) -> dict[F, F]:
    found: dict[F, F] = {}
    for v, m in zip(values, masses, strict=True):
        key = F(int(v.p), int(v.q))
        found[key] = found.get(key, F(0)) + F(int(m.p), int(m.q))
    return {v: m for v, m in found.items() if m}


@pytest.mark.parametrize("model", CHAINS, ids=str)
@pytest.mark.parametrize("loss", [F(0), F(1, 4)], ids=str)
def test_distributions_agree_with_the_listing_of_paths(model: ChainModel, loss: F) -> None:
    values, masses, rest = distribution(Rationals(), User(model, loss), exact(GRADES, 4), 9)
    listed: dict[F, F] = {}
    for path, chance in all_paths(*model.chain(4), 9):
        value = gain_of(path, GRADES, loss) / len(path)
        listed[value] = listed.get(value, F(0)) + chance
    assert by_value(values, masses) == listed
    assert F(int(rest.p), int(rest.q)) == 1 - sum(listed.values())
    in_floats = distribution(Floats(), User(model, loss), floats(exact(GRADES, 4)), 9)
    assert sum(in_floats[0] * in_floats[1]) == pytest.approx(float(sum(v * m for v, m in listed.items())), abs=1e-14)


def test_rankings_without_anything_relevant_have_zeros_of_the_arithmetic() -> None:
    user = User(WalkModel(F(1, 2), F(1, 4)))
    for a, nothing in ((Rationals(), exact([F(0)] * 2, 2)), (Floats(), np.zeros(2))):
        values, masses, _ = distribution(a, user, nothing)
        assert {type(v) for v in values} == {type(m) for m in masses}
        assert not any(values)


@pytest.mark.parametrize("name", ["P@H-P", "P@H-RBP", "P@H-ERR"])
def test_distributions_have_the_means_of_the_scores(name: str) -> None:
    for run in (R, S, [F(0)] * 3, [F(1)]):
        grades = exact(run, len(run), 1)
        metric, dominance = parse(name), parse(f"{name}(order=dominance)")
        assert isinstance(dominance, StoppingMetric)
        values, masses, rest = dominance.distribution(Floats(), floats(grades), np.ones(1), floats(grades), 40)
        mean = metric.score(Floats(), floats(grades), np.ones(1), floats(grades))
        assert masses.sum() + rest == pytest.approx(1, abs=1e-12)
        assert float((values * masses).sum()) == pytest.approx(float(mean), abs=max(1e-12, float(rest)))


@pytest.mark.parametrize("name", ["P@H-AP", "P@H-DCG", "P@H-walk"])
def test_distributions_of_a_batch_are_those_of_its_rows(name: str) -> None:
    rng = np.random.default_rng(1)
    grades = rng.integers(0, 2, (2, 5, 4, 1)).astype(float)
    pool, weights = grades[0], np.ones((5, 1))
    metric = parse(f"{name}(order=dominance)@3")
    assert isinstance(metric, StoppingMetric)
    values, masses, rest = metric.distribution(Floats(), grades, weights, pool)
    assert values.shape == masses.shape
    assert values.shape[:2] == (2, 5)
    one_values, one_masses, _ = metric.distribution(Floats(), grades[1, 3], weights[3], pool[3])
    assert float((one_values * one_masses).sum()) == pytest.approx(float((values * masses)[1, 3].sum()), abs=1e-14)
    assert np.shape(rest) == ()


@pytest.mark.parametrize("text", ["P@H-DCG(order=mean)", "P@H-DCG(order=ratio)", "P@H-walk(order=mean)"])
def test_irrational_scores_are_refused_by_rationals_and_had_in_symbols(text: str) -> None:
    with pytest.raises(NotRational):
        score(text, R)
    score(text, R, Symbols(len(R)))


@pytest.mark.parametrize("order", ["mean", "ratio"])
def test_the_limit_regime_of_err_is_the_limit(order: str) -> None:
    """The ratio has an endless series, of which four terms are kept."""
    metric = parse(f"P@H-ERR(order={order})")
    run = [F(1, 2), F(0), F(1), F(1, 4)]
    grades = exact(run, 4, 1)
    series = metric.score(Balls(), Series({1: grades}), exact([F(1)], 1), Series({1: grades}))
    for eps in (F(1, 1000), F(1, 2000)):
        small = exact([x * eps for x in run], 4, 1)
        value = arb(metric.score(Balls(), small, exact([F(1)], 1), small))
        terms = {k: arb(np.asarray(c, dtype=object).item()) for k, c in series.terms.items()}
        expansion = sum((c * to_fmpq(eps) ** k for k, c in terms.items()), arb(0))
        assert abs(value - expansion) < 10 * to_fmpq(eps) ** 4


def test_dominance_has_no_score_and_aspects_need_lifting() -> None:
    grades = exact([F(1), F(0)], 1, 2)
    with pytest.raises(MetricError, match="has no score"):
        score("P@H-RBP(order=dominance)", R)
    with pytest.raises(MetricError, match="aggregate=max"):
        parse("P@H-RBP").score(Rationals(), grades, exact([F(1, 2)] * 2, 2), grades)
    lifted = parse("P@H-RBP(aggregate=max)").score(Rationals(), grades, exact([F(1, 2)] * 2, 2), grades)
    assert lifted == 1


def test_empty_rankings_and_cutoffs() -> None:
    nothing = exact([], 0, 1)
    metric = parse("P@H-walk(order=dominance)")
    assert isinstance(metric, StoppingMetric)
    values, masses, rest = metric.distribution(Rationals(), nothing, exact([F(1)], 1), exact([F(1)], 1, 1))
    assert (values.tolist(), masses.tolist(), rest) == ([0], [1], 0)
    assert parse("P@H-P").score(Rationals(), nothing, exact([F(1)], 1), exact([F(1)], 1, 1)) == 0
    assert score("P@H-P@4", R) == F(1, 2)
    assert score("P@H-P@40", R) == F(2, 5)


@pytest.mark.parametrize(
    ("name", "ahead"), [("P@H-P", -1), ("P@H-AP", 1), ("P@H-RBP", 1), ("P@H-RBP(p=0.8)", 1), ("P@H-RBP(p=1)", -1)]
)
def test_tails_are_of_dominance_too(name: str, ahead: int) -> None:
    metric = parse(name)
    assert isinstance(metric, StoppingMetric)
    tail = type(metric)(**(metric.values | {"order": "dominance"})).tail()
    for n in range(tail.start, tail.start + 12):
        for c in (F(1), F(1, 3)):
            top = known(metric.user(), [c] + [F(0)] * (2 * n - 1))
            block = known(metric.user(), [F(0)] * n + [c] * n)
            seen = {s.ahead for s in segments_of(top, block)}
            assert ("first" in seen) == (ahead == 1)
            assert ("second" in seen) == (ahead == -1)


@pytest.mark.parametrize("name", ["P@H-DCG", "P@H-ERR"])
def test_distributions_without_a_tail_cross(name: str) -> None:
    metric = parse(f"{name}(order=dominance)")
    assert isinstance(metric, StoppingMetric)
    assert metric.tail() is None
    top = known(metric.user(), [F(1, 2)] + [F(0)] * 9)
    block = known(metric.user(), [F(0)] * 5 + [F(1, 2)] * 5)
    assert {"first", "second"} <= {s.ahead for s in segments_of(top, block)}


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


def test_users_and_walks_out_of_range() -> None:
    with pytest.raises(InvalidInput, match=r"p \+ q < 1"):
        WalkModel(F(3, 4), F(1, 4))
    with pytest.raises(InvalidInput, match="0 <= loss <= 1"):
        User(Deterministic(), loss=F(3, 2))
    with pytest.raises(InvalidInput, match="needs a ForwardModel"):
        User(WalkModel(F(1, 2), F(1, 4)), gain="first")
