"""How fast users are simulated, as users per second and as a ratio measured in one run.

Users of a ranking of ten documents walk it vectorised, as in `axiomcheck simulate`, and one after another in plain
Python, with the same probabilities; each the better of several tries.

    python benchmarks/simulation.py [--users N] [--plain N] [--tries N]
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

import numpy as np

from axiomcheck.metrics import parse
from axiomcheck.metrics.browsing import User
from axiomcheck.metrics.stopping import StoppingMetric
from axiomcheck.numbers.arithmetic import Floats
from axiomcheck.runs.simulate import simulate

RUN = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]
NAMES = ("P@H-P", "P@H-AP", "P@H-RBP(p=0.5)", "P@H-DCG", "P@H-ERR", "P@H-walk(loss=0)", "P@H-walk")


def plain(user: User, users: int, seed: int) -> float:
    """The mean of P@H over users who walk one after another."""
    rng = random.Random(seed)
    probabilities = user.browsing.transitions(Floats(), np.array(RUN))
    forward, backward = ([float(x) for x in np.broadcast_to(side, (len(RUN),))] for side in probabilities)
    gains = [float(x) for x in user.gains(Floats(), np.array(RUN))]
    keep = float(1 - user.loss)
    total = 0.0
    for _ in range(users):
        at, gained, steps, left = 0, 0.0, 0, list(gains)
        while True:
            steps += 1
            gained += left[at]
            left[at] *= keep
            drawn = rng.random()
            if drawn < forward[at]:
                at += 1
            elif drawn < forward[at] + backward[at]:
                at -= 1
            else:
                break
        if user.gain == "first":
            gained = 1.0
        total += gained / (steps if user.effort == "steps" else 1)
    return total / users


def best(function: Callable[[], object], tries: int) -> float:
    """The least of the seconds that several calls take."""
    seconds = []
    for _ in range(tries):
        start = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=100_000)
    parser.add_argument("--plain", type=int, default=10_000)
    parser.add_argument("--tries", type=int, default=3)
    given = parser.parse_args()
    print(f"{len(RUN)} documents, {given.users:,} users; plain Python: {given.plain:,}")
    print(f"{'model':<20}{'seconds':>9}{'users/s':>14}{'plain users/s':>16}{'ratio':>8}")
    for name in NAMES:
        metric = parse(name)
        assert isinstance(metric, StoppingMetric)
        user = metric.user()
        fast = simulate(user, RUN, given.users, 1)
        slow = plain(user, given.plain, 1)
        spread = fast.mean_error * (1 + (given.users / given.plain) ** 0.5)
        assert abs(fast.mean - slow) <= 5 * spread + 1e-9, f"{name}: {fast.mean} and {slow}"
        vectorised = best(lambda user=user: simulate(user, RUN, given.users, 1), given.tries)  # type: ignore[misc]
        one_by_one = best(lambda user=user: plain(user, given.plain, 1), given.tries)  # type: ignore[misc]
        rates = given.users / vectorised, given.plain / one_by_one
        print(f"{name:<20}{vectorised:>9.3f}{rates[0]:>14,.0f}{rates[1]:>16,.0f}{rates[0] / rates[1]:>8.1f}")


if __name__ == "__main__":
    main()
