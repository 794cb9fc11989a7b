"""Two runs by the three orders: the expectations, and where one distribution is ahead of the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from flint import arb, ctx, fmpq

from axiomcheck.metrics.browsing import User
from axiomcheck.runs.simulate.exact import Known, known, sign_of
from axiomcheck.runs.simulate.users import Simulation, simulate

Outcome = Literal["first", "second", "equal", "incomparable", "undecided"]
"""Which of two runs is ahead, if either."""

_BY_SIGN: dict[int | None, Outcome] = {1: "first", -1: "second", 0: "equal", None: "undecided"}


@dataclass(frozen=True)
class Segment:
    """An interval of scores x on which it is the same run of which more users score x or more.

    Args:
        low, high: low < x <= high.
        ahead: of which run P[P@H >= x] is larger, certainly; ``"undecided"`` where the probability that is left out of
            a random walk's distribution may decide.

    """

    low: Fraction
    high: Fraction
    ahead: Outcome


@dataclass(frozen=True)
class RunStudy:
    """One or two runs: simulated, and as far as known exactly.

    Args:
        name: the browsing model, as asked for.
        seed: of the random numbers.
        known: of each run.
        simulations: of each run; with users of its own.

    """

    name: str
    seed: int
    known: tuple[Known, ...]
    simulations: tuple[Simulation, ...]

    def order(self, which: Literal["mean", "ratio"]) -> Outcome:
        """Which of two runs has the larger expectation, certainly."""
        first, second = (getattr(k, which) for k in self.known)
        return _BY_SIGN[sign_of(first - second)]

    def segments(self) -> list[Segment]:
        """Where which of two runs is ahead; in increasing order, neighbours differ."""
        return segments_of(*self.known)

    def dominance(self) -> Outcome:
        """Which of two runs dominates the other, certainly."""
        seen = {s.ahead for s in self.segments()}
        if {"first", "second"} <= seen:
            return "incomparable"
        if "undecided" in seen:
            return "undecided"
        return "first" if "first" in seen else "second" if "second" in seen else "equal"


def study(name: str, user: User, runs: Sequence[Sequence[Fraction]], users: int = 100_000, seed: int = 0) -> RunStudy:
    """Simulates one or two runs and compares them.

    Args:
        name: what the browsing model is called in reports.
        user: browsing model, gain and effort.
        runs: grades in rank order, one or two runs.
        users: how many browse each run.
        seed: of the random numbers.

    Raises:
        InvalidInput: as `simulate`.

    """
    simulations = tuple(simulate(user, run, users, (seed, number)) for number, run in enumerate(runs))
    return RunStudy(name, seed, tuple(known(user, run) for run in runs), simulations)


def segments_of(first: Known, second: Known) -> list[Segment]:
    """Where which of two distributions is ahead.

    Of what is left out of a distribution nothing is known but its probability, so a run is certainly ahead at x where
    it is with all that is left out of the other one at or above x, and nothing of its own.
    """
    thresholds = sorted({*first.values, *second.values})
    certain: list[tuple[Fraction, Outcome]] = []
    tails = [_Tail(k) for k in (first, second)]
    with ctx.workprec(128):
        for x in reversed(thresholds):
            for tail in tails:
                tail.down_to(x)
            certain.append((Fraction(int(x.p), int(x.q)), _ahead(*tails)))
    out: list[Segment] = []
    low = Fraction(0)
    for high, ahead in reversed(certain):
        if high == 0:
            continue  # everyone scores 0 or more
        if out and out[-1].ahead == ahead:
            out[-1] = Segment(out[-1].low, high, ahead)
        else:
            out.append(Segment(low, high, ahead))
        low = high
    return out


class _Tail:
    """P[P@H >= x] for decreasing x."""

    def __init__(self, known: Known) -> None:
        self.rest = known.rest
        self.left = list(zip(known.values, known.masses, known.symbols or known.masses, strict=True))
        self.mass: Any = fmpq(0)
        self.symbols: Any = fmpq(0)

    def down_to(self, x: fmpq) -> None:
        """Adds the probabilities of the values from x on."""
        while self.left and self.left[-1][0] >= x:
            _, mass, symbols = self.left.pop()
            self.mass, self.symbols = mass + self.mass, symbols + self.symbols


def _ahead(first: _Tail, second: _Tail) -> Outcome:
    if sign_of(first.mass - second.mass - second.rest) == 1:
        return "first"
    if sign_of(second.mass - first.mass - first.rest) == 1:
        return "second"
    # A ball never shows that two probabilities are equal; an identity in the logarithms does.
    tie = first.rest == 0 and second.rest == 0 and bool(first.symbols - second.symbols == 0)
    return "equal" if tie else "undecided"


def as_float(value: Any) -> float:
    """A rational or ball as the nearest double."""
    return float(value.mid()) if isinstance(value, arb) else int(value.p) / int(value.q)
