"""The search for violations: small shapes exhaustively, patterns, random ones in bulk, then closer to the nearest.

Batches are shared by all metrics of an axiom that have the same instances. What is tried depends on the seed, the
axiom, the reading and the metric alone, so a cell comes out the same whoever is searched beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.core.counting import counted
from axiomcheck.core.domain import Domain, Reading, assumes_small
from axiomcheck.core.errors import InternalDisagreement, MetricError
from axiomcheck.core.typing import Keys
from axiomcheck.decide import budgets
from axiomcheck.decide.batch import Batch, instance_keys
from axiomcheck.decide.distinct import Distinct
from axiomcheck.decide.enumeration import Grid, grid_for, grid_groups, group_batches, group_size
from axiomcheck.decide.marks import MARKED, MARKED_OF_FEW, marked
from axiomcheck.decide.patterns import pattern_batches
from axiomcheck.decide.sampling import LONGEST, generator, mutations, sample_batches
from axiomcheck.decide.tally import FOCUS_PARENTS, Tally
from axiomcheck.metrics import Metric
from axiomcheck.sources.function_metrics import as_metric

DEEPEST = LONGEST - 2
"""The deepest rank that searched axioms speak of, for metrics whose cutoff allows it."""

_FEWEST_DRAFTS = 2_000
"""Of a round: fewer would leave shapes out. Of a metric that is slow to call, as few as it is to be asked about."""

ROUND = 65_000
"""Drafts per round of sampling: enough per shape for array operations to outweigh their calls."""

BLOCK = 4 * ROUND
"""Distinct instances that one search tries at random, at most: of a cell that is to have more there are several, each
with random numbers of its own, so that they can be done anywhere, in any order, and none of them again."""

_GROUP_LIMIT = 45_000
_MOST_ROUNDS = 60
_MOST_ROUNDS_OF_SLOW = 8
"""Of an axiom that is slow to ask: one whose premises are hardly ever met is not drawn for without end."""

_FOCUS_ROUNDS = 4
_FOCUS_CHILDREN = 60

FURTHER = 3
"""A cell that would be held has so many times the examples in all: of the others something better is known."""

HARDLY_ANY = 0.02
"""Where fewer of what is drawn is new, nearly all there is was drawn before."""

MOST_SAMPLED = _MOST_ROUNDS * BLOCK
"""Instances that are drawn at random for one cell, at most."""

MOST_FOCUSED = _FOCUS_ROUNDS * FOCUS_PARENTS * _FOCUS_CHILDREN
"""Mutations that are made of the instances with the smallest differences, at most."""

_WIDE_EXTRAS = (8, 12, 16)


@dataclass(frozen=True)
class Settings:
    """What a run's outcome depends on besides metrics, axioms and reading.

    Args:
        seed: of the random search.
        examples: distinct instances that meet the premises to try at random per cell, unless there are fewer; `FURTHER`
            times as many of what would be held. Of a metric that is slow to call, no group of more than half as many is
            enumerated either, unless it is 0.
        exhaustive: whether small shapes are enumerated over a grid first.
        proofs: whether what the search does not refute is to be proved.
        further: whether a refuted cell is shown by more counterexamples than the smallest.

    """

    seed: int = 0
    examples: int = budgets.PUBLISHED
    exhaustive: bool = True
    proofs: bool = True
    further: bool = False

    @property
    def deciding(self) -> dict[str, Any]:
        """What verdicts depend on, by name."""
        return {name: value for name, value in asdict(self).items() if name != "further"}


@dataclass
class Coverage:
    """What a group of metrics was tried on.

    ``marks`` are of all instances, as `axiomcheck.decide.marks` has them; none where there is no use in trying more.
    """

    grid: Grid
    exhausted: list[tuple[int, int, int]] = field(default_factory=list)
    enumerated: int = 0
    patterns: int = 0
    sampled: int = 0
    distinct: int = 0
    ranked: tuple[int, int] = (0, 0)
    aspects: tuple[int, int] = (0, 0)
    saturated: bool = False
    marks: bytes = b""

    def minimal(self, witness: Batch) -> str | None:
        """The grid on which every smaller instance than the witness was enumerated and found satisfied, in words.

        Smaller means: fewer documents, or as many and fewer aspects (and among equals, fewer non-zero grades and
        simpler values, which the enumeration of the witness's own group settles). None where something smaller was
        not enumerated.
        """
        most = self.most_aspects(witness.draft.shape)
        return None if most is None else f"{self.grid.text()}; at most {counted(most, 'aspect')}"

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


class Search:
    """The search for violations by a group of metrics that share their instances.

    Args:
        axiom: which one is asked.
        metrics: all with the same domain, depth, view of grades, abilities and cost.
        domain: graded or binary, as the metrics see it.
        small: whether r << 1 is assumed.
        max_rank: the deepest rank that the axiom may speak of.
        support_only: the metrics see only whether a grade is positive.
        settings: seed and budgets.
        block: which one of the searches of its cells this is. The first one, 0, enumerates and tries patterns; the
            others have nothing but random instances, and go by its having found that these meet the axiom.

    """

    def __init__(
        self,
        axiom: PairAxiom,
        metrics: Sequence[Metric],
        domain: Domain,
        small: bool,
        max_rank: int,
        support_only: bool,
        settings: Settings,
        block: int = 0,
    ) -> None:
        self.block = block
        self.axiom, self.domain, self.small = axiom, domain, small
        self.max_rank, self.support_only = max_rank, support_only
        self.abilities, self.most = metrics[0].abilities, _most_tried(metrics[0], axiom)
        self.settings = settings
        self._group_limit = _most_in_group(metrics[0], axiom, settings.examples)
        self._fewest = _FEWEST_DRAFTS if self.most is None else min(_FEWEST_DRAFTS, settings.examples)
        if self.most is not None:
            self.settings = replace(settings, examples=min(settings.examples, self.most))
        # Where there are many instances a round has more of them, which take less time each in larger arrays.
        self._most_per_round = BLOCK if settings.examples > 2 * ROUND else ROUND
        self.tallies = [Tally(metric, axiom) for metric in metrics]
        self.coverage = Coverage(grid_for(axiom, domain, small, support_only, self.abilities))
        self._drawn = _Drawn()

    def run(self, progress: Callable[[float], None] = lambda share: None) -> None:
        """Books everything in `tallies` and `coverage`; calls back with the share of the work done."""
        if self.settings.exhaustive and self.block:
            groups = enumerated_groups(self.axiom, self.coverage.grid, self.max_rank, self._group_limit)
            self.coverage.exhausted = [(documents, aspects, 0) for documents, aspects in groups]
        elif self.settings.exhaustive:
            keys = _enumerate(
                self.axiom, self.tallies, self.coverage, self.small, self.max_rank, self.support_only, self._group_limit
            )
            self._drawn.add(keys)
        if not self.block:
            self._try_patterns()
        self._drawn.not_random = len(self._drawn.seen)
        progress(0.2)
        self._sample(self.tallies, self.settings.examples, lambda share: progress(0.2 + 0.6 * share))
        for tally in self.tallies:
            self._focus(tally)
            tally.ask_again()
        progress(1.0)

    def patterns(self) -> tuple[Batch, ...]:
        """Return the instances of rare kinds that are tried before any random one."""
        exact = not self.tallies[0].metric.numerical(self.small)
        kind = (self.axiom, self.domain, self.small, self.max_rank, self.abilities, exact, self.support_only)
        return pattern_batches(*kind, min(self.settings.examples, BLOCK))

    def _try_patterns(self) -> None:
        for batch in self.patterns():
            self._drawn.add([instance_keys(batch, self.support_only)])
            self.coverage.patterns += batch.size
            self.coverage.see(batch)
            for tally in self.tallies:
                tally.look(batch, sampled=False)

    def further(self, tally: Tally) -> Coverage | None:
        """Goes on with a metric that is neither refuted nor proved; what it was tried on then.

        None where there is nothing more to try: a metric that is slow to call has had what there is time for.
        """
        if self.most is not None or self.coverage.saturated or not self.settings.examples:
            return None
        mine = copy(self)
        mine.coverage, mine._drawn = copy(self.coverage), self._drawn.copy()
        mine._drawn.focused = mine._drawn.add(tally.focused)
        mine._sample([tally], FURTHER * self.settings.examples, lambda share: None)
        tally.ask_again()
        return mine.coverage

    @property
    def _stream(self) -> tuple[object, ...]:
        """What tells the random numbers of this block from those of others."""
        return ("block", self.block) if self.block else ()

    def _sample(self, tallies: Sequence[Tally], examples: int, progress: Callable[[float], None]) -> None:
        """Random rounds until enough distinct instances were tried, or until there is hardly a new one left."""
        coverage, drawn = self.coverage, self._drawn
        most_rounds = _MOST_ROUNDS if self.axiom.most_drafts is None else _MOST_ROUNDS_OF_SLOW
        while drawn.rounds < most_rounds:
            missing = examples - drawn.distinct
            if missing <= 0:
                break
            size = self._round_size(missing)
            batches = self._round(drawn.rounds, size, drawn.extras)
            drawn.rounds += 1
            fresh: list[Keys] = []
            for batch in batches:
                if not batch.size:
                    continue
                coverage.see(batch)
                fresh.append(instance_keys(batch, self.support_only))
                for tally in tallies:
                    tally.look(batch, sampled=True)
            count, new = sum(map(len, fresh)), drawn.add(fresh)
            coverage.sampled += count
            if new < 0.4 * count and drawn.extras is None:
                drawn.extras = _WIDE_EXTRAS  # few new instances: larger pools make room
            elif size >= _FEWEST_DRAFTS and (new < HARDLY_ANY * count or not count):
                coverage.saturated = True
                break
            progress(min(1.0, drawn.distinct / examples))
        coverage.distinct = len(drawn.seen) - drawn.focused
        if not coverage.saturated:
            coverage.marks = marked(drawn.seen.keys, MARKED if self.most is None else MARKED_OF_FEW)

    def _focus(self, tally: Tally) -> None:
        """Looks closer around the few instances whose difference is smallest, for a metric not refuted so far.

        At as many as there are examples, about; none that was tried before.
        """
        settings, most = self.settings, self.most
        about = (tally.axiom.name, self.domain.value, self.small, "focus", tally.metric.canonical)
        rng = generator(settings.seed, *about, *self._stream)
        times = _FOCUS_CHILDREN if most is None else max(2, min(_FOCUS_CHILDREN, most // 400))
        few = min(FOCUS_PARENTS, max(1, settings.examples // (_FOCUS_ROUNDS * times)))
        tried = self._drawn.seen.copy()
        for _ in range(_FOCUS_ROUNDS):
            if tally.violated or tally.error or tally.disagreement or settings.examples == 0:
                break
            parents, tally.nearest = tally.nearest[:few], tally.nearest[: FOCUS_PARENTS // 2]
            by_shape: dict[Shape, list[Draft]] = {}
            for parent in parents:
                by_shape.setdefault(parent.draft.shape, []).append(parent.draft)
            for drafts in by_shape.values():
                family = Batch(tally.axiom, Draft.join(drafts), self.small)
                children = mutations(family, self.max_rank, times, rng, tally.metric.abilities)
                if not children.size:
                    continue
                keys = instance_keys(children, self.support_only)
                new = np.flatnonzero(tried.new(keys))
                if new.size:
                    tried.add(keys[new])
                    tally.focused.append(keys[new])
                    tally.look(Batch(tally.axiom, children.draft.pick(new), self.small), sampled=True)

    def first_round(self) -> Iterator[Batch]:
        """Draw the instances of the first random round again, in the order in which `run` tries them."""
        return self._round(0, self._round_size(self.settings.examples), None)

    def _round_size(self, missing: int) -> int:
        """Return how many drafts a round draws to find so many missing instances."""
        return min(self._most_per_round, max(self._fewest, int(missing * 1.3)))

    def _round(self, number: int, size: int, extras: tuple[int, ...] | None) -> Iterator[Batch]:
        """Draw the instances of one random round; its number and the settings alone determine them."""
        rng = generator(
            self.settings.seed,
            *(self.axiom.name, self.domain.value, self.small, self.max_rank, self.support_only, number),
            *self._stream,
        )
        return sample_batches(self.axiom, self.domain, self.small, self.max_rank, size, rng, extras, self.abilities)


class _Drawn:
    """Which instances there were so far, and how far the random rounds have come."""

    def __init__(self) -> None:
        self.seen = Distinct()
        self.not_random = 0
        self.focused = 0
        self.rounds = 0
        self.extras: tuple[int, ...] | None = None

    @property
    def distinct(self) -> int:
        """How many were drawn at random that had been neither enumerated, nor patterns, nor found by a closer look."""
        return len(self.seen) - self.not_random - self.focused

    def add(self, keys: Sequence[Keys]) -> int:
        """Books instances; how many of them are new."""
        before = len(self.seen)
        if keys:
            self.seen.add(np.concatenate(keys))
        return len(self.seen) - before

    def copy(self) -> _Drawn:
        """One that goes on by itself."""
        other = copy(self)
        other.seen = self.seen.copy()
        return other


def enumerated_groups(axiom: PairAxiom, grid: Grid, max_rank: int, group_limit: int) -> Iterator[tuple[int, int]]:
    """(documents, aspects) of every group that is enumerated: as far as each number of aspects stays affordable.

    Args:
        axiom: which one is asked.
        grid: that instances are made of.
        max_rank: the deepest rank that the axiom may speak of.
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


def enumeration_of(metric: Metric, axiom: PairAxiom, reading: Reading, examples: int = 0) -> Coverage:
    """What the enumeration covers of a cell, worked out and not run: the numbers of instances are 0.

    Args:
        metric: of the cell.
        axiom: likewise.
        reading: likewise.
        examples: of the run's settings; 0 for what is enumerated where they bound nothing.

    """
    small, depth = assumes_small(axiom, reading), min(metric.cutoff or DEEPEST, DEEPEST)
    grid = grid_for(axiom, domain_seen(metric, reading), small, metric.binary_only, metric.abilities)
    groups = enumerated_groups(axiom, grid, depth, _most_in_group(metric, axiom, examples))
    return Coverage(grid, [(documents, aspects, 0) for documents, aspects in groups])


def search_of(metric: Metric, axiom: PairAxiom, reading: Reading, settings: Settings) -> Search:
    """Return the search of one cell, which has not run."""
    small, depth = assumes_small(axiom, reading), min(metric.cutoff or DEEPEST, DEEPEST)
    return Search(axiom, [metric], domain_seen(metric, reading), small, depth, metric.binary_only, settings)


def domain_seen(metric: Metric, reading: Reading) -> Domain:
    """The domain of the instances that a metric is searched on: binary for one that knows no other grades."""
    return Domain.BINARY if metric.binary_only or metric.abilities.levels == 1 else reading.domain


def of_few(metric: Metric, few: int) -> Metric:
    """The metric as one that is slow to call, to be asked about few instances.

    Args:
        metric: not the catalogue's, whose own code is quick.
        few: at most so many of each kind that the search tries.

    """
    slow = as_metric(metric, metric.canonical)
    most = few if slow.most_examples is None else min(few, slow.most_examples)
    try:
        object.__setattr__(slow, "most_examples", most)  # whatever its class does when attributes are set
    except AttributeError:  # its class works it out, and is taken at its word
        return metric
    return slow


def _most_tried(metric: Metric, axiom: PairAxiom) -> int | None:
    """Return the most instances of each kind that are tried of a slow metric or axiom; None of quick ones."""
    return min((most for most in (metric.most_examples, axiom.most_drafts) if most is not None), default=None)


def _most_in_group(metric: Metric, axiom: PairAxiom, examples: int) -> int:
    most = _most_tried(metric, axiom)
    if most is None:
        return _GROUP_LIMIT
    return min(_GROUP_LIMIT, most // 2, (examples // 2) or _GROUP_LIMIT)


def _enumerate(
    axiom: PairAxiom,
    tallies: Iterable[Tally],
    coverage: Coverage,
    small: bool,
    max_rank: int,
    support_only: bool,
    group_limit: int,
) -> list[Keys]:
    """Walks every instance over the grid, smallest groups first; which ones these were."""
    keys: list[Keys] = []
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
    return keys
