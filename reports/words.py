"""Describe verdicts in words: findings, the evidence for a cell, and the scores of a witness.

The texts are the same in every output format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from axiomcheck.core.printable import counted
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell, Ledger, because, violation_sentence
from axiomcheck.records.evidence import PairEvidence, ThresholdEvidence
from axiomcheck.records.sentences import (
    brief_pair,
    counterexample_sentence,
    cutoff_hint,
    in_orders_of_eps,
    reversal_name,
    sampled_instances,
    score_and_bound,
)
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.reports.table import Section

Fact = tuple[str, str]
"""Label and text of one fact."""

GLOSSARY = "Terms: docs/reference/glossary.md"
"""Page that explains the words of reports."""
WORDS_EXPLAINED = Section(notes=[f"{GLOSSARY}."], place="text")
"""Last section of reports on terminals."""

_PUBLISHED = {"yes": "satisfied", "no": "violated"}
_HOLDS = {
    Verdict.PROVED: "satisfies",
    Verdict.BOUNDED: "satisfies, within stated bounds,",
    Verdict.HELD: "was not seen to violate",
}


def as_sentence(cell: Cell) -> str:
    """Return a sentence with the counterexample if a cell's axiom is violated, else with the reason for its verdict."""
    if cell.verdict is Verdict.REFUTED and isinstance(cell.witness, PairWitness):
        return violation_sentence(cell)
    text = cell.reason if cell.reason.startswith(cell.metric) else cell.reason[:1].upper() + cell.reason[1:]
    return f"{text}."


def told_cells(cells: Iterable[tuple[str, Cell]], brief: bool = False) -> list[str]:
    """Return lines with the counterexamples to violated axioms, and the reasons for other verdicts.

    Args:
        cells: (name, cell) pairs; the name is shown in the line. Cells with the same verdict and reason share a line.
        brief: True to leave out how often and by how much an axiom is violated.

    """
    told: dict[tuple[str, str], list[str]] = {}
    for name, cell in cells:
        violated = cell.verdict in (Verdict.REFUTED, Verdict.INCOMPARABLE)
        whole = violation_sentence(cell) if violated else cell.reason
        text = counterexample_in_brief(cell) if brief else whole
        told.setdefault((SYMBOLS[cell.verdict], text), []).append(name)
    return [f"{symbol} {', '.join(names)}: {text}" for (symbol, text), names in told.items()]


def findings_headline(ledger: Ledger) -> str:
    """Return the heading of the findings, with the number of cells that differ from the published claim."""
    number = len(ledger.findings)
    if not any(cell.published for cell in ledger.cells):
        what = "axiom" if any(cell.row for cell in ledger.cells) else "metric"
        return f"Findings: none, because no {what} here is in the published table"
    if number == 0:
        return "Findings: no cell differs from the published claim"
    return f"Findings: {number} cell{'s differ' if number > 1 else ' differs'} from the published claim"


def finding_sentence(cell: Cell) -> str:
    """Return a sentence about why a cell differs from the published claim, with its counterexample or evidence."""
    verb = "violates" if cell.verdict is Verdict.REFUTED else _HOLDS.get(cell.verdict, "has no verdict on")
    return f"{cell.metric} {verb} {cell.axiom} (published: {published_word(cell)}): {because(cell)}."


def published_word(cell: Cell) -> str:
    """Return a cell's published claim as a word: satisfied, violated, or "nothing" without a claim.

    Other claims, such as "u", are returned as they are in the published table.
    """
    return _PUBLISHED.get(cell.published or "", cell.published or "nothing")


def verdict_in_brief(cell: Cell) -> str:
    """Return a verdict's reason in a few words: the kind of counterexample and its scores, or the kind of proof."""
    if not isinstance(cell.witness, PairWitness):
        return re.split("[;:] ", cell.reason.rstrip("."))[0]
    return _outcome_in_brief(cell.witness)


def counterexample_in_brief(cell: Cell) -> str:
    """Return a cell's counterexample, without the share of violations; if there is none, return its reason in brief."""
    if isinstance(cell.witness, PairWitness):
        return counterexample_sentence(cell.axiom, cell.witness)
    return verdict_in_brief(cell) if cell.verdict is Verdict.REFUTED else cell.reason.rstrip(".")


def _outcome_in_brief(witness: PairWitness) -> str:
    scores, numerical = witness.scores, witness.scores.arithmetic == "numerical"
    if scores.of:
        return {"tie": "the same distribution of scores", "incomparable": "neither dominates"}.get(
            witness.kind, "a reversal of distributions"
        )
    worse, better = brief_pair(scores.worse, scores.better)
    if numerical:
        orders = f" in floats, at eps = {witness.eps}" if witness.small else " in floats"
    else:
        orders = in_orders_of_eps(scores.order).replace("; as", ",").replace("; in", ", in") if witness.small else ""
    if scores.bound:
        return f"a {reversal_name(witness)}, {' against '.join(score_and_bound(worse, better, scores))}{orders}"
    if witness.kind == "tie":
        return f"{'a' if numerical else 'an exact'} tie at {better}{orders}"
    return f"a reversal, {better} against {worse}{orders}"


def evidence_facts(cell: Cell) -> list[Fact]:
    """Return labelled facts about a cell's evidence, such as how many instances were tried; empty without evidence."""
    if isinstance(cell.evidence, PairEvidence):
        bounded = isinstance(cell.witness, PairWitness) and bool(cell.witness.scores.bound)
        return _pairs(cell.evidence, bounded)
    if isinstance(cell.evidence, ThresholdEvidence):
        return _thresholds(cell.evidence)
    return []


def _pairs(evidence: PairEvidence, bounded: bool) -> list[Fact]:
    shapes, blocks = evidence.shapes, evidence.blocks or 1
    least = "at least " if blocks > 1 else ""
    searches = f", in {blocks:,} searches" if blocks > 1 else ""
    grades = "0 or one rc" if evidence.binary else "any in [0, 1]"
    facts = [
        ("Instances", f"{least}{counted(evidence.instances, 'distinct instance')} that meet the premises{searches}"),
        ("Enumerated", f"{evidence.enumerated:,} ({evidence.grid})"),
        ("Patterns", f"{evidence.patterns:,}, of kinds rare among random instances" if evidence.patterns else ""),
        ("Drawn at random", f"{evidence.sampled:,}" + (", nearly all that exist" * evidence.nearly_all_sampled)),
        ("Searched around near misses", f"{evidence.focused:,}" if evidence.focused else ""),
        ("Sizes", f"{_span(shapes.ranked, 'ranked document')}, {_span(shapes.aspects, 'aspect')}"),
        ("Grades", grades + ("; r << 1 is assumed" if evidence.small_grades else "")),
        ("Exhausted", _exhausted(evidence)),
        ("Decided exactly", f"{evidence.decided_exactly:,}, too close to distinguish in floats"),
        ("Not decided", f"{evidence.unresolved:,}" if evidence.unresolved else ""),
        ("Violations", _violations(evidence, bounded)),
        ("Incomparable", _incomparable(evidence)),
        ("Floats only", evidence.numerical or ""),
        ("Cutoff", cutoff_hint(evidence.undeclared_cutoff)),
        ("Cut short", _cut_short(evidence)),
        ("Seed", str(evidence.seed)),
    ]
    return [(label, text) for label, text in facts if text]


def _cut_short(evidence: PairEvidence | ThresholdEvidence) -> str:
    return f"{counted(evidence.few, 'instance')} of each kind in the available time" if evidence.few else ""


def _exhausted(evidence: PairEvidence) -> str:
    groups = [
        f"{counted(group.documents, 'document')} on {counted(group.aspects, 'aspect')} ({group.instances:,})"
        for group in evidence.exhausted
    ]
    return f"every instance on the grid with {', '.join(groups)}" if groups else ""


def _violations(evidence: PairEvidence, bounded: bool) -> str:
    found = evidence.violations
    if not found:
        return ""
    share = "" if found.share is None else f" ({100 * found.share:.3g}% of {sampled_instances(evidence)})"
    most = f"; by at most {100 * found.largest_relative_margin:.3g}% of the score" if found.reversals else ""
    if bounded:
        return f"{counted(found.reversals, 'score')} out of bounds{share}"
    return f"{counted(found.reversals, 'reversal')} and {counted(found.ties, 'tie')}{share}{most}"


def _incomparable(evidence: PairEvidence) -> str:
    apart = evidence.incomparable
    if not apart or apart.share is None:
        return ""
    left = f"; distributions leave out at most {apart.left_out:.3g}" if apart.left_out else ""
    return f"{100 * apart.share:.3g}% of {sampled_instances(evidence)}{left}"


def _thresholds(evidence: ThresholdEvidence) -> list[Fact]:
    unseen = ", ".join(map(str, evidence.unretrieved_relevant))
    example_text = ""
    if one := evidence.example:
        order = "" if not one.order else f", coefficients of eps{'' if one.order == 1 else f'^{one.order}'}"
        example_text = f"block {one.block}, top {one.top} at n = {one.n} (grade {one.rc}{order})"
    facts = [
        ("Tried", f"n up to {evidence.up_to_n}, {counted(evidence.instances, 'instance')}"),
        ("Arithmetic", "exact" if evidence.exact else "floats; this metric has no exact scores"),
        ("Relevant documents in neither ranking", unseen),
        ("Grades", ", ".join(evidence.rc) if evidence.rc else ""),
        ("The top is ahead", f"from n0 = {evidence.n0} on" if evidence.n0 else ""),
        ("The block is ahead", f"at m = {evidence.m}" if evidence.m else ""),
        ("Scores", example_text),
        ("Beyond", evidence.argument or ""),
        ("Cut short", _cut_short(evidence)),
        ("Seed", str(evidence.seed)),
    ]
    return [(label, text) for label, text in facts if text]


def _span(ends: tuple[int, int], what: str) -> str:
    low, high = ends
    return counted(low, what) if low == high else f"{low} to {counted(high, what)}"
