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
    Expectation,
    ExpectedAveragePrecision,
    ExpectedCascade,
    ExpectedGain,
    Form,
    PublishedCascade,
)
from axiomcheck.runs.informativeness.lists import JudgedList, TopicLists


@dataclass(frozen=True)
class ListSettings:
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
class ListMeasure:
    """A measure of lists.

    Args:
        name: as in the paper.
        by_intent: whether it sees intents, or a document's relevance to any.
        form: of a list's intents.
        cascade: whether documents are worth less below relevant ones.

    """

    name: str
    by_intent: bool
    form: Callable[[JudgedList, ListSettings], Form]
    cascade: bool = False

    def list_of(self, lists: TopicLists) -> JudgedList:
        """The list that it sees."""
        return lists.by_intent if self.by_intent else lists.single

    def value(self, judged: JudgedList, settings: ListSettings) -> float:
        """The score, whose expectation at probabilities 0 and 1 it is."""
        return float(judged.weights @ self.form(judged, settings)(judged.relevant)[0])

    def expectation(self, judged: JudgedList, settings: ListSettings) -> Expectation:
        """The expectation: p (n, m) -> a number, and the (n, m) derivatives."""
        form: Expectation = self.form(judged, settings)
        if settings.published and isinstance(form, ExpectedCascade):
            form = PublishedCascade(form.gains, form.alpha, judged.counts)

        def weighted(p: Array) -> tuple[Array, Array]:
            values, derivatives = form(p)
            return judged.weights @ values, judged.weights * derivatives

        return weighted


def _discounts(discount: Discount, depth: int) -> Reals:
    return np.array([discount.real(rank) for rank in range(1, depth + 1)])


def _cascade(discount: Callable[[ListSettings], Discount]) -> Callable[[JudgedList, ListSettings], Form]:
    def form(judged: JudgedList, settings: ListSettings) -> Form:
        return ExpectedCascade(settings.alpha * _discounts(discount(settings), settings.depth), settings.alpha)

    return form


def _average_precision(judged: JudgedList, settings: ListSettings) -> Form:
    return ExpectedAveragePrecision(judged.totals.astype(np.float64))


def _ndcg(judged: JudgedList, settings: ListSettings) -> Form:
    """Over the DCG of min(R, N) relevant documents in front, a constant of the topic."""
    gains = _discounts(InverseLog(), settings.depth)
    ideals: Integers = np.minimum(judged.totals, settings.depth)
    return ExpectedGain(gains, np.cumsum(gains)[ideals - 1])


def _reciprocal(settings: ListSettings) -> Discount:
    return Reciprocal()


def _geometric(settings: ListSettings) -> Discount:
    return Geometric(Fraction(settings.beta))


def _logarithmic(settings: ListSettings) -> Discount:
    return InverseLog()


MEASURES: dict[str, ListMeasure] = {
    measure.name: measure
    for measure in (
        ListMeasure("ERR-IA", True, _cascade(_reciprocal), cascade=True),
        ListMeasure("NRBP", True, _cascade(_geometric), cascade=True),
        ListMeasure("alpha-DCG", True, _cascade(_logarithmic), cascade=True),
        ListMeasure("AP-IA", True, _average_precision),
        ListMeasure("ERR", False, _cascade(_reciprocal), cascade=True),
        ListMeasure("RBP", False, _cascade(_geometric), cascade=True),
        ListMeasure("AP", False, _average_precision),
        ListMeasure("nDCG", False, _ndcg),
    )
}
"""Name -> measure; those that see intents, and those that do not, predict each other."""


def measure_named(name: str) -> ListMeasure:
    """The measure of a name, however it is capitalised.

    Raises:
        UnknownName: there is none of that name.

    """
    known = {measure.casefold(): measure for measure in MEASURES}
    if name.casefold() not in known:
        raise UnknownName("measure", name, MEASURES)
    return MEASURES[known[name.casefold()]]
