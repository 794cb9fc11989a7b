"""Contract check of the options of a library's measure, which the check ``parameters-matter`` runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from axiomcheck.checks.contract.counterexamples import apart, compare
from axiomcheck.checks.contract.registry import Finding, failed, not_applicable, passed
from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics.base import Metric
from axiomcheck.sources.adapters import measure
from axiomcheck.sources.adapters.common import MeasureOption
from axiomcheck.sources.names import read_name
from axiomcheck.sources.probes import blocks_of
from axiomcheck.trials.subject import BlockScores, Subject


def options_matter(subject: Subject, options: Sequence[MeasureOption]) -> Finding:
    """Check that every option of a library's measure has an effect, by comparing scores under other values.

    An option that is a depth must not change the score of a topic with fewer documents than the depth.
    """
    tried = blocks_of(
        subject.scale, subject.rng("parameters-matter"), aspects=(1, 2) if subject.scale.aspects else (1,)
    )
    blocks = [block.rows(slice(0, 40)) for block in tried]
    base = subject.score(blocks)
    cases = sum(block.size for block in blocks)
    if not any(scores.usable.any() for scores in base):
        return passed(0)
    asked = 0
    for option in options:
        others = [(value, made, subject.score(blocks, made)) for value, made in _made(subject.metric, option)]
        asked += cases * len(others)
        if others and not any(differs(base, scores) for _, _, scores in others):
            values = ", ".join(str(value) for value, _, _ in others)
            return failed(f"{option.name} has no effect: all scores are the same with {values}", asked)
        for value, made, scores in others if option.depth else ():
            short = [k for k, block in enumerate(blocks) if block.documents <= min(value, option.now or value)]
            says = f"{option.name}, a depth, changes the score of a topic that is not deeper, in {made}"
            twice = [(blocks[k], blocks[k]) for k in short]
            found = compare(subject, twice, says, first=[base[k] for k in short], second=[scores[k] for k in short])
            if found.status != "passed":
                return replace(found, cases=asked)
    return passed(asked) if asked else not_applicable("it has no option with other values", "a measure with options")


def differs(one: Sequence[BlockScores], other: Sequence[BlockScores]) -> bool:
    """Return whether some score differs, or exists in only one of the two sequences."""
    return any(
        bool((a.usable != b.usable).any() or (a.usable & apart(a.values, b.values)).any())
        for a, b in zip(one, other, strict=True)
    )


def _made(metric: Metric, option: MeasureOption) -> list[tuple[Any, Metric]]:
    """Return the other values of an option that the library accepts, each with its measure."""
    prefix, made = read_name(metric.canonical).prefix, []
    for value, spelled in option.others.items():
        try:
            made.append((value, measure(prefix, spelled)))
        except InvalidInput:  # a value that this measure does not take
            continue
    return made
