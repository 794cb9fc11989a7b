"""Describes how users browse a ranking: Markov chains on {End, 1..N} (Ferrante and Ferro 2020, section 3).

A user starts at rank 1. At rank i she goes on to rank i + 1 with probability p_i, back to rank i - 1 with probability
q_i, and otherwise ends her search; H is the number of documents that she has visited by then. Ranks may be visited
again. The probabilities may depend on the rank and on the relevance of the documents, and the chain ends at rank N,
the last one of the ranking: p_N = 0.

Shapes: grades (..., N) in rank order, the only aspect's; what depends on ranks alone has shape (N,).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import Array
from axiomcheck.numbers.arithmetic import Arithmetic, divide, positive, survival
from axiomcheck.numbers.discount import Constant, Discount, Geometric

if TYPE_CHECKING:
    from flint import arb


class BrowsingModel(ABC):
    """A Markov chain on the ranks of a ranking."""

    @abstractmethod
    def transitions(self, a: Arithmetic, grades: Array) -> tuple[Array, Array]:
        """The probabilities p_i of going on and q_i of going back, of shape (..., N) or (N,) each."""


# ------------------------------------------------------------------------------------------- forward browsing


class ForwardModel(BrowsingModel):
    """A model without steps back (DFBM and SFBM), given by the probability that a rank is reached."""

    @abstractmethod
    def reach(self, a: Arithmetic, grades: Array) -> Array:
        """P[H >= i] for every rank, of shape (..., N) or (N,); 1 at the first."""

    def stops(self, a: Arithmetic, grades: Array) -> Array:
        """P[H = i] for every rank, of the shape of `reach`; in floats accurate however small it is."""
        reached = self.reach(a, grades)
        return np.concatenate([reached[..., :-1] - reached[..., 1:], reached[..., -1:]], axis=-1)

    def transitions(self, a: Arithmetic, grades: Array) -> tuple[Array, Array]:
        """p_i = P[H > i] / P[H >= i] (0 at ranks that nobody reaches), and no step back."""
        reached = self.reach(a, grades)
        forward = divide(reached[..., 1:], reached[..., :-1])
        nothing = a.integers(np.zeros(reached.shape, dtype=np.int64))
        return np.concatenate([forward, nothing[..., :1]], axis=-1), nothing


@dataclass(frozen=True)
class Deterministic(ForwardModel):
    """Every user visits the whole ranking: the model behind Precision (section 6.1)."""

    def reach(self, a: Arithmetic, grades: Array) -> Array:
        """1 at every rank."""
        return a.discounts(Constant(), grades.shape[-1])


@dataclass(frozen=True)
class RetrievedRelevance(ForwardModel):
    """A user ends at a relevant document only, at each of the retrieved ones alike: behind AP (section 6.2).

    The probability of ending at rank i is r[i] / (R_N - R_(i-1)), R_i being the number of relevant documents up to
    rank i. Nobody stops early in a ranking without any.
    """

    def reach(self, a: Arithmetic, grades: Array) -> Array:
        """(R_N - R_(i-1)) / R_N."""
        hits = positive(grades).astype(np.int64)
        total = hits.sum(axis=-1, keepdims=True)
        left = total - (np.cumsum(hits, axis=-1) - hits)
        none = total == 0
        reached: Array = a.integers(np.where(none, 1, left)) / a.integers(np.where(none, 1, total))
        return reached

    def stops(self, a: Arithmetic, grades: Array) -> Array:
        """r[i] / R_N; the last rank where nothing is relevant."""
        hits = positive(grades).astype(np.int64)
        total = hits.sum(axis=-1, keepdims=True)
        hits[..., -1:] += total == 0
        share: Array = a.integers(hits) / a.integers(np.maximum(total, 1))
        return share


@dataclass(frozen=True)
class Persistent(ForwardModel):
    """A user goes on with probability p at every rank but the last: behind RBP (section 6.3).

    Args:
        p: in (0, 1].

    """

    p: Fraction

    def reach(self, a: Arithmetic, grades: Array) -> Array:
        """p^(i-1)."""
        return a.discounts(Geometric(self.p), grades.shape[-1])

    def stops(self, a: Arithmetic, grades: Array) -> Array:
        """(1 - p) p^(i-1), and all who are left at the last rank."""
        reached = self.reach(a, grades)
        return np.concatenate([reached[..., :-1] * a.number(1 - self.p), reached[..., -1:]], axis=-1)


@dataclass(frozen=True)
class CappedLogarithm(Discount):
    """``1 / max(1, log_base i)``, the discount of DCG in its first form.

    Args:
        base: above 1; None is e.

    """

    base: Fraction | None = Fraction(2)

    def rational(self, rank: int) -> Fraction | None:
        """The exact value where the rank is at most the base or a whole power of it; None elsewhere."""
        if rank <= (math.e if self.base is None else self.base):
            return Fraction(1)
        if self.base is None:
            return None
        exponent = round(math.log(rank) / math.log(self.base))
        return Fraction(1, exponent) if self.base**exponent == rank else None

    def real(self, rank: int) -> float:
        """The value at a rank, to double precision."""
        exact = self.rational(rank)
        if exact is not None:
            return float(exact)
        return (1.0 if self.base is None else math.log(self.base)) / math.log(rank)

    def ball(self, rank: int) -> arb:
        """A ball that certainly contains the value at a rank, at flint's current precision."""
        from flint import arb

        if self.rational(rank) is not None:
            return super().ball(rank)
        unit: Any = arb(1) if self.base is None else (arb(self.base.numerator) / self.base.denominator).log()
        value: arb = unit / arb(rank).log()
        return value


@dataclass(frozen=True)
class Logarithmic(ForwardModel):
    """A user reaches rank i with probability 1 / max(1, log_b i): behind DCG (section 6.4, appendix D).

    Args:
        base: b, above 1; None is e.

    """

    base: Fraction | None = Fraction(2)

    def reach(self, a: Arithmetic, grades: Array) -> Array:
        """1 / max(1, log_b i)."""
        return a.discounts(CappedLogarithm(self.base), grades.shape[-1])


@dataclass(frozen=True)
class CascadeModel(ForwardModel):
    """A user ends at a document with probability its grade, and at the last one anyway: behind ERR (section 6.5)."""

    def reach(self, a: Arithmetic, grades: Array) -> Array:
        """Prod of 1 - r over earlier ranks."""
        return survival(grades)

    def stops(self, a: Arithmetic, grades: Array) -> Array:
        """r_i prod of 1 - r over earlier ranks, and all who are left at the last rank."""
        reached = self.reach(a, grades)
        return np.concatenate([reached[..., :-1] * grades[..., :-1], reached[..., -1:]], axis=-1)


# ---------------------------------------------------------------------------------------------- random walks


class ChainModel(BrowsingModel):
    """A model of rational probabilities that depend on ranks alone and may have steps back (RWBM)."""

    @abstractmethod
    def chain(self, n: int) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """(p_1..p_n, q_1..q_n) over n ranks; p_n = q_1 = 0."""

    def transitions(self, a: Arithmetic, grades: Array) -> tuple[Array, Array]:
        """The chain's probabilities, of shape (N,) each."""
        return tuple(np.array([a.number(x) for x in side]) for side in self.chain(grades.shape[-1]))  # type: ignore[return-value]


@dataclass(frozen=True)
class WalkModel(ChainModel):
    """The random walk with the same probabilities at every rank (RWBM, as in figure 1d).

    At both ends a step out of the ranking is impossible. Its probability goes to the step on at rank 1, where
    p_1 = p + q and s_1 = 1 - p - q, and to the end of the search at rank N, where q_N = q and s_N = 1 - q. The only
    rank of a ranking of one document is visited once.

    Args:
        p, q: of going on and of going back; 0 < p, 0 <= q, p + q < 1.

    Raises:
        InvalidInput: out of range.

    """

    p: Fraction
    q: Fraction

    def __post_init__(self) -> None:
        if not (self.p > 0 and self.q >= 0 and self.p + self.q < 1):
            raise InvalidInput(
                f"walk: p={self.p}, q={self.q} are out of range; expected 0 < p, 0 <= q and p + q < 1 "
                "(a user has to end at some time)"
            )

    def chain(self, n: int) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """(p + q, p, ..., p, 0) and (0, q, ..., q, q)."""
        if n == 1:
            return (Fraction(0),), (Fraction(0),)
        return (self.p + self.q, *[self.p] * (n - 2), Fraction(0)), (Fraction(0), *[self.q] * (n - 1))


@dataclass(frozen=True)
class Explicit(ChainModel):
    """A chain given by its probabilities, for rankings of exactly their number of documents.

    Args:
        forward: p_1..p_N; p_N = 0.
        backward: q_1..q_N; q_1 = 0.

    Raises:
        InvalidInput: they are no probabilities of such a chain, or a user who starts at rank 1 may never end.

    """

    forward: tuple[Fraction, ...]
    backward: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        for name in ("forward", "backward"):  # floats by their decimal text, as everywhere
            values = (Fraction(repr(float(x)) if isinstance(x, float) else x) for x in getattr(self, name))
            object.__setattr__(self, name, tuple(values))
        n = len(self.forward)
        if not n or len(self.backward) != n:
            raise InvalidInput(
                f"chain: {counted(n, 'value')} of p and {len(self.backward)} of q; expected as many, 1 or more"
            )
        for name, value in ((f"p_{n}", self.forward[-1]), ("q_1", self.backward[0])):
            if value:
                raise InvalidInput(f"chain: {name} = {value}; expected 0, as there is no rank beyond the ends")
        for i, (p, q) in enumerate(zip(self.forward, self.backward, strict=True), 1):
            if p < 0 or q < 0 or p + q > 1:
                raise InvalidInput(f"chain: p={p}, q={q} at rank {i}; expected p, q >= 0 and p + q <= 1")
        reached = next(i for i, p in enumerate(self.forward, 1) if p == 0)
        ends = [i for i in range(1, reached + 1) if self.forward[i - 1] + self.backward[i - 1] < 1]
        # Every rank up to `reached` leads on to the next one, so only what lies behind the last end can trap a user.
        if not ends or not all(self.backward[i - 1] for i in range(ends[-1] + 1, reached + 1)):
            raise InvalidInput("chain: a user who starts at rank 1 may never end her search")

    def chain(self, n: int) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """The probabilities as given.

        Raises:
            InvalidInput: they are for another number of ranks.

        """
        if n != len(self.forward):
            raise InvalidInput(
                f"chain: given for {counted(len(self.forward), 'rank')}, and the ranking has {counted(n, 'document')}"
            )
        return self.forward, self.backward


# --------------------------------------------------------------------------------------------------- the user


@dataclass(frozen=True)
class User:
    """A browsing model, and what visits give and cost: P@H = (1 / f(H)) sum_(n<=H) g(k(n), r[X_n]) (equation 2).

    Args:
        browsing: how she moves.
        loss: g(k, y) = y (1 - loss)^(k-1): the share of a document's utility lost at every visit, in [0, 1].
        gain: what y is: the grade; ``"hit"``, 1 for a positive grade; or ``"first"``: nothing but the first visit of
            all counts, and 1 whatever is found there (the quantised gain of ERR, section 6.5).
        effort: f(h) = h for ``"steps"``, 1 for ``"none"``.

    Raises:
        InvalidInput: a loss out of range, or a quantised gain with a model that is not forward.

    """

    browsing: BrowsingModel
    loss: Fraction = Fraction(0)
    gain: Literal["grade", "hit", "first"] = "grade"
    effort: Literal["steps", "none"] = "steps"

    def __post_init__(self) -> None:
        if not 0 <= self.loss <= 1:
            raise InvalidInput(f"loss={self.loss} is out of range; expected 0 <= loss <= 1")
        if self.gain == "first" and not isinstance(self.browsing, ForwardModel):
            raise InvalidInput("gain='first' needs a forward browsing model")

    def gains(self, a: Arithmetic, grades: Array) -> Array:
        """Return what the first visit of every document gives: (..., N) -> (..., N)."""
        return a.integers(positive(grades).astype(np.int64)) if self.gain == "hit" else grades
