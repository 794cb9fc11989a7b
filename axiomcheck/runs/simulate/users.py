"""Simulated users: vectorised over users, one step of all of them at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.limits import CELLS
from axiomcheck.core.typing import Integers, Reals
from axiomcheck.metrics.browsing import User
from axiomcheck.numbers.arithmetic import Floats

_MOST_STEPS = 1_000_000


@dataclass(frozen=True)
class Simulation:
    """What simulated users collected, and at which effort.

    Args:
        totals: (U,) T of each user.
        steps: (U,) H of each user.
        efforts: (U,) f(H) of each user.

    """

    totals: Reals
    steps: Integers
    efforts: Reals

    @cached_property
    def values(self) -> Reals:
        """(U,) P@H of each user, in increasing order."""
        return np.sort(self.totals / self.efforts)

    @property
    def users(self) -> int:
        """U."""
        return len(self.totals)

    @property
    def mean(self) -> float:
        """The estimate of E[T / f(H)]."""
        return float(self.values.mean())

    @property
    def mean_error(self) -> float:
        """Its standard error."""
        return float(self.values.std(ddof=1) / np.sqrt(self.users))

    @property
    def ratio(self) -> float:
        """The estimate of E[T] / E[f(H)]."""
        return float(self.totals.mean() / self.efforts.mean())

    @property
    def ratio_error(self) -> float:
        """Its standard error, by the delta method."""
        spread = (self.totals - self.ratio * self.efforts).std(ddof=1)
        return float(spread / (self.efforts.mean() * np.sqrt(self.users)))

    def cdf(self, x: Any) -> Any:
        """The share of users with P@H <= x, elementwise."""
        return np.searchsorted(self.values, x, side="right") / self.users


def simulate(user: User, run: Sequence[Any], users: int = 100_000, seed: int | Sequence[int] = 0) -> Simulation:
    """Lets users browse a ranking.

    Args:
        user: the browsing model, and what visits give and cost.
        run: grades in rank order, 0 or more; at least one.
        users: how many, 2 or more.
        seed: of the random numbers; the same seed gives the same users.

    Raises:
        InvalidInput: too few users, no documents, or users who do not end within a million steps.

    """
    if users < 2:
        raise InvalidInput(f"{users} users; expected 2 or more")
    grades = np.array([float(x) for x in run])
    if not len(grades):
        raise InvalidInput("a run without documents; expected at least one grade")
    forward, backward = (np.broadcast_to(x, grades.shape) for x in user.browsing.transitions(Floats(), grades))
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
    """(T, H) of some users."""
    totals, steps = np.zeros(users), np.zeros(users, dtype=np.int64)
    moves = forward + backward
    keep = float(1 - user.loss)
    left = np.broadcast_to(gains, (users, len(gains))).copy() if again else None
    who, at = np.arange(users), np.zeros(users, dtype=np.int64)
    for _ in range(_MOST_STEPS):
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
        if not len(who):
            return totals, steps
    raise InvalidInput(f"users go on for more than {_MOST_STEPS:,} steps; simulate a model in which they end sooner")
