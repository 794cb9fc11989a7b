"""Search for violations by enumerating small instances, testing rare patterns, sampling, and mutating near misses.

Metrics that need the same instances are searched together. The result for a metric does not depend on the other metrics
in the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.core.domain import Reading
from axiomcheck.core.typing import Keys
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.budgets import Settings as Settings
from axiomcheck.decide.distinct import MARKED, MARKED_OF_FEW, Distinct, marked
from axiomcheck.decide.enumeration import Coverage, enumerated_groups, group_batches, most_tried
from axiomcheck.decide.patterns import pattern_batches
from axiomcheck.decide.sampling import generator, mutations, sample_batches
from axiomcheck.decide.space import InstanceSpace, instance_keys
from axiomcheck.decide.tally import FOCUS_PARENTS, Tally
from axiomcheck.metrics import Metric
from axiomcheck.metrics.derived_fold import FoldOfFunction
from axiomcheck.sources.function_metrics import as_metric
from axiomcheck.sources.provenance import is_genuine

_FEWEST_DRAFTS = 2_000
"""Smallest number of drafts in a round, so that each round contains every usual shape. A slow metric may get fewer
drafts."""

ROUND = 65_000
"""Largest number of drafts per round of sampling, except in large searches. With arrays of this size, the overhead of
calls hardly matters."""

BLOCK = 4 * ROUND
"""Largest number of distinct random instances in one search. A cell that needs more instances is searched in several
blocks. Each block has its own random numbers, so blocks can run in any process and in any order."""

_MOST_ROUNDS = 60
_MOST_ROUNDS_OF_SLOW = 8
"""Largest number of rounds for a slow axiom. Without a limit, sampling would take too long if drafts rarely meet the
premises."""

_FOCUS_ROUNDS = 4
_FOCUS_CHILDREN = 60

FURTHER = 3
"""Factor by which the number of examples is multiplied if a cell is neither refuted nor proved."""

HARDLY_ANY = 0.02
"""If the share of new instances in a round is smaller, nearly all possible instances are assumed to have been drawn."""

_WIDE_EXTRAS = (8, 12, 16)


class Search:
    """Search for violations of an axiom by several metrics, which are tested on the same instances.

    Args:
        axiom: Axiom to search for violations of.
        metrics: Metrics that need the same instances, because they have the same cutoff, use of grades, abilities and
            speed.
        reading: Regime and domain.
        settings: Seed and budgets.
        block: Index of this search among the searches of the same cells. Only block 0 enumerates small instances and
            tests patterns. Other blocks only sample, and assume that block 0 found no violation.

    """

    def __init__(
        self, axiom: PairAxiom, metrics: Sequence[Metric], reading: Reading, settings: Settings, block: int = 0
    ) -> None:
        first = metrics[0]
        self.axiom, self.space = axiom, InstanceSpace.of(first, axiom, reading)
        self.settings, self.block, self.most = settings, block, most_tried(first, axiom)
        self._groups = tuple(enumerated_groups(self.space, first, settings.examples)) if settings.exhaustive else ()
        self._fewest = _FEWEST_DRAFTS if self.most is None else min(_FEWEST_DRAFTS, settings.examples)
        if self.most is not None:
            self.settings = replace(settings, examples=min(settings.examples, self.most))
        # Large searches have larger rounds, since an instance takes less time in larger arrays.
        self._most_per_round = BLOCK if settings.examples > 2 * ROUND else ROUND
        self.tallies = [Tally(metric, axiom) for metric in metrics]
        self.coverage = Coverage(self.space.grid)
        self._drawn = _Drawn()

    def run(self, progress: Callable[[float], None] = lambda share: None) -> None:
        """Run the search, and record the results in `tallies` and `coverage`.

        Args:
            progress: Function that is called with the completed share of the work, from 0 to 1.

        """
        if self.block:
            self.coverage.exhausted = [(*group, 0) for group in self._groups]
        else:
            self._enumerate()
            for batch in self.patterns():
                self._drawn.add([instance_keys(batch, self.space.support_only)])
                self.coverage.patterns += batch.size
                self.coverage.see(batch)
                for tally in self.tallies:
                    tally.look(batch, sampled=False)
        self._drawn.not_random = len(self._drawn.seen)
        progress(0.2)
        self._sample(self.tallies, self.settings.examples, lambda share: progress(0.2 + 0.6 * share))
        for tally in self.tallies:
            self._focus(tally)
            tally.check_again()
        progress(1.0)

    def _enumerate(self) -> None:
        """Test every instance on the grid, smallest groups first."""
        coverage, keys = self.coverage, list[Keys]()
        for documents, m in self._groups:
            count = 0
            open_ = [tally for tally in self.tallies if tally.candidates.grid_witness is None]
            for batch in group_batches(self.space, documents, m):
                coverage.see(batch)
                count += batch.size
                keys.append(instance_keys(batch, self.space.support_only))
                for tally in open_:
                    tally.look(batch, sampled=False)
            coverage.exhausted.append((documents, m, count))
            coverage.enumerated += count
            for tally in open_:
                tally.confirm_enumerated()
        self._drawn.add(keys)

    def patterns(self) -> tuple[Batch, ...]:
        """Return the patterns of rare kinds that the search tests before any random instance."""
        exact = not self.tallies[0].metric.numerical(self.space.small)
        return pattern_batches(self.space, exact, min(self.settings.examples, BLOCK))

    def further(self, tally: Tally) -> Coverage | None:
        """Test a metric that is neither refuted nor proved on more random instances, and return its coverage.

        Return None without testing if the metric or axiom is slow, new instances have become rare, or the settings
        request no random instances.
        """
        if self.most is not None or self.coverage.saturated or not self.settings.examples:
            return None
        mine = copy(self)
        mine.coverage, mine._drawn = copy(self.coverage), self._drawn.copy()
        mine._drawn.focused = mine._drawn.add(tally.focused)
        mine._sample([tally], FURTHER * self.settings.examples, lambda share: None)
        tally.check_again()
        return mine.coverage

    @property
    def _stream(self) -> tuple[object, ...]:
        """Parts of the random seed that identify the block; empty for block 0."""
        return ("block", self.block) if self.block else ()

    def _sample(self, tallies: Sequence[Tally], examples: int, progress: Callable[[float], None]) -> None:
        """Test random instances in rounds until enough distinct ones are tested, or hardly any new ones appear."""
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
                fresh.append(instance_keys(batch, self.space.support_only))
                for tally in tallies:
                    tally.look(batch, sampled=True)
            count, new = sum(map(len, fresh)), drawn.add(fresh)
            coverage.sampled += count
            if new < 0.4 * count and drawn.extras is None:
                drawn.extras = _WIDE_EXTRAS  # larger pools have more instances that are new
            elif size >= _FEWEST_DRAFTS and (new < HARDLY_ANY * count or not count):
                coverage.saturated = True
                break
            progress(min(1.0, drawn.distinct / examples))
        coverage.distinct = len(drawn.seen) - drawn.focused
        if not coverage.saturated:
            coverage.marks = marked(drawn.seen.keys, MARKED if self.most is None else MARKED_OF_FEW)

    def _focus(self, tally: Tally) -> None:
        """Test mutations of near misses, the instances with the smallest margins, unless a violation was found.

        There are at most about as many mutations as examples. Instances that were tested before are skipped.
        """
        settings, most, space = self.settings, self.most, self.space
        about = (tally.axiom.name, space.domain.value, space.small, "focus", tally.metric.canonical)
        rng = generator(settings.seed, *about, *self._stream)
        times = _FOCUS_CHILDREN if most is None else max(2, min(_FOCUS_CHILDREN, most // 400))
        few = min(FOCUS_PARENTS, max(most is None, settings.examples // (_FOCUS_ROUNDS * times)))
        tried = self._drawn.seen.copy()
        for _ in range(_FOCUS_ROUNDS):
            if tally.violated or tally.error or tally.disagreement or settings.examples == 0:
                break
            by_shape: dict[Shape, list[Draft]] = {}
            for draft in tally.near.take(few):
                by_shape.setdefault(draft.shape, []).append(draft)
            for drafts in by_shape.values():
                children = mutations(space, Draft.join(drafts), times, rng)
                if not children.size:
                    continue
                keys = instance_keys(children, self.space.support_only)
                new = np.flatnonzero(tried.new(keys))
                if new.size:
                    tried.add(keys[new])
                    tally.focused.append(keys[new])
                    tally.look(children.pick(new), sampled=True)

    def first_round(self) -> Iterator[Batch]:
        """Yield the instances of the first random round again, in the order in which `run` tests them."""
        return self._round(0, self._round_size(self.settings.examples), None)

    def _round_size(self, missing: int) -> int:
        """Return the number of drafts to draw in a round to find ``missing`` new instances."""
        return min(self._most_per_round, max(self._fewest, int(missing * 1.3)))

    def _round(self, number: int, size: int, extras: tuple[int, ...] | None) -> Iterator[Batch]:
        """Yield the instances of one random round. They do not depend on the results of earlier rounds."""
        space = self.space
        kind = (self.axiom.name, space.domain.value, space.small, space.max_rank, space.support_only)
        rng = generator(self.settings.seed, *kind, number, *self._stream)
        return sample_batches(space, size, rng, extras)


class _Drawn:
    """Keys of the instances tested so far, and the state of the random rounds."""

    def __init__(self) -> None:
        self.seen = Distinct()
        self.not_random = 0
        self.focused = 0
        self.rounds = 0
        self.extras: tuple[int, ...] | None = None

    @property
    def distinct(self) -> int:
        """Number of distinct random instances, excluding enumerated instances, patterns and mutations."""
        return len(self.seen) - self.not_random - self.focused

    def add(self, keys: Sequence[Keys]) -> int:
        """Add the keys of instances, and return the number of new keys."""
        before = len(self.seen)
        if keys:
            self.seen.add(np.concatenate(keys))
        return len(self.seen) - before

    def copy(self) -> _Drawn:
        """Return an independent copy."""
        other = copy(self)
        other.seen = self.seen.copy()
        return other


def limited_to(metric: Metric, few: int) -> Metric:
    """Return a copy of an external metric that is tested on fewer instances, like a slow metric.

    Metrics of the catalogue, and metrics whose ``most_examples`` cannot be set, are returned unchanged.

    Args:
        metric: Metric of any kind.
        few: Largest number of random instances of the copy (``most_examples``).

    """
    if is_genuine(metric) and not isinstance(metric, FoldOfFunction):
        return metric
    slow = as_metric(metric, metric.canonical)
    most = few if slow.most_examples is None else min(few, slow.most_examples)
    try:
        object.__setattr__(slow, "most_examples", most)  # bypasses a __setattr__ of the metric's class
    except AttributeError:  # a property of the metric's class keeps its value
        return metric
    return slow
