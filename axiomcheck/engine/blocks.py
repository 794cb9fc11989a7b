"""Cells that are searched in several blocks: how many there are to be, and what they come to together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from msgspec import structs

from axiomcheck.core.documents import UNSET, Maybe
from axiomcheck.core.errors import InternalDisagreement
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.marks import Marks
from axiomcheck.decide.search import BLOCK, FURTHER, Settings
from axiomcheck.engine import reasons
from axiomcheck.records.cells import Cell, failed, hinted
from axiomcheck.records.certificates import proof_sentence
from axiomcheck.records.evidence import Incomparable, PairEvidence, Shapes, Violations
from axiomcheck.records.witnesses import PairWitness


def first_block(settings: Settings) -> Settings:
    """The settings of a cell's first search."""
    return replace(settings, examples=min(settings.examples, BLOCK))


def later_block(settings: Settings, examples: int = BLOCK) -> Settings:
    """The settings of another search of a cell, which has so many examples."""
    return replace(settings, examples=examples, proofs=False)


def can_go_on(cell: Cell) -> bool:
    """Whether more instances could tell more of a cell: none violates it so far, and not all there are were tried."""
    return cell.verdict.satisfied and cell.pairs is not None and bool(cell.marks)


def later_examples(cell: Cell, settings: Settings) -> list[int]:
    """The examples of every block after the first that a cell is to have; none of what is settled.

    Args:
        cell: as its first block left it.
        settings: of the run.

    """
    if settings.examples <= BLOCK or not can_go_on(cell):
        return []
    missing = (settings.examples - BLOCK) * (FURTHER if cell.verdict is Verdict.HELD else 1)
    whole, rest = divmod(missing, BLOCK)
    return [BLOCK] * whole + [rest] * (rest > 0)


def together(cell: Cell, blocks: Sequence[Cell], genuine: bool) -> Cell:
    """A cell after several blocks.

    What comes after a block in which it was refuted, or came to nothing, is left out: that is the same whatever was
    searched at the same time.

    Args:
        cell: as its first block left it; see `can_go_on`.
        blocks: as the others left it, in their order.
        genuine: whether the metric is the catalogue's, see `axiomcheck.engine.cells.with_proof`.

    """
    evidence = cell.pairs
    assert evidence is not None
    marks = Marks()
    marks.add(cell.marks)
    seconds = cell.seconds
    for number, block in enumerate(blocks, start=2):
        seconds += block.seconds
        if block.pairs is None or not (block.verdict.satisfied or block.witness is not None):
            return replace(block, evidence=evidence, seconds=seconds)
        marks.add(block.marks)
        evidence = _both(evidence, block.pairs, marks.at_least, number)
        if block.verdict.satisfied:
            continue
        found = replace(block, evidence=structs.replace(evidence, proof=UNSET), seconds=seconds)
        if block.verdict is Verdict.INCOMPARABLE:
            found = replace(found, reason=reasons.incomparable(evidence))
        elif isinstance(block.witness, PairWitness):
            found = replace(found, reason=reasons.refuted(evidence, block.witness.kind))
        if cell.certificate is None:
            return found
        clash = f"a proof says {cell.verdict}, the search {found.verdict}"
        if genuine:
            return failed(
                replace(found, certificate=cell.certificate), InternalDisagreement(f"{clash} ({found.reason})")
            )
        return replace(found, reason=f"{found.reason}; {reasons.BROKEN}{clash}")
    return replace(cell, evidence=evidence, reason=_reason(cell, evidence), seconds=seconds)


def _reason(cell: Cell, evidence: PairEvidence) -> str:
    """Why a cell without a witness is what it is."""
    proof = "" if cell.certificate is None else f"{proof_sentence(cell.certificate)}; "
    before = cell.reason.removeprefix(proof)
    remark = before.removeprefix(reasons.without_remark(before))
    return proof + hinted(reasons.held(evidence), evidence.undeclared_cutoff) + remark


def _both(one: PairEvidence, other: PairEvidence, distinct: int, blocks: int) -> PairEvidence:
    """What was tried and seen in some blocks and in one more, which have so many different instances at least."""
    counts = {
        name: getattr(one, name) + getattr(other, name)
        for name in ("sampled", "focused", "unresolved", "decided_exactly", "audited")
    }
    drawn = counts["sampled"] + counts["focused"]
    violations: Maybe[Violations] = UNSET
    if found := other.violations:
        broken = found.reversals + found.ties
        decided = max(broken, drawn - counts["unresolved"])
        violations = structs.replace(found, share=None if found.share is None else _rounded(broken / decided))
    return structs.replace(
        one,
        instances=max(one.instances, distinct + counts["focused"] - counts["unresolved"]),
        shapes=Shapes(_span(one.shapes.ranked, other.shapes.ranked), _span(one.shapes.aspects, other.shapes.aspects)),
        incomparable=_incomparable(one, other),
        violations=violations,
        blocks=blocks,
        **counts,
    )


def _incomparable(one: PairEvidence, other: PairEvidence) -> Maybe[Incomparable]:
    if not one.incomparable or not other.incomparable:
        return UNSET
    parts = [(e.incomparable, e.sampled + e.focused) for e in (one, other) if e.incomparable]
    shares = [(part.share, drawn) for part, drawn in parts if part.share is not None]
    total = sum(drawn for _, drawn in shares)
    share = _rounded(sum(share * drawn for share, drawn in shares) / total) if total else None
    return Incomparable(share, max(part.left_out for part, _ in parts))


def _span(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return min(one[0], other[0]), max(one[1], other[1])


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")
