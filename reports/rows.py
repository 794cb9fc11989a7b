"""The rows of a matrix for people: short names, families, and the axioms that say nothing of a family."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from axiomcheck.core.verdict import Verdict
from axiomcheck.reports.layout import Layout
from axiomcheck.sources.names import FAMILIES, Home, catalogue_metric, family_of, read_name


@dataclass(frozen=True)
class FamilyRows:
    """TableRows below one heading.

    Args:
        heading: a family's name; empty where the table has no headings.
        metrics: canonical names.
        groups: the groups of axioms that are shown of it.

    """

    heading: str
    metrics: list[str]
    groups: list[str]


@dataclass(frozen=True)
class TableRows:
    """What stands in the rows of a ledger's table, and what is left out of them.

    Args:
        layout: of the ledger.

    """

    layout: Layout

    @cached_property
    def blocks(self) -> list[FamilyRows]:
        """The rows by family, where families have two or more on average; else one block in the ledger's order.

        A group of axioms of which none is applicable to any metric of a block is left out of it, unless nothing at all
        would be left of the table.
        """
        families: dict[str, list[str]] = {}
        for metric in self.layout.metrics:
            families.setdefault(family_of(metric), []).append(metric)
        if len(families) > 1 and len(self.layout.metrics) >= 2 * len(families):
            parts = [(family, families[family]) for family in FAMILIES if family in families]
        else:
            parts = [("", list(self.layout.metrics))]
        found = [FamilyRows(heading, metrics, self._speaking(metrics)) for heading, metrics in parts]
        if any(block.groups for block in found):
            return found
        return [FamilyRows(block.heading, block.metrics, list(self.layout.groups)) for block in found]

    def _speaking(self, metrics: list[str]) -> list[str]:
        groups = self.layout.groups.items()
        return [heading for heading, axioms in groups if not self._none_applies(metrics, axioms)]

    def _none_applies(self, metrics: list[str], axioms: list[str]) -> bool:
        cells = [self.layout.cell(metric, axiom) for metric in metrics for axiom in axioms]
        return all(cell is not None and cell.verdict is Verdict.NOT_APPLICABLE for cell in cells)

    @cached_property
    def groups(self) -> dict[str, list[str]]:
        """Heading -> axioms, of the groups that some block has."""
        kept = {heading for block in self.blocks for heading in block.groups}
        return {heading: axioms for heading, axioms in self.layout.groups.items() if heading in kept}

    @property
    def verdicts(self) -> set[Verdict]:
        """Those that stand in the table."""
        return {
            cell.verdict
            for block in self.blocks
            for metric in block.metrics
            for heading in block.groups
            for axiom in self.layout.groups[heading]
            if (cell := self.layout.cell(metric, axiom)) is not None
        }

    @cached_property
    def left_out(self) -> list[str]:
        """Sentences on the cells that the table leaves out, all of them not applicable."""
        blocks: dict[tuple[tuple[str, ...], str], list[FamilyRows]] = {}
        for block in self.blocks:
            axioms = tuple(
                axiom for heading, names in self.layout.groups.items() if heading not in block.groups for axiom in names
            )
            if axioms:
                blocks.setdefault((axioms, self._why(block.metrics, axioms)), []).append(block)
        told = []
        for (axioms, why), alike in blocks.items():
            which = ", ".join(block.heading for block in alike if block.heading)
            told.append(f"not applicable{f' to {which}' if which else ''}: {', '.join(axioms)}{why}")
        return told

    def _why(self, metrics: Iterable[str], axioms: Iterable[str]) -> str:
        """The reason that such cells have, where it is one; else empty."""
        cells = [cell for m in metrics for a in axioms if (cell := self.layout.cell(m, a)) is not None]
        reasons = {cell.reason for cell in cells}
        if len(reasons) != 1 or not (reason := reasons.pop()).startswith("it "):
            return ""
        return f"; each metric {reason.removeprefix('it ')}"

    @cached_property
    def names(self) -> dict[str, str]:
        """Canonical name -> a short one, of which no two are alike.

        Metrics of the catalogue lose the parameters that have their default, unless rows of one metric differ in them:
        the short name parses to the same metric. Metrics in files lose the folder.
        """
        known = {name: catalogue_metric(name) for name in self.layout.metrics}
        differing: dict[str, set[str]] = {}
        for one in filter(None, known.values()):
            for other in filter(None, known.values()):
                if one.name == other.name:
                    unlike = {key for key, value in one.values.items() if other.values[key] != value}
                    differing.setdefault(one.name, set()).update(unlike)
        short = {
            name: metric.spelt(differing[metric.name]) if metric is not None else _without_folder(name)
            for name, metric in known.items()
        }
        taken = list(short.values())
        return {name: brief if taken.count(brief) == 1 else name for name, brief in short.items()}

    @property
    def in_full(self) -> list[str]:
        """The canonical names that the short ones are short for."""
        return [name for name, short in self.names.items() if short != name]


def _without_folder(name: str) -> str:
    named = read_name(name)
    return f"{PurePath(named.prefix).name}:{named.name}" if named.home is Home.FILE else name
