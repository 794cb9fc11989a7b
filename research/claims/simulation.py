"""Compute P@H of one or two rankings, by simulating users and exactly.

Simulated users follow the browsing model, and all of them take each step at the same time. Expectations are computed
exactly or with certified bounds, and the distribution exactly or up to a stated probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np
from flint import arb, ctx, fmpq

from axiomcheck.core.errors import NotRational
from axiomcheck.core.limits import CELLS
from axiomcheck.core.typing import Array, Integers, Reals
from axiomcheck.decide.dominance import Distribution, certain_sign, tails
from axiomcheck.metrics.browsing import BrowsingModel, ChainModel, ForwardModel, User
from axiomcheck.metrics.stopping_value import distribution, expectation, paths_within
from axiomcheck.numbers.arithmetic import Arithmetic, Balls, Floats, Rationals, Symbols, divide, to_fmpq

_PRECISION = 128
_MOST_CLASSES = 30_000
_REST = fmpq(1, 10_000)
"""Remaining probability at which paths of a random walk are no longer followed.

Paths end earlier if there are too many classes of paths.
"""

Outcome = Literal["first", "second", "equal", "incomparable", "undecided"]
"""Result of comparing two runs: the run that is ahead, or the reason why neither is."""

_BY_SIGN: dict[int | None, Outcome] = {1: "first", -1: "second", 0: "equal", None: "undecided"}


@dataclass(frozen=True)
class Explicit(ChainModel):
    """Chain with explicitly given probabilities for rankings of one fixed length.

    Args:
        forward: Probabilities p_1..p_N; p_N = 0.
        backward: Probabilities q_1..q_N; q_1 = 0.

    """

    forward: tuple[Fraction, ...]
    backward: tuple[Fraction, ...]

    def chain(self, n: int) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """Return the given probabilities."""
        assert n == len(self.forward)
        return self.forward, self.backward


def transitions(model: BrowsingModel, a: Arithmetic, grades: Array) -> tuple[Array, Array]:
    """Return the probabilities p_i of going on and q_i of going back, each of shape (..., N) or (N,).

    In a forward model, p_i is P[H > i] / P[H >= i], or 0 at ranks that nobody reaches.
    """
    if isinstance(model, ChainModel):
        forward, backward = model.chain(grades.shape[-1])
        return np.array([a.number(x) for x in forward]), np.array([a.number(x) for x in backward])
    assert isinstance(model, ForwardModel)
    reached = model.reach(a, grades)
    nothing = a.integers(np.zeros(reached.shape, dtype=np.int64))
    return np.concatenate([divide(reached[..., 1:], reached[..., :-1]), nothing[..., :1]], axis=-1), nothing


@dataclass(frozen=True)
class Simulation:
    """Total gains and efforts of simulated users.

    Args:
        totals: Total gain T of each user, shape (U,).
        steps: Number of steps H of each user, shape (U,).
        efforts: Effort f(H) of each user, shape (U,).

    """

    totals: Reals
    steps: Integers
    efforts: Reals

    @cached_property
    def values(self) -> Reals:
        """P@H of each user, shape (U,), in increasing order."""
        return np.sort(self.totals / self.efforts)

    @property
    def users(self) -> int:
        """Number of users U."""
        return len(self.totals)

    @property
    def mean(self) -> float:
        """Estimate of E[T / f(H)]."""
        return float(self.values.mean())

    @property
    def mean_error(self) -> float:
        """Standard error of the mean."""
        return float(self.values.std(ddof=1) / np.sqrt(self.users))

    @property
    def ratio(self) -> float:
        """Estimate of E[T] / E[f(H)]."""
        return float(self.totals.mean() / self.efforts.mean())

    @property
    def ratio_error(self) -> float:
        """Standard error of the ratio, by the delta method."""
        spread = (self.totals - self.ratio * self.efforts).std(ddof=1)
        return float(spread / (self.efforts.mean() * np.sqrt(self.users)))


def simulate(user: User, run: Sequence[Any], users: int = 100_000, seed: int | Sequence[int] = 0) -> Simulation:
    """Simulate users who browse a ranking.

    Args:
        user: Browsing model, and the gain and cost of visits.
        run: One or more grades in rank order, each 0 or more.
        users: Number of users, 2 or more.
        seed: Seed of the random numbers; the same seed gives the same users.

    """
    grades = np.array([float(x) for x in run])
    forward, backward = (np.broadcast_to(x, grades.shape) for x in transitions(user.browsing, Floats(), grades))
    gains = np.asarray(user.gains(Floats(), grades), dtype=np.float64)
    again = user.loss > 0 and bool(backward.any())
    block = max(1, CELLS // len(grades)) if again else CELLS
    rng = np.random.default_rng(seed)
    totals, steps = np.zeros(users), np.zeros(users, dtype=np.int64)
    for start in range(0, users, block):
        part = slice(start, min(users, start + block))
        totals[part], steps[part] = _browse(user, gains, forward, backward, again, part.stop - start, rng)
    if user.gain == "first":
        totals = np.ones(users)
    efforts = steps.astype(np.float64) if user.effort == "steps" else np.ones(users)
    return Simulation(totals, steps, efforts)


def _browse(
    user: User, gains: Reals, forward: Reals, backward: Reals, again: bool, users: int, rng: np.random.Generator
) -> tuple[Reals, Integers]:
    """Simulate some users, and return the total gain T and the number of steps H of each."""
    totals, steps = np.zeros(users), np.zeros(users, dtype=np.int64)
    moves = forward + backward
    keep = float(1 - user.loss)
    left = np.broadcast_to(gains, (users, len(gains))).copy() if again else None
    who, at = np.arange(users), np.zeros(users, dtype=np.int64)
    while len(who):
        steps[who] += 1
        if left is None:
            totals[who] += gains[at]
        else:
            found = left[who, at]
            totals[who] += found
            left[who, at] = found * keep
        drawn = rng.random(len(who))
        going = drawn < moves[at]
        on = drawn < forward[at]
        who, at = who[going], (at + np.where(on, 1, -1))[going]
    return totals, steps


@dataclass(frozen=True)
class Known:
    """Exact or certified expectations and distribution of P@H on one run.

    Args:
        run: Grades.
        mean: E[T / f(H)], a rational or a ball.
        ratio: E[T] / E[f(H)], a rational or a ball.
        values: Support in increasing order, distinct rationals.
        masses: Probabilities of the values, rationals or balls.
        symbols: Probabilities in which symbols replace logarithms, if ``masses`` has balls; else None.
        rest: Exact total probability of the values that are not listed; 0 if the distribution is complete.
        depth: Maximum number of steps of a random walk that are listed; None if all are listed.

    """

    run: tuple[Fraction, ...]
    mean: Any
    ratio: Any
    values: list[fmpq]
    masses: list[Any]
    symbols: list[Any] | None
    rest: fmpq
    depth: int | None


def known(user: User, run: Sequence[Fraction]) -> Known:
    """Compute the expectations and the distribution of P@H without simulation.

    Args:
        user: Browsing model, gain and effort.
        run: Grades in rank order, at least one.

    """
    grades = np.empty(len(run), dtype=object)
    grades[:] = [to_fmpq(x) for x in run]
    with ctx.workprec(_PRECISION):
        mean, ratio = (_certified(user, grades, order) for order in ("mean", "ratio"))
        depth = _depth(user.browsing, grades) if isinstance(user.browsing, ChainModel) else None
        symbols = None
        try:
            values, masses, rest = _merged(Rationals(), user, grades, depth)
        except NotRational:
            values, masses, rest = _merged(Balls(), user, grades, depth)
            symbols = _merged(Symbols(len(run)), user, grades, depth)[1]
    return Known(tuple(run), mean, ratio, values, masses, symbols, rest, depth)


def _certified(user: User, grades: Array, order: Any) -> Any:
    try:
        return expectation(Rationals(), user, grades, order)
    except NotRational:
        return expectation(Balls(), user, grades, order)


def _depth(model: ChainModel, grades: Array) -> int:
    tracked = tuple(i for i, x in enumerate(grades, 1) if x != 0)
    depth = 8
    while True:
        paths = paths_within(model, len(grades), tracked, depth)
        if paths.rest < _REST or len(paths.masses) > _MOST_CLASSES:
            return depth
        depth += 4


def _merged(a: Arithmetic, user: User, grades: Array, depth: int | None) -> tuple[list[fmpq], list[Any], fmpq]:
    """Return the values of P@H, distinct and increasing, their probabilities, and the unlisted probability."""
    values, masses, rest = distribution(a, user, grades, depth or 1)
    found: dict[tuple[int, int], Any] = {}
    for value, mass in zip(values, masses, strict=True):
        key = int(value.p), int(value.q)
        found[key] = found[key] + mass if key in found else mass
    ordered = sorted((fmpq(*key), mass) for key, mass in found.items() if not bool(mass == 0))
    return [v for v, _ in ordered], [m for _, m in ordered], rest


@dataclass(frozen=True)
class Segment:
    """Interval of scores x in which the same run has the larger P[P@H >= x].

    Args:
        low, high: Ends of the interval, low < x <= high.
        ahead: Run whose P[P@H >= x] is certainly larger; ``"undecided"`` if the unlisted probability of a random walk
            may change the order.

    """

    low: Fraction
    high: Fraction
    ahead: Outcome


@dataclass(frozen=True)
class RunStudy:
    """Simulations and known exact results of one or two runs.

    Args:
        known: Exact or certified results of each run.
        simulations: Simulation of each run. No two runs share users.

    """

    known: tuple[Known, ...]
    simulations: tuple[Simulation, ...]

    def order(self, which: Literal["mean", "ratio"]) -> Outcome:
        """Compare the expectations: return the run whose expectation is certainly larger, or equal or undecided."""
        first, second = (getattr(k, which) for k in self.known)
        return _BY_SIGN[certain_sign(first - second)]

    def segments(self) -> list[Segment]:
        """Return intervals of scores in increasing order, each with the run that is ahead in it.

        Neighbouring intervals have different runs ahead.
        """
        return segments_of(*self.known)

    def dominance(self) -> Outcome:
        """Compare the distributions: return the run that certainly dominates, or equal, incomparable or undecided."""
        seen = {s.ahead for s in self.segments()}
        if {"first", "second"} <= seen:
            return "incomparable"
        if "undecided" in seen:
            return "undecided"
        return "first" if "first" in seen else "second" if "second" in seen else "equal"


def study(user: User, runs: Sequence[Sequence[Fraction]], users: int, seed: int) -> RunStudy:
    """Simulate one or two runs and compare them.

    Args:
        user: Browsing model, gain and effort.
        runs: Grades in rank order, of one or two runs.
        users: Number of users per run.
        seed: Seed of the random numbers.

    """
    simulations = tuple(simulate(user, run, users, (seed, number)) for number, run in enumerate(runs))
    return RunStudy(tuple(known(user, run) for run in runs), simulations)


def segments_of(first: Known, second: Known) -> list[Segment]:
    """Return intervals of scores, each with the run whose distribution is ahead in it.

    Values of P@H may be missing from a distribution, and only their total probability is known. A run is certainly
    ahead at x if it is ahead even when all missing values of the other run are at least x, and all its own are below.
    """
    runs, cap = (first, second), max(*first.values, *second.values)
    listed = [Distribution(run.values, run.masses, run.rest, cap) for run in runs]
    # A ball never shows that two probabilities are equal, but an identity in the logarithms does.
    symbols = [Distribution(run.values, run.symbols or run.masses, fmpq(0)) for run in runs]
    complete = all(run.rest == 0 for run in runs)
    certain: list[tuple[Fraction, Outcome]] = []
    with ctx.workprec(_PRECISION):
        for at, same in zip(tails(*listed), tails(*symbols), strict=False):
            gap = at.worse - at.better  # the first run minus the second
            ahead: Outcome = "equal" if complete and same.worse - same.better == 0 else "undecided"
            if certain_sign(gap - at.better_more) == 1:
                ahead = "first"
            elif certain_sign(-gap - at.worse_more) == 1:
                ahead = "second"
            certain.append((Fraction(int(at.threshold.p), int(at.threshold.q)), ahead))
    out: list[Segment] = []
    low = Fraction(0)
    for high, ahead in reversed(certain):
        if high == 0:
            continue  # all users score 0 or more
        if out and out[-1].ahead == ahead:
            out[-1] = Segment(out[-1].low, high, ahead)
        else:
            out.append(Segment(low, high, ahead))
        low = high
    return out


def as_float(value: Any) -> float:
    """Return the double nearest to a rational, or to the midpoint of a ball."""
    return float(value.mid()) if isinstance(value, arb) else int(value.p) / int(value.q)
