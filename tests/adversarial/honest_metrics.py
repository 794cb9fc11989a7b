"""Metrics of the same shapes that keep what they promise. User code: nothing of the tests."""

from typing import Any

from axiomcheck.metrics.adhoc import RankBiasedPrecision
from axiomcheck.metrics.fold import Additive, Fold
from axiomcheck.numbers.discount import Geometric

Array = Any


# ------------------------------------------------------------ only another summary or base


class RbpInOtherWords(RankBiasedPrecision):
    summary = "what RBP is, in other words"


# ------------------------------------------------------------ own folds


class RbpWithOwnFold(RankBiasedPrecision):
    """RBP without its factor."""

    def fold(self) -> Fold:
        return Additive(Geometric(self.values["p"]))
