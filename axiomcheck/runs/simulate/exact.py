"""What is known of P@H without simulation: its expectations and its distribution, in exact or certified numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from axiomcheck.core.errors import NotRational
from axiomcheck.core.typing import Array
from axiomcheck.metrics.browsing import ChainModel, User
from axiomcheck.metrics.stopping_paths import paths_within
from axiomcheck.metrics.stopping_value import distribution, expectation
from axiomcheck.numbers.arithmetic import Arithmetic, Balls, Rationals, Symbols, to_fmpq

_PRECISION = 128
_MOST_CLASSES = 30_000
_REST = fmpq(1, 10_000)
"""Of a random walk, paths are followed until this probability is left, or until there are too many classes of them."""


@dataclass(frozen=True)
class Known:
    """P@H of one run.

    Args:
        run: the grades.
        mean: E[T / f(H)], a rational or a ball.
        ratio: E[T] / E[f(H)], a rational or a ball.
        values: the support in increasing order, rationals, distinct.
        masses: their probabilities, rationals or balls.
        symbols: the probabilities with independent symbols for logarithms, where ``masses`` has balls; else None.
        rest: the probability of what is not listed, exact; 0 where the distribution is complete.
        depth: of a random walk, the most steps of what is listed; None where all is.

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
    """The expectations and the distribution of P@H.

    Args:
        user: browsing model, gain and effort.
        run: grades in rank order, at least one.

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
    """The distribution with every value once, in increasing order."""
    values, masses, rest = distribution(a, user, grades, depth or 1)
    found: dict[tuple[int, int], Any] = {}
    for value, mass in zip(values, masses, strict=True):
        key = int(value.p), int(value.q)
        found[key] = found[key] + mass if key in found else mass
    ordered = sorted((fmpq(*key), mass) for key, mass in found.items() if not _is_zero(mass))
    return [v for v, _ in ordered], [m for _, m in ordered], rest


def _is_zero(mass: Any) -> bool:
    return bool(mass == 0)


def sign_of(value: Any) -> int | None:
    """The certain sign of a rational or ball; None for a ball around zero."""
    if isinstance(value, arb):
        return 1 if value > 0 else -1 if value < 0 else 0 if value == 0 else None
    return int(value > 0) - int(value < 0)
