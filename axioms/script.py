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

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from axiomcheck.axioms.drafts import Draft
from axiomcheck.core.typing import Integers

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


# Pairs of rankings are checked against a script: a wrong script would make a wrong proof.

_Side = list[tuple[float, ...]]
"""The grades of one ranking's documents in rank order."""
_Values = dict[str, float]


def unscripted(script: Script, draft: Draft, rankings: tuple[Integers, Integers]) -> int | None:
    """The first instance that the script does not describe.

    Args:
        script: of an axiom; one that leaves documents out describes no instance as it stands.
        draft: B instances that meet the premises.
        rankings: worse and better, (B, length) documents each.

    Returns:
        Its place in the batch; None if the script describes them all.

    """
    for k in range(draft.size):
        sides = [[tuple(map(float, draft.grades[k, d])) for d in ranked[k]] for ranked in rankings]
        if not _describes(script, sides[0], sides[1], draft, k):
            return k
    return None


def _describes(script: Script, worse: _Side, better: _Side, draft: Draft, k: int) -> bool:
    aspects = draft.shape.aspects
    if script.every:
        named = [dict.fromkeys(script.aspects, aspect) for aspect in range(aspects)]
    else:
        named = [{name: int(getattr(draft, name)[k]) for name in script.aspects}]
        apart = set(range(aspects)) - set(named[0].values())
        longest = max(len(worse), len(better))
        if any(_grade(worse, rank, t) != _grade(better, rank, t) for rank in range(longest) for t in apart):
            return False
    matchers = [_Matcher(script, worse, better, places, float(draft.top[k])) for places in named]
    return all(any(matcher.ways(0, 0, {})) for matcher in matchers)


def _grade(side: _Side, rank: int, aspect: int) -> float:
    return side[rank][aspect] if rank < len(side) else 0.0


class _Matcher:
    """Reads two rankings along a script, for the aspects that its names stand for."""

    def __init__(self, script: Script, worse: _Side, better: _Side, places: Mapping[str, int], top: float) -> None:
        self.script = script
        self.worse, self.better = worse, better
        self.places = places
        self.top = top

    def ways(self, segment: int, rank: int, values: _Values) -> Iterator[bool]:
        """True for every way to read on from a segment and a rank, given the values of names."""
        if segment == len(self.script.segments):
            if rank >= max(len(self.worse), len(self.better)):
                yield True
            return
        here = self.script.segments[segment]
        if isinstance(here, One):
            taken = self._row(self.worse, rank, here.worse, values, self.script.grades)
            taken = None if taken is None else self._row(self.better, rank, here.better, taken, self.script.grades)
            if taken is not None:
                yield from self.ways(segment + 1, rank + 1, taken)
            return
        yield from self._many(here, segment, rank, values)

    def _many(self, here: Many, segment: int, rank: int, values: _Values) -> Iterator[bool]:
        relations = {**self.script.grades, **here.grades}
        count = 0
        while True:
            if count >= here.least:
                yield from self.ways(segment + 1, rank + count, values)
            at = rank + count
            if at >= min(len(self.worse), len(self.better)) or not self._common(here, at, values, relations):
                return
            count += 1

    def _common(self, here: Many, rank: int, values: _Values, relations: Mapping[str, str]) -> bool:
        """Tell whether both rankings have one of the segment's documents at a rank, with the same grades."""
        if any(_grade(self.worse, rank, t) != _grade(self.better, rank, t) for t in self.places.values()):
            return False
        return any(self._row(self.worse, rank, row, values, relations) is not None for row in here.rows)

    def _row(
        self, side: _Side, rank: int, row: Mapping[str, str] | None, values: _Values, relations: Mapping[str, str]
    ) -> _Values | None:
        """The values of names once a ranking's document is read; None if it is not as the script says."""
        if row is None or rank >= len(side):
            return values if row is None and rank >= len(side) else None
        read = dict(values)
        for aspect, name in row.items():
            grade = side[rank][self.places[aspect]]
            known = {"0": 0.0, "1": self.top, **read}.get(name)
            if known is not None:
                if grade != known:
                    return None
                continue
            if relations[name] == "positive" and not grade > 0:
                return None
            read[name] = grade
            if not all(_in_order(one, relation, read) for one, relation in relations.items()):
                return None
        return read


def _in_order(name: str, relation: str, values: Mapping[str, float]) -> bool:
    """Tell whether a name that is said to be above another is, where both are known; either may be read first."""
    word, _, other = relation.partition(" ")
    return word != "above" or name not in values or other not in values or values[name] > values[other]
