"""Decides in exact arithmetic what floats leave open of a batch, as far as a budget goes."""

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
_TIES_CHECKED = 5
"""The ties of a batch that are checked for an axiom that allows them."""
_AHEAD = {1: "better is ahead", -1: "worse is ahead", 0: "the two tie", APART: "neither dominates"}


class SettledBatch:
    """Holds what is known of every instance of a batch.

    Attributes:
        batch: the instances.
        floats: what floats say of them.
        sign: (B,) as in `Comparison`; where exact arithmetic was asked, its answer.
        sure: (B,) false where floats took a lower order of eps for zero without being certain of it.
        tied: (B,) where the two scores tie.
        unresolved: (B,) where nothing is known.
        vanishing: how many ties may be differences that no float shows.

    """

    def __init__(self, batch: Batch, floats: Comparison) -> None:
        self.batch, self.floats = batch, floats
        self.sign, self.sure = floats.sign.copy(), floats.sure.copy()
        self.tied = np.zeros(batch.size, dtype=bool)
        self.unresolved = np.zeros(batch.size, dtype=bool)
        self.vanishing = 0

    @property
    def reversed(self) -> Mask:
        """(B,) where the worse ranking is ahead."""
        return self.sign < 0

    @property
    def broken(self) -> Mask:
        """(B,) where the axiom is violated."""
        return self.reversed | self.tied if self.batch.axiom.strict else self.reversed

    @property
    def apart(self) -> Mask:
        """(B,) where neither distribution dominates."""
        mask: Mask = self.sign == APART
        return mask

    @property
    def behind_in_floats(self) -> Mask:
        """(B,) reversals whose margin is more than rounding: those that floats see themselves."""
        return self.reversed & (self.floats.sign < 0)


class Doubts:
    """Settles what floats leave open of one metric.

    Attributes:
        asked: how many instances exact arithmetic was asked about.

    """

    def __init__(self, metric: Metric, axiom: PairAxiom) -> None:
        self.metric, self.axiom = metric, axiom
        self.asked = 0
        self._tie_confirmed = self._reversal_confirmed = False

    def settle(self, batch: Batch, floats: Comparison, violated: bool) -> SettledBatch:
        """Return what is known of a batch once its doubts are settled.

        Args:
            batch: the instances.
            floats: what floats say of them.
            violated: whether a violation was seen before, after which little is asked.

        """
        known = SettledBatch(batch, floats)
        near = np.flatnonzero(floats.sign == 0)
        if floats.rest:
            self._settle_incomplete(known, violated)
        elif near.size and self.axiom.strict:
            self._settle_ties(known, near, violated)
        elif near.size:
            # Equal floats are a tie as far as floats go, which this axiom allows: checked here and there, not all.
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

    def _settle_incomplete(self, known: SettledBatch, violated: bool) -> None:
        """Settle pairs of distributions that leave something out: those that are not apart are unresolved.

        Exact arithmetic is asked about a few that look like reversals.
        """
        behind = np.flatnonzero(known.sign == -1)[:_EXACT_CHUNK]
        listed = np.flatnonzero(known.sign != APART)
        known.sign[listed], known.unresolved[listed] = 0, True
        if behind.size and not violated:
            known.unresolved[behind] = False
            self._ask(known, behind, violated)

    def _settle_ties(self, known: SettledBatch, near: Integers, violated: bool) -> None:
        """Decide what floats cannot tell from a tie: a few first, since one exact tie refutes the cell.

        From then on equal floats count as ties without asking again, which no longer changes the verdict.
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
        """Decide rows exactly as far as the budget goes; the others are unresolved."""
        budget = (_EXACT_AFTERWARDS if violated or self._tie_confirmed else _EXACT_BUDGET) - self.asked
        asked, left = rows[: max(0, budget)], rows[max(0, budget) :]
        known.sign[left] = 0
        known.unresolved[left] = ~known.tied[left]
        if not asked.size:
            return
        exact = signs(self.metric, Batch(self.axiom, known.batch.draft.pick(asked), known.batch.small))
        self.asked += len(exact)
        for index, value in zip(asked, exact, strict=True):
            known.tied[index] = value == 0
            known.unresolved[index] = value is None
            known.sign[index] = value or 0
            known.sure[index] = True
        if self.axiom.strict and 0 in exact:
            self._tie_confirmed = True


def contradicted(metric: Metric, own_code: bool, single: Batch, floats: int, exact: int) -> NoReturn:
    """Raise what it means that floats, asked about many instances at once, and exact arithmetic disagree on one.

    Raises:
        MetricError: the metric is not one function.
        InternalDisagreement: it is of the catalogue.

    """
    if own_code:
        if compare(metric, single).sign[0] != floats:
            raise MetricError(f"{metric}: the score of a ranking depends on what is scored in the same call")
        raise MetricError(
            f"{metric} is not one function: on one pair of rankings its floats say {_AHEAD[floats]}, and its "
            f"exact numbers {_AHEAD[exact]}"
        )
    raise InternalDisagreement(
        f"{metric} on {single.axiom}: floating point says {floats:+d}, exact arithmetic {exact:+d}"
    )
