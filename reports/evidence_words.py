"""What was tried of a cell, as labelled facts."""

from __future__ import annotations

from axiomcheck.core.counting import counted
from axiomcheck.records.cells import Cell
from axiomcheck.records.evidence import Example, PairEvidence, ThresholdEvidence
from axiomcheck.records.reasons import cutoff_hint, sampled_instances
from axiomcheck.records.witnesses import PairWitness

Fact = tuple[str, str]
"""A label, and what there is to say."""


def evidence_facts(cell: Cell) -> list[Fact]:
    """What was tried of a cell and what was seen; empty where nothing was tried."""
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
        ("Instances", f"{least}{evidence.instances:,} distinct ones that meet the premises{searches}"),
        ("Enumerated", f"{evidence.enumerated:,} ({evidence.grid})"),
        ("Patterns", f"{evidence.patterns:,}, of kinds that are rare among random ones" if evidence.patterns else ""),
        ("Drawn at random", f"{evidence.sampled:,}" + (", nearly all there are" * evidence.nearly_all_sampled)),
        ("Searched around near misses", f"{evidence.focused:,}" if evidence.focused else ""),
        ("Sizes", f"{_span(shapes.ranked, 'ranked document')}, {_span(shapes.aspects, 'aspect')}"),
        ("Grades", grades + ("; r << 1 is assumed" if evidence.small_grades else "")),
        ("Exhausted", _exhausted(evidence)),
        ("Decided exactly", f"{evidence.decided_exactly:,}, too close to tell in floats"),
        ("Not decided", f"{evidence.unresolved:,}" if evidence.unresolved else ""),
        ("Violations", _violations(evidence, bounded)),
        ("Incomparable", _incomparable(evidence)),
        ("Floats only", evidence.numerical or ""),
        ("Cutoff", cutoff_hint(evidence.undeclared_cutoff)),
        (
            "Cut short",
            f"{counted(evidence.few, 'instance')} of each kind in the time that there was" if evidence.few else "",
        ),
        ("Seed", str(evidence.seed)),
    ]
    return [(label, text) for label, text in facts if text]


def _exhausted(evidence: PairEvidence) -> str:
    groups = [
        f"{counted(group.documents, 'document')} on {counted(group.aspects, 'aspect')} ({group.instances:,})"
        for group in evidence.exhausted
    ]
    return f"every instance of the grid with {', '.join(groups)}" if groups else ""


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
    facts = [
        ("Tried", f"n = 1 to {evidence.up_to_n}, {counted(evidence.instances, 'instance')}"),
        ("Arithmetic", "exact" if evidence.exact else "floats, which are all there is of this metric"),
        ("Relevant documents in neither ranking", unseen),
        ("Grades", ", ".join(evidence.rc) if evidence.rc else ""),
        ("The top is ahead", f"from n0 = {evidence.n0} on" if evidence.n0 else ""),
        ("The block is ahead", f"at m = {evidence.m}" if evidence.m else ""),
        ("Scores", _example(evidence.example) if evidence.example else ""),
        ("Beyond", evidence.argument or ""),
        ("Seed", str(evidence.seed)),
    ]
    return [(label, text) for label, text in facts if text]


def _example(example: Example) -> str:
    order = "" if not example.order else f", coefficients of eps{'' if example.order == 1 else f'^{example.order}'}"
    return f"block {example.block}, top {example.top} at n = {example.n} (grade {example.rc}{order})"


def _span(ends: tuple[int, int], what: str) -> str:
    low, high = ends
    return counted(low, what) if low == high else f"{low} to {counted(high, what)}"
