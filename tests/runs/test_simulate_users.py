"""Simulated users: the same as a plain walk of one user after another, and as what is known exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import parse
from axiomcheck.metrics.browsing import Explicit, Persistent, User, WalkModel
from axiomcheck.metrics.stopping import StoppingMetric
from axiomcheck.runs.simulate import Simulation, as_float, known, segments_of, simulate, study
from tests.support.suites import each, quality

R = [Fraction(x) for x in (1, 0, 0, 1, 0, 0, 1, 0, 0, 1)]
S = [Fraction(x) for x in (0, 1, 1, 1, 1, 0, 0, 0, 0, 0)]
GRADED = [Fraction(1, 2), Fraction(0), Fraction(1, 4), Fraction(3, 4), Fraction(1, 8)]
FAMILY = ("P@H-P", "P@H-AP", "P@H-RBP", "P@H-DCG", "P@H-ERR", "P@H-walk", "P@H-walk(p=0.2, q=0.5, loss=1)")


def user_of(name: str) -> User:
    metric = parse(name)
    assert isinstance(metric, StoppingMetric)
    return metric.user()


def plausible(found: Simulation, user: User, run: list[Fraction]) -> bool:
    """Tell whether both estimates are within four standard errors, and the distribution is near the exact one."""
    exact = known(user, run)
    for estimate, error, value in (
        (found.mean, found.mean_error, as_float(exact.mean)),
        (found.ratio, found.ratio_error, as_float(exact.ratio)),
    ):
        if abs(estimate - value) > 4 * error + 1e-12:
            return False
    distribution = np.cumsum([as_float(m) for m in exact.masses])
    # Just above each value, where rounding does not decide; the bound is that of Dvoretzky, Kiefer and Wolfowitz.
    points = np.array([as_float(v) for v in exact.values]) + 1e-9
    empirical = np.searchsorted(found.values, points, side="right") / found.users
    bound = np.sqrt(np.log(2 / 1e-6) / (2 * found.users)) + as_float(exact.rest)
    return bool(np.all(np.abs(empirical - distribution) <= bound))


@each("name", FAMILY, 5)
@each("run", [R, S, GRADED, [Fraction(0)] * 2, [Fraction(1)]], 5, ids=str)
def test_simulation_agrees_with_what_is_known(name: str, run: list[Fraction]) -> None:
    assert plausible(simulate(user_of(name), run, 20_000, 3), user_of(name), run)


HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
FAULTS = [
    ("P@H-RBP", User(Persistent(Fraction(11, 20)))),
    ("P@H-RBP", User(Persistent(HALF), effort="none")),
    ("P@H-walk", User(WalkModel(HALF, QUARTER), Fraction(1, 5))),
    ("P@H-walk", User(Explicit((HALF,) * 9 + (Fraction(0),), (Fraction(0),) + (QUARTER,) * 9), QUARTER)),
]
"""Another persistence, effort, loss and ends."""


@each(("name", "fault"), FAULTS, 2)
def test_the_comparison_sees_users_who_browse_otherwise(name: str, fault: User) -> None:
    assert not plausible(simulate(fault, R, 100_000, 3), user_of(name), R)


@quality
def test_standard_errors_are_those_of_repeated_simulations() -> None:
    runs = [simulate(user_of("P@H-walk"), R, 2_000, seed) for seed in range(200)]
    for which in ("mean", "ratio"):
        spread = np.std([getattr(x, which) for x in runs])
        claimed = np.mean([getattr(x, f"{which}_error") for x in runs])
        assert 0.8 < claimed / spread < 1.25  # the spread of 200 values is known to 5%


def test_the_same_seed_gives_the_same_users_and_another_seed_others(monkeypatch: pytest.MonkeyPatch) -> None:
    user = user_of("P@H-walk")
    one, same, other = (simulate(user, R, 1_000, seed) for seed in (5, 5, 6))
    assert np.array_equal(one.totals, same.totals)
    assert not np.array_equal(one.totals, other.totals)
    first, second = study("walk", user, [R, R], 1_000).simulations
    assert not np.array_equal(first.totals, second.totals)
    monkeypatch.setattr("axiomcheck.runs.simulate.CELLS", 1000)
    assert plausible(simulate(user, R, 2_050, 3), user, R)  # in blocks


def test_input_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInput, match="2 or more"):
        simulate(user_of("P@H-P"), R, 1)
    with pytest.raises(InvalidInput, match="at least one grade"):
        simulate(user_of("P@H-P"), [])
    monkeypatch.setattr("axiomcheck.runs.simulate._MOST_STEPS", 3)
    with pytest.raises(InvalidInput, match="more than 3 steps"):
        simulate(user_of("P@H-P"), R, 5)


@pytest.mark.parametrize(("name", "ahead"), [("P@H-P", "equal"), ("P@H-RBP", "first")])
def test_the_papers_runs_of_figure_1_have_one_order(name: str, ahead: str) -> None:
    """Those of the walk and of AP have several, which the tests of the command have."""
    found = study(name, user_of(name), [R, S], 1_000)
    assert (found.order("mean"), found.order("ratio"), found.dominance()) == (ahead, ahead, ahead)


def ahead_at(x: Fraction, name: str, first: list[Fraction], second: list[Fraction]) -> int:
    """Return the sign of P[P@H >= x] of the first less that of the second, added up for this x alone."""
    tails = []
    for run in (first, second):
        k = known(user_of(name), run)
        pairs = zip(k.values, k.masses, strict=True)
        tails.append(sum(as_float(m) for v, m in pairs if Fraction(int(v.p), int(v.q)) >= x))
    return 0 if abs(tails[0] - tails[1]) < 1e-12 else 1 if tails[0] > tails[1] else -1


@each("name", ["P@H-AP", "P@H-RBP", "P@H-DCG", "P@H-ERR", "P@H-walk"], 5)
def test_segments_are_what_single_thresholds_say(name: str) -> None:
    first, second = (GRADED, [*GRADED[1:], GRADED[0]]) if name != "P@H-AP" else (R, S)
    segments = segments_of(known(user_of(name), first), known(user_of(name), second))
    assert [s.low for s in segments[1:]] == [s.high for s in segments[:-1]]
    if name == "P@H-AP":
        assert [s.ahead for s in segments] == ["equal", "second", "equal", "first"]
        assert [s.high for s in segments] == [Fraction(2, 5), Fraction(3, 4), Fraction(4, 5), Fraction(1)]
        assert (segments[0].low, study("AP", user_of(name), [R, S], 100).segments()) == (Fraction(0), segments)
    words = {"first": 1, "second": -1, "equal": 0}
    for s in segments:
        if s.ahead != "undecided":
            for x in (s.high, (s.low + s.high) / 2, s.low + (s.high - s.low) / 1000):
                assert ahead_at(x, name, first, second) == words[s.ahead]


def test_equal_distributions_are_an_identity_in_the_logarithms() -> None:
    user = user_of("P@H-DCG")
    assert study("DCG", user, [R, R], 100).dominance() == "equal"
    assert study("DCG", user, [R[:3], [*R[:2], Fraction(1)]], 100).dominance() == "second"


def test_walks_that_are_cut_off_are_left_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("axiomcheck.runs.simulate._MOST_CLASSES", 1)
    better = [Fraction(1), Fraction(0)]
    found = study("walk", user_of("P@H-walk"), [better, better], 100)
    assert found.known[0].rest > 0
    assert found.dominance() == "undecided"
