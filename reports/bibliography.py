"""Look up the papers that metrics and axioms cite in ``source``; their bibliography is `references.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from axiomcheck.axioms import find_axiom
from axiomcheck.metrics import CATALOGUE
from axiomcheck.metrics.spelling import spelled
from axiomcheck.sources.names import Home, read_name

AXIOMS_PAPER = "amigo2018"
"""Key of the paper that defines the ten axioms and the published table."""


@dataclass(frozen=True)
class Reference:
    r"""A paper or book.

    Args:
        key: Argument of ``\cite``.
        named: Texts by which a ``source`` may cite the paper, such as its authors and year.
        kind: Type of the BibTeX entry.
        fields: Fields of the BibTeX entry as plain text.

    """

    key: str
    named: tuple[str, ...]
    kind: str
    fields: dict[str, str]


@cache
def references() -> dict[str, Reference]:
    """Load all papers in `references.toml`, keyed by citation key."""
    entries = tomllib.loads(Path(__file__).with_name("references.toml").read_text(encoding="utf-8"))
    return {key: Reference(key, tuple(entry.pop("named")), entry.pop("kind"), entry) for key, entry in entries.items()}


def references_in(source: str) -> list[Reference]:
    """Return the papers that a ``source`` text cites, in order of appearance."""
    places = {
        reference.key: min(source.find(name) for name in reference.named if name in source)
        for reference in references().values()
        if any(name in source for name in reference.named)
    }
    return [references()[key] for key in sorted(places, key=places.__getitem__)]


def references_of_metric(name: str) -> list[Reference]:
    """Return the papers that define a catalogue metric, given its canonical name; none for other metrics."""
    said = spelled(name) if read_name(name).home is Home.CATALOGUE else None
    metric = CATALOGUE.get(said.name) or CATALOGUE.get(f"{said.name}@{said.after}") if said else None
    return references_in(metric.source) if metric else []


def references_of_axiom(name: str) -> list[Reference]:
    """Return the papers that the ``source`` of an axiom cites."""
    return references_in(find_axiom(name).source)
