"""What has been seen of one metric so far: counts, candidates for a witness, near misses, doubts that are settled."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.core.errors import InternalDisagreement, MetricError
from axiomcheck.core.limits import ROUNDING
from axiomcheck.core.typing import Integers, Keys, Mask, Reals
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.comparison import compare, judge, signs, way_of
from axiomcheck.decide.dominance import APART
from axiomcheck.decide.numerical import ACROSS, coarse, vanishing_ties
from axiomcheck.decide.outcome import Comparison
from axiomcheck.metrics import Metric
from axiomcheck.sources.external_metrics import is_single
from axiomcheck.sources.provenance import runs_catalogue_code

FOCUS_PARENTS = 40
"""How many near misses are kept to look around."""

_EXACT_BUDGET = 12_000
_EXACT_AFTERWARDS = 24
_EXACT_CHUNK = 4
_CANDIDATES = 6
_READABLE = 12
"""Documents of the instance that violates by most: it is there to be looked at."""
_AUDIT = 5
_AUDITED = 16
_SAMPLED = 8
_SAMPLED_OF_FEW = 2
_FEW = 100
ANOTHER_BATCH = "in another batch, or later"
_AHEAD = {1: "better is ahead", -1: "worse is ahead", 0: "the two tie", APART: "neither dominates"}


@dataclass(order=True)
class Candidate:
    """A violating instance, ordered by size."""

    key: tuple[int, ...]
    batch: Batch = field(compare=False)
    sure: bool = field(compare=False)


class _Seen:
    """What is known of every instance of a batch while it is being booked."""

    def __init__(self, batch: Batch, outcome: Comparison) -> None:
        self.batch = batch
        self.sign = outcome.sign.copy()
        self.equal = outcome.equal
        self.sure = outcome.sure.copy()
        self.tied = np.zeros(batch.size, dtype=bool)
        self.unresolved = np.zeros(batch.size, dtype=bool)


@dataclass(order=True)
class Near:
    """A draft that is satisfied by little, ordered by how little, then by age."""

    margin: float
    age: int
    draft: Draft = field(compare=False)


@dataclass
class Tally:
    """What has been seen of one metric so far.

    Counts of violations are of sampled instances only (not enumerated ones), so that shares are shares of a known
    distribution; unresolved ones are counted wherever they come from.
    """

    metric: Metric
    axiom: PairAxiom
    satisfied: int = 0
    reversals: int = 0
    ties: int = 0
    unresolved: int = 0
    apart: int = 0
    rest: float = 0.0
    vanishing: int = 0
    exactly: int = 0
    looked: int = 0
    audited: int = 0
    repeated: bool = False
    worst: float = 0.0
    tie_confirmed: bool = False
    tied_shapes: set[Shape] = field(default_factory=set)
    doubt_settled: bool = False
    certain: Candidate | None = None
    reversal: Candidate | None = None
    small_reversals: list[Candidate] = field(default_factory=list)
    largest: tuple[float, Batch] | None = None
    error: str | None = None
    disagreement: str | None = None
    candidates: list[Candidate] = field(default_factory=list)
    apart_candidates: list[Candidate] = field(default_factory=list)
    nearest: list[Near] = field(default_factory=list)
    grid_witness: Batch | None = None
    grid_apart: Batch | None = None
    samples: list[tuple[Batch, Comparison]] = field(default_factory=list)
    batches: int = 0
    focused: list[Keys] = field(default_factory=list)
    age: int = 0
    seconds: float = 0.0

    @property
    def violated(self) -> bool:
        """Whether a violation has been seen (in floats a reversal, or an exactly confirmed tie)."""
        return bool(self.candidates)

    def look(self, batch: Batch, sampled: bool) -> None:
        """Scores a batch and books what it shows; a metric that fails is not looked at again."""
        if self.error or self.disagreement:
            return
        start = time.perf_counter()
        try:
            self._look(batch, sampled)
        except MetricError as error:
            self.error = str(error)
        except InternalDisagreement as error:
            self.disagreement = str(error)
        self.seconds += time.perf_counter() - start

    def _look(self, batch: Batch, sampled: bool) -> None:
        outcome = compare(self.metric, batch)
        if not self.repeated:
            self.repeated = True
            if not way_of(self.metric, batch.small).repeats(batch):
                raise MetricError(f"{self.metric} scores the same rankings differently when asked again")
        self.batches += 1
        if self.batches & (self.batches - 1) == 0 and not self.metric.partial and not runs_catalogue_code(self.metric):
            self._sample(batch, outcome)
        seen = _Seen(batch, outcome)
        self.rest = max(self.rest, outcome.rest)
        near = np.flatnonzero(outcome.sign == 0)
        if outcome.rest:
            self._settle_what_is_listed(seen)
        elif near.size and self.axiom.strict:
            self._settle_ties(seen, near)
        elif near.size:
            # Equal floats are a tie as far as floats go, which this axiom allows: audited, not all re-done.
            equal = near[outcome.equal[near]]
            seen.tied[equal] = True
            self._ask(seen, np.concatenate([near[~outcome.equal[near]], equal[:_AUDIT]]))
        if self.axiom.strict and self.metric.numerical(batch.small):
            blurred = seen.tied & ~coarse(batch.draft, is_single(self.metric))
            saturated = vanishing_ties(self.metric, batch, seen.tied & ~blurred)
            self.vanishing += int(saturated.sum())
            blurred |= saturated
            seen.tied[blurred], seen.unresolved[blurred] = False, True
        doubtful = np.flatnonzero((seen.sign < 0) & ~seen.sure)
        if doubtful.size and not self.doubt_settled:
            self._ask(seen, doubtful)
            self.doubt_settled = bool((seen.sign[doubtful] < 0).any())
        reversed_ = seen.sign < 0
        broken = reversed_ | seen.tied if self.axiom.strict else reversed_
        apart = seen.sign == APART
        if self.axiom.strict and seen.tied.any():
            self.tied_shapes.add(batch.draft.shape)
        self.unresolved += int(seen.unresolved.sum())
        if sampled:
            self.reversals += int(reversed_.sum())
            self.ties += int(seen.tied.sum()) if self.axiom.strict else 0
            self.apart += int(apart.sum())
            self.satisfied += int((~broken & ~apart & ~seen.unresolved).sum())
            # A tie has no margin, and where exact arithmetic had to tell, that of floats is rounding.
            behind = reversed_ & (outcome.sign < 0)
            self.worst = max(self.worst, float(-outcome.margin[behind].min(initial=0.0)))
        if apart.any() and self.grid_apart is None:
            self._keep_smallest(self.apart_candidates, batch, apart, seen.sure)
        if reversed_.any():
            self._keep_smallest(self.small_reversals, batch, reversed_, seen.sure)
            self._keep_largest(batch, outcome.margin, reversed_ & (outcome.sign < 0))
        if broken.any():
            self._keep(batch, broken, reversed_, seen.sure)
        elif sampled and not self.violated:
            self._remember(batch, np.abs(outcome.margin))
            self.looked += 1
            if self.looked % _AUDITED == 0 and not self.metric.numerical(batch.small):
                self._audit(batch, outcome)

    def _sample(self, batch: Batch, outcome: Comparison) -> None:
        """Keeps a few instances of the 1st, 2nd, 4th, 8th ... batch, and what they came to, for `ask_again`."""
        most = self.metric.most_examples
        wanted = _SAMPLED if most is None or most >= _FEW else _SAMPLED_OF_FEW
        rows = np.linspace(0, batch.size - 1, min(wanted, batch.size)).astype(np.intp)
        few = Batch(self.axiom, batch.draft.pick(rows), batch.small)
        first = compare(self.metric, few)
        self._hold_alike(outcome.pick(rows), first, ANOTHER_BATCH)
        self.samples.append((few, first))

    def ask_again(self) -> None:
        """Scores what was sampled once more: late, in another order, and one at a time.

        A metric that counts its calls, looks at the clock, or at what else is scored in the same call, shows itself.
        """
        if self.error or self.disagreement:
            return
        start = time.perf_counter()
        try:
            for batch, first in reversed(self.samples):
                self._compare_again(batch, first)
        except MetricError as error:
            self.error = str(error)
        self.seconds += time.perf_counter() - start

    def _compare_again(self, batch: Batch, first: Comparison) -> None:
        backwards = np.arange(batch.size)[::-1]
        for rows in (np.arange(batch.size), backwards, backwards[:1], backwards[-1:]):
            again = compare(self.metric, Batch(self.axiom, batch.draft.pick(rows), batch.small))
            how = "when asked again" if rows is not backwards and len(rows) > 1 else ANOTHER_BATCH
            self._hold_alike(first.pick(rows), again, how)

    def _hold_alike(self, one: Comparison, other: Comparison, how: str) -> None:
        """Holds two answers about the same pairs against each other.

        Floats that are told apart in one batch may pass for noise beside the larger scores of another, so that nothing
        or the next order of eps decides there: what is noise in either says nothing, unless the scores are the same.

        Raises:
            MetricError: they differ.

        """
        told = one.sure == other.sure
        for each in (one, other):
            told &= each.equal | (each.sign != 0)
        # In single precision a margin beside small scores is good for its sign.
        here, there = (np.sign(x.margin) * (x.sign != 0) if is_single(self.metric) else x.margin for x in (one, other))
        if not np.allclose(here[told], there[told], rtol=0, atol=ROUNDING):
            raise MetricError(f"{self.metric} scores the same rankings differently {how}")

    def _settle_what_is_listed(self, seen: _Seen) -> None:
        """Books pairs of which floats see only what is listed: those that are not apart are unresolved.

        Exact arithmetic is asked about a few that look like reversals.
        """
        behind = np.flatnonzero(seen.sign == -1)[:_EXACT_CHUNK]
        listed = np.flatnonzero(seen.sign != APART)
        seen.sign[listed], seen.unresolved[listed] = 0, True
        if behind.size and not self.violated:
            seen.unresolved[behind] = False
            self._ask(seen, behind)

    def _settle_ties(self, seen: _Seen, near: Integers) -> None:
        """Decides what floats cannot tell from a tie: a few first, since one exact tie refutes the cell.

        From then on equal floats are booked as ties without asking again, which no longer changes the verdict.
        """
        start = 0
        for size in (_EXACT_CHUNK * 8**k for k in range(8)):
            if self.tie_confirmed or start >= near.size:
                break
            self._ask(seen, near[start : start + size])
            start += size
        rest = near[start:]
        equal = seen.equal[rest]
        seen.tied[rest[equal]] = True
        seen.sure[rest[equal]] = False
        self._ask(seen, rest[~equal])

    def _ask(self, seen: _Seen, rows: Integers) -> None:
        """Decides rows exactly as far as the budget goes; the others are booked as unresolved."""
        budget = (_EXACT_AFTERWARDS if self.violated or self.tie_confirmed else _EXACT_BUDGET) - self.exactly
        asked, left = rows[: max(0, budget)], rows[max(0, budget) :]
        seen.sign[left] = 0
        seen.unresolved[left] = ~seen.tied[left]
        if not asked.size:
            return
        exact = signs(self.metric, Batch(self.axiom, seen.batch.draft.pick(asked), seen.batch.small))
        self.exactly += len(exact)
        for index, value in zip(asked, exact, strict=True):
            seen.tied[index] = value == 0
            seen.unresolved[index] = value is None
            seen.sign[index] = value or 0
            seen.sure[index] = True
        if self.axiom.strict and 0 in exact:
            self.tie_confirmed = True

    def _remember(self, batch: Batch, margin: Reals) -> None:
        """Keeps the drafts with the smallest margins, for `_focus`."""
        limit = self.nearest[-1].margin if len(self.nearest) >= FOCUS_PARENTS else np.inf
        few = np.flatnonzero(margin < limit)
        if not few.size:
            return
        for k in few[np.argsort(margin[few], kind="stable")[:3]]:
            self.age += 1
            self.nearest.append(Near(float(margin[k]), self.age, batch.draft.pick(np.array([k]))))
        self.nearest.sort()
        del self.nearest[FOCUS_PARENTS:]

    def _audit(self, batch: Batch, outcome: Comparison) -> None:
        """Re-does exactly the instance that floats tell apart by the least.

        Where a lower order of eps passed for zero, floats say nothing that could be contradicted: a violation that they
        missed there is kept like any other.

        Raises:
            InternalDisagreement, MetricError: see `_contradicted`.

        """
        clear = np.flatnonzero(outcome.sign)
        if not clear.size:
            return
        least = clear[np.argmin(np.abs(outcome.margin[clear]))]
        single = Batch(self.axiom, batch.draft.pick(np.array([least])), batch.small)
        exact = signs(self.metric, single)[0]
        self.audited += 1
        if exact is None or exact == outcome.sign[least]:
            return
        if outcome.sure[least]:
            self._contradicted(single, int(outcome.sign[least]), exact)
        if exact < 0 or (exact == 0 and self.axiom.strict):
            yes = np.ones(1, dtype=bool)
            self._keep(single, yes, yes & (exact < 0), yes)

    def _contradicted(self, single: Batch, floats: int, exact: int) -> NoReturn:
        """Raises what it means that floats, asked about many instances at once, and exact arithmetic disagree on one.

        Raises:
            MetricError: floats, asked about the one alone, agree with exact arithmetic after all.
            InternalDisagreement: they do not.

        """
        if not runs_catalogue_code(self.metric):
            if compare(self.metric, single).sign[0] != floats:
                raise MetricError(f"{self.metric}: the score of a ranking depends on what is scored in the same call")
            raise MetricError(
                f"{self.metric} is not one function: on one pair of rankings its floats say {_AHEAD[floats]}, and its "
                f"exact numbers {_AHEAD[exact]}"
            )
        raise InternalDisagreement(
            f"{self.metric} on {self.axiom}: floating point says {floats:+d}, exact arithmetic {exact:+d}"
        )

    def _keep(self, batch: Batch, broken: Mask, reversed_: Mask, sure: Mask) -> None:
        """Keeps the smallest violating drafts, for `confirm`; those that are certain first."""
        d = batch.draft
        if self.reversal is None and (reversed_ & sure).any():
            first = np.flatnonzero(reversed_ & sure)[:1]
            single = Batch(self.axiom, d.pick(first), batch.small)
            self.reversal = Candidate((d.shape.documents, d.shape.aspects), single, True)
        if self.grid_witness is None:
            for kept in self._keep_smallest(self.candidates, batch, broken, sure):
                if kept.sure and self.certain is None:
                    self.certain = kept

    def _keep_largest(self, batch: Batch, margin: Reals, behind: Mask) -> None:
        """Keeps the instance that violates by most, of those that can be read."""
        rows = np.flatnonzero(behind)
        if not rows.size or batch.draft.shape.documents > _READABLE:
            return
        most = rows[np.argmin(margin[rows])]
        if self.largest is None or -margin[most] > self.largest[0]:
            self.largest = float(-margin[most]), Batch(self.axiom, batch.draft.pick(np.array([most])), batch.small)

    def _keep_smallest(self, candidates: list[Candidate], batch: Batch, wanted: Mask, sure: Mask) -> list[Candidate]:
        """Puts the smallest of the wanted drafts among the candidates; returns those that were looked at."""
        d = batch.draft
        size = (d.shape.documents, d.shape.aspects)
        if len(candidates) == _CANDIDATES and candidates[-1].key[:2] < size:
            return []
        certain = wanted & sure
        index = np.flatnonzero(certain if certain.any() else wanted)
        grades = d.grades[index]
        looked = []
        support = (grades > 0).sum(axis=(1, 2))
        odd = ((grades > 0) & (grades < 1)).sum(axis=(1, 2)) + d.weights[index].sum(axis=1)
        for k in np.lexsort((index, odd, support))[:2]:
            key = (*size, int(support[k]), int(odd[k]), int(index[k]))
            single = Batch(self.axiom, d.pick(index[k : k + 1]), batch.small)
            looked.append(Candidate(key, single, bool(sure[index[k]])))
        candidates += looked
        candidates.sort()
        del candidates[_CANDIDATES:]
        return looked

    def confirm(self) -> Batch | None:
        """The smallest candidate that exact arithmetic confirms; None without one.

        Raises:
            InternalDisagreement: exact arithmetic contradicts what floats were sure of.
        """
        for candidate in [*self.candidates, *(c for c in (self.certain, self.reversal) if c)]:
            judgement = judge(self.metric, candidate.batch)
            found, numerical = judgement.sign, judgement.arithmetic == "numerical"
            if found == -1 or (found == 0 and self.axiom.strict and not numerical):
                return candidate.batch
            if found == 0 and self.axiom.strict:
                if len(self.tied_shapes) >= ACROSS:
                    return candidate.batch
                continue
            if found is not None and candidate.sure and numerical:
                raise MetricError(f"{self.metric} scores the same rankings differently when asked again")
            if found is not None and candidate.sure:
                self._contradicted(candidate.batch, -1, found)
        return None

    def confirm_apart(self) -> Batch | None:
        """The smallest candidate whose distributions exact arithmetic finds incomparable; None without one.

        Raises:
            InternalDisagreement: exact arithmetic contradicts what floats were sure of.

        """
        for candidate in self.apart_candidates:
            found = judge(self.metric, candidate.batch).sign
            if found == APART:
                return candidate.batch
            if found is not None and candidate.sure:
                self._contradicted(candidate.batch, APART, found)
        return None
