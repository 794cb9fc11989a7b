"""Contract check that a metric agrees with a reference, or with the definition that it declares."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from axiomcheck.checks.contract.counterexamples import first_row, number
from axiomcheck.checks.contract.registry import Outcome, check, error, failed, not_applicable, passed
from axiomcheck.core.printable import counted
from axiomcheck.core.typing import Reals
from axiomcheck.sources.external_metrics import OwnMetric, is_single, rounding_of
from axiomcheck.sources.probes import CaseBlock, CaseRange, blocks_of, counterexample
from axiomcheck.trials.subject import BlockScores, Subject

PER_TOPIC = 6
"""Number of rankings per topic of more than three documents."""


@check(
    "reference",
    group="reference",
    asks="Scores agree with those of the reference and order the rankings of a topic in the same way, or they follow "
    "the declared definition with only the declared departures.",
)
def reference(subject: Subject) -> Outcome:
    """Compare the metric with its reference on topics that both can score, with many rankings per topic.

    A declared definition is checked first, against the known definition that the metric's scores follow.
    """
    other = subject.reference
    if isinstance(subject.metric, OwnMetric) and subject.metric.definition is not None:
        found = _definition(subject, subject.metric.definition)
        if found.status != "passed" or other is None:
            return found
    if other is None:
        return not_applicable(
            "no reference is named", "a metric given with --reference, or a declared reference or definition"
        )
    scale = CaseRange.of(subject.metric, other)
    topics = _topics(blocks_of(scale, subject.rng("reference")), subject.rng("reference, rankings"))
    flat = [block for rankings in topics for block in rankings]
    ours, theirs = subject.score(flat), subject.score(flat, other)
    both = [a.usable & b.usable for a, b in zip(ours, theirs, strict=True)]
    cases = sum(int(usable.sum()) for usable in both)
    if not cases:
        return error(f"no ranking is scored by both metrics: {subject.first_message}")
    single, rounding = is_single(subject.metric) or is_single(other), max(subject.rounding, rounding_of(other))
    tolerance = max(subject.tolerance, rounding) if single else subject.tolerance
    order, reversed_pair = _order(topics, ours, theirs, rounding if single else 1e-12)
    for k in sorted(range(len(flat)), key=lambda k: (flat[k].ranked, flat[k].documents, flat[k].aspects)):
        wrong = both[k] & (np.abs(ours[k].values - theirs[k].values) > tolerance)
        if wrong.any():
            row = first_row(flat[k], wrong)
            here, there = float(ours[k].values[row]), float(theirs[k].values[row])
            shown = counterexample((flat[k], row, here)) | {"reference": there}
            if reversed_pair is not None:
                shown["ordered_otherwise"] = reversed_pair
            return failed(f"scores {number(here)}, {other} scores {number(there)}; {order}", cases, shown)
    return passed(cases, f"agrees with {other} to {tolerance:g}; {order}")


def _definition(subject: Subject, said: str) -> Outcome:
    from axiomcheck.checks.definitions.dictionary import DEPARTURES
    from axiomcheck.checks.definitions.known import known_definition  # lazy: most metrics declare no definition
    from axiomcheck.checks.definitions.scored import counter_rankings, one_aspect

    unknown = [name for name in _departures(said) if name not in DEPARTURES]
    if unknown:
        return error(
            f"it is declared to be {said}, but {unknown[0]!r} is not a known departure; expected one of "
            f"{', '.join(DEPARTURES)}"
        )
    known = known_definition(subject.metric)
    if known is None:
        tried = sum(block.size for block in [*one_aspect(subject), *counter_rankings(subject)])
        return failed(f"it is declared to be {said}, but no known definition gives these scores", tried)
    if known.exact and _parts(known.told) == _parts(said):
        return passed(known.cases, f"it is {known.told}, as declared")
    unlike = [one for one in known.differences if one.name not in _departures(said)]
    shown = unlike[0].counterexample if unlike else None
    closest = "it is" if known.exact else "the closest known definition is"
    return failed(f"it is declared to be {said}, but {closest} {known.told}", known.cases, shown)


def _departures(told: str) -> list[str]:
    return [part.strip() for part in told.partition(" except ")[2].split(",") if part.strip()]


def _parts(told: str) -> tuple[str, frozenset[str]]:
    """Split a declared definition into its name and the set of its departures."""
    return told.partition(" except ")[0].strip(), frozenset(_departures(told))


def _topics(blocks: Sequence[CaseBlock], rng: np.random.Generator) -> list[list[CaseBlock]]:
    """Return rankings of the topics of every block: all rankings for up to three documents, else a random sample."""
    topics = []
    # On topics without relevant documents, metrics guard differently against division by zero.
    nothing = [replace(block, pool=np.zeros_like(block.pool)).rows(slice(0, 2)) for block in blocks[:12]]
    for block in [*nothing, *blocks]:
        size, documents = block.size, block.documents
        if documents > 3:
            orders = [np.argsort(rng.random((size, documents)), axis=1)[:, : block.ranked] for _ in range(PER_TOPIC)]
            topics.append([block.reordered(order) for order in orders])
        elif block.ranked == documents:  # once per set of topics, not once per length
            lists = [p for n in range(1, documents + 1) for p in itertools.permutations(range(documents), n)]
            topics.append([block.alike(order) for order in lists])
    return topics


def _order(
    topics: Sequence[Sequence[CaseBlock]], ours: Sequence[BlockScores], theirs: Sequence[BlockScores], near: float
) -> tuple[str, dict[str, Any] | None]:
    """Return a clause that says how often two metrics order pairs of rankings differently, and the first such pair."""
    pairs = unlike = start = 0
    shown: dict[str, Any] | None = None
    for rankings in topics:
        here = np.array([s.values for s in ours[start : start + len(rankings)]])
        there = np.array([s.values for s in theirs[start : start + len(rankings)]])
        start += len(rankings)
        one, other = np.triu_indices(len(rankings), 1)
        usable = np.isfinite(here[one] + here[other] + there[one] + there[other])
        differ = usable & (_sign(here[one], here[other], near) != _sign(there[one], there[other], near))
        pairs += int(usable.sum())
        unlike += int(differ.sum())
        if shown is None and differ.any():
            pair, row = (int(i[0]) for i in np.nonzero(differ))
            cases = [(rankings[int(k)], row, float(here[int(k), row])) for k in (one[pair], other[pair])]
            shown = counterexample(*cases) | {
                "reference": [float(there[int(k), row]) for k in (one[pair], other[pair])]
            }
    if unlike:
        return f"they order {unlike:,} of {counted(pairs, 'pair')} of rankings differently", shown
    return f"they order all {counted(pairs, 'pair')} of rankings the same way", None


def _sign(one: Reals, other: Reals, near: float) -> Reals:
    """Return the signs of ``one - other``, with 0 for differences of at most `near` times the larger score."""
    scale = np.maximum(np.abs(one), np.abs(other))
    return np.where(np.abs(one - other) > near * scale, np.sign(one - other), 0)
