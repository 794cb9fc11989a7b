"""User models (see `axiomcheck.metrics.cwl`): of RBP, of INST, of INST without its adaptation, and of finite depth."""

from __future__ import annotations

from typing import Literal

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Array
from axiomcheck.metrics.cwl import UserModel
from axiomcheck.metrics.cwl_vectors import (
    ROUNDING,
    continuation_from_stopping,
    continuation_from_weights,
    probabilities,
    reached_from_continuation,
)
from axiomcheck.numbers.zeta import zeta_floats


class GeometricModel(UserModel):
    """The user of RBP, C(i) = p at every rank.

    Args:
        p: in (0, 1); one, or one per topic.

    Raises:
        InvalidInput: p is out of range.

    """

    def __init__(self, p: Array) -> None:
        self.p = _checked("p", p, 0.0, 1.0)

    def follow(self, gains: Array, tail: Literal[0, 1]) -> tuple[Array, Array]:
        """C = p, and 1 / (1 - p) documents."""
        p = np.broadcast_to(self.p, gains.shape[:-1])
        return np.broadcast_to(p[..., None], gains.shape), 1 / (1 - p)


class FiniteModel(UserModel):
    """A user who sees no more than so many ranks, whatever is there.

    Args:
        continuation: C(1), C(2), ..., (n,); nobody goes past rank n + 1.

    Raises:
        InvalidInput: not probabilities.

    """

    def __init__(self, continuation: Array) -> None:
        self.continuation = probabilities("C", continuation)
        if self.continuation.ndim != 1:
            raise InvalidInput("C: expected one probability per rank, (n,)")

    @classmethod
    def from_weights(cls, weights: Array) -> FiniteModel:
        """By W(1..n), which sum to 1.

        Raises:
            InvalidInput: they do not, or increase.

        """
        c = continuation_from_weights(weights)
        if abs(float(np.sum(weights)) - 1) > ROUNDING:
            raise InvalidInput(f"W: the weights sum to {np.sum(weights)}; expected 1")
        return cls(c)

    @classmethod
    def from_stopping(cls, stopping: Array) -> FiniteModel:
        """By L(1..n), which sum to 1.

        Raises:
            InvalidInput: they do not.

        """
        c = continuation_from_stopping(stopping)
        if abs(float(np.sum(stopping)) - 1) > ROUNDING:
            raise InvalidInput(f"L: the probabilities sum to {np.sum(stopping)}; expected 1")
        return cls(c)

    @classmethod
    def precision(cls, cutoff: int) -> FiniteModel:
        """The user of P@k, who sees k documents."""
        return cls(np.ones(cutoff - 1))

    def follow(self, gains: Array, tail: Literal[0, 1]) -> tuple[Array, Array]:
        """C as given, 0 from the last rank on."""
        n, own = gains.shape[-1], self.continuation.size
        c = np.zeros(n)
        c[: min(n, own)] = self.continuation[:n]
        left = float(reached_from_continuation(self.continuation[n:]).sum()) if n <= own else 0.0
        return np.broadcast_to(c, gains.shape), np.full(gains.shape[:-1], left)


class InstModel(UserModel):
    """The user of INST, who wants T units of relevance: C(i) = ((i + T + T_i - 1) / (i + T + T_i))^2 (equation 1).

    Args:
        target: T, at least 1/2 (see `axiomcheck.metrics.inst`); one, or one per topic.

    Raises:
        InvalidInput: T is out of range.

    """

    adaptive = True

    def __init__(self, target: Array) -> None:
        self.target = _checked("T", target, 0.5, np.inf, closed=True)

    def found(self, gains: Array) -> Array:
        """R_i, what the user counts as found so far, (..., n)."""
        return np.cumsum(gains, axis=-1)

    def follow(self, gains: Array, tail: Literal[0, 1]) -> tuple[Array, Array]:
        """C by what was found; the sums over the tail in closed form."""
        start = np.broadcast_to(2 * self.target, gains.shape[:-1])
        x = start[..., None] + np.arange(1, gains.shape[-1] + 1) - self.found(gains)
        last = x[..., -1] if gains.shape[-1] else start
        if tail and self.adaptive:
            return ((x - 1) / x) ** 2, last * last / (2 * last - 1)
        return ((x - 1) / x) ** 2, last * last * zeta_floats(2, last)


class StaticInstModel(InstModel):
    """The user of INST who never finds anything (INSQ): C(i) = ((i + 2T - 1) / (i + 2T))^2.

    Args:
        target: T, at least 1/2; one, or one per topic.

    """

    adaptive = False

    def found(self, gains: Array) -> Array:
        """Nothing."""
        return np.zeros_like(gains)


def _checked(name: str, value: Array, low: float, high: float, closed: bool = False) -> Array:
    found = np.asarray(value, dtype=np.float64)
    good = (found >= low if closed else found > low) & (found < high)
    if not good.all():
        worst = found[~good].reshape(-1)[0]
        sign = "<=" if closed else "<"
        above = "" if high == np.inf else f" < {high:g}"
        raise InvalidInput(f"{name}={worst:g}: expected a number with {low:g} {sign} {name}{above}")
    return found
