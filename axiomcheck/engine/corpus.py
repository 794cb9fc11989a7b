"""A corpus: instances that some metric violates an axiom on, or nearly does, to be tried first on other metrics.

Only campaigns read and write it: what comes of an ordinary run depends on its settings alone. What is kept are plain
values, which are read back through the premises, so that nothing but instances is ever tried.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Protocol, TypeAlias

from axiomcheck.axioms import Axiom, PairAxiom
from axiomcheck.core.documents import document_of, read
from axiomcheck.core.domain import Domain, Reading, assumes_small
from axiomcheck.core.errors import InvalidInput
from axiomcheck.decide.patterns import patterns
from axiomcheck.engine.tasks import Task
from axiomcheck.records.cells import Cell
from axiomcheck.records.drafts import DraftRecord

_MOST = {"violating": 200, "near": 100}
"""Of an axiom, by what made an instance interesting; the newest are kept."""

_Kind: TypeAlias = tuple[str, bool]
"""An axiom, and whether r << 1 is assumed."""


class CorpusFile(Protocol):
    """A place for documents, such as a `axiomcheck.ledger.LedgerFile`."""

    def get(self, key: str) -> Any:
        """What is kept under a key; None where nothing is."""

    def put(self, key: str, content: Any, *, about: Mapping[str, str]) -> None:
        """Keeps it."""


class Corpus:
    """Instances by axiom, those of earlier campaigns among them.

    Args:
        kept: where they are from one campaign to another; None where they are not.

    """

    def __init__(self, kept: CorpusFile | None = None) -> None:
        self._kept = kept
        self._new: dict[_Kind, dict[str, list[DraftRecord]]] = defaultdict(lambda: {name: [] for name in _MOST})

    def instances(self, axiom: Axiom, reading: Reading) -> tuple[DraftRecord, ...]:
        """All that there is for an axiom: what was found, and what goes wrong with metrics most often."""
        if not isinstance(axiom, PairAxiom):
            return ()
        kind = (axiom.name, assumes_small(axiom, reading))
        found = self._all(kind)
        return tuple(dict.fromkeys([*found["violating"], *found["near"], *_patterns(axiom, kind[1])]))

    def gather(self, task: Task, cell: Cell) -> None:
        """Takes the instances that a cell brings."""
        if cell.near:
            kind = (task.axiom.name, assumes_small(task.axiom, task.reading))
            new = self._new[kind]["near" if cell.verdict.satisfied else "violating"]
            new[:0] = cell.near

    def save(self) -> None:
        """Keeps what is new, for other campaigns."""
        if self._kept is None:
            return
        for kind in list(self._new):
            content = {name: [document_of(one) for one in found] for name, found in self._all(kind).items()}
            axiom, small = kind
            about = {"kind": "corpus", "axiom": axiom, "small grades": "yes" if small else "no"}
            self._kept.put(_key(kind), content, about=about)
            del self._new[kind]

    def _all(self, kind: _Kind) -> dict[str, list[DraftRecord]]:
        """What was found, the newest first."""
        content = None if self._kept is None else self._kept.get(_key(kind))
        new = self._new.get(kind, {})
        return {
            name: list(dict.fromkeys([*new.get(name, ()), *_read(content, name)]))[:most]
            for name, most in _MOST.items()
        }


@cache
def _patterns(axiom: PairAxiom, small: bool) -> tuple[DraftRecord, ...]:
    """Of both domains: metrics that know no other grades than 0 and rc have only the binary ones."""
    return tuple(one for domain in Domain for one in patterns(axiom, domain, small))


def _read(content: Any, name: str) -> Iterator[DraftRecord]:
    """The instances of a document, as far as it has any."""
    found = content.get(name) if isinstance(content, dict) else None
    yield from _records(found if isinstance(found, list) else [])


def _records(documents: Iterable[Any]) -> Iterator[DraftRecord]:
    for document in documents:
        try:
            yield read(DraftRecord, document, "an instance")
        except InvalidInput:
            continue  # another version of axiomcheck had other fields


def _key(kind: _Kind) -> str:
    """Not of what an outcome depends on: an instance is one whatever it was found by."""
    axiom, small = kind
    return f"corpus of {axiom}" + (" where r << 1" if small else "")
