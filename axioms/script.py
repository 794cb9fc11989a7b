"""An axiom as a script of two runs: what the two rankings look like at any length, rank by rank.

For arguments about rankings of every length a pair of rankings is read as one sequence of paired documents. Any number
of common documents comes first, then a rank at which the two differ, and so on:

- `One` is one rank; each side says which grades its document has there, or None where that ranking has ended;
- `Many` is any number of ranks at which both rankings hold the same documents.

A script speaks of the aspects that an axiom names (t, and u for t'). On every other aspect the two rankings agree
rank by rank. Where an axiom says something of every aspect alike (`every`), the script is that of each of them.

Grades are written as ``"0"``, ``"1"`` or a name. A name stands for a value in [0, 1] with a relation: ``"any"``,
``"positive"``, or ``"above x"`` for a value above that of x. Names of a `Many` are new in every document; names of the
script keep their value throughout. On binary instances a value is 0 or rc.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Row = Mapping[str, str]


@dataclass(frozen=True)
class One:
    """One rank.

    Args:
        worse, better: aspect -> grade of each ranking's document; None where that ranking has ended.

    """

    worse: Row | None
    better: Row | None


@dataclass(frozen=True)
class Many:
    """Any number of ranks with the same document in both rankings.

    Args:
        rows: the documents there may be, aspect -> grade.
        grades: the names in them, with their relations.
        least: how many ranks there are at least, 0 or 1.

    """

    rows: tuple[Row, ...]
    grades: Mapping[str, str] = field(default_factory=dict)
    least: int = 0


@dataclass(frozen=True)
class Script:
    """Two rankings of any length.

    Args:
        aspects: the aspects that the script speaks of.
        segments: in rank order.
        grades: the names that keep their value throughout, with their relations; a relation names earlier ones only.
        every: whether each aspect of the topic goes through the script.
        leaves_out: whether documents without a grade on the script's aspects were left out and the others reordered,
            which takes a metric that such documents leave alone.

    """

    aspects: tuple[str, ...]
    segments: tuple[One | Many, ...]
    grades: Mapping[str, str] = field(default_factory=dict)
    every: bool = False
    leaves_out: bool = False
