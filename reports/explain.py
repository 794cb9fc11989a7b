"""An axiom on a terminal: its words, its reading, and a small example that the enumerator found."""

from __future__ import annotations

import shlex
from fractions import Fraction
from typing import Any

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from axiomcheck.axioms import Axiom, PairAxiom, ThresholdAxiom, about_blocks, about_pairs, about_scores
from axiomcheck.axioms.drafts import exact_draft
from axiomcheck.core.domain import Instance, Reading, Regime, assumes_small
from axiomcheck.core.errors import InvalidInput
from axiomcheck.decide.batch import Batch
from axiomcheck.decide.enumeration import grid_groups, group_batches, group_size
from axiomcheck.decide.space import InstanceSpace
from axiomcheck.decide.thresholds import ThresholdCase, block_pairs
from axiomcheck.decide.witness import instance_of
from axiomcheck.metrics import Metric, row_of
from axiomcheck.reports.listing import print_metric
from axiomcheck.reports.paragraphs import paragraph
from axiomcheck.reports.replay import print_rankings
from axiomcheck.reports.symbols import EDITED
from axiomcheck.reports.witness import ranking_pair

_N = 3
"""The n that thresholds are drawn for."""

_MOST = 200_000
"""Sizes with more drafts than this are not looked through for an example."""


def print_axiom(console: Console, axiom: Axiom) -> None:
    """Prints all that an axiom says of itself, and an example.

    Args:
        console: where to.
        axiom: which one is asked.

    """
    number = f"{axiom.number}. " if axiom.number is not None else ""
    paragraph(console, f"{number}{axiom.name}: {axiom.title.lower()} ({axiom.group}-oriented)", style="bold")
    console.print()
    paragraph(console, axiom.words)
    paragraph(console, axiom.symbols)
    console.print()
    facts = [
        ("Source", axiom.source),
        ("Assumes", "; ".join(axiom.assumptions)),
        ("Our reading", "; ".join(axiom.reading)),
        ("Ties", _ties(axiom)),
        ("r << 1", _where_small(axiom)),
    ]
    lead = max(len(label) for label, _ in facts) + 2
    for label, text in facts:
        paragraph(console, text, f"{label}:".ljust(lead), lead_style="bold")
    console.print()
    if about_pairs(axiom):
        _print_pair(console, axiom)
    elif about_blocks(axiom):
        _print_blocks(console, axiom)


def print_known_metric(console: Console, entry: dict[str, Any], metric: Metric) -> None:
    """Prints what the catalogue says of a metric, and how to have its verdicts.

    Args:
        console: where to.
        entry: as `axiomcheck.reports.listing.metric_entry` has it.
        metric: the same with its defaults.

    """
    print_metric(console, entry)
    console.print()
    row = row_of(metric)
    if row is not None:
        paragraph(console, f"It is the row {row} of the published table.")
    paragraph(console, f"axiomcheck matrix -m {shlex.quote(metric.spelt())} decides its row of verdicts.")


def print_plugin_metric(console: Console, entry: dict[str, Any]) -> None:
    """Prints where a plugin's metric comes from, and how to have more; it is not loaded.

    Args:
        console: where to.
        entry: one of `axiomcheck.reports.listing.plugin_entries`.

    """
    print_metric(console, entry)
    console.print()
    check = shlex.join(["axiomcheck", "check", entry["name"]])
    paragraph(console, f"It is an installed plugin's. {check} loads it, decides its row and tries its contract.")


def _ties(axiom: Axiom) -> str:
    if about_scores(axiom):
        return "a score may be equal to a bound"
    return "an exact tie violates it" if axiom.strict else "an exact tie is allowed"


def _where_small(axiom: Axiom) -> str:
    said = {True: "assumed", False: "not assumed"}
    by = [f"{said[assumes_small(axiom, Reading(regime))]} in {regime.value}" for regime in Regime]
    return ", ".join(by) + ("" if axiom.can_be_small or about_scores(axiom) else " (it contradicts the axiom)")


def example(axiom: PairAxiom) -> tuple[Instance, str]:
    """(instance, its premises in words): the smallest instance that the enumerator walks, on the graded domain.

    Diversity axioms are shown on two aspects, even where one would do. Among instances of one size it is the one
    with the largest grades.

    Raises:
        InvalidInput: no small instance is on the enumerator's grid, as may be with a plugin's axiom.

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
    raise InvalidInput(f"{space.axiom.name}: no small example has grades 0, 1/2 and 1 only")


def _print_pair(console: Console, axiom: PairAxiom) -> None:
    try:
        instance, sentence = example(axiom)
    except InvalidInput as error:
        paragraph(console, f"{error}.")
        return
    paragraph(console, "The smallest example", style="bold")
    print_rankings(console, ranking_pair(instance))
    if about_scores(axiom):
        paragraph(console, f"{sentence}.", style="dim")
        return
    must = "must score above worse" if axiom.strict else "must not score below worse"
    paragraph(console, f"{EDITED} marks the ranks that differ; better {must}.", style="dim")
    console.print()
    paragraph(console, f"Here {sentence}.")


def _print_blocks(console: Console, axiom: ThresholdAxiom) -> None:
    small = assumes_small(axiom, Reading())
    pairs = block_pairs(ThresholdCase(Fraction(1), 0), _N, small)
    paragraph(console, f"The two rankings at n = {_N}", style="bold")
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("rank", justify="right")
    table.add_column("block")
    table.add_column("top")
    table.add_column("")
    for rank in range(2 * _N):
        block, top = (ranking[0, rank, 0] > 0 for ranking in pairs.rankings)
        shown = [Text("relevant" if relevant else "-") for relevant in (block, top)]
        table.add_row(Text(str(rank + 1)), *shown, Text(EDITED if block != top else "", style="bold"))
    console.print(table)
    claim = {
        "top": "from some n0 on, top must be ahead at every n",
        "block": "at some n = m, block must be ahead",
    }
    paragraph(console, f"{EDITED} marks the ranks that differ; {claim[axiom.winner]}.", style="dim")
