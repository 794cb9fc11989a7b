"""Measures of ranked lists, and their expected values if documents are relevant independently of each other.

An expectation is a function of p (n, m), the probability that the document at a rank is relevant to an intent. It
returns the expected value for each intent, shape (m,), and its derivatives by the probabilities of the same intent,
shape (n, m). At probabilities 0 and 1 the expectation is the score. All expectations are polynomials without a division
by p.

The cascade measures are defined by Ashkan and Clarke's equations 4, 6 and 7, with the factor alpha. RBP differs from
Moffat and Zobel's RBP because it also has the factor (1 - alpha)^c. Ashkan and Clarke write the discount of alpha-DCG
as log2. Here it is log2(i + 1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from axiomcheck.core.typing import Array, Integers, Reals
from axiomcheck.numbers.discount import Discount, Geometric, InverseLog, Reciprocal
from research.informativeness.lists import JudgedList, TopicLists

Expectation: TypeAlias = Callable[[Array], tuple[Array, Array]]
"""Function from p (n, m) to expectations (m,) and derivatives (n, m).

If gains decrease with rank, moving a relevant document up raises the expectation.
"""


@dataclass(frozen=True)
class ExpectedCascade:
    """Expectation of sum_i gain_i g_i (1 - alpha)^c, where c is the number of relevant documents before rank i.

    g_i is the relevance (0 or 1) at rank i. c is a sum of independent zeros and ones, so E[(1 - alpha)^c] is the
    product of 1 - alpha p_k over the ranks k before i.

    Args:
        gains: alpha / D_i for the discounts D_i, shape (n,).
        alpha: Fraction by which each relevant document reduces the gains of later documents.

    """

    gains: Reals
    alpha: float

    def __call__(self, p: Array) -> tuple[Array, Array]:
        """Return the expectation of each intent, and its derivatives by p."""
        gains = self.gains[: len(p), None]
        left = np.ones_like(p)
        np.cumprod(1 - self.alpha * p[:-1], axis=0, out=left[1:])
        # Expected gain of the documents below a rank for a user who starts there: no division by 1 - alpha p, which may
        # be 0.
        below = np.zeros_like(p)
        for i in range(len(p) - 1, 0, -1):
            below[i - 1] = gains[i] * p[i] + (1 - self.alpha * p[i]) * below[i]
        return (gains * p * left).sum(axis=0), left * (gains - self.alpha * below)


@dataclass(frozen=True)
class ExpectedAveragePrecision:
    """Expectation of average precision: the sum of the precision at relevant ranks, divided by R.

    R is the number of all relevant documents, retrieved or not.

    Args:
        totals: Number of relevant documents R of each intent, shape (m,), 1 or more.

    """

    totals: Reals

    def __call__(self, p: Array) -> tuple[Array, Array]:
        """Return the expectation of each intent, and its derivatives by p."""
        ranks = np.arange(1, len(p) + 1)[:, None]
        before = np.cumsum(p, axis=0) - p
        shares = p / ranks
        below = shares.sum(axis=0) - np.cumsum(shares, axis=0)
        return (shares * (1 + before)).sum(axis=0) / self.totals, ((1 + before) / ranks + below) / self.totals


@dataclass(frozen=True)
class ExpectedGain:
    """Expectation of sum_i gain_i g_i, divided by a constant, where g_i is the relevance (0 or 1) at rank i.

    The gain at a rank does not depend on other ranks.

    Args:
        gains: 1 / D_i for the discounts D_i, shape (n,).
        ideals: Constant divisor of each intent, shape (m,).

    """

    gains: Reals
    ideals: Reals

    def __call__(self, p: Array) -> tuple[Array, Array]:
        """Return the expectation of each intent, and its derivatives by p."""
        gains = self.gains[: len(p), None]
        return (gains * p).sum(axis=0) / self.ideals, np.broadcast_to(gains / self.ideals, p.shape)


@dataclass(frozen=True)
class ListSettings:
    """Parameters of the measures.

    Args:
        depth: Maximum number of ranks, N.
        alpha: Probability that a relevant document satisfies the user; above 0 and below 1.
        beta: Patience of RBP and NRBP, above 0 and below 1.

    """

    depth: int = 10
    alpha: float = 0.5
    beta: float = 0.8


@dataclass(frozen=True)
class ListMeasure:
    """Measure of ranked lists.

    Args:
        name: Name of the measure in the paper.
        by_intent: True if the measure distinguishes intents; False if a document that is relevant to any intent counts
            as relevant.
        form: Function from a list and the settings to the expectation for the list's intents.

    """

    name: str
    by_intent: bool
    form: Callable[[JudgedList, ListSettings], Expectation]

    def list_of(self, lists: TopicLists) -> JudgedList:
        """Return the list with intents or the one without, whichever the measure uses."""
        return lists.by_intent if self.by_intent else lists.single

    def value(self, judged: JudgedList, settings: ListSettings) -> float:
        """Return the score, which equals the expectation at probabilities 0 and 1."""
        return float(judged.weights @ self.form(judged, settings)(judged.relevant)[0])

    def expectation(self, judged: JudgedList, settings: ListSettings) -> Expectation:
        """Return the expectation: a function of p (n, m) that returns a number and the (n, m) derivatives."""
        form = self.form(judged, settings)

        def weighted(p: Array) -> tuple[Array, Array]:
            values, derivatives = form(p)
            return judged.weights @ values, judged.weights * derivatives

        return weighted


def _discounts(discount: Discount, depth: int) -> Reals:
    return np.array([discount.real(rank) for rank in range(1, depth + 1)])


def _cascade(discount: Callable[[ListSettings], Discount]) -> Callable[[JudgedList, ListSettings], Expectation]:
    def form(judged: JudgedList, settings: ListSettings) -> Expectation:
        return ExpectedCascade(settings.alpha * _discounts(discount(settings), settings.depth), settings.alpha)

    return form


def _average_precision(judged: JudgedList, settings: ListSettings) -> Expectation:
    return ExpectedAveragePrecision(judged.totals.astype(np.float64))


def _ndcg(judged: JudgedList, settings: ListSettings) -> Expectation:
    """Return the expectation of nDCG.

    The ideal DCG is a constant, since an ideal list begins with min(R, N) relevant documents.
    """
    gains = _discounts(InverseLog(), settings.depth)
    ideals: Integers = np.minimum(judged.totals, settings.depth)
    return ExpectedGain(gains, np.cumsum(gains)[ideals - 1])


_reciprocal = _cascade(lambda _: Reciprocal())
_geometric = _cascade(lambda settings: Geometric(Fraction(settings.beta)))
_logarithmic = _cascade(lambda _: InverseLog())

MEASURES: dict[str, ListMeasure] = {
    measure.name: measure
    for measure in (
        ListMeasure("ERR-IA", True, _reciprocal),
        ListMeasure("NRBP", True, _geometric),
        ListMeasure("alpha-DCG", True, _logarithmic),
        ListMeasure("AP-IA", True, _average_precision),
        ListMeasure("ERR", False, _reciprocal),
        ListMeasure("RBP", False, _geometric),
        ListMeasure("AP", False, _average_precision),
        ListMeasure("nDCG", False, _ndcg),
    )
}
"""Measures by name. Measures with intents predict each other, and so do measures without intents."""
