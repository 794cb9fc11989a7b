"""Lay out a matrix for all output formats: rows, column groups, footnote marks, caption, legend and counts.

Rows have short metric names and are grouped by family.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import Any

from axiomcheck.axioms import AXIOMS, find_axiom
from axiomcheck.core.documents import document_of
from axiomcheck.core.printable import counted
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.records.sentences import cutoff_hint
from axiomcheck.reports.symbols import (
    BINARY_MARK,
    BINARY_WORDS,
    FINDING_MARK,
    FINDING_WORDS,
    SYMBOLS,
    WORDS,
)
from axiomcheck.sources.names import FAMILIES, OWN, Home, catalogue_metric, family_of, read_name

_GROUPS = {"relevance": "Relevance-oriented", "diversity": "Diversity-oriented"}
_REGIMES = {
    "stated": "r << 1 for the axioms that state it",
    "limit": "r << 1 for every axiom except Sat",
    "finite": "r << 1 for none",
}


@dataclass(frozen=True)
class Layout:
    """Rows, columns, footnote marks and legend of a ledger's table, which every output format draws.

    Args:
        ledger: Cells of the table.

    """

    ledger: Ledger

    @cached_property
    def metrics(self) -> dict[str, str | None]:
        """Map each metric's canonical name, in the ledger's order, to its row in the published table, or None."""
        return {cell.metric: cell.row for cell in self.ledger.cells}

    @cached_property
    def groups(self) -> dict[str, list[str]]:
        """Map group headings to the ledger's axioms: the paper's in the paper's order, then those of plugins."""
        present = self.ledger.axioms
        ordered = [name for name in AXIOMS if name in present] + [name for name in present if name not in AXIOMS]
        groups = {
            heading: [name for name in ordered if find_axiom(name).group == group] for group, heading in _GROUPS.items()
        }
        return {heading: names for heading, names in groups.items() if names}

    @property
    def axioms(self) -> list[str]:
        """Axioms of the ledger in column order."""
        return [name for names in self.groups.values() for name in names]

    @cached_property
    def _cells(self) -> Mapping[tuple[str, str], Cell]:
        return {(cell.metric, cell.axiom): cell for cell in self.ledger.cells}

    def cell(self, metric: str, axiom: str) -> Cell | None:
        """Return the cell of a row and column; None if the ledger has no such cell."""
        return self._cells.get((metric, axiom))

    def families(self, axioms: Sequence[str]) -> dict[str, list[str]]:
        """Return the metrics that have a cell for at least one of the axioms, grouped by family."""
        found: dict[str, list[str]] = {name: [] for name in FAMILIES}
        for metric in self.metrics:
            if any(self.cell(metric, axiom) for axiom in axioms):
                found[family_of(metric)].append(metric)
        return {name: metrics for name, metrics in found.items() if metrics}

    def marks(self, cell: Cell) -> str:
        """Return a cell's footnote marks: one for a finding, and one if only binary instances were decided."""
        binary = decided_on_binary(self.ledger, cell)
        return FINDING_MARK * cell.finding + BINARY_MARK * binary

    def legend(self) -> list[tuple[Verdict | None, str, str]]:
        """Return (verdict, symbol, words) for each verdict, then (None, mark, words) for each mark in the table."""
        lines: list[tuple[Verdict | None, str, str]] = []
        for verdict, symbol in SYMBOLS.items():
            cells = [cell for cell in self.ledger.cells if cell.verdict is verdict]
            if cells:
                lines.append((verdict, symbol, WORDS[verdict] + (_sizes(cells) if verdict is Verdict.HELD else "")))
        if self.ledger.findings:
            lines.append((None, FINDING_MARK, FINDING_WORDS))
        if any(decided_on_binary(self.ledger, cell) for cell in self.ledger.cells):
            lines.append((None, BINARY_MARK, BINARY_WORDS))
        return lines

    @cached_property
    def blocks(self) -> dict[str, list[str]]:
        """Map row headings to metrics.

        The headings are families if there are several, with two or more metrics on average; otherwise, all metrics are
        under one empty heading.
        """
        families = self.families(self.ledger.axioms)
        if len(families) > 1 and len(self.metrics) >= 2 * len(families):
            return families
        return {"": list(self.metrics)}

    @cached_property
    def names(self) -> dict[str, str]:
        """Map each metric's canonical name to a unique short name.

        Names of catalogue metrics omit parameters with default values, unless rows of the same metric differ in them.
        Such a short name parses to the same metric. Names of metrics in files omit the folder.
        """
        known = {name: catalogue_metric(name) for name in self.metrics}
        differing: dict[str, set[str]] = {}
        for one in filter(None, known.values()):
            for other in filter(None, known.values()):
                if one.name == other.name:
                    unlike = {key for key, value in one.values.items() if other.values[key] != value}
                    differing.setdefault(one.name, set()).update(unlike)
        short = {
            name: metric.spelt(differing[metric.name]) if metric is not None else name for name, metric in known.items()
        }
        for name in short:
            if (named := read_name(name)).home is Home.FILE:
                short[name] = f"{PurePath(named.prefix).name}:{named.name}"
        taken = list(short.values())
        return {name: brief if taken.count(brief) == 1 else name for name, brief in short.items()}

    @property
    def in_full(self) -> list[str]:
        """Canonical names of the metrics that have a shorter name in the table."""
        return [name for name, short in self.names.items() if short != name]


def _sizes(cells: list[Cell]) -> str:
    numbers = sorted({cell.evidence.instances for cell in cells if cell.evidence is not None})
    if not numbers:
        return ""
    span = f"{numbers[0]:,}" + (f" to {numbers[-1]:,}" if len(numbers) > 1 else "")
    return f" (here N = {'; '.join(filter(None, (span, sensitivity(cells))))})"


def sensitivity(cells: Iterable[Cell]) -> str:
    """Return a phrase on the rarest violations that even the smallest search finds with a probability of 99 %.

    The phrase is empty if no instances were drawn at random.
    """
    least = min((cell.pairs.one_in for cell in cells if cell.pairs is not None), default=0)
    return f"a violation in 1 of {least:,} random instances is found with 99 % probability" if least else ""


def decided_on_binary(ledger: Ledger, cell: Cell) -> bool:
    """Return True if a cell was decided on binary instances although graded ones were requested.

    Only the metric can be the cause: axioms that are binary by definition, and runs on the binary domain, have no
    graded instances that could be missing.
    """
    asked = ledger.domain == "graded" and not find_axiom(cell.axiom).binary
    return asked and cell.pairs is not None and cell.pairs.binary


def caption(ledger: Ledger) -> str:
    """Return the caption of the table: the regime, the domain of grades and the search settings."""
    regime = _REGIMES.get(ledger.regime)
    reading = f"Reading: {ledger.regime}" + (f" ({regime})" if regime else "") + f", {ledger.domain}"
    return "; ".join([reading, *(_setting(key, value) for key, value in document_of(ledger.settings).items())])


def _setting(key: str, value: Any) -> str:
    if key == "examples":
        return f"{counted(value, 'example')} per cell"
    if key == "exhaustive":
        return "small shapes enumerated first" if value else "nothing enumerated"
    if key == "proofs":
        return "proofs tried" if value else "no proofs tried"
    if key == "budget":
        return f"at most {value:g} s, so the number of instances depends on the machine"
    if key == "until":
        return (
            f"further searches of the cells with the fewest instances, until {value:g} s had passed, so the number "
            "of instances depends on the machine"
        )
    return f"{key} {value}"


def counts(ledger: Ledger) -> str:
    """Return a line that counts the cells by verdict."""
    tally = Counter(cell.verdict for cell in ledger.cells)
    return f"{counted(len(ledger.cells), 'cell')}: " + ", ".join(
        f"{tally[verdict]} {verdict.value.replace('-', ' ')}" for verdict in SYMBOLS if tally[verdict]
    )


def reasons_told_once(ledger: Ledger) -> list[tuple[Verdict, str]]:
    """Return (verdict, sentence) for the cells without an answer. Axioms of a metric with the same reason share one."""
    told: dict[tuple[str, Verdict, str], list[str]] = {}
    for cell in ledger.cells:
        if not cell.verdict.decided:
            told.setdefault((cell.metric, cell.verdict, cell.reason), []).append(cell.axiom)
    return [(verdict, f"{metric}, {', '.join(axioms)}: {reason}") for (metric, verdict, reason), axioms in told.items()]


def hints(ledger: Ledger) -> list[str]:
    """Return hints: metrics that should declare a cutoff, and reasons why functions run only in floats."""
    told: dict[tuple[str, str], list[str]] = {}
    for cell in ledger.cells:
        hint = cutoff_hint(cell.undeclared_cutoff)
        if hint:
            told.setdefault((cell.metric, hint), []).append(cell.axiom)
        floats = cell.pairs.numerical if cell.pairs else None
        if floats and family_of(cell.metric) == OWN:  # no measure of a library runs in exact arithmetic
            told.setdefault((cell.metric, f"in floats only: {floats}"), []).append(cell.axiom)
    return [f"{metric}, {' '.join(axioms)}: {hint}." for (metric, hint), axioms in told.items()]
