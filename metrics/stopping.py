"""P@H metrics, which divide a user's total gain by her effort. Her way through the ranking is a Markov chain.

Source: Ferrante and Ferro 2020. P@H = T / f(H) is a random variable, where H is the number of visits and T is their
total gain. Rankings are compared in one of three orders (section 5.1): by the ``mean`` E[T / f(H)], by the ``ratio``
E[T] / E[f(H)], or by stochastic ``dominance`` of the distributions, which is a partial order.
"""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from axiomcheck.core.errors import InvalidInput, MetricError, NotRational
from axiomcheck.core.typing import Array
from axiomcheck.metrics.base import Claims, LiftedMetric, Tail, catalogued
from axiomcheck.metrics.browsing import (
    CascadeModel,
    Deterministic,
    Logarithmic,
    Persistent,
    RetrievedRelevance,
    User,
    WalkModel,
)
from axiomcheck.metrics.parameters import Base, Choice, Parameter, Real
from axiomcheck.metrics.stopping_value import DEPTH, distribution, expectation
from axiomcheck.metrics.tails import (
    cascade_mean_tail,
    deterministic_tail,
    logarithmic_tail,
    persistent_tail,
    retrieved_tail,
    walk_tail,
)
from axiomcheck.numbers.arithmetic import Arithmetic, largest

_PAPER = "Ferrante and Ferro 2020"


class StoppingMetric(LiftedMetric):
    """Base class for P@H metrics. The chain ends at the last document or at the cutoff, whichever comes first."""

    claims = Claims(0.0, 1.0)
    order: ClassVar[Parameter] = Choice(
        "order",
        "mean",
        "how rankings are compared: E[T/f(H)], E[T]/E[f(H)], or stochastic dominance of T/f(H)",
        choices=("mean", "ratio", "dominance"),
    )

    def __init_subclass__(cls, **kwargs: Any) -> None:
        cls.declared = (*(p for p in cls.declared if p not in (cls.order, cls.aggregate)), cls.order)
        super().__init_subclass__(**kwargs)

    @property
    def partial(self) -> bool:  # type: ignore[override]
        """True if rankings are compared by dominance."""
        return bool(self.values["order"] == "dominance")

    @abstractmethod
    def user(self) -> User:
        """Return the user, whose browsing model, gain and effort define the metric."""

    def score(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return the scores of a batch of rankings; see `Metric.score`.

        Raises:
            MetricError: Rankings are compared by dominance and have no scores.

        """
        if self.partial:
            raise MetricError(
                f"{self} compares distributions and has no score; for scores, use order=mean or order=ratio"
            )
        return super().score(a, grades, weights, pool)

    def kernel(self, a: Arithmetic, grades: Array, weights: Array, pool: Array) -> Array:
        """Return E[T / f(H)] if the parameter ``order`` is ``mean``, or E[T] / E[f(H)] if it is ``ratio``."""
        return expectation(a, self.user(), self.only_aspect(grades), self.values["order"])

    def distribution(
        self, a: Arithmetic, grades: Array, weights: Array, pool: Array, depth: int = DEPTH
    ) -> tuple[Array, Array, Any]:
        """Return the distribution of P@H, whatever the parameter ``order``; see `Metric.distribution`.

        Args:
            a: See `score`.
            grades: See `score`.
            weights: See `score`.
            pool: See `score`.
            depth: Number of steps at which random walks are cut off. Longer walks are not listed.

        """
        grades = grades[..., : self.cutoff, :]
        if grades.shape[-2] == 0:
            shape = (*np.broadcast_shapes(grades.shape[:-2], pool.shape[:-2]), 1)
            nothing, all_ = (a.integers(make(shape, dtype=np.int64)) for make in (np.zeros, np.ones))
            return nothing, all_, a.number(Fraction(0))
        return distribution(a, self.user(), self.only_aspect(grades), depth)

    def unlisted(self, grades: Array) -> Array:
        """Return the largest grade, an upper bound on P@H for the walks that are not listed: (..., n, m) -> (...).

        No visit gains more than this grade, and every visit is a unit of effort.
        """
        return largest(self.only_aspect(grades[..., : self.cutoff, :]), -1)


@catalogued
class StoppingPrecision(StoppingMetric):
    """P@H of users who visit the whole ranking, which is the mean grade."""

    name = "P@H-P"
    summary = "P@H of users who visit all N documents: the mean grade"
    source = f"{_PAPER}, section 6.1"

    def user(self) -> User:
        """Return a user who visits every document."""
        return User(Deterministic())

    def tail(self) -> Tail:
        """Return the `Tail` with L(n)/T = n."""
        return deterministic_tail()


@catalogued
class StoppingAveragePrecision(StoppingMetric):
    """P@H of users who stop at each retrieved relevant document with equal probability."""

    name = "P@H-AP"
    summary = "P@H of users who stop at each retrieved relevant document with equal probability"
    source = f"{_PAPER}, section 6.2; its mean is AP if every relevant document is retrieved"
    binary_only = True

    def user(self) -> User:
        """Return a user who stops at a random retrieved relevant document, and gains 1 from each one up to there."""
        return User(RetrievedRelevance(), gain="hit")

    def tail(self) -> Tail:
        """Return the `Tail` with the bound L(n)/T <= 1/2."""
        return retrieved_tail()


@catalogued
class StoppingRankBiasedPrecision(StoppingMetric):
    """P@H of users who continue to the next rank with probability p."""

    name = "P@H-RBP"
    summary = "P@H of users who continue to the next rank with probability p"
    source = f"{_PAPER}, section 6.3; its ratio is RBP over 1 - p^N"
    declared = (
        Real(
            "p",
            Fraction(1, 2),
            "probability that the user continues to the next rank (figure 1c: 0.5)",
            high_open=False,
        ),
    )

    def user(self) -> User:
        """Return a user who continues to the next rank with probability p."""
        return User(Persistent(self.values["p"]))

    def tail(self) -> Tail | None:
        """Return the `Tail` with the bound L(n)/T <= p^n / (1 - p), or with L(n)/T = n if p = 1."""
        return persistent_tail(self.values["p"], self.values["order"])


@catalogued
class StoppingDiscountedGain(StoppingMetric):
    """P@H of users who reach rank i with probability 1 / max(1, log_b i). Their effort is 1, whatever they visit."""

    name = "P@H-DCG"
    summary = (
        "P@H of users who reach rank i with probability 1 / max(1, log_b i); f(h) = 1, so both expectations are DCG"
    )
    source = f"{_PAPER}, section 6.4 and appendix D; gain r"
    declared = (Base("log", Fraction(2), "base of the logarithm"),)
    claims = Claims(0.0, None, monotone=True)

    def user(self) -> User:
        """Return a user who reaches rank i with probability 1 / max(1, log_b i), and whose effort f(h) is 1."""
        return User(Logarithmic(self.values["log"]), effort="none")

    def tail(self) -> Tail | None:
        """Return the `Tail` with a lower bound that grows like n / log n.

        For dominance, return None, because the distributions cross.
        """
        return None if self.partial else logarithmic_tail(self.values["log"])


@catalogued
class StoppingExpectedReciprocalRank(StoppingMetric):
    """P@H = 1 / H of users whom a document of grade r stops with probability r."""

    name = "P@H-ERR"
    summary = "P@H of users who stop at rank i with probability r_i, and at the last rank if they reach it; P@H = 1 / H"
    source = f"{_PAPER}, section 6.5; its mean is ERR with a last document that satisfies everyone"

    def user(self) -> User:
        """Return a user whom a document of grade r stops with probability r, and whose total gain is 1."""
        return User(CascadeModel(), gain="first")

    def tail(self) -> Tail | None:
        """Return the `Tail` for the order ``mean``, or None for the other orders.

        For ``ratio``, L(n)/T is above or below 1, depending on the grade. For ``dominance``, the distributions cross.
        """
        return cascade_mean_tail() if self.values["order"] == "mean" else None


@catalogued
class StoppingWalk(StoppingMetric):
    """P@H of users who walk forward and back at random. Each further visit to a document gains less."""

    name = "P@H-walk"
    summary = (
        "P@H of users who go forward with probability p and back with q; each further visit gives 1 - loss times "
        "the utility of the previous one"
    )
    source = (
        f"{_PAPER}, figure 1d; at rank 1, a step back becomes a step forward; at rank N, a step forward ends the search"
    )
    declared = (
        Real("p", Fraction(1, 2), "probability that the user continues to the next rank"),
        Real("q", Fraction(1, 4), "probability that the user returns to the previous rank; p + q < 1", low_open=False),
        Real(
            "loss",
            Fraction(1, 4),
            "share of a document's utility that is lost at every visit",
            low_open=False,
            high_open=False,
        ),
    )

    def validate(self) -> None:
        """Check that p + q < 1, so that every user eventually stops."""
        if self.values["p"] + self.values["q"] >= 1:
            raise InvalidInput(f"{self.name}: p + q = {self.values['p'] + self.values['q']}; expected p + q < 1")

    @property
    def most_examples(self) -> int | None:  # type: ignore[override]
        """Limit on random instances per cell for the order ``dominance``, whose enumeration of walks is slow."""
        return 4_000 if self.partial else None

    def user(self) -> User:
        """Return a user who walks forward and back at random.

        Raises:
            NotRational: A parameter is a symbol, for which the expected number of visits cannot be computed.

        """
        if not all(isinstance(self.values[name], Fraction) for name in ("p", "q", "loss")):
            raise NotRational(f"{self.name}: p, q and loss must be numbers")
        return User(WalkModel(self.values["p"], self.values["q"]), self.values["loss"])

    def tail(self) -> Tail | None:
        """Return the `Tail` with the bound L(n)/T <= a^n / (1 - a)^2, where a = p + q, or None for dominance."""
        return None if self.partial else walk_tail(self.values["p"], self.values["q"])
