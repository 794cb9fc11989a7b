"""C/W/L user models, which score rankings, with lower and upper bounds if documents are unjudged.

Sources: Moffat, Thomas and Scholer, CIKM 2013; Moffat, Bailey, Scholer and Thomas, ADCS 2015. The equation numbers are
those of the second paper. A user is described by

- C(i), the probability of going on to rank i + 1 after seeing the document at rank i;
- W(i), the share of the user's attention that rank i gets; W sums to 1;
- L(i), the probability that rank i is the last one seen; L sums to 1.

The score of a ranking with gains r_i is sum_i W(i) r_i, the user's expected rate of gain.

Rankings are float arrays (..., n) in rank order with NaN for unjudged documents. Leading axes are topics. Shorter
rankings are padded with NaN, since a missing document has the same effect as an unjudged one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Array
from axiomcheck.metrics.tails import first_number
from axiomcheck.numbers.zeta import zeta_floats

_DEEPEST = 2**24
"""Largest depth that `UserModel.evaluation_depth` returns."""


def reached_from_continuation(continuation: Array) -> Array:
    """Return C(1) ... C(i - 1), the share of users who reach rank i, for i = 1..n+1: (..., n) -> (..., n + 1)."""
    first = np.ones((*continuation.shape[:-1], 1))
    return np.concatenate([first, np.cumprod(continuation, axis=-1)], axis=-1)


@dataclass(frozen=True)
class Scenario:
    """Rankings in which all unjudged documents, and all documents beyond rank n, are given the same gain.

    Args:
        gains: (..., n) gains in rank order.
        tail: Gain of every document beyond rank n, 0 or 1.
        continuation: (..., n) C(1..n).
        further: (...) expected number of documents beyond rank n that a user who reaches rank n + 1 sees.

    """

    gains: Array
    tail: Literal[0, 1]
    continuation: Array
    further: Array

    @cached_property
    def reached(self) -> Array:
        """Share W(i) / W(1) of users who reach rank i, for i = 1..n+1, of shape (..., n + 1)."""
        return reached_from_continuation(self.continuation)

    @cached_property
    def depth(self) -> Array:
        """Expected search depth E(W) = 1 / W(1) (equation 5), of shape (...)."""
        return self.reached[..., :-1].sum(axis=-1) + self.reached[..., -1] * self.further

    @property
    def weights(self) -> Array:
        """Weights W(1..n) of the ranks, of shape (..., n)."""
        return self.reached[..., :-1] / self.depth[..., None]

    @property
    def stopping(self) -> Array:
        """Probabilities L(1..n) of stopping at each rank, of shape (..., n)."""
        return self.reached[..., :-1] * (1 - self.continuation)

    @property
    def score(self) -> Array:
        """Sum of W(i) r_i over all ranks, including the tail, of shape (...)."""
        earned = (self.gains * self.reached[..., :-1]).sum(axis=-1)
        return (earned + self.tail * self.reached[..., -1] * self.further) / self.depth

    def beyond(self, depth: int) -> Array:
        """Return W(depth + 1) / W(1), the share of users who go beyond a depth (equation 6), of shape (...).

        Raises:
            InvalidInput: The depth is not in 0..n.

        """
        n = self.gains.shape[-1]
        if not 0 <= depth <= n:
            raise InvalidInput(
                f"depth {depth}: expected 0 to {n}, the number of ranks; to go deeper, pass evaluate a larger depth"
            )
        return self.reached[..., depth]


@dataclass(frozen=True)
class Evaluation:
    """Scores of rankings under a user model, with bounds over all possible gains of unjudged documents.

    Args:
        base: Scenario in which unjudged documents have gain 0.
        full: Scenario in which unjudged documents have gain 1.
        adaptive: True if C depends on the gains, so that the weights of the two scenarios may differ.

    """

    base: Scenario
    full: Scenario
    adaptive: bool

    @cached_property
    def score(self) -> Array:
        """Score if every unjudged document has gain 0, of shape (...)."""
        return self.base.score

    @cached_property
    def upper(self) -> Array:
        """Score if every unjudged document has gain 1, of shape (...)."""
        return self.full.score if self.adaptive else self.score + self.residual

    @cached_property
    def residual(self) -> Array:
        """Difference `upper` - `score`, of shape (...). It is computed without cancellation unless C is adaptive."""
        if self.adaptive:
            return self.upper - self.score
        open_ = self.full.gains - self.base.gains
        return Scenario(open_, 1, self.base.continuation, self.base.further).score

    @property
    def depth_low(self) -> Array:
        """Expected search depth if every unjudged document has gain 1, of shape (...)."""
        return self.full.depth

    @property
    def depth_high(self) -> Array:
        """Expected search depth if every unjudged document has gain 0, of shape (...)."""
        return self.base.depth


class UserModel(ABC):
    """Base class of C/W/L user models. A subclass defines C(i), the probabilities of going on."""

    adaptive: bool = False
    """True if C depends on the gains."""

    @abstractmethod
    def follow(self, gains: Array, tail: Literal[0, 1]) -> tuple[Array, Array]:
        """Return the user's continuation probabilities in a fully judged ranking, and her expected depth beyond it.

        Args:
            gains: (..., n) gains in [0, 1].
            tail: Gain of every document beyond rank n.

        Returns:
            C(1..n), shape (..., n), and the expected number of documents beyond rank n that a user who reaches rank
            n + 1 sees, shape (...).

        """

    def scenario(self, gains: Array, tail: Literal[0, 1]) -> Scenario:
        """Return the scenario of a fully judged ranking followed by infinitely many documents of gain ``tail``."""
        return Scenario(gains, tail, *self.follow(gains, tail))

    def evaluate(self, gains: Array, depth: int | None = None) -> Evaluation:
        """Score rankings, with bounds over all possible gains of the unjudged documents in and beyond them.

        Args:
            gains: (..., n) gains in [0, 1] in rank order, NaN for unjudged documents.
            depth: Number of ranks to compute C, W and L for, if greater than n.

        Raises:
            InvalidInput: A gain is not in [0, 1].

        """
        found = np.asarray(gains, dtype=np.float64)
        if found.ndim < 1:
            raise InvalidInput("gains is a single number; expected an array whose last axis runs over the ranks")
        unjudged = np.isnan(found)
        wrong = ~unjudged & ~((found >= 0) & (found <= 1))
        if wrong.any():
            place = tuple(int(k) for k in np.argwhere(wrong)[0])
            raise InvalidInput(
                f"gains{list(place)} is {found[place]}; expected a gain in [0, 1], or NaN for an unjudged document"
            )
        low, high = np.where(unjudged, 0.0, found), np.where(unjudged, 1.0, found)
        if depth is not None and depth > found.shape[-1]:
            widths = [(0, 0)] * (found.ndim - 1) + [(0, depth - found.shape[-1])]
            low, high = np.pad(low, widths), np.pad(high, widths, constant_values=1.0)
        return Evaluation(self.scenario(low, 0), self.scenario(high, 1), self.adaptive)

    def weight_beyond(self, depth: int) -> float:
        """Return sum_{i > depth} W(i) for a ranking without relevant documents (equation 7)."""
        nothing = self.scenario(np.zeros(depth), 0)
        return float(nothing.reached[-1] * nothing.further / nothing.depth)

    def evaluation_depth(self, bound: float) -> int:
        """Return the smallest depth at which `weight_beyond` is below a bound in (0, 1) (Table 2).

        Raises:
            InvalidInput: The bound is out of range, or needs more than 2^24 ranks.

        """
        if not 0 < bound < 1:
            raise InvalidInput(f"residual bound {bound!r}: expected a number between 0 and 1, both excluded")
        depth = first_number(lambda n: self.weight_beyond(n) < bound, most=_DEEPEST)
        if depth is None:
            raise InvalidInput(f"residual bound {bound!r} needs more than {_DEEPEST} ranks; expected a larger bound")
        return depth


class GeometricModel(UserModel):
    """The RBP user model: C(i) = p at every rank.

    Args:
        p: Continuation probability in (0, 1); one value, or one per topic.

    Raises:
        InvalidInput: p is out of range.

    """

    def __init__(self, p: Array) -> None:
        self.p = _checked("p", p, 0.0, 1.0)

    def follow(self, gains: Array, tail: Literal[0, 1]) -> tuple[Array, Array]:
        """Return C(i) = p for every rank, and the expected depth beyond rank n, 1 / (1 - p)."""
        p = np.broadcast_to(self.p, gains.shape[:-1])
        return np.broadcast_to(p[..., None], gains.shape), 1 / (1 - p)


class FiniteModel(UserModel):
    """User model in which nobody goes past a fixed rank, and C does not depend on the gains.

    Args:
        continuation: C(1), C(2), ..., of shape (n,). Nobody goes past rank n + 1.

    Raises:
        InvalidInput: The values are not probabilities.

    """

    def __init__(self, continuation: Array) -> None:
        self.continuation = np.asarray(continuation, dtype=np.float64)
        if self.continuation.ndim != 1 or not ((self.continuation >= 0) & (self.continuation <= 1)).all():
            raise InvalidInput("continuation: expected an array (n,) with one probability in [0, 1] per rank")

    @classmethod
    def precision(cls, cutoff: int) -> FiniteModel:
        """Create the user model for P@k, in which every user sees k documents."""
        return cls(np.ones(cutoff - 1))

    def follow(self, gains: Array, tail: Literal[0, 1]) -> tuple[Array, Array]:
        """Return C(1..n), padded with 0, and the expected depth beyond rank n."""
        n, own = gains.shape[-1], self.continuation.size
        c = np.zeros(n)
        c[: min(n, own)] = self.continuation[:n]
        left = float(reached_from_continuation(self.continuation[n:]).sum()) if n <= own else 0.0
        return np.broadcast_to(c, gains.shape), np.full(gains.shape[:-1], left)


class InstModel(UserModel):
    """The INST user model: C(i) = ((i + T + T_i - 1) / (i + T + T_i))^2 for a user who wants T units (equation 1).

    Args:
        target: T, which is at least 1/2 (see `axiomcheck.metrics.inst`); one value, or one per topic.

    Raises:
        InvalidInput: T is out of range.

    """

    adaptive = True

    def __init__(self, target: Array) -> None:
        self.target = _checked("T", target, 0.5, np.inf, closed=True)

    def found(self, gains: Array) -> Array:
        """Return R_i, the total gain of the first i documents, for every rank i: (..., n) -> (..., n)."""
        return np.cumsum(gains, axis=-1)

    def follow(self, gains: Array, tail: Literal[0, 1]) -> tuple[Array, Array]:
        """Return C(1..n), and the closed form of the expected depth beyond rank n."""
        start = np.broadcast_to(2 * self.target, gains.shape[:-1])
        x = start[..., None] + np.arange(1, gains.shape[-1] + 1) - self.found(gains)
        last = x[..., -1] if gains.shape[-1] else start
        if tail:
            return ((x - 1) / x) ** 2, last * last / (2 * last - 1)
        return ((x - 1) / x) ** 2, last * last * zeta_floats(2, last)


def _checked(name: str, value: Array, low: float, high: float, closed: bool = False) -> Array:
    found = np.asarray(value, dtype=np.float64)
    good = (found >= low if closed else found > low) & (found < high)
    if not good.all():
        worst = found[~good].reshape(-1)[0]
        sign = "<=" if closed else "<"
        above = "" if high == np.inf else f" < {high:g}"
        raise InvalidInput(f"{name}={worst:g}: expected a number with {low:g} {sign} {name}{above}")
    return found
