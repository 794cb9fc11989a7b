"""Keeps what has been seen of one metric: counts, violations, near misses, and whether it repeats its answers."""

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
"""The number of near misses that are kept to look around."""

_AUDITED = 16

_SAMPLED = 8
_SAMPLED_OF_FEW = 2
_FEW = 100
_ANOTHER_BATCH = "in another batch, or later"


@dataclass
class TallyCounts:
    """Holds what came of the instances of one metric.

    Violations are counted of sampled instances only (not of enumerated ones), so that shares are shares of a known
    distribution; unresolved instances are counted wherever they come from.

    Attributes:
        satisfied, reversals, ties, apart: sampled instances by what came of them.
        unresolved: instances of which nothing is known.
        vanishing: ties that may be differences which no float shows.
        audited: instances that floats were sure of and that were decided exactly all the same.
        worst: the largest margin of a reversal, as a share of the larger score.
        rest: the largest probability that a distribution leaves out.

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
        """Count the instances of a batch."""
        self.rest = max(self.rest, known.floats.rest)
        self.vanishing += known.vanishing
        self.unresolved += int(known.unresolved.sum())
        if not sampled:
            return
        self.reversals += int(known.reversed.sum())
        self.ties += int(known.tied.sum()) if known.batch.axiom.strict else 0
        self.apart += int(known.apart.sum())
        self.satisfied += int((~known.broken & ~known.apart & ~known.unresolved).sum())
        # A tie has no margin, and where exact arithmetic had to tell, that of floats is rounding.
        self.worst = max(self.worst, float(-known.floats.margin[known.behind_in_floats].min(initial=0.0)))


@dataclass(order=True)
class _Near:
    """A draft that is satisfied by little, ordered by how little, then by age."""

    margin: float
    age: int
    draft: Draft = field(compare=False)


class NearMisses:
    """The drafts that are satisfied by the smallest margins."""

    def __init__(self) -> None:
        self._kept: list[_Near] = []
        self._age = 0

    def add(self, batch: Batch, margin: Reals) -> None:
        """Keep the drafts of a batch with the smallest margins, (B,)."""
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
        """Return the nearest drafts, so many at most; of all that are kept the nearer half stays."""
        nearest = [near.draft for near in self._kept[:count]]
        del self._kept[FOCUS_PARENTS // 2 :]
        return nearest


class Repetition:
    """Keeps a few of the instances that a metric was asked about, and what it said, to ask again."""

    def __init__(self, metric: Metric, own_code: bool) -> None:
        self.metric = metric
        self._samples_batches = own_code and not metric.partial
        self._batches = 0
        self._samples: list[tuple[Batch, Comparison]] = []

    def check(self, batch: Batch, said: Comparison) -> None:
        """Ask again at once about the first batch, and keep some instances of the 1st, 2nd, 4th, 8th ... batch.

        Raises:
            MetricError: the metric says something else.

        """
        metric = self.metric
        self._batches += 1
        if self._batches == 1 and not compare(metric, batch).repeats(said):
            raise MetricError(f"{metric} scores the same rankings differently when asked again")
        if self._samples_batches and self._batches & (self._batches - 1) == 0:
            wanted = _SAMPLED if metric.most_examples is None or metric.most_examples >= _FEW else _SAMPLED_OF_FEW
            rows = np.linspace(0, batch.size - 1, min(wanted, batch.size)).astype(np.intp)
            few = batch.pick(rows)
            first = compare(metric, few)
            hold_alike(metric, said.pick(rows), first, _ANOTHER_BATCH)
            self._samples.append((few, first))

    def ask_again(self) -> None:
        """Score what was sampled once more: late, in another order, and one at a time.

        A metric that counts its calls, looks at the clock, or at what else is scored in the same call, shows itself.

        Raises:
            MetricError: it says something else.

        """
        for batch, first in reversed(self._samples):
            backwards = np.arange(batch.size)[::-1]
            for rows in (np.arange(batch.size), backwards, backwards[:1], backwards[-1:]):
                how = "when asked again" if rows is not backwards and len(rows) > 1 else _ANOTHER_BATCH
                hold_alike(self.metric, first.pick(rows), compare(self.metric, batch.pick(rows)), how)


def hold_alike(metric: Metric, one: Comparison, other: Comparison, how: str) -> None:
    """Check that two answers about the same pairs agree.

    Floats that are told apart in one batch may pass for noise beside the larger scores of another, so that nothing or
    the next order of eps decides there: what is noise in either says nothing, unless the scores are the same.

    Raises:
        MetricError: they differ.

    """
    told = one.sure == other.sure
    for each in (one, other):
        told &= each.equal | (each.sign != 0)
    # In single precision a margin beside small scores is good for its sign.
    here, there = (np.sign(x.margin) * (x.sign != 0) if is_single(metric) else x.margin for x in (one, other))
    if not np.allclose(here[told], there[told], rtol=0, atol=ROUNDING):
        raise MetricError(f"{metric} scores the same rankings differently {how}")


class Tally:
    """Holds what has been seen of one metric so far.

    Attributes:
        own_code: whether other code than axiomcheck's decides its scores.
        counts: what came of its instances.
        candidates: violating instances.
        doubts: what floats left open.
        near: the instances with the smallest margins.
        focused: keys of the instances that were made of these, in portions.
        error: what the metric did wrong, after which it is not asked again; None where it did nothing.
        disagreement: in what exact arithmetic contradicts floats; None where it does not.
        seconds: that the metric took.

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
        """Tell whether a violation has been seen (in floats a reversal, or an exactly confirmed tie)."""
        return self.candidates.violated

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Book the time that the metric takes, and what it does wrong."""
        start = time.perf_counter()
        try:
            yield
        except MetricError as error:
            self.error = str(error)
        except InternalDisagreement as error:
            self.disagreement = str(error)
        self.seconds += time.perf_counter() - start

    def look(self, batch: Batch, sampled: bool) -> None:
        """Score a batch and book what it shows; a metric that fails is not looked at again."""
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

    def ask_again(self) -> None:
        """Ask the metric once more about instances that it was asked about before; see `Repetition`."""
        if not (self.error or self.disagreement):
            with self._asking():
                self._repetition.ask_again()

    def confirm_enumerated(self) -> None:
        """Confirm what a group of enumerated instances showed."""
        if not self.disagreement:
            with self._asking():
                self.candidates.confirm_enumerated()

    def _audit(self, batch: Batch, floats: Comparison) -> None:
        """Decide exactly the instance that floats tell apart by the least.

        Where a lower order of eps passed for zero, floats say nothing that could be contradicted: a violation that they
        missed there is kept like any other.

        Raises:
            InternalDisagreement, MetricError: see `contradicted`.

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
