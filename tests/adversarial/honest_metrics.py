"""Metrics of the same shapes that keep what they promise. User code: nothing of the tests."""

import logging
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from axiomcheck.metrics.adhoc import RankBiasedPrecision
from axiomcheck.metrics.base import FoldMetric
from axiomcheck.metrics.fold import Additive, Fold, State
from axiomcheck.numbers.arithmetic import Arithmetic, positive, select
from axiomcheck.numbers.discount import Discount, Geometric

Array = Any

log = logging.getLogger(__name__)
NAMES = {"a", "b"}


# ------------------------------------------------------------ only another summary or base


class RbpInOtherWords(RankBiasedPrecision):
    summary = "what RBP is, in other words"


# ------------------------------------------------------------ own folds


class RbpWithOwnFold(RankBiasedPrecision):
    """RBP without its factor."""

    def fold(self) -> Fold:
        return Additive(Geometric(self.values["p"]))


@dataclass(frozen=True)
class Fading(Fold):
    """Each relevant document before leaves half of what is left: a step of one's own."""

    discount: Discount

    def start(self, a: Arithmetic) -> State:
        return (a.number(Fraction(1)),)

    def step(self, a: Arithmetic, state: State, r: Array) -> tuple[Array, State]:
        (left,) = state
        return left * r, (left * (1 - select(positive(r), a.number(Fraction(1, 2)))),)


class Patient(FoldMetric):
    """Scored by the fold that its class has."""

    name = "patient"
    summary = source = "mine"
    made_of: ClassVar[Fold] = Additive(Geometric(Fraction(4, 5)))

    def fold(self) -> Fold:
        return self.made_of


class OwnStep(Patient):
    made_of = Fading(Geometric(Fraction(4, 5)))


class Lazy(Patient):
    """Makes its fold when it is first asked for it, and logs a set of the file's."""

    _fold = None

    def fold(self) -> Fold:
        log.debug("folding %s", NAMES)
        if self._fold is None:
            self._fold = Additive(Geometric(Fraction(4, 5)))
        return self._fold


class WithCost(Patient):
    def cost(self) -> Any:
        return Fraction(1, 20)
