"""Results of the search for one metric: counts, candidates, near misses, and a check that scores are repeatable."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom
from axiomcheck.core.errors import InternalDisagreement, MetricError
from axiomcheck.core.limits import ROUNDING
from axiomcheck.core.typing import Keys, Reals
from axiomcheck.decide.batch import Batch, Comparison
from axiomcheck.decide.candidates import ViolationCandidates
from axiomcheck.decide.comparison import compare, signs
from axiomcheck.decide.doubts import Doubts, SettledBatch, contradicted
from axiomcheck.metrics import Metric
from axiomcheck.sources.external_metrics import is_single
from axiomcheck.sources.provenance import runs_catalogue_code

FOCUS_PARENTS = 40
"""Number of near misses that are kept for mutation."""

_AUDITED = 16

_SAMPLED = 8
_SAMPLED_OF_FEW = 2
_FEW = 100
_ANOTHER_BATCH = "in another batch, or later"


@dataclass
class TallyCounts:
    """Number of instances with each result, for one metric.

    Violations are counted only among sampled instances, so that their share refers to a known distribution. Unresolved
    instances are counted among all instances.

    Attributes:
        satisfied, reversals, ties, apart: Number of sampled instances with each result.
        unresolved: Number of instances that could not be decided.
        vanishing: Number of ties that may be differences too small for any float to show.
        audited: Number of instances that floats decided and exact arithmetic checked.
        worst: Largest margin of a reversal, divided by the larger score.
        rest: Largest total probability of the values that a distribution does not list.

    """

    satisfied: int = 0
    reversals: int = 0
    ties: int = 0
    apart: int = 0
    unresolved: int = 0
    vanishing: int = 0
    audited: int = 0
    worst: float = 0.0
    rest: float = 0.0

    def add(self, known: SettledBatch, sampled: bool) -> None:
        """Add the results of a batch."""
        self.rest = max(self.rest, known.floats.rest)
        self.vanishing += known.vanishing
        self.unresolved += int(known.unresolved.sum())
        if not sampled:
            return
        self.reversals += int(known.reversed.sum())
        self.ties += int(known.tied.sum()) if known.batch.axiom.strict else 0
        self.apart += int(known.apart.sum())
        self.satisfied += int((~known.broken & ~known.apart & ~known.unresolved).sum())
        # A tie has no margin. If exact arithmetic decided, the float margin is only rounding error.
        self.worst = max(self.worst, float(-known.floats.margin[known.behind_in_floats].min(initial=0.0)))


@dataclass(order=True)
class _Near:
    """Draft that satisfies the axiom by a small margin. Drafts are sorted by margin, then by age."""

    margin: float
    age: int
    draft: Draft = field(compare=False)


class NearMisses:
    """Drafts that satisfy the axiom by the smallest margins."""

    def __init__(self) -> None:
        self._kept: list[_Near] = []
        self._age = 0

    def add(self, batch: Batch, margin: Reals) -> None:
        """Keep the drafts of a batch with the smallest margins.

        Args:
            batch: The instances.
            margin: (B,) absolute margins.

        """
        limit = self._kept[-1].margin if len(self._kept) >= FOCUS_PARENTS else np.inf
        few = np.flatnonzero(margin < limit)
        if not few.size:
            return
        for k in few[np.argsort(margin[few], kind="stable")[:3]]:
            self._age += 1
            self._kept.append(_Near(float(margin[k]), self._age, batch.draft.pick(np.array([k]))))
        self._kept.sort()
        del self._kept[FOCUS_PARENTS:]

    def take(self, count: int) -> list[Draft]:
        """Return at most ``count`` drafts with the smallest margins.

        Afterwards, only the drafts with the smallest margins are kept, at most half of the maximum number.
        """
        nearest = [near.draft for near in self._kept[:count]]
        del self._kept[FOCUS_PARENTS // 2 :]
        return nearest


class Repetition:
    """Check that a metric gives the same scores when it is called again on a few stored instances."""

    def __init__(self, metric: Metric, own_code: bool) -> None:
        self.metric = metric
        self._samples_batches = own_code and not metric.partial
        self._batches = 0
        self._samples: list[tuple[Batch, Comparison]] = []

    def check(self, batch: Batch, said: Comparison) -> None:
        """Compare the first batch again at once, and store some instances of the 1st, 2nd, 4th, 8th, ... batch.

        If a metric is tested on few instances, only some instances of the first batch are stored, and the batch is not
        compared again.

        Raises:
            MetricError: The metric gives different scores.

        """
        metric = self.metric
        self._batches += 1
        is_slow = metric.most_examples is not None and metric.most_examples < _FEW
        if self._batches == 1 and not is_slow and not compare(metric, batch).repeats(said):
            raise MetricError(f"{metric} scores the same rankings differently when it is called again")
        if self._samples_batches and self._batches & (self._batches - 1) == 0 and not (is_slow and self._samples):
            wanted = _SAMPLED_OF_FEW if is_slow else _SAMPLED
            rows = np.linspace(0, batch.size - 1, min(wanted, batch.size)).astype(np.intp)
            few, first = batch.pick(rows), said.pick(rows)
            if len(rows) < batch.size:
                check_same_comparison(metric, first, compare(metric, few), _ANOTHER_BATCH)
            self._samples.append((few, first))

    def check_again(self) -> None:
        """Score the stored instances again at the end of the search, in reverse order and one at a time.

        This exposes a metric that counts its calls, reads the clock, or depends on the other rankings of the same call.

        Raises:
            MetricError: The metric gives different scores.

        """
        for batch, first in reversed(self._samples):
            backwards = np.arange(batch.size)[::-1]
            for rows in (np.arange(batch.size), backwards, backwards[:1], backwards[-1:])[: 2 * batch.size - 1]:
                how = "when it is called again" if rows is not backwards and len(rows) > 1 else _ANOTHER_BATCH
                check_same_comparison(self.metric, first.pick(rows), compare(self.metric, batch.pick(rows)), how)


def check_same_comparison(metric: Metric, one: Comparison, other: Comparison, how: str) -> None:
    """Check that two comparisons of the same pairs agree.

    A clear float difference in one batch may count as noise relative to the larger scores of another batch. The pair is
    then undecided there, or decided by the next order of eps. Pairs within noise in either batch are therefore skipped,
    unless the scores are equal.

    Args:
        metric: Metric that was compared.
        one: Comparison of the pairs.
        other: Another comparison of the same pairs.
        how: End of the error message, which says how the other comparison was made.

    Raises:
        MetricError: The comparisons differ.

    """
    told = one.sure == other.sure
    for each in (one, other):
        told &= each.equal | (each.sign != 0)
    # In single precision, only the sign of a margin of small scores is reliable.
    here, there = (np.sign(x.margin) * (x.sign != 0) if is_single(metric) else x.margin for x in (one, other))
    if not np.allclose(here[told], there[told], rtol=0, atol=ROUNDING):
        raise MetricError(f"{metric} scores the same rankings differently {how}")


class Tally:
    """Accumulated results of the search for one metric.

    Attributes:
        own_code: True if code outside axiomcheck determines the metric's scores.
        counts: Numbers of instances by result.
        candidates: Violating instances.
        doubts: Exact comparison of instances that floats cannot decide.
        near: Instances with the smallest margins.
        focused: Keys of the tested mutations of the instances in ``near``.
        error: Message of the metric's error, or None. After an error the metric is not called again.
        disagreement: Message about a contradiction between exact arithmetic and floats, or None.
        seconds: Time spent in the metric, in seconds.

    """

    def __init__(self, metric: Metric, axiom: PairAxiom) -> None:
        self.metric, self.axiom = metric, axiom
        self.own_code = not runs_catalogue_code(metric)
        self.counts = TallyCounts()
        self.candidates = ViolationCandidates(metric, axiom, self.own_code)
        self.doubts = Doubts(metric, axiom)
        self.near = NearMisses()
        self.focused: list[Keys] = []
        self.error: str | None = None
        self.disagreement: str | None = None
        self.seconds = 0.0
        self._repetition = Repetition(metric, self.own_code)
        self._looked = 0

    @property
    def violated(self) -> bool:
        """True if a violation has been seen, which is a reversal in floats or an exactly confirmed tie."""
        return self.candidates.violated

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Record the time and the errors of calls to the metric."""
        start = time.perf_counter()
        try:
            yield
        except MetricError as error:
            self.error = str(error)
        except InternalDisagreement as error:
            self.disagreement = str(error)
        self.seconds += time.perf_counter() - start

    def look(self, batch: Batch, sampled: bool) -> None:
        """Compare a batch and record the results. A metric that has failed is not called."""
        if self.error or self.disagreement:
            return
        with self._asking():
            floats = compare(self.metric, batch)
            self._repetition.check(batch, floats)
            known = self.doubts.settle(batch, floats, self.violated)
            self.counts.add(known, sampled)
            self.candidates.add(known)
            if sampled and not self.violated:
                self.near.add(batch, np.abs(floats.margin))
                self._looked += 1
                if self._looked % _AUDITED == 0 and not self.metric.numerical(batch.small):
                    self._audit(batch, floats)

    def check_again(self) -> None:
        """Score the stored instances once more; see `Repetition.check_again`."""
        if not (self.error or self.disagreement):
            with self._asking():
                self._repetition.check_again()

    def confirm_enumerated(self) -> None:
        """Confirm the candidates of a group of enumerated instances."""
        if not self.disagreement:
            with self._asking():
                self.candidates.confirm_enumerated()

    def _audit(self, batch: Batch, floats: Comparison) -> None:
        """Check the instance with the smallest clear float difference in exact arithmetic.

        If floats assumed that a lower order of eps is zero, a different exact sign is not a contradiction. A violation
        that floats missed for this reason is kept like any other violation.

        Raises:
            InternalDisagreement, MetricError: See `contradicted`.

        """
        clear = np.flatnonzero(floats.sign)
        if not clear.size:
            return
        least = clear[np.argmin(np.abs(floats.margin[clear]))]
        single = batch.pick(np.array([least]))
        exact = signs(self.metric, single)[0]
        self.counts.audited += 1
        if exact is None or exact == floats.sign[least]:
            return
        if floats.sure[least]:
            contradicted(self.metric, self.own_code, single, int(floats.sign[least]), exact)
        if exact < 0 or (exact == 0 and self.axiom.strict):
            yes = np.ones(1, dtype=bool)
            self.candidates.add_violations(single, yes, yes & (exact < 0), yes)
