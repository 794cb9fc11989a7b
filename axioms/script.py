"""Scripts: descriptions of an axiom's two rankings, rank by rank and for any length.

Proofs for rankings of every length treat the two rankings as one sequence of pairs of documents. For example, a rank at
which the rankings differ follows any number of common documents. A script has two kinds of segments:

- `One` is one rank. It gives the grades of each ranking's document at this rank, or None if the ranking has ended.
- `Many` is any number of ranks at which both rankings hold the same documents.

A script refers to the aspects that an axiom names (t, and u for t'). On every other aspect, the two rankings have equal
grades at every rank. If an axiom states the same relation for all aspects (`every`), the script applies to each of
them.

Grades are written as ``"0"``, ``"1"`` or a name. A name stands for a value in [0, 1] with a relation: ``"any"``,
``"positive"``, or ``"above x"`` for a value above the value of x. A name defined in a `Many` has a new value in every
document. A name defined in the script has one value throughout. On binary instances, every value is 0 or rc.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from axiomcheck.axioms.drafts import Draft
from axiomcheck.core.typing import Integers

Row = Mapping[str, str]


@dataclass(frozen=True)
class One:
    """Script segment of one rank, at which the two rankings may hold different documents.

    Args:
        worse, better: Grades of each ranking's document, keyed by aspect; None if the ranking has ended.

    """

    worse: Row | None
    better: Row | None


@dataclass(frozen=True)
class Many:
    """Script segment of any number of ranks, at each of which both rankings hold the same document.

    Args:
        rows: Possible documents. Each is given by its grades, keyed by aspect.
        grades: Relations of the names in ``rows``, keyed by name.
        least: Smallest number of ranks, 0 or 1.

    """

    rows: tuple[Row, ...]
    grades: Mapping[str, str] = field(default_factory=dict)
    least: int = 0


@dataclass(frozen=True)
class Script:
    """Description of two rankings of any length as a sequence of segments.

    Args:
        aspects: Names of the aspects that the script refers to.
        segments: Segments in rank order.
        grades: Relations of the names that have one value throughout, keyed by name. A relation refers only to earlier
            names.
        every: True if the script applies to each aspect of the topic.
        leaves_out: True if the script omits documents with grade 0 on its aspects, and reorders the others. It is then
            valid only for metrics whose scores do not change if this is done to a ranking.

    """

    aspects: tuple[str, ...]
    segments: tuple[One | Many, ...]
    grades: Mapping[str, str] = field(default_factory=dict)
    every: bool = False
    leaves_out: bool = False


# The functions below check that rankings match a script, since a wrong script would lead to a wrong proof.

_Side = list[tuple[float, ...]]
"""Grades of one ranking's documents in rank order."""
_Values = dict[str, float]


def unscripted(script: Script, draft: Draft, rankings: tuple[Integers, Integers]) -> int | None:
    """Find the first instance that the script does not describe.

    Args:
        script: Script of an axiom. With ``leaves_out``, it may not match all instances that it covers.
        draft: Batch of B instances that meet the premises.
        rankings: Worse and better rankings of each instance, as (B, length) document rows.

    Returns:
        Index of the instance in the batch; None if the script describes all instances.

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
    return all(matcher.matches(0, 0, {}) for matcher in matchers)


def _grade(side: _Side, rank: int, aspect: int) -> float:
    return side[rank][aspect] if rank < len(side) else 0.0


class _Matcher:
    """Backtracking search for a way to match two rankings with a script, for given aspects (``places``)."""

    def __init__(self, script: Script, worse: _Side, better: _Side, places: Mapping[str, int], top: float) -> None:
        self.script = script
        self.worse, self.better = worse, better
        self.places = places
        self.top = top

    def matches(self, segment: int, rank: int, values: _Values) -> bool:
        """Return True if the rankings from ``rank`` on match the script from ``segment`` on.

        ``values`` contains the values of the names that earlier segments define.
        """
        if segment == len(self.script.segments):
            return rank >= max(len(self.worse), len(self.better))
        here = self.script.segments[segment]
        if isinstance(here, One):
            taken = self._row(self.worse, rank, here.worse, values, self.script.grades)
            taken = None if taken is None else self._row(self.better, rank, here.better, taken, self.script.grades)
            return taken is not None and self.matches(segment + 1, rank + 1, taken)
        missing = here.least
        while missing > 0 or not self.matches(segment + 1, rank, values):
            if not self._common(here, rank, values):
                return False
            rank, missing = rank + 1, missing - 1
        return True

    def _common(self, here: Many, rank: int, values: _Values) -> bool:
        """Return True if the rankings have the same grades at a rank, and the grades match a row of the segment."""
        if rank >= min(len(self.worse), len(self.better)):
            return False
        if any(self.worse[rank][t] != self.better[rank][t] for t in self.places.values()):
            return False
        relations = {**self.script.grades, **here.grades}
        return any(self._row(self.worse, rank, row, values, relations) is not None for row in here.rows)

    def _row(
        self, side: _Side, rank: int, row: Mapping[str, str] | None, values: _Values, relations: Mapping[str, str]
    ) -> _Values | None:
        """Match the document at a rank with a row. Return the values of all names so far, or None if they differ."""
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
    """Return False if the relation is ``"above x"``, and the value of ``name`` is known not to be above that of x."""
    word, _, other = relation.partition(" ")
    return word != "above" or name not in values or other not in values or values[name] > values[other]
