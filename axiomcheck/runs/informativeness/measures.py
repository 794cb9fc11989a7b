"""The measures: those that fix the probabilities, and those that are predicted from them.

The cascade measures are those of Ashkan and Clarke's equations 4, 6 and 7, with the factor alpha; RBP is not Moffat and
Zobel's, for it has (1 - alpha)^c as well. Where their discount of alpha-DCG says log2, it is log2(i + 1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.core.typing import Array, Integers, Reals
from axiomcheck.numbers.discount import Discount, Geometric, InverseLog, Reciprocal
from axiomcheck.runs.informativeness.expectations import (
    AveragePrecision,
    Cascade,
    DiscountedGain,
    Expectation,
    PublishedCascade,
)
from axiomcheck.runs.informativeness.lists import JudgedList, TopicLists


@dataclass(frozen=True)
class Settings:
    """What the measures depend on.

    Args:
        depth: the most ranks, N.
        alpha: the probability that a relevant document satisfies, above 0 and below 1.
        beta: the patience of RBP and NRBP, above 0 and below 1.
        published: whether cascade measures are fitted and predicted by `PublishedCascade`.

    """

    depth: int = 10
    alpha: float = 0.5
    beta: float = 0.8
    published: bool = False

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise InvalidInput(f"depth {self.depth}: expected 1 or more")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 1:
                raise InvalidInput(f"{name} {getattr(self, name)}: expected a number above 0 and below 1")


@dataclass(frozen=True)
class Measure:
    """A measure of lists.

    Args:
        name: as in the paper.
        by_intent: whether it sees intents, or a document's relevance to any.
        form: of a list's intents.
        cascade: whether documents are worth less below relevant ones.

    """

    name: str
    by_intent: bool
    form: Callable[[JudgedList, Settings], Expectation]
    cascade: bool = False

    def list_of(self, lists: TopicLists) -> JudgedList:
        """The list that it sees."""
        return lists.by_intent if self.by_intent else lists.single

    def value(self, judged: JudgedList, settings: Settings) -> float:
        """The score, whose expectation at probabilities 0 and 1 it is."""
        return float(judged.weights @ self.form(judged, settings)(judged.relevant)[0])

    def expectation(self, judged: JudgedList, settings: Settings) -> Expectation:
        """The expectation: p (n, m) -> a number, and the (n, m) derivatives."""
        form = self.form(judged, settings)
        if settings.published and isinstance(form, Cascade):
            form = PublishedCascade(form.gains, form.alpha, judged.counts)

        def weighted(p: Array) -> tuple[Array, Array]:
            values, derivatives = form(p)
            return judged.weights @ values, judged.weights * derivatives

        return weighted


def _discounts(discount: Discount, depth: int) -> Reals:
    return np.array([discount.real(rank) for rank in range(1, depth + 1)])


def _cascade(discount: Callable[[Settings], Discount]) -> Callable[[JudgedList, Settings], Expectation]:
    def form(judged: JudgedList, settings: Settings) -> Expectation:
        return Cascade(settings.alpha * _discounts(discount(settings), settings.depth), settings.alpha)

    return form


def _average_precision(judged: JudgedList, settings: Settings) -> Expectation:
    return AveragePrecision(judged.totals.astype(np.float64))


def _ndcg(judged: JudgedList, settings: Settings) -> Expectation:
    """Over the DCG of min(R, N) relevant documents in front, a constant of the topic."""
    gains = _discounts(InverseLog(), settings.depth)
    ideals: Integers = np.minimum(judged.totals, settings.depth)
    return DiscountedGain(gains, np.cumsum(gains)[ideals - 1])


def _reciprocal(settings: Settings) -> Discount:
    return Reciprocal()


def _geometric(settings: Settings) -> Discount:
    return Geometric(Fraction(settings.beta))


def _logarithmic(settings: Settings) -> Discount:
    return InverseLog()


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("ERR-IA", True, _cascade(_reciprocal), cascade=True),
        Measure("NRBP", True, _cascade(_geometric), cascade=True),
        Measure("alpha-DCG", True, _cascade(_logarithmic), cascade=True),
        Measure("AP-IA", True, _average_precision),
        Measure("ERR", False, _cascade(_reciprocal), cascade=True),
        Measure("RBP", False, _cascade(_geometric), cascade=True),
        Measure("AP", False, _average_precision),
        Measure("nDCG", False, _ndcg),
    )
}
"""Name -> measure; those that see intents, and those that do not, predict each other."""


def measure_named(name: str) -> Measure:
    """The measure of a name, however it is capitalised.

    Raises:
        UnknownName: there is none of that name.

    """
    known = {measure.casefold(): measure for measure in MEASURES}
    if name.casefold() not in known:
        raise UnknownName("measure", name, MEASURES)
    return MEASURES[known[name.casefold()]]
