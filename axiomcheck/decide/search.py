"""The search for violations: small shapes exhaustively, random ones in bulk, then closer where differences are small.

Batches are shared by all metrics of an axiom that have the same instances. What is tried depends on the seed, the
axiom, the reading and the metric alone, so a cell comes out the same whoever is searched beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.core.domain import Domain, Reading, assumes_small
from axiomcheck.core.errors import InternalDisagreement, MetricError
from axiomcheck.core.typing import Keys
from axiomcheck.decide import budgets
from axiomcheck.decide.batch import Batch, instance_keys
from axiomcheck.decide.distinct import Distinct
from axiomcheck.decide.enumeration import Grid, grid_for, grid_groups, group_batches, group_size
from axiomcheck.decide.sampling import LONGEST, generator, mutations, sample_batches
from axiomcheck.decide.tally import FOCUS_PARENTS, Tally
from axiomcheck.metrics import Abilities, Metric
from axiomcheck.sources.own import as_metric

DEEPEST = LONGEST - 2
"""The deepest rank that searched axioms speak of, for metrics whose cutoff allows it."""

_FEWEST_DRAFTS = 2_000
"""Of a round: fewer would leave shapes out. Of a metric that is slow to call, as few as it is to be asked about."""

ROUND = 65_000
"""Drafts per round of sampling: enough per shape for array operations to outweigh their calls."""

_GROUP_LIMIT = 45_000
_MOST_ROUNDS = 60
_FOCUS_ROUNDS = 4
_FOCUS_CHILDREN = 60

MOST_SAMPLED = _MOST_ROUNDS * ROUND
"""Instances that are drawn at random for one cell, at most."""

MOST_FOCUSED = _FOCUS_ROUNDS * FOCUS_PARENTS * _FOCUS_CHILDREN
"""Mutations that are made of the instances with the smallest differences, at most."""

_WIDE_EXTRAS = (8, 12, 16)


@dataclass(frozen=True)
class Settings:
    """What a run's outcome depends on besides metrics, axioms and reading.

    Args:
        seed: of the random search.
        examples: distinct instances that meet the premises to try at random per cell, unless there are fewer. Of a
            metric that is slow to call, no group of more than half as many is enumerated either, unless it is 0.
        exhaustive: whether small shapes are enumerated over a grid first.
        proofs: whether what the search does not refute is to be proved.

    """

    seed: int = 0
    examples: int = budgets.PUBLISHED
    exhaustive: bool = True
    proofs: bool = True


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
        axiom: which one is asked.
        metrics: all with the same domain, depth, view of grades, abilities and cost.
        domain: graded or binary, as the metrics see it.
        small: whether r << 1 is assumed.
        max_rank: the deepest rank that the axiom may speak of.
        support_only: the metrics see only whether a grade is positive.
        settings: seed and budgets.
        progress: called with the share of the work done.

    """
    tallies = [Tally(metric, axiom) for metric in metrics]
    abilities = metrics[0].abilities
    coverage = Coverage(grid_for(axiom, domain, small, support_only, abilities))
    most = metrics[0].most_examples
    fewest = _FEWEST_DRAFTS if most is None else min(_FEWEST_DRAFTS, settings.examples)
    few = FOCUS_PARENTS if most is None else min(FOCUS_PARENTS, max(1, settings.examples // 10))
    group_limit = _most_in_group(metrics[0], settings.examples)
    if most is not None:
        settings = replace(settings, examples=min(settings.examples, most))
    keys: list[Keys] = []
    if settings.exhaustive:
        _enumerate(axiom, tallies, coverage, keys, small, max_rank, support_only, group_limit)
    progress(0.2)
    _sample(
        axiom, tallies, coverage, keys, domain, small, max_rank, support_only, settings, fewest, progress, abilities
    )
    for tally in tallies:
        _focus(tally, max_rank, settings, small, domain, few)
        tally.ask_again()
    progress(1.0)
    return tallies, coverage


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
    groups = enumerated_groups(axiom, grid, depth, _most_in_group(metric, examples))
    return Coverage(grid, [(documents, aspects, 0) for documents, aspects in groups])


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


def _most_in_group(metric: Metric, examples: int) -> int:
    most = metric.most_examples
    if most is None:
        return _GROUP_LIMIT
    return min(_GROUP_LIMIT, most // 2, (examples // 2) or _GROUP_LIMIT)


def _enumerate(
    axiom: PairAxiom,
    tallies: Iterable[Tally],
    coverage: Coverage,
    keys: list[Keys],
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
    keys: list[Keys],
    domain: Domain,
    small: bool,
    max_rank: int,
    support_only: bool,
    settings: Settings,
    fewest: int,
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
        size = min(ROUND, max(fewest, int(missing * 1.3)))
        fresh: list[Keys] = []
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
        elif size >= _FEWEST_DRAFTS and (len(seen) - before < 0.02 * drawn or not drawn):
            coverage.saturated = True
            break
        progress(0.2 + 0.6 * min(1.0, (len(seen) - base) / settings.examples))
    coverage.distinct = len(seen)


def _focus(tally: Tally, max_rank: int, settings: Settings, small: bool, domain: Domain, few: int) -> None:
    """Looks closer around the few instances whose difference is smallest, for a metric not refuted so far."""
    rng = generator(settings.seed, tally.axiom.name, domain.value, small, "focus", tally.metric.canonical)
    most = tally.metric.most_examples
    times = _FOCUS_CHILDREN if most is None else max(2, min(_FOCUS_CHILDREN, most // 400))
    for _ in range(_FOCUS_ROUNDS):
        if tally.violated or tally.error or tally.disagreement or settings.examples == 0:
            return
        parents, tally.nearest = tally.nearest[:few], tally.nearest[: FOCUS_PARENTS // 2]
        by_shape: dict[Shape, list[Draft]] = {}
        for parent in parents:
            by_shape.setdefault(parent.draft.shape, []).append(parent.draft)
        for drafts in by_shape.values():
            family = Batch(tally.axiom, Draft.join(drafts), small)
            children = mutations(family, max_rank, times, rng, tally.metric.abilities)
            if children.size:
                tally.focused += children.size
                tally.look(children, sampled=True)
