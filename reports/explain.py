"""Render explanations of axioms, with a small example from the enumerator, and of metrics."""

from __future__ import annotations

import shlex
from fractions import Fraction
from typing import Any

import numpy as np

from axiomcheck.axioms import Axiom, PairAxiom, ThresholdAxiom, about_blocks, about_pairs, about_scores
from axiomcheck.axioms.drafts import exact_draft
from axiomcheck.core.domain import Instance, Reading, Regime, Topic, assumes_small
from axiomcheck.core.errors import InvalidInput
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.enumeration import grid_groups, group_batches, group_size
from axiomcheck.decide.space import InstanceSpace
from axiomcheck.decide.witness import instance_of
from axiomcheck.metrics import Metric, row_of
from axiomcheck.reports.listing import metric_lines
from axiomcheck.reports.symbols import EDITED
from axiomcheck.reports.table import Report, Section
from axiomcheck.reports.witness import RankingPair, asked_of

_N = 3
"""Value of n in the example of a threshold axiom."""

_MOST = 200_000
"""Maximum number of drafts of one size that are searched for an example."""


def axiom_report(axiom: Axiom) -> Report:
    """Return a report on an axiom's definition, source and assumptions, with an example."""
    number = f"{axiom.number}. " if axiom.number is not None else ""
    facts = [
        f"Source: {axiom.source}",
        f"Assumes: {'; '.join(axiom.assumptions)}",
        f"Our reading: {'; '.join(axiom.reading)}",
        f"Ties: {_ties(axiom)}",
        f"r << 1: {_where_small(axiom)}",
    ]
    title = f"{number}{axiom.name}: {axiom.title.lower()} ({axiom.group}-oriented)"
    sections = [Section(lines=[axiom.words, axiom.symbols]), Section(lines=facts)]
    if about_pairs(axiom):
        sections.append(_pair(axiom))
    elif about_blocks(axiom):
        sections.append(_blocks(axiom))
    return Report(axiom.name, [title], sections)


def known_metric_report(entry: dict[str, Any], metric: Metric) -> Report:
    """Return a report on a catalogue metric, with the command that decides its row.

    Args:
        entry: Entry of the metric, see `axiomcheck.reports.listing.metric_entry`.
        metric: Metric that is explained.

    """
    row = row_of(metric)
    told = [f"It is row {row} of the published table."] if row is not None else []
    told.append(f"axiomcheck matrix {shlex.quote(metric.spelt())} decides its row.")
    return Report(entry["name"], metric_lines(entry), [Section(lines=told)])


def plugin_metric_report(entry: dict[str, Any]) -> Report:
    """Return a report on the origin of a plugin's metric, with the command that checks it; the metric is not loaded.

    Args:
        entry: Entry of the metric, one of `axiomcheck.reports.listing.plugin_entries`.

    """
    check = shlex.join(["axiomcheck", "check", entry["name"]])
    told = f"It comes from an installed plugin. To load it, decide its row and run its contract checks, run: {check}"
    return Report(entry["name"], metric_lines(entry), [Section(lines=[told])])


def _ties(axiom: Axiom) -> str:
    if about_scores(axiom):
        return "a score may be equal to a bound"
    return "an exact tie violates it" if axiom.strict else "an exact tie is allowed"


def _where_small(axiom: Axiom) -> str:
    said = {True: "assumed", False: "not assumed"}
    by = [f"{said[assumes_small(axiom, Reading(regime))]} in {regime.value}" for regime in Regime]
    return ", ".join(by) + ("" if axiom.can_be_small or about_scores(axiom) else " (it contradicts the axiom)")


def example(axiom: PairAxiom) -> tuple[Instance, str]:
    """Return a smallest instance of an axiom with graded documents, and a sentence about it.

    Diversity axioms are shown on two aspects, even where one would be enough. Of several smallest instances, the one
    with the largest grades is chosen.

    Raises:
        InvalidInput: The enumerator has no small instance of the axiom, as may happen for a plugin's axiom.

    """
    small = assumes_small(axiom, Reading())
    wanted = max(axiom.min_aspects, min(2 if axiom.group == "diversity" else 1, axiom.max_aspects or 2))
    batch = _smallest(InstanceSpace(axiom, small=small), wanted)
    largest = batch.draft.grades.sum(axis=(1, 2)).argmax()
    one = Batch(axiom, exact_draft(batch.draft.pick(np.array([largest]))), small)
    return instance_of(one), axiom.sentence(one.draft)


def _smallest(space: InstanceSpace, aspects: int) -> Batch:
    for documents in (documents for documents, m in grid_groups(space.axiom) if m == aspects):
        if group_size(space, documents, aspects) > _MOST:
            break
        for batch in group_batches(space, documents, aspects):
            return batch
    raise InvalidInput(f"{space.axiom.name}: no small example uses only the grades 0, 1/2 and 1")


def _pair(axiom: PairAxiom) -> Section:
    try:
        instance, sentence = example(axiom)
    except InvalidInput as error:
        return Section(lines=[f"{error}."])
    notes = [f"{sentence}."]
    if not about_scores(axiom):
        legend = f"{EDITED} marks the ranks that differ; the ranking on the right {asked_of(axiom)[1]}."
        notes = [legend, f"Here {sentence}."]
    pair = RankingPair(instance, asked_of(axiom))
    return Section("The smallest example", [pair.words], pair.table(), notes=[*pair.unseen, *notes])


def _blocks(axiom: ThresholdAxiom) -> Section:
    pair = RankingPair(_block_instance(axiom, _N), ("must be behind", "must be ahead"))
    claim = "from some n0 on, at every n" if axiom.winner == "top" else "at some n"
    notes = [f"{EDITED} marks the ranks that differ; the ranking on the right must score higher {claim}."]
    return Section(f"The two rankings at n = {_N}", [], pair.table(), notes=notes)


def _block_instance(axiom: ThresholdAxiom, n: int) -> Instance:
    """Return an instance of a threshold axiom: one relevant document on top, against n at ranks n + 1 to 2n."""
    relevant, others = [f"r{k}" for k in range(1, n + 1)], [f"n{k}" for k in range(1, 2 * n)]
    pool = {name: [Fraction(1)] for name in relevant} | {name: [Fraction(0)] for name in others}
    top, block = [relevant[0], *others], [*others[:n], *relevant]
    worse, better = (block, top) if axiom.winner == "top" else (top, block)
    return Instance(Topic([1], pool), worse, better)
