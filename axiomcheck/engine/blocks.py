"""Split the search of a cell into blocks, which can be searched at the same time, and combine their evidence."""

from __future__ import annotations

from dataclasses import dataclass, replace

from msgspec import structs

from axiomcheck.core.documents import UNSET, Maybe
from axiomcheck.core.errors import InternalDisagreement
from axiomcheck.core.verdict import Verdict
from axiomcheck.decide.distinct import Marks, belong_to_few
from axiomcheck.decide.search import BLOCK, FURTHER, HARDLY_ANY, Settings
from axiomcheck.engine.cells import rounded
from axiomcheck.records.causes import Remark
from axiomcheck.records.cells import Cell, failed
from axiomcheck.records.certificates import Certificate, OrthantCertificate
from axiomcheck.records.evidence import Incomparable, PairEvidence, Shapes, Violations
from axiomcheck.records.witnesses import AnyWitness, PairWitness


@dataclass(frozen=True)
class Block:
    """Block of a cell's search: the number of examples and the limits of one search.

    Args:
        examples: See `axiomcheck.decide.search.Settings`.
        few: Maximum number of instances of each kind if a time limit shortens the search; else None.
        seconds: Timeout in seconds; None to use the executor's limits.

    """

    examples: int
    few: int | None = None
    seconds: float | None = None


def can_go_on(cell: Cell) -> bool:
    """Return whether more instances could add evidence: no violation is known, and untested instances are left."""
    return cell.verdict.satisfied and cell.pairs is not None and bool(cell.marks)


def later_blocks(cell: Cell, settings: Settings) -> list[Block]:
    """Return every block of a cell after the first, or an empty list if the first one suffices.

    Args:
        cell: Cell after its first block.
        settings: Settings of the run.

    """
    if settings.examples <= BLOCK or not can_go_on(cell) or belong_to_few(cell.marks):
        return []
    missing = (settings.examples - BLOCK) * (FURTHER if cell.verdict is Verdict.HELD and settings.proofs else 1)
    whole, rest = divmod(missing, BLOCK)
    return [Block(BLOCK)] * whole + [Block(rest)] * (rest > 0)


class Together:
    """Combination of a cell's blocks, which may arrive in any order.

    If a block refutes the cell or fails, all blocks with higher numbers are ignored. The result thus does not depend on
    which blocks are searched at the same time.

    Args:
        cell: Cell after its first block, for which `can_go_on` is true.
        genuine: Whether the metric comes from the catalogue. See `axiomcheck.engine.cells.with_proof`.

    """

    def __init__(self, cell: Cell, genuine: bool) -> None:
        assert cell.pairs is not None
        self._first, self._genuine = cell, genuine
        self._evidence, self._seconds = cell.pairs, cell.seconds
        self._marks = Marks()
        self._marks.add(cell.marks)
        self._early: dict[int, Cell] = {}
        self._ended: Cell | None = None
        self.next = 1

    @property
    def has_ended(self) -> bool:
        """True if a block has settled the cell."""
        return self._ended is not None

    @property
    def is_open(self) -> bool:
        """True if more blocks could add evidence: the cell is not settled, and new instances still appear."""
        return self._ended is None and not self._evidence.nearly_all_sampled

    @property
    def cell(self) -> Cell:
        """Cell combined from all blocks before the first missing one."""
        if self._ended is not None:
            return self._ended
        if self._evidence is self._first.evidence:
            return self._first
        return replace(self._first, evidence=self._evidence, seconds=self._seconds)

    def add(self, number: int, block: Cell) -> None:
        """Add a block. The block waits until all earlier blocks have arrived."""
        if self._ended is None:
            self._early[number] = block
        while self.next in self._early:
            self._book(self._early.pop(self.next))
            self.next += 1

    def add_waiting(self) -> None:
        """Add the waiting blocks at the end of a run, once the missing ones can no longer arrive."""
        for number in sorted(self._early):
            self._book(self._early.pop(number))

    def _book(self, block: Cell) -> None:
        if self._ended is not None:
            return
        self._seconds += block.seconds
        if block.pairs is None or not (block.verdict.satisfied or block.witness is not None):
            self._end(replace(block, evidence=self._evidence, seconds=self._seconds))
            return
        new = self._marks.add(block.marks)
        self._evidence = _both(self._evidence, block.pairs, self._marks.at_least)
        if new < HARDLY_ANY:
            self._evidence = structs.replace(self._evidence, nearly_all_sampled=True)
        if not block.verdict.satisfied:
            self._end(self._violated(block, self._evidence))

    def _end(self, cell: Cell) -> None:
        self._ended = cell
        self._marks = Marks()  # marks take most of the memory
        self._early.clear()

    def _violated(self, block: Cell, evidence: PairEvidence) -> Cell:
        """Return the cell with a block's witness, or an error cell if a catalogue metric's proof covers the witness."""
        found = replace(block, evidence=structs.replace(evidence, proof=UNSET), seconds=self._seconds)
        certificate = self._first.certificate
        if certificate is None or not _covers(certificate, block.witness):
            return found
        clash = f"a proof says {self._first.verdict}, but the search says {found.verdict}"
        if self._genuine:
            return failed(replace(found, certificate=certificate), InternalDisagreement(f"{clash} ({found.reason})"))
        return found.remarked(Remark("proof-contradicted", clash))


def _covers(certificate: Certificate, witness: AnyWitness | None) -> bool:
    """Return whether a certificate proves the axiom for instances as large as a witness, which it then contradicts."""
    if not isinstance(certificate, OrthantCertificate) or not isinstance(witness, PairWitness):
        return True
    scope = certificate.scope
    unretrieved = len(witness.topic.pool) - len({*witness.worse, *witness.better})
    return (
        witness.roles.ranked <= scope.ranked
        and len(witness.topic.weights) <= scope.aspects
        and (scope.unretrieved == "any" or unretrieved <= scope.unretrieved)
    )


def _both(one: PairEvidence, other: PairEvidence, distinct: int) -> PairEvidence:
    """Combine the evidence of earlier blocks with that of one more block.

    Args:
        one: Evidence of the earlier blocks.
        other: Evidence of the added block.
        distinct: Lower bound on the number of distinct instances in all these blocks together.

    """
    counts = {
        name: getattr(one, name) + getattr(other, name)
        for name in ("sampled", "focused", "unresolved", "decided_exactly", "audited")
    }
    drawn = counts["sampled"] + counts["focused"]
    violations: Maybe[Violations] = UNSET
    if found := other.violations:
        broken = found.reversals + found.ties
        decided = max(broken, drawn - counts["unresolved"])
        violations = structs.replace(found, share=None if found.share is None else rounded(broken / decided))
    return structs.replace(
        one,
        # Focused instances are not counted: mutations may equal each other or sampled instances.
        instances=max(one.instances, other.instances, distinct - counts["unresolved"]),
        shapes=Shapes(_span(one.shapes.ranked, other.shapes.ranked), _span(one.shapes.aspects, other.shapes.aspects)),
        incomparable=_incomparable(one, other),
        violations=violations,
        blocks=(one.blocks or 1) + 1,
        **counts,
    )


def _incomparable(one: PairEvidence, other: PairEvidence) -> Maybe[Incomparable]:
    if not one.incomparable or not other.incomparable:
        return UNSET
    parts = [(e.incomparable, e.sampled + e.focused) for e in (one, other) if e.incomparable]
    shares = [(part.share, drawn) for part, drawn in parts if part.share is not None]
    total = sum(drawn for _, drawn in shares)
    share = rounded(sum(share * drawn for share, drawn in shares) / total) if total else None
    return Incomparable(share, max(part.left_out for part, _ in parts))


def _span(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return min(one[0], other[0]), max(one[1], other[1])
