"""P@H: against the listing of every path, linear algebra and integrals."""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from flint import acb, arb, ctx, fmpq, fmpq_mat

from axiomcheck.core.errors import MetricError, NotRational
from axiomcheck.metrics import parse
from axiomcheck.metrics.browsing import ChainModel, Persistent, User, WalkModel
from axiomcheck.metrics.stopping import StoppingMetric
from axiomcheck.metrics.stopping_value import distribution, expectation, paths_within
from axiomcheck.metrics.stopping_visits import MeanGain, ShareOfGain, TotalGain, expected_steps, visit_functions
from axiomcheck.numbers.arithmetic import Balls, Floats, Rationals, Symbols, to_fmpq
from axiomcheck.numbers.series import Series
from research.claims.simulation import Explicit, known, segments_of
from tests.metrics.stopping_paths_plain import all_paths, gain_of
from tests.support.metrics_topics import exact, floats
from tests.support.suites import each, quality

F = Fraction

FAMILY = ("P@H-P", "P@H-AP", "P@H-RBP", "P@H-DCG", "P@H-ERR", "P@H-walk")
R = [F(x) for x in (1, 0, 0, 1, 0, 0, 1, 0, 0, 1)]
S = [F(x) for x in (0, 1, 1, 1, 1, 0, 0, 0, 0, 0)]


def score(name: str, run: list[F], arithmetic: Any = None) -> Any:
    grades = exact(run, len(run), 1)
    found = parse(name).score(arithmetic or Rationals(), grades, exact([F(1)], 1), grades)
    return F(int(found.p), int(found.q)) if isinstance(found, fmpq) else found


# ---------------------------------------------------------------------------------------- walks, path by path

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


@each(("model", "loss"), list(product(CHAINS, [F(0), F(1, 4), F(1)])), 5, ids=str)
def test_expectations_agree_with_the_listing_of_paths(model: ChainModel, loss: F) -> None:
    grades = exact(GRADES, 4)
    user = User(model, loss)
    mean = expectation(Floats(), user, floats(grades), "mean")
    ratio = expectation(Rationals(), user, grades, "ratio")
    assert brackets(model, GRADES, loss, mean, F(int(ratio.p), int(ratio.q)))
    assert not brackets(model, GRADES, loss, mean + 0.05, F(int(ratio.p), int(ratio.q)))


class OtherEnds(WalkModel):
    """A planted fault: the first rank of appendix C, p_1 = p, instead of figure 1d's p + q."""

    def chain(self, n: int) -> tuple[tuple[F, ...], tuple[F, ...]]:
        forward, backward = super().chain(n)
        return (self.p, *forward[1:]), backward


def test_the_listing_sees_other_ends() -> None:
    grades = exact(GRADES, 4)
    mean = expectation(Floats(), User(OtherEnds(F(1, 2), F(1, 4))), floats(grades), "mean")
    ratio = expectation(Rationals(), User(OtherEnds(F(1, 2), F(1, 4))), grades, "ratio")
    assert not brackets(WalkModel(F(1, 2), F(1, 4)), GRADES, F(0), mean, F(int(ratio.p), int(ratio.q)))


@pytest.mark.parametrize("model", CHAINS, ids=str)
def test_expected_visits_are_those_of_the_fundamental_matrix(model: ChainModel) -> None:
    """Without loss, the first row of (I - P)^-1 (appendix B, equation 1)."""
    forward, backward = model.chain(4)
    matrix = fmpq_mat(4, 4, [fmpq(int(i == j)) for i in range(4) for j in range(4)])
    for i in range(4):
        if i < 3:
            matrix[i, i + 1] = -to_fmpq(forward[i])
        if i:
            matrix[i, i - 1] = -to_fmpq(backward[i])
    inverse = matrix.inv()
    visits = [F(int(inverse[0, j].p), int(inverse[0, j].q)) for j in range(4)]
    assert [TotalGain(model, F(0), 4).rational(i) for i in range(1, 5)] == visits
    assert expected_steps(model, 4) == sum(visits)
    assert [ShareOfGain(model, F(0), 4).rational(i) for i in range(1, 5)] == [v / sum(visits) for v in visits]


@pytest.mark.parametrize("model", [CHAINS[0], CHAINS[1], CHAINS[4]], ids=str)
@pytest.mark.parametrize("bits", [53, 128])
def test_weights_of_the_mean_are_the_integrals_of_the_generating_functions(model: ChainModel, bits: int) -> None:
    forward, backward = ([to_fmpq(x) for x in side] for side in model.chain(4))
    ends = [1 - p - q for p, q in zip(forward, backward, strict=True)]
    with ctx.workprec(bits):
        for i in range(4):
            integral = acb.integral(
                lambda z, _, i=i: visit_functions(forward, backward, ends, fmpq(3, 4), z, acb(1))[i], 0, 1
            ).real
            ball = MeanGain(model, F(1, 4), 4).ball(i + 1)
            assert integral.overlaps(ball)
            assert float(ball.rad()) < 2.0 ** (10 - bits)
            assert abs(MeanGain(model, F(1, 4), 4).real(i + 1) - float(ball.mid())) < 1e-15
            assert not (integral + arb("1e-14") if bits == 128 else arb(2)).overlaps(ball)


def test_the_mean_of_a_chain_without_steps_back_is_that_of_the_forward_model() -> None:
    model, run = Explicit((F(1, 3),) * 3 + (F(0),), (F(0),) * 4), exact(GRADES, 4)
    for order in ("mean", "ratio"):
        ours = expectation(Rationals(), User(model), run, order)  # type: ignore[arg-type]
        assert ours == expectation(Rationals(), User(Persistent(F(1, 3))), run, order)  # type: ignore[arg-type]


def test_without_loss_equal_grades_score_that_grade() -> None:
    user = User(WalkModel(F(1, 2), F(1, 4)))
    for n in (1, 2, 5):
        assert expectation(Balls(), user, exact([F(1, 3)] * n, n), "mean") == fmpq(1, 3)


@quality
def test_users_who_never_seem_to_stop_are_refused() -> None:
    slow = User(Explicit((1, 0), (0, F(10**9 - 1, 10**9))))  # type: ignore[arg-type]
    with pytest.raises(MetricError, match="order=ratio has no such limit"):
        expectation(Floats(), slow, np.array([1.0, 0.0]), "mean")
    assert expectation(Floats(), slow, np.array([1.0, 0.0]), "ratio") == pytest.approx(0.5)


# ------------------------------------------------------------------------------------------------ distributions


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


def test_paths_count_visits_of_the_ranks_asked_for_only() -> None:
    walk = WalkModel(F(1, 2), F(1, 4))
    all_, some = paths_within(walk, 5, (1, 2, 3, 4, 5), 10), paths_within(walk, 5, (2,), 10)
    assert len(some.masses) < len(all_.masses)
    assert sum(some.masses) == sum(all_.masses) == 1 - some.rest
    assert (all_.visits.sum(axis=1) == all_.steps).all()


@each("name", FAMILY, 3)
def test_distributions_have_the_means_of_the_scores(name: str) -> None:
    for run in (R, S, [F(0)] * 3, [F(1)]):
        grades = exact(run, len(run), 1)
        metric, dominance = parse(name), parse(f"{name}(order=dominance)")
        assert isinstance(dominance, StoppingMetric)
        values, masses, rest = dominance.distribution(Floats(), floats(grades), np.ones(1), floats(grades), 40)
        mean = metric.score(Floats(), floats(grades), np.ones(1), floats(grades))
        assert masses.sum() + rest == pytest.approx(1, abs=1e-12)
        assert float((values * masses).sum()) == pytest.approx(float(mean), abs=max(1e-12, float(rest)))


@pytest.mark.parametrize("name", FAMILY)
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


# ------------------------------------------------------------------------------------- arithmetics and the limit


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


def test_the_inverse_series_orders_rankings_as_the_ratio_does() -> None:
    """Every pair of runs of two or three levels: the leading coefficients decide as grades of a millionth do."""
    levels = [F(0), F(1, 3), F(1)]
    all_ = list(product(levels, repeat=3))
    metric, weights = parse("P@H-ERR(order=ratio)"), exact([F(1)], 1)
    exactly, series = [], []
    for run in all_:
        grades = exact(run, 3, 1)
        small = exact([x / 10**6 for x in run], 3, 1)
        exactly.append(metric.score(Rationals(), small, weights, small))
        series.append(metric.score(Rationals(), Series({1: grades}), weights, Series({1: grades})))
    for i, j in product(range(len(all_)), repeat=2):
        sign = int(exactly[i] > exactly[j]) - int(exactly[i] < exactly[j])
        assert int((series[i] - series[j]).sign()) == sign


# --------------------------------------------------------------------------------------------- names and errors


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


# ------------------------------------------------------------------------------------------------- long blocks


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


def test_the_ratio_of_err_has_no_side() -> None:
    """For small grades the block is ahead from n = 5 on, for large ones the top is."""
    metric = parse("P@H-ERR(order=ratio)")
    assert metric.tail() is None
    signs = []
    for c in (F(1, 100), F(9, 10)):
        top, block = ([c] + [F(0)] * 39, [F(0)] * 20 + [c] * 20)
        signs.append(score(str(metric), top) > score(str(metric), block))
    assert signs == [False, True]
