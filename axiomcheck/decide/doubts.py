"""Compare instances that floats cannot decide in exact arithmetic, within a budget."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from axiomcheck.axioms import PairAxiom
from axiomcheck.core.errors import InternalDisagreement, MetricError
from axiomcheck.core.typing import Integers, Mask
from axiomcheck.decide.batch import Batch, Comparison
from axiomcheck.decide.comparison import compare, signs
from axiomcheck.decide.dominance import APART
from axiomcheck.decide.numerical import coarse, vanishing_ties
from axiomcheck.metrics import Metric
from axiomcheck.sources.external_metrics import is_single

_EXACT_BUDGET = 12_000
_EXACT_AFTERWARDS = 24
_EXACT_CHUNK = 4
_FRUITLESS = 600
"""Number of exact comparisons after which no more are made if none of them has given a sign."""
_TIES_CHECKED = 5
"""Number of float ties per batch that are checked exactly if the axiom allows ties."""
_AHEAD = {1: "better is ahead", -1: "worse is ahead", 0: "the two tie", APART: "neither dominates"}


class SettledBatch:
    """Results for a batch: exact for the instances that were compared in exact arithmetic, from floats for the others.

    Attributes:
        batch: Instances that were compared.
        floats: Comparison of the instances in floats.
        sign: (B,) exact sign, or the sign as defined in `Comparison`.
        sure: (B,) False if the sign relies on an unproved assumption: that a lower order of eps is zero, or that equal
            floats are a tie.
        tied: (B,) True if the two scores tie.
        unresolved: (B,) True if neither floats nor exact arithmetic gave a result.
        vanishing: Number of ties that may be differences too small for any float to show.

    """

    def __init__(self, batch: Batch, floats: Comparison) -> None:
        self.batch, self.floats = batch, floats
        self.sign, self.sure = floats.sign.copy(), floats.sure.copy()
        self.tied = np.zeros(batch.size, dtype=bool)
        self.unresolved = np.zeros(batch.size, dtype=bool)
        self.vanishing = 0

    @property
    def reversed(self) -> Mask:
        """(B,) mask of the instances in which the worse ranking is ahead."""
        return self.sign < 0

    @property
    def broken(self) -> Mask:
        """(B,) mask of the instances that violate the axiom: reversals, and ties if the axiom is strict."""
        return self.reversed | self.tied if self.batch.axiom.strict else self.reversed

    @property
    def apart(self) -> Mask:
        """(B,) mask of the instances with incomparable rankings, where neither distribution dominates."""
        mask: Mask = self.sign == APART
        return mask

    @property
    def behind_in_floats(self) -> Mask:
        """(B,) mask of the reversals that floats show as well, so that their float margin is not rounding error."""
        return self.reversed & (self.floats.sign < 0)


class Doubts:
    """Compares doubtful instances of one metric and axiom exactly, until a budget is used up.

    Attributes:
        asked: Number of instances that were compared in exact arithmetic.

    """

    def __init__(self, metric: Metric, axiom: PairAxiom) -> None:
        self.metric, self.axiom = metric, axiom
        self.asked = 0
        self._tie_confirmed = self._reversal_confirmed = self._answered = False

    def settle(self, batch: Batch, floats: Comparison, violated: bool) -> SettledBatch:
        """Compare the doubtful instances of a batch exactly, and return the result for the whole batch.

        Args:
            batch: Instances to compare.
            floats: Comparison of the instances in floats.
            violated: True if a violation was already seen, in which case the budget is smaller.

        """
        known = SettledBatch(batch, floats)
        near = np.flatnonzero(floats.sign == 0)
        if floats.rest:
            # If distributions do not list all values, pairs are unresolved unless they are incomparable. A few pairs
            # that look like reversals are compared exactly.
            behind = np.flatnonzero(known.sign == -1)[:_EXACT_CHUNK]
            listed = np.flatnonzero(known.sign != APART)
            known.sign[listed], known.unresolved[listed] = 0, True
            if behind.size and not violated:
                known.unresolved[behind] = False
                self._ask(known, behind, violated)
        elif near.size and self.axiom.strict:
            self._settle_ties(known, near, violated)
        elif near.size:
            # Equal floats count as ties, which this axiom allows. A few of these ties are checked exactly.
            equal = near[floats.equal[near]]
            known.tied[equal] = True
            self._ask(known, np.concatenate([near[~floats.equal[near]], equal[:_TIES_CHECKED]]), violated)
        if self.axiom.strict and self.metric.numerical(batch.small):
            blurred = known.tied & ~coarse(batch.draft, is_single(self.metric))
            saturated = vanishing_ties(self.metric, batch, known.tied & ~blurred)
            known.vanishing = int(saturated.sum())
            blurred |= saturated
            known.tied[blurred], known.unresolved[blurred] = False, True
        doubtful = np.flatnonzero(known.reversed & ~known.sure)
        if doubtful.size and not self._reversal_confirmed:
            self._ask(known, doubtful, violated)
            self._reversal_confirmed = bool(known.reversed[doubtful].any())
        return known

    def _settle_ties(self, known: SettledBatch, near: Integers, violated: bool) -> None:
        """Compare possible ties exactly until one is confirmed, which refutes an axiom that requires a strict order.

        Instances are compared in growing groups, beginning with a few. After the first exact tie, equal floats count as
        ties without an exact comparison, since further ties cannot change the verdict.
        """
        start = 0
        for size in (_EXACT_CHUNK * 8**k for k in range(8)):
            if self._tie_confirmed or start >= near.size:
                break
            self._ask(known, near[start : start + size], violated)
            start += size
        rest = near[start:]
        equal = known.floats.equal[rest]
        known.tied[rest[equal]] = True
        known.sure[rest[equal]] = False
        self._ask(known, rest[~equal], violated)

    def _ask(self, known: SettledBatch, rows: Integers, violated: bool) -> None:
        """Compare rows exactly until the budget is used up. The other rows become unresolved, except float ties."""
        budget = (_EXACT_AFTERWARDS if violated or self._tie_confirmed else _EXACT_BUDGET) - self.asked
        if not self._answered:
            budget = min(budget, _FRUITLESS - self.asked)
        asked, left = rows[: max(0, budget)], rows[max(0, budget) :]
        known.sign[left] = 0
        known.unresolved[left] = ~known.tied[left]
        if not asked.size:
            return
        exact = signs(self.metric, Batch(self.axiom, known.batch.draft.pick(asked), known.batch.small))
        self.asked += len(exact)
        self._answered |= any(value is not None for value in exact)
        for index, value in zip(asked, exact, strict=True):
            known.tied[index] = value == 0
            known.unresolved[index] = value is None
            known.sign[index] = value or 0
            known.sure[index] = True
        if self.axiom.strict and 0 in exact:
            self._tie_confirmed = True


def contradicted(metric: Metric, own_code: bool, single: Batch, floats: int, exact: int) -> NoReturn:
    """Raise an error because floats and exact arithmetic give different signs for one instance.

    The float sign ``floats`` was computed in a batch, whereas the exact sign ``exact`` was computed for this instance
    alone.

    Raises:
        MetricError: External code computes the scores (``own_code``), so it is inconsistent.
        InternalDisagreement: Only axiomcheck's own code computes the scores.

    """
    if own_code:
        if compare(metric, single).sign[0] != floats:
            raise MetricError(f"{metric}: the score of a ranking depends on the other rankings in the same call")
        raise MetricError(
            f"{metric} is inconsistent: on one pair of rankings, {_AHEAD[floats]} in floats, but {_AHEAD[exact]} in "
            f"exact arithmetic"
        )
    raise InternalDisagreement(
        f"{metric} on {single.axiom}: floats give the sign {floats:+d}, but exact arithmetic gives {exact:+d}"
    )
