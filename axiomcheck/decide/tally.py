"""Collect the results of a search for one metric: counts, candidates, near misses and scores that are not repeatable.

Candidates are probable violations, which exact arithmetic then confirms or rejects.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.core.errors import InternalDisagreement, MetricError
from axiomcheck.core.limits import ROUNDING
from axiomcheck.core.typing import Keys, Mask, Reals
from axiomcheck.decide.batch import Batch, Comparison
from axiomcheck.decide.comparison import compare, judge, signs
from axiomcheck.decide.dominance import APART
from axiomcheck.decide.doubts import Doubts, SettledBatch, contradicted
from axiomcheck.decide.numerical import ACROSS
from axiomcheck.metrics import Metric
from axiomcheck.sources.external_metrics import is_single
from axiomcheck.sources.provenance import is_genuine

_MOST = 6


@dataclass(order=True)
class Candidate:
    """Instance that seems to violate the axiom, to be confirmed in exact arithmetic. Candidates are sorted by size.

    Args:
        key: Number of documents, number of aspects, and further numbers that sort instances of the same shape.
        batch: The instance (B = 1).
        sure: True if the violation does not depend on an unproved assumption; see `SettledBatch`.

    """

    key: tuple[int, ...]
    batch: Batch = field(compare=False)
    sure: bool = field(compare=False)


class ViolationCandidates:
    """Smallest instances on which a metric seems to violate an axiom, and the violations confirmed among them.

    Attributes:
        grid_witness: Smallest enumerated instance that exact arithmetic confirmed as a violation, or None.
        grid_apart: Smallest enumerated instance whose rankings exact arithmetic confirmed to be incomparable, or None.
        tied_shapes: Shapes of the instances with tied scores, if the axiom is strict.

    """

    def __init__(self, metric: Metric, axiom: PairAxiom, own_code: bool) -> None:
        self.metric, self.axiom, self._own_code = metric, axiom, own_code
        self.tied_shapes: set[Shape] = set()
        self.grid_witness: Batch | None = None
        self.grid_apart: Batch | None = None
        self._violating: list[Candidate] = []
        self._apart: list[Candidate] = []
        self._first_certain: Candidate | None = None
        self._first_reversal: Candidate | None = None

    @property
    def violated(self) -> bool:
        """True if there is a candidate for a violation, which need not be confirmed."""
        return bool(self._violating)

    def add(self, known: SettledBatch) -> None:
        """Keep the smallest violations and the smallest incomparable instances of a batch, preferably sure ones."""
        batch, reversed_ = known.batch, known.reversed
        if self.axiom.strict and known.tied.any():
            self.tied_shapes.add(batch.draft.shape)
        if known.apart.any() and self.grid_apart is None:
            _keep_smallest(self._apart, batch, known.apart, known.sure)
        if known.broken.any():
            self.add_violations(batch, known.broken, reversed_, known.sure)

    def add_violations(self, batch: Batch, broken: Mask, reversed_: Mask, sure: Mask) -> None:
        """Keep the smallest violating instances of a batch.

        Args:
            batch: Instances that were compared.
            broken: (B,) True for violating instances.
            reversed_: (B,) True for reversals.
            sure: (B,) True for sure results; see `SettledBatch`.

        """
        if self._first_reversal is None and (reversed_ & sure).any():
            shape = batch.draft.shape
            single = batch.pick(np.flatnonzero(reversed_ & sure)[:1])
            self._first_reversal = Candidate((shape.documents, shape.aspects), single, True)
        if self.grid_witness is None:
            for candidate in _keep_smallest(self._violating, batch, broken, sure):
                if candidate.sure and self._first_certain is None:
                    self._first_certain = candidate

    def confirm_enumerated(self) -> None:
        """Confirm the candidates of a group of enumerated instances, and set `grid_witness` and `grid_apart`.

        Groups are enumerated in order of size, so the first confirmed candidate is the smallest.
        """
        if self._violating or self._apart:
            self.grid_witness = self.confirm()
            self.grid_apart = self.grid_apart or self.confirm_apart()

    def confirm(self) -> Batch | None:
        """Return the smallest violating instance that exact arithmetic confirms; None if there is none.

        Raises:
            MetricError: External code scores the same rankings inconsistently.
            InternalDisagreement: Exact arithmetic contradicts a sure result.

        """
        for candidate in [*self._violating, *(c for c in (self._first_certain, self._first_reversal) if c)]:
            judgement = judge(self.metric, candidate.batch)
            sign, numerical = judgement.sign, judgement.arithmetic == "numerical"
            if sign == -1 or (sign == 0 and self.axiom.strict and not numerical):
                return candidate.batch
            if sign == 0 and self.axiom.strict:
                if len(self.tied_shapes) >= ACROSS:
                    return candidate.batch
                continue
            if sign is not None and candidate.sure and numerical:
                raise MetricError(f"{self.metric} scores the same rankings differently when it is called again")
            if sign is not None and candidate.sure:
                contradicted(self.metric, self._own_code, candidate.batch, -1, sign)
        return None

    def confirm_apart(self) -> Batch | None:
        """Return the smallest instance that exact arithmetic confirms to be incomparable; None if there is none.

        Raises:
            MetricError, InternalDisagreement: See `confirm`.

        """
        for candidate in self._apart:
            sign = judge(self.metric, candidate.batch).sign
            if sign == APART:
                return candidate.batch
            if sign is not None and candidate.sure:
                contradicted(self.metric, self._own_code, candidate.batch, APART, sign)
        return None


def _keep_smallest(candidates: list[Candidate], batch: Batch, wanted: Mask, sure: Mask) -> list[Candidate]:
    """Add the two smallest of the ``wanted`` instances of a batch to the candidates, and return these two.

    If some of the instances are ``sure``, the others are ignored. Nothing is added if the list is already full of
    instances of smaller shapes.
    """
    d = batch.draft
    size = (d.shape.documents, d.shape.aspects)
    if len(candidates) == _MOST and candidates[-1].key[:2] < size:
        return []
    certain = wanted & sure
    index = np.flatnonzero(certain if certain.any() else wanted)
    grades = d.grades[index]
    support = (grades > 0).sum(axis=(1, 2))
    odd = ((grades > 0) & (grades < 1)).sum(axis=(1, 2)) + d.weights[index].sum(axis=1)
    looked = [
        Candidate(
            (*size, int(support[k]), int(odd[k]), int(index[k])), batch.pick(index[k : k + 1]), bool(sure[index[k]])
        )
        for k in np.lexsort((index, odd, support))[:2]
    ]
    candidates += looked
    candidates.sort()
    del candidates[_MOST:]
    return looked


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
    and vanishing instances are counted among all instances.

    Attributes:
        satisfied, reversals, ties, apart: Number of sampled instances with each result.
        unresolved: Number of instances that could not be decided.
        vanishing: Number of ties that may be differences too small for any float to show.
        audited: Number of instances decided by floats and then checked in exact arithmetic.
        worst: Largest margin of a reversal, as a share of the larger score.
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
        """Add the results of a batch to the counts. Violations are counted only if the batch was ``sampled``."""
        self.rest = max(self.rest, known.floats.rest)
        self.vanishing += known.vanishing
        self.unresolved += int(known.unresolved.sum())
        if not sampled:
            return
        self.reversals += int(known.reversed.sum())
        self.ties += int(known.tied.sum()) if known.batch.axiom.strict else 0
        self.apart += int(known.apart.sum())
        self.satisfied += int((~known.broken & ~known.apart & ~known.unresolved).sum())
        # A tie has no margin. If only exact arithmetic shows a reversal, the float margin is rounding error.
        self.worst = max(self.worst, float(-known.floats.margin[known.behind_in_floats].min(initial=0.0)))


@dataclass(order=True)
class _Near:
    """Draft with a small margin. Drafts are sorted by margin, and then by age (order of arrival)."""

    margin: float
    age: int
    draft: Draft = field(compare=False)


class NearMisses:
    """Drafts that satisfy the axiom by the smallest margins, and whose mutations may therefore violate it."""

    def __init__(self) -> None:
        self._kept: list[_Near] = []
        self._age = 0

    def add(self, batch: Batch, margin: Reals) -> None:
        """Keep up to three drafts of a batch, those with the smallest margins.

        Args:
            batch: Instances that satisfy the axiom.
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

        Afterwards, only the first `FOCUS_PARENTS` // 2 drafts are kept.
        """
        nearest = [near.draft for near in self._kept[:count]]
        del self._kept[FOCUS_PARENTS // 2 :]
        return nearest


class Repetition:
    """Checks that repeated calls of a metric give the same scores.

    The first batch is scored twice, and some instances are stored and scored again at the end of the search.
    """

    def __init__(self, metric: Metric, own_code: bool) -> None:
        self.metric = metric
        self._samples_batches = own_code and not metric.partial
        self._batches = 0
        self._samples: list[tuple[Batch, Comparison]] = []

    def check(self, batch: Batch, said: Comparison) -> None:
        """Compare the first batch again at once, and store some instances of the 1st, 2nd, 4th, 8th, ... batch.

        For a very slow metric, only instances of the first batch are stored, and the batch is not compared again.
        ``said`` is the comparison of the batch.

        Raises:
            MetricError: The metric gives different scores when it is called again.

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
        """Score the stored instances again at the end of the search: together, in reverse order, and two of them alone.

        This exposes a metric that counts its calls, reads the clock, or depends on the other rankings in the same call.

        Raises:
            MetricError: The metric gives different scores.

        """
        for batch, first in reversed(self._samples):
            backwards = np.arange(batch.size)[::-1]
            for rows in (np.arange(batch.size), backwards, backwards[:1], backwards[-1:])[: 2 * batch.size - 1]:
                how = "when it is called again" if rows is not backwards and len(rows) > 1 else _ANOTHER_BATCH
                check_same_comparison(self.metric, first.pick(rows), compare(self.metric, batch.pick(rows)), how)


def check_same_comparison(metric: Metric, one: Comparison, other: Comparison, how: str) -> None:
    """Check that two comparisons of the same pairs have equal margins.

    A difference that is clear in one batch may be noise next to the larger scores of another batch. Therefore only
    pairs are checked that are decided, or have equal scores, in both comparisons.

    Args:
        metric: Metric that scored the pairs.
        one: Comparison of the pairs.
        other: Another comparison of the same pairs.
        how: End of the error message, which says how the other comparison was made.

    Raises:
        MetricError: The margins differ by more than rounding.

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
        own_code: True if external code computes the metric's scores.
        counts: Number of instances with each result.
        candidates: Candidates for violations.
        doubts: Exact comparison of instances that floats cannot decide.
        near: Instances with the smallest margins.
        focused: Keys of the tested mutations of near misses.
        error: Message of the metric's error, or None. After an error the metric is not called again.
        disagreement: Message about a contradiction between exact arithmetic and floats, or None.
        seconds: Time spent in the metric, in seconds.

    """

    def __init__(self, metric: Metric, axiom: PairAxiom) -> None:
        self.metric, self.axiom = metric, axiom
        self.own_code = not is_genuine(metric)
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
        """True if there is a candidate for a violation; see `ViolationCandidates.violated`."""
        return self.candidates.violated

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Add the duration of the ``with`` block to `seconds`, and store the message of an error that it raises."""
        start = time.perf_counter()
        try:
            yield
        except MetricError as error:
            self.error = str(error)
        except InternalDisagreement as error:
            self.disagreement = str(error)
        self.seconds += time.perf_counter() - start

    def look(self, batch: Batch, sampled: bool) -> None:
        """Compare a batch and record the results. Do nothing if an earlier call failed."""
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
        """Score the stored instances again; see `Repetition.check_again`."""
        if not (self.error or self.disagreement):
            with self._asking():
                self._repetition.check_again()

    def confirm_enumerated(self) -> None:
        """Confirm the candidates of a group of enumerated instances; see `ViolationCandidates.confirm_enumerated`."""
        if not self.disagreement:
            with self._asking():
                self.candidates.confirm_enumerated()

    def _audit(self, batch: Batch, floats: Comparison) -> None:
        """Compare the instance that floats decide by the smallest margin again in exact arithmetic.

        If floats assumed that a lower order of eps is zero, a different exact sign is not a contradiction. A violation
        that floats missed for this reason is added to the candidates.

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
