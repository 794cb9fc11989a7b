"""What is in a ledger: how many entries of which kind, metric and axiom, and how large they are."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from axiomcheck.core.digests import engine_digest
from axiomcheck.ledger.file import LedgerFile


@dataclass(frozen=True)
class Amount:
    """A number of entries, and the bytes of their contents."""

    entries: int = 0
    size: int = 0

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.entries + other.entries, self.size + other.size)


@dataclass(frozen=True)
class LedgerSummary:
    """The amounts of a ledger.

    Args:
        path: of the file.
        size: of the file and its log, in bytes.
        entries: all that the user sealed.
        others: of those, what other versions of axiomcheck kept.
        unsealed: how many more there are, which are not used: damaged, or of somebody else.
        by: ``"kind"``, ``"metric"``, ``"axiom"`` -> which -> the amount of the entries that are about it.

    """

    path: str
    size: int
    entries: Amount
    others: Amount
    unsealed: int
    by: Mapping[str, Mapping[str, Amount]] = field(default_factory=dict)


def summary_of(ledger: LedgerFile) -> LedgerSummary:
    """The amounts of a ledger."""
    engine, total, others = engine_digest(), Amount(), Amount()
    by: dict[str, dict[str, Amount]] = {name: defaultdict(Amount) for name in ("kind", "metric", "axiom")}
    for entry in ledger.entries():
        amount = Amount(1, len(entry.content))
        total += amount
        if entry.engine != engine:
            others += amount
        for name, amounts in by.items():
            if (what := entry.about.get(name)) is not None:
                amounts[what] += amount
    ordered = {name: dict(sorted(amounts.items())) for name, amounts in by.items()}
    files = (ledger.path, ledger.path.with_name(f"{ledger.path.name}-wal"))
    size = sum(os.path.getsize(file) for file in files if file.exists())
    return LedgerSummary(str(ledger.path), size, total, others, ledger.rows() - total.entries, ordered)
