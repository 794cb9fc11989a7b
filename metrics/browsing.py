"""Browsing models: Markov chains on {End, 1..N} that describe how users read a ranking.

Source: Ferrante and Ferro 2020, section 3. A user starts at rank 1. At rank i she goes on to rank i + 1 with
probability p_i, goes back to rank i - 1 with probability q_i, and otherwise ends her search. She may visit a rank
several times. H is the total number of visits. The probabilities may depend on the rank and on the relevance of the
documents. Nobody goes past the last rank N, so p_N = 0.

Rankings have one aspect. Their grades have shape (..., N) and are in rank order. Arrays that depend only on the rank
have shape (N,).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.packages import flint
from axiomcheck.core.typing import Array
from axiomcheck.numbers.arithmetic import Arithmetic, positive, survival
from axiomcheck.numbers.discount import Constant, Discount, Geometric, InverseLog

# ------------------------------------------------------------------------------------------- forward browsing


class ForwardModel(ABC):
    """Browsing model without steps back (DFBM or SFBM in the paper), defined by the probability of reaching a rank."""

    @abstractmethod
    def reach(self, a: Arithmetic, grades: Array) -> Array:
        """Return P[H >= i] for every rank i, of shape (..., N) or (N,). It is 1 at the first rank."""

    def stops(self, a: Arithmetic, grades: Array) -> Array:
        """Return P[H = i] for every rank i, in the shape of `reach`. Subclasses override this if it loses precision."""
        reached = self.reach(a, grades)
        return np.concatenate([reached[..., :-1] - reached[..., 1:], reached[..., -1:]], axis=-1)


@dataclass(frozen=True)
class Deterministic(ForwardModel):
    """Model in which every user visits the whole ranking, as in Precision (section 6.1)."""

    def reach(self, a: Arithmetic, grades: Array) -> Array:
        """Return 1 at every rank."""
        return a.discounts(Constant(), grades.shape[-1])


@dataclass(frozen=True)
class RetrievedRelevance(ForwardModel):
    """Model in which a user is equally likely to stop at each retrieved relevant document, as in AP (section 6.2).

    A user at rank i stops there with probability r[i] / (R_N - R_(i-1)), where R_i is the number of relevant documents
    up to rank i. In a ranking without relevant documents, every user reaches the end.
    """

    def reach(self, a: Arithmetic, grades: Array) -> Array:
        """Return (R_N - R_(i-1)) / R_N for every rank i, or 1 if no document is relevant."""
        hits = positive(grades).astype(np.int64)
        total = hits.sum(axis=-1, keepdims=True)
        left = total - (np.cumsum(hits, axis=-1) - hits)
        none = total == 0
        reached: Array = a.integers(np.where(none, 1, left)) / a.integers(np.where(none, 1, total))
        return reached

    def stops(self, a: Arithmetic, grades: Array) -> Array:
        """Return r[i] / R_N for every rank i. If no document is relevant, return 1 at rank N and 0 above it."""
        hits = positive(grades).astype(np.int64)
        total = hits.sum(axis=-1, keepdims=True)
        hits[..., -1:] += total == 0
        share: Array = a.integers(hits) / a.integers(np.maximum(total, 1))
        return share


@dataclass(frozen=True)
class Persistent(ForwardModel):
    """Model in which a user continues with probability p at every rank but the last, as in RBP (section 6.3).

    Args:
        p: Probability of continuing, in (0, 1].

    """

    p: Fraction

    def reach(self, a: Arithmetic, grades: Array) -> Array:
        """Return p^(i-1) for every rank i."""
        return a.discounts(Geometric(self.p), grades.shape[-1])

    def stops(self, a: Arithmetic, grades: Array) -> Array:
        """Return (1 - p) p^(i-1) for every rank i < N, and p^(N-1), the share of the remaining users, for rank N."""
        reached = self.reach(a, grades)
        return np.concatenate([reached[..., :-1] * a.number(1 - self.p), reached[..., -1:]], axis=-1)


@dataclass(frozen=True)
class CappedLogarithm(Discount):
    """Discount ``1 / max(1, log_base(i))`` at rank i, as in the original form of DCG.

    Args:
        base: Base of the logarithm, above 1; None for e.

    """

    base: Fraction | None = Fraction(2)

    def rational(self, rank: int) -> Fraction | None:
        """Return the exact discount if the rank is at most the base or an integer power of it, else None."""
        if rank <= (math.e if self.base is None else self.base):
            return Fraction(1)
        return InverseLog(self.base, shift=0).rational(rank)

    def real(self, rank: int) -> float:
        """Return the discount at a rank in double precision."""
        exact = self.rational(rank)
        return InverseLog(self.base, shift=0).real(rank) if exact is None else float(exact)

    def ball(self, rank: int) -> flint.arb:
        """Return a ball that contains the discount at a rank, at flint's current precision."""
        exact = self.rational(rank)
        return InverseLog(self.base, shift=0).ball(rank) if exact is None else super().ball(rank)


@dataclass(frozen=True)
class Logarithmic(ForwardModel):
    """Model in which a user reaches rank i with probability 1 / max(1, log_b i), as in DCG.

    See section 6.4 and appendix D of the paper.

    Args:
        base: Base b of the logarithm, above 1; None for e.

    """

    base: Fraction | None = Fraction(2)

    def reach(self, a: Arithmetic, grades: Array) -> Array:
        """Return 1 / max(1, log_b i) for every rank i."""
        return a.discounts(CappedLogarithm(self.base), grades.shape[-1])


@dataclass(frozen=True)
class CascadeModel(ForwardModel):
    """Model in which a document of grade r stops the user with probability r, as in ERR (section 6.5).

    All remaining users stop at the last document.
    """

    def reach(self, a: Arithmetic, grades: Array) -> Array:
        """Return prod_{j<i} (1 - r_j) for every rank i."""
        return survival(grades)

    def stops(self, a: Arithmetic, grades: Array) -> Array:
        """Return r_i prod_{j<i} (1 - r_j) for every rank i < N, and the share of the remaining users for rank N."""
        reached = self.reach(a, grades)
        return np.concatenate([reached[..., :-1] * grades[..., :-1], reached[..., -1:]], axis=-1)


# ---------------------------------------------------------------------------------------------- random walks


class ChainModel(ABC):
    """Browsing model in which steps back are possible (RWBM in the paper).

    The probabilities are rational numbers that depend only on the rank.
    """

    @abstractmethod
    def chain(self, n: int) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """Return the probabilities p_1..p_n of going forward and q_1..q_n of going back; p_n and q_1 are 0."""


@dataclass(frozen=True)
class WalkModel(ChainModel):
    """Random walk with the same probabilities at every rank but the first and the last (figure 1d of the paper).

    At rank 1, a step back is impossible. Its probability is added to that of going forward, so that p_1 = p + q and the
    search ends with probability s_1 = 1 - p - q. At rank N, a step forward ends the search, so that q_N = q and s_N = 1
    - q. In a ranking of one document, the user visits rank 1 once.

    Args:
        p, q: Probabilities of going forward and of going back; 0 < p, 0 <= q, p + q < 1.

    Raises:
        InvalidInput: p or q is out of range.

    """

    p: Fraction
    q: Fraction

    def __post_init__(self) -> None:
        if not (self.p > 0 and self.q >= 0 and self.p + self.q < 1):
            raise InvalidInput(
                f"walk: p={self.p}, q={self.q} are out of range; expected 0 < p, 0 <= q and p + q < 1 (users must "
                f"stop at some point)"
            )

    def chain(self, n: int) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """Return (p + q, p, ..., p, 0) and (0, q, ..., q, q), or (0,) and (0,) for a single rank."""
        if n == 1:
            return (Fraction(0),), (Fraction(0),)
        return (self.p + self.q, *[self.p] * (n - 2), Fraction(0)), (Fraction(0), *[self.q] * (n - 1))


# ------------------------------------------------------------------------------------------------------- users

BrowsingModel: TypeAlias = ForwardModel | ChainModel


@dataclass(frozen=True)
class User:
    """User of P@H, described by a browsing model, the gain from each visit, and the effort of all visits.

    P@H = (1 / f(H)) sum_(n<=H) g(k(n), r[X_n]) (equation 2), where X_n is the rank of the n-th visit.

    Args:
        browsing: Browsing model.
        loss: Share of a document's utility that is lost at every visit, in [0, 1]. The k-th visit to a document of
            utility y gains g(k, y) = y (1 - loss)^(k-1).
        gain: Utility y of a document. ``"grade"``: its grade. ``"hit"``: 1 if its grade is positive. ``"first"``: 1 for
            the first document that the user visits, whatever its grade, and 0 for all others (the quantised gain of
            ERR, section 6.5).
        effort: ``"steps"`` for f(h) = h, or ``"none"`` for f(h) = 1.

    Raises:
        InvalidInput: The loss is out of range, or the gain is ``"first"`` and the model is not a `ForwardModel`.

    """

    browsing: BrowsingModel
    loss: Fraction = Fraction(0)
    gain: Literal["grade", "hit", "first"] = "grade"
    effort: Literal["steps", "none"] = "steps"

    def __post_init__(self) -> None:
        if not 0 <= self.loss <= 1:
            raise InvalidInput(f"loss={self.loss} is out of range; expected 0 <= loss <= 1")
        if self.gain == "first" and not isinstance(self.browsing, ForwardModel):
            raise InvalidInput("gain='first' needs a ForwardModel as its browsing model")

    def gains(self, a: Arithmetic, grades: Array) -> Array:
        """Return the documents' utilities, of shape (..., N), for a gain of ``"grade"`` or ``"hit"``."""
        return a.integers(positive(grades).astype(np.int64)) if self.gain == "hit" else grades
