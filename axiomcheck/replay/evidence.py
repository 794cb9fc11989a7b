"""Whether what a cell says was tried is what the search tries, as far as it can be told without searching again.

Worked out again: the grid, the groups that are enumerated with the number of instances of each, the patterns, the
seed, and what the reading and the metric make of grades. Held against each other: the counts of what was drawn at
random, which only the search itself could make again.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import ceil, floor
from typing import TypeAlias

from msgspec import structs

from axiomcheck.axioms import PairAxiom
from axiomcheck.core.counting import counted
from axiomcheck.core.documents import difference
from axiomcheck.core.domain import Domain, Reading, assumes_small
from axiomcheck.core.errors import InvalidInput
from axiomcheck.decide.enumeration import Grid, group_batches
from axiomcheck.decide.patterns import ASPECTS_OF_PATTERNS
from axiomcheck.decide.sampling import LONGEST, MOST_ASPECTS
from axiomcheck.decide.search import DEEPEST, MOST_FOCUSED, MOST_SAMPLED, Settings, enumeration_of, of_few, search_of
from axiomcheck.metrics import Metric
from axiomcheck.records.evidence import Exhausted, PairEvidence, Violations
from axiomcheck.sources.provenance import runs_catalogue_code

_MOST_MARGIN = 2.0
"""The difference of two scores is at most twice the larger one, where they are on two sides of 0."""

_MOST_OF_TIES = 1e-6
"""Of ties it is rounding."""


def as_tried(evidence: PairEvidence, metric: Metric, settings: Settings) -> tuple[Metric, Settings]:
    """The metric and the settings that a cell was searched with, which a limit on time made less of."""
    if not evidence.few:
        return metric, settings
    slow = metric if runs_catalogue_code(metric) else of_few(metric, evidence.few)
    return slow, replace(settings, examples=min(settings.examples, evidence.few))


def check_evidence(
    evidence: PairEvidence, axiom: PairAxiom, metric: Metric, settings: Settings, reading: Reading
) -> None:
    """Checks the evidence of an axiom on pairs.

    Args:
        evidence: as it was read.
        axiom: of the cell.
        metric: of the cell, see `as_tried`.
        settings: likewise.
        reading: of the report.

    Raises:
        InvalidInput: it contradicts itself, or what the search does; the message says where.

    """
    small = assumes_small(axiom, reading)
    coverage = enumeration_of(metric, axiom, reading)
    groups = _groups(axiom, metric, reading, settings.examples) if settings.exhaustive else []
    expected = structs.replace(
        evidence,
        small_grades=small,
        binary=metric.binary_only or axiom.domain_of(reading.domain) is Domain.BINARY,
        seed=settings.seed,
        numerical=metric.numerical(small) or None,
        grid=coverage.grid.text(),
        exhausted=tuple(Exhausted(p, m, n) for (p, m), (n, _) in groups),
        enumerated=sum(n for _, (n, _) in groups),
        patterns=sum(batch.size for batch in search_of(metric, axiom, reading, settings).patterns()),
    )
    found = difference(evidence, expected, ("evidence",))
    if found is not None:
        raise InvalidInput(found)
    if bool(evidence.incomparable) is not metric.partial:
        what = "compares distributions" if metric.partial else "has scores to compare"
        raise InvalidInput(f"evidence.incomparable: {metric} {what}")
    _check_shapes(evidence, axiom, metric, reading, groups)
    _check_counts(evidence, settings)
    if evidence.violations:
        _check_violations(evidence, evidence.violations, axiom)


_Groups: TypeAlias = list[tuple[tuple[int, int], tuple[int, tuple[int, ...]]]]


def _groups(axiom: PairAxiom, metric: Metric, reading: Reading, examples: int) -> _Groups:
    """What is enumerated: (documents, aspects), and how many instances of which numbers of ranked documents."""
    coverage, depth = enumeration_of(metric, axiom, reading, examples), min(metric.cutoff or DEEPEST, DEEPEST)
    small = assumes_small(axiom, reading)
    return [((p, m), _group(axiom, coverage.grid, small, p, m, depth)) for p, m, _ in coverage.exhausted]


@lru_cache(maxsize=1024)
def _group(
    axiom: PairAxiom, grid: Grid, small: bool, documents: int, aspects: int, depth: int
) -> tuple[int, tuple[int, ...]]:
    batches = list(group_batches(axiom, grid, small, documents, aspects, depth))
    return sum(b.size for b in batches), tuple(sorted({b.draft.shape.ranked for b in batches}))


def _check_shapes(evidence: PairEvidence, axiom: PairAxiom, metric: Metric, reading: Reading, groups: _Groups) -> None:
    """The spans of sizes: at least those of what was enumerated, and nothing beyond what is tried at all."""
    seen = {
        "ranked": [n for _, (_, ranked) in groups for n in ranked],
        "aspects": [m for (_, m), (size, _) in groups if size],
    }
    most = {
        "ranked": max([LONGEST, *seen["ranked"]]),
        "aspects": axiom.max_aspects or (ASPECTS_OF_PATTERNS if evidence.patterns else MOST_ASPECTS),
    }
    least = {"ranked": axiom.min_ranked, "aspects": axiom.min_aspects}
    for what, (low, high) in (("ranked", evidence.shapes.ranked), ("aspects", evidence.shapes.aspects)):
        where, inside = f"evidence.shapes.{what} is {[low, high]}", seen[what]
        if evidence.sampled == 0 and evidence.patterns == 0:
            expected = [min(inside), max(inside)] if inside else [0, 0]
            if [low, high] != expected:
                raise InvalidInput(f"{where}; expected {expected}, that of what was enumerated")
        elif not least[what] <= low <= high <= most[what]:
            raise InvalidInput(f"{where}; expected a span within {least[what]} to {most[what]}")
        elif inside and not (low <= min(inside) and max(inside) <= high):
            raise InvalidInput(f"{where}; expected at least {min(inside)} to {max(inside)}, which was enumerated")


def _check_counts(evidence: PairEvidence, settings: Settings) -> None:
    drawn, focused = evidence.sampled, evidence.focused
    total = evidence.enumerated + evidence.patterns + drawn + focused
    searches = evidence.blocks or 1
    for key, count, most in (("sampled", drawn, MOST_SAMPLED), ("focused", focused, MOST_FOCUSED)):
        if count > searches * most:
            raise InvalidInput(f"evidence.{key} is {count}; at most {searches * most} in {counted(searches, 'search')}")
    if settings.examples == 0 and searches == 1 and (drawn or focused):
        raise InvalidInput(f"evidence.sampled is {drawn}, with {focused} focused; settings.examples is 0")
    if evidence.instances and evidence.instances + evidence.unresolved > total:
        raise InvalidInput(
            f"evidence.instances is {evidence.instances}, with {evidence.unresolved} unresolved; "
            f"{total} were enumerated, patterns, sampled and focused on"
        )
    if not evidence.instances and evidence.unresolved < evidence.enumerated + evidence.patterns + focused:
        raise InvalidInput(f"evidence.instances is 0; {total} were tried and {evidence.unresolved} left unresolved")
    for key in ("unresolved", "decided_exactly", "audited"):
        count = getattr(evidence, key)
        if count > total:
            raise InvalidInput(f"evidence.{key} is {count}; {total} were enumerated, patterns, sampled and focused on")
    if evidence.nearly_all_sampled and searches == 1 and settings.examples == 0:
        raise InvalidInput("evidence.nearly_all_sampled is true; settings.examples is 0")


def _check_violations(evidence: PairEvidence, found: Violations, axiom: PairAxiom) -> None:
    drawn = evidence.sampled + evidence.focused
    broken = found.reversals + found.ties
    where = "evidence.violations"
    if found.ties and not axiom.strict:
        raise InvalidInput(f"{where}.ties is {found.ties}; a tie does not violate {axiom.name}")
    if broken > drawn:
        raise InvalidInput(f"{where} counts {broken} of the {counted(drawn, 'instance')} that were sampled")
    if not is_share(found.share, broken, drawn):
        raise InvalidInput(f"{where}.share is {found.share}; expected that of {broken} in at most {drawn}")
    most = _MOST_MARGIN if found.reversals else _MOST_OF_TIES if found.ties else 0
    if found.largest_relative_margin > most:
        raise InvalidInput(f"{where}.largest_relative_margin is {found.largest_relative_margin}; at most {most}")
    if evidence.incomparable:
        apart = evidence.incomparable.share
        if (apart is None) is not (found.share is None):
            raise InvalidInput(f"{where}.share is {found.share}, and evidence.incomparable.share {apart}")


def is_share(share: float | None, part: int, most: int) -> bool:
    """Whether a share, to four digits, is that of a part of some whole that has at most so many."""
    if share is None or not part:
        return not part and not share
    if not share:
        return False
    # The nearest wholes there can be: what is rounded may point to one beyond.
    wholes = {min(max(whole, part), most) for whole in (floor(part / share), ceil(part / share))}
    return part <= most and any(float(f"{part / whole:.4g}") == share for whole in wholes)
