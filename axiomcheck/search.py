"""The search for violations: small shapes exhaustively, random ones in bulk, then closer where differences are small.

Batches are shared by all metrics of a constraint that have the same instances. What is tried depends on the seed, the
constraint, the reading and the metric alone, so a cell comes out the same whoever is searched beside it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.batch import Batch, instance_keys
from axiomcheck.compare import Comparison, compare, repeats
from axiomcheck.distinct import Distinct
from axiomcheck.domain import Domain, Reading, assumes_small
from axiomcheck.dominance import APART
from axiomcheck.enumeration import Grid, grid_for, grid_groups, group_batches, group_size
from axiomcheck.errors import InternalDisagreement, MetricError
from axiomcheck.exact import judge, signs
from axiomcheck.metrics import Abilities, Metric
from axiomcheck.metrics.provenance import runs_catalogue_code
from axiomcheck.numeric import ACROSS, coarse, vanishing_ties
from axiomcheck.sampling import LONGEST, generator, mutations, sample_batches

__all__ = [
    "DEEPEST",
    "MOST_FOCUSED",
    "MOST_SAMPLED",
    "ROUND",
    "Coverage",
    "Settings",
    "Tally",
    "domain_seen",
    "enumerated_groups",
    "enumeration_of",
    "search_group",
]

Array = Any

DEEPEST = LONGEST - 2
"""The deepest rank that searched constraints speak of, for metrics whose cutoff allows it."""

ROUND = 65_000
"""Drafts per round of sampling: enough per shape for array operations to outweigh their calls."""

_GROUP_LIMIT = 45_000
_MOST_ROUNDS = 60
_FOCUS_ROUNDS = 4
_FOCUS_PARENTS = 40
_FOCUS_CHILDREN = 60

MOST_SAMPLED = _MOST_ROUNDS * ROUND
"""Instances that are drawn at random for one cell, at most."""

MOST_FOCUSED = _FOCUS_ROUNDS * _FOCUS_PARENTS * _FOCUS_CHILDREN
"""Mutations that are made of the instances with the smallest differences, at most."""

_EXACT_BUDGET = 12_000
_EXACT_AFTERWARDS = 24
_EXACT_CHUNK = 4
_CANDIDATES = 6
_AUDIT = 5
_AUDITED = 16
_SAMPLED = 8
_REPEATED = 1e-9
"""Margins of the same two scores may differ by this: sums are rounded otherwise in batches of other sizes."""
_WIDE_EXTRAS = (8, 12, 16)
_AHEAD = {1: "better is ahead", -1: "worse is ahead", 0: "the two tie", APART: "neither dominates"}


@dataclass(frozen=True)
class Settings:
    """What a run's outcome depends on besides metrics, constraints and reading.

    Args:
        seed: of the random search.
        examples: distinct instances that meet the premises to try at random per cell, unless there are fewer.
        exhaustive: whether small shapes are enumerated over a grid first.
        proofs: whether what the search does not refute is to be proved.

    """

    seed: int = 0
    examples: int = 100_000
    exhaustive: bool = True
    proofs: bool = True


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
    error: str | None = None
    disagreement: str | None = None
    candidates: list[Candidate] = field(default_factory=list)
    apart_candidates: list[Candidate] = field(default_factory=list)
    nearest: list[Near] = field(default_factory=list)
    grid_witness: Batch | None = None
    grid_apart: Batch | None = None
    samples: list[tuple[Batch, Comparison]] = field(default_factory=list)
    batches: int = 0
    focused: int = 0
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
            if not repeats(self.metric, batch):
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
            # Equal floats are a tie as far as floats go, which this constraint allows: audited, not all re-done.
            equal = near[outcome.equal[near]]
            seen.tied[equal] = True
            self._ask(seen, np.concatenate([near[~outcome.equal[near]], equal[:_AUDIT]]))
        if self.axiom.strict and self.metric.numerical(batch.small):
            blurred = seen.tied & ~coarse(batch.draft)
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
        if broken.any():
            self._keep(batch, broken, reversed_, seen.sure)
        elif sampled and not self.violated:
            self._remember(batch, np.abs(outcome.margin))
            self.looked += 1
            if self.looked % _AUDITED == 0 and not self.metric.numerical(batch.small):
                self._audit(batch, outcome)

    def _sample(self, batch: Batch, outcome: Comparison) -> None:
        """Keeps a few instances of the 1st, 2nd, 4th, 8th ... batch, and what they came to, for `ask_again`."""
        rows = np.linspace(0, batch.size - 1, min(_SAMPLED, batch.size)).astype(np.intp)
        few = Batch(self.axiom, batch.draft.pick(rows), batch.small)
        self.samples.append((few, outcome.pick(rows)))

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
            if not np.allclose(again.margin, first.margin[rows], rtol=0, atol=_REPEATED):
                how = "when asked again" if rows is not backwards and len(rows) > 1 else "in another batch, or later"
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

    def _settle_ties(self, seen: _Seen, near: Array) -> None:
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

    def _ask(self, seen: _Seen, rows: Array) -> None:
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

    def _remember(self, batch: Batch, margin: Array) -> None:
        """Keeps the drafts with the smallest margins, for `_focus`."""
        limit = self.nearest[-1].margin if len(self.nearest) >= _FOCUS_PARENTS else np.inf
        few = np.flatnonzero(margin < limit)
        if not few.size:
            return
        for k in few[np.argsort(margin[few], kind="stable")[:3]]:
            self.age += 1
            self.nearest.append(Near(float(margin[k]), self.age, batch.draft.pick(np.array([k]))))
        self.nearest.sort()
        del self.nearest[_FOCUS_PARENTS:]

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

    def _keep(self, batch: Batch, broken: Array, reversed_: Array, sure: Array) -> None:
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

    def _keep_smallest(self, candidates: list[Candidate], batch: Batch, wanted: Array, sure: Array) -> list[Candidate]:
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


@dataclass
class Coverage:
    """What a group of metrics was tried on."""

    grid: Grid
    exhausted: list[tuple[int, int, int]] = field(default_factory=list)
    enumerated: int = 0
    sampled: int = 0
    distinct: int = 0
    ranked: tuple[int, int] = (0, 0)
    aspects: tuple[int, int] = (0, 0)
    saturated: bool = False

    def minimal(self, witness: Batch) -> str | None:
        """The grid on which every smaller instance than the witness was enumerated and found satisfied, in words.

        Smaller means: fewer documents, or as many and fewer aspects (and among equals, fewer non-zero grades and
        simpler values, which the enumeration of the witness's own group settles). None where something smaller was
        not enumerated.
        """
        most = self.most_aspects(witness.draft.shape)
        return None if most is None else f"{self.grid.text()}; at most {most} aspect{'s' if most > 1 else ''}"

    def most_aspects(self, shape: Shape) -> int | None:
        """Up to how many aspects every group of fewer documents, or as many and fewer aspects, was enumerated.

        None where something smaller was not, or nothing of the shape's own group.
        """
        done = {(documents, aspects) for documents, aspects, _ in self.exhausted}
        if (shape.documents, shape.aspects) not in done:
            return None
        fewest = min((documents for documents, _ in done), default=0)
        floor = min((aspects for _, aspects in done), default=1)
        most = max(aspects for _, aspects in done)
        while most >= shape.aspects:
            needed = [(p, m) for p in range(fewest, shape.documents) for m in range(floor, most + 1)]
            if all(group in done for group in needed):
                return most
            most -= 1
        return None

    def see(self, batch: Batch) -> None:
        """Books the shape of a batch."""
        shape = batch.draft.shape
        self.ranked = (min(self.ranked[0] or shape.ranked, shape.ranked), max(self.ranked[1], shape.ranked))
        self.aspects = (
            min(self.aspects[0] or shape.aspects, shape.aspects),
            max(self.aspects[1], shape.aspects),
        )


def search_group(
    axiom: PairAxiom,
    metrics: Sequence[Metric],
    domain: Domain,
    small: bool,
    max_rank: int,
    support_only: bool,
    settings: Settings,
    progress: Callable[[float], None] = lambda share: None,
) -> tuple[list[Tally], Coverage]:
    """Searches every metric of a group that shares its instances.

    Args:
        axiom: the constraint.
        metrics: all with the same domain, depth, view of grades, abilities and cost.
        domain: graded or binary, as the metrics see it.
        small: whether r << 1 is assumed.
        max_rank: the deepest rank that the constraint may speak of.
        support_only: the metrics see only whether a grade is positive.
        settings: seed and budgets.
        progress: called with the share of the work done.

    """
    tallies = [Tally(metric, axiom) for metric in metrics]
    abilities = metrics[0].abilities
    coverage = Coverage(grid_for(axiom, domain, small, support_only, abilities))
    most = metrics[0].most_examples
    if most is not None:
        settings = replace(settings, examples=min(settings.examples, most))
    keys: list[Array] = []
    if settings.exhaustive:
        _enumerate(axiom, tallies, coverage, keys, small, max_rank, support_only, _most_in_group(metrics[0]))
    progress(0.2)
    _sample(axiom, tallies, coverage, keys, domain, small, max_rank, support_only, settings, progress, abilities)
    for tally in tallies:
        _focus(tally, max_rank, settings, small, domain)
        tally.ask_again()
    progress(1.0)
    return tallies, coverage


def enumerated_groups(axiom: PairAxiom, grid: Grid, max_rank: int, group_limit: int) -> Iterator[tuple[int, int]]:
    """(documents, aspects) of every group that is enumerated: as far as each number of aspects stays affordable.

    Args:
        axiom: the constraint.
        grid: that instances are made of.
        max_rank: the deepest rank that the constraint may speak of.
        group_limit: the most drafts of one group.

    """
    finished: set[int] = set()
    aspects = range(axiom.min_aspects, (axiom.max_aspects or 4) + 1)
    for documents, m in grid_groups(axiom):
        if len(finished) == len(aspects):
            return
        if m in finished:
            continue
        if 0 < group_size(axiom, grid, documents, m, max_rank) <= group_limit:
            yield documents, m
        else:
            finished.add(m)


def enumeration_of(metric: Metric, axiom: PairAxiom, reading: Reading) -> Coverage:
    """What the enumeration covers of a cell, worked out and not run: the numbers of instances are 0."""
    small, depth = assumes_small(axiom, reading), min(metric.cutoff or DEEPEST, DEEPEST)
    grid = grid_for(axiom, domain_seen(metric, reading), small, metric.binary_only, metric.abilities)
    groups = enumerated_groups(axiom, grid, depth, _most_in_group(metric))
    return Coverage(grid, [(documents, aspects, 0) for documents, aspects in groups])


def domain_seen(metric: Metric, reading: Reading) -> Domain:
    """The domain of the instances that a metric is searched on: binary for one that knows no other grades."""
    return Domain.BINARY if metric.binary_only or metric.abilities.levels == 1 else reading.domain


def _most_in_group(metric: Metric) -> int:
    most = metric.most_examples
    return _GROUP_LIMIT if most is None else min(_GROUP_LIMIT, most // 2)


def _enumerate(
    axiom: PairAxiom,
    tallies: Iterable[Tally],
    coverage: Coverage,
    keys: list[Array],
    small: bool,
    max_rank: int,
    support_only: bool,
    group_limit: int,
) -> None:
    """Walks every instance over the grid, smallest groups first."""
    for documents, m in enumerated_groups(axiom, coverage.grid, max_rank, group_limit):
        count = 0
        open_ = [t for t in tallies if t.grid_witness is None]
        for batch in group_batches(axiom, coverage.grid, small, documents, m, max_rank):
            coverage.see(batch)
            count += batch.size
            keys.append(instance_keys(batch, support_only))
            for tally in open_:
                tally.look(batch, sampled=False)
        coverage.exhausted.append((documents, m, count))
        coverage.enumerated += count
        for tally in open_:
            if (tally.violated or tally.apart_candidates) and not tally.disagreement:
                try:
                    tally.grid_witness = tally.confirm()
                    tally.grid_apart = tally.grid_apart or tally.confirm_apart()
                except MetricError as error:
                    tally.error = str(error)
                except InternalDisagreement as error:
                    tally.disagreement = str(error)


def _sample(
    axiom: PairAxiom,
    tallies: Iterable[Tally],
    coverage: Coverage,
    keys: list[Array],
    domain: Domain,
    small: bool,
    max_rank: int,
    support_only: bool,
    settings: Settings,
    progress: Callable[[float], None],
    abilities: Abilities,
) -> None:
    """Random rounds until enough distinct instances were tried, or until there is hardly a new one left."""
    seen = Distinct()
    if keys:
        seen.add(np.concatenate(keys))
    base = len(seen)
    extras: tuple[int, ...] | None = None
    for round_ in range(_MOST_ROUNDS):
        missing = settings.examples - (len(seen) - base)
        if missing <= 0:
            break
        rng = generator(settings.seed, axiom.name, domain.value, small, max_rank, support_only, round_)
        size = min(ROUND, max(2_000, int(missing * 1.3)))
        fresh: list[Array] = []
        drawn = 0
        for batch in sample_batches(axiom, domain, small, max_rank, size, rng, extras, abilities):
            if not batch.size:
                continue
            coverage.see(batch)
            drawn += batch.size
            fresh.append(instance_keys(batch, support_only))
            for tally in tallies:
                tally.look(batch, sampled=True)
        coverage.sampled += drawn
        before = len(seen)
        if fresh:
            seen.add(np.concatenate(fresh))
        if len(seen) - before < 0.4 * drawn and extras is None:
            extras = _WIDE_EXTRAS  # few new instances: larger pools make room
        elif len(seen) - before < 0.02 * drawn or not drawn:
            coverage.saturated = True
            break
        progress(0.2 + 0.6 * min(1.0, (len(seen) - base) / settings.examples))
    coverage.distinct = len(seen)


def _focus(tally: Tally, max_rank: int, settings: Settings, small: bool, domain: Domain) -> None:
    """Looks closer around the instances whose difference is smallest, for a metric not refuted so far."""
    rng = generator(settings.seed, tally.axiom.name, domain.value, small, "focus", tally.metric.canonical)
    most = tally.metric.most_examples
    times = _FOCUS_CHILDREN if most is None else max(2, min(_FOCUS_CHILDREN, most // 400))
    for _ in range(_FOCUS_ROUNDS):
        if tally.violated or tally.error or tally.disagreement or settings.examples == 0:
            return
        parents, tally.nearest = tally.nearest, tally.nearest[: _FOCUS_PARENTS // 2]
        by_shape: dict[Shape, list[Draft]] = {}
        for parent in parents:
            by_shape.setdefault(parent.draft.shape, []).append(parent.draft)
        for drafts in by_shape.values():
            family = Batch(tally.axiom, Draft.join(drafts), small)
            children = mutations(family, max_rank, times, rng, tally.metric.abilities)
            if children.size:
                tally.focused += children.size
                tally.look(children, sampled=True)
