"""The assumptions that are offered, weaker ones first, and which of them imply which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.axioms.drafts import last_axis_all
from axiomcheck.axioms.relations import Relations
from axiomcheck.axioms.script import Many, Script
from axiomcheck.core.typing import Mask
from axiomcheck.studies.weakest.parts import (
    Assumption,
    Occasion,
    Place,
    forget,
    has_grades,
    named_aspects,
    places,
    ranks_of,
    single,
    zeroed,
)


class BelowOne(Assumption):
    """No certain document: what cascades stop at."""

    name = "below-one"
    words = "every grade is below 1"

    def fits(self, occasion: Occasion) -> bool:
        """Where r << 1 is not assumed, and no grade of 1 asked for."""
        return not occasion.small and occasion.axiom.can_be_small

    def met(self, axiom: PairAxiom, d: Draft) -> Mask:
        """No grade of 1."""
        return last_axis_all(d.grades < 1)

    def repair(self, axiom: PairAxiom, d: Draft) -> None:
        """Every grade times 3/4, which keeps them in their order."""
        d.grades[:] = d.grades * 3 / 4
        if d.binary:
            d.top[:] = d.top * 3 / 4


class Limit(Assumption):
    """Grades are eps times a pattern, eps -> 0; no pattern is left out."""

    name = "limit"
    words = "r << 1: grades are eps times a pattern, for every small enough eps"

    def fits(self, occasion: Occasion) -> bool:
        """Where it is neither assumed already nor contradicted."""
        return not occasion.small and occasion.axiom.can_be_small

    def met(self, axiom: PairAxiom, d: Draft) -> Mask:
        """Every pattern."""
        return np.ones(d.size, dtype=bool)


class Binary(Assumption):
    """One positive grade."""

    name = "binary"
    words = "every grade is 0 or one rc"
    flags: ClassVar[Mapping[str, Any]] = {"binary": True}

    def fits(self, occasion: Occasion) -> bool:
        """Where grades may differ."""
        return not occasion.binary

    def met(self, axiom: PairAxiom, d: Draft) -> Mask:
        """Each grade is 0 or the largest of the draft."""
        peak = d.grades.reshape(d.size, -1).max(axis=1)
        return last_axis_all((d.grades == 0) | (d.grades == peak[:, None, None]))


class AtPlace(Assumption):
    """Speaks of the common documents at a place.

    Args:
        name, words: as `Assumption`.
        place: which.

    """

    def __init__(self, name: str, words: str, place: Place) -> None:
        self.name, self.words, self.place = name, words, place


class NothingRelevant(AtPlace):
    """The common documents at a place are not relevant to the aspects that the axiom names."""

    def fits(self, occasion: Occasion) -> bool:
        """Where the axiom has common documents at the place that may be relevant."""
        return self.place in places(occasion.axiom) and has_grades(occasion.axiom, self.place)

    def _where(self, axiom: PairAxiom, d: Draft) -> Mask:
        return ranks_of(axiom, self.place, d)[:, :, None] & named_aspects(axiom, d)[:, None, :]

    def met(self, axiom: PairAxiom, d: Draft) -> Mask:
        """No grade there."""
        return last_axis_all((d.ranked == 0) | ~self._where(axiom, d))

    def repair(self, axiom: PairAxiom, d: Draft) -> None:
        """Every grade there becomes 0."""
        d.grades[:, : d.n] = np.where(self._where(axiom, d), 0 * d.ranked, d.ranked)

    def script(self, axiom: PairAxiom, script: Script) -> Script:
        """Documents without grades there."""
        return zeroed(script, self.place)

    def relate(self, axiom: PairAxiom, g: Relations, shape: Shape, i: int, j: int, t: int, u: int) -> None:
        """Every grade there is 0."""
        if g.possible:
            for row, aspect in np.argwhere(self._where(axiom, single(shape, i, j, t, u))[0]):
                g.zero((int(row), int(aspect)))


class NoDocument(AtPlace):
    """There is no document at a place."""

    def fits(self, occasion: Occasion) -> bool:
        """Where the axiom has common documents at the place."""
        return self.place in places(occasion.axiom)

    def met(self, axiom: PairAxiom, d: Draft) -> Mask:
        """No rank there."""
        found: Mask = np.any(ranks_of(axiom, self.place, d), axis=1)
        return ~found

    def repair(self, axiom: PairAxiom, d: Draft) -> None:
        """Moves the positions."""
        if self.place == "before":
            d.i[:] = 0
        elif self.place == "between":
            d.j[:] = np.minimum(d.j - ranks_of(axiom, self.place, d).sum(axis=1), d.n - 1)
        else:
            down = np.maximum(d.n - axiom.last_rank(d), 0)
            d.i[:], d.j[:] = (np.minimum(position + down, d.n - 1) for position in (d.i, d.j))

    def script(self, axiom: PairAxiom, script: Script) -> Script:
        """The segment is dropped."""
        return forget(script, self.place)

    def relate(self, axiom: PairAxiom, g: Relations, shape: Shape, i: int, j: int, t: int, u: int) -> None:
        """A condition on the positions."""
        if g.possible:
            g.require(bool(self.met(axiom, single(shape, i, j, t, u))[0]))


class AllRetrieved(Assumption):
    """The pool is what the axiom's documents are."""

    name = "all-retrieved"
    words = "no judged document is in neither ranking"

    def fits(self, occasion: Occasion) -> bool:
        """Always."""
        return True

    def met(self, axiom: PairAxiom, d: Draft) -> Mask:
        """No document but the ranked and the incoming ones."""
        return np.full(d.size, d.shape.documents == d.n + len(axiom.incoming))

    def relate(self, axiom: PairAxiom, g: Relations, shape: Shape, i: int, j: int, t: int, u: int) -> None:
        """A condition on the shape."""
        g.require(shape.documents == shape.ranked + len(axiom.incoming))


class EqualWeights(Assumption):
    """Balanced aspects."""

    name = "equal-weights"
    words = "all aspects have the same weight"
    flags: ClassVar[Mapping[str, Any]] = {"balanced": True}

    def fits(self, occasion: Occasion) -> bool:
        """Where weights may differ, and the metric knows them."""
        axiom = occasion.axiom
        return occasion.weights and not axiom.balanced and not axiom.weighted and axiom.max_aspects != 1

    def met(self, axiom: PairAxiom, d: Draft) -> Mask:
        """One weight."""
        same: Mask = (d.weights == d.weights[:, :1]).all(axis=1)
        return same


class Unseen(Assumption):
    """Nothing on t' so far."""

    name = "unseen"
    words = "no document of d is relevant to t'"

    def fits(self, occasion: Occasion) -> bool:
        """Where the two aspects are compared after d."""
        return occasion.axiom.name in ("Red", "MRed")

    def met(self, axiom: PairAxiom, d: Draft) -> Mask:
        """No ranked document on t'."""
        nothing: Mask = (d.on(d.u)[:, : d.n] == 0).all(axis=1)
        return nothing

    def repair(self, axiom: PairAxiom, d: Draft) -> None:
        """Grades for t' become 0."""
        on_u = (np.arange(d.shape.aspects)[None, :] == d.u[:, None])[:, None, :]
        d.grades[:, : d.n] = np.where(on_u, 0 * d.ranked, d.ranked)

    def script(self, axiom: PairAxiom, script: Script) -> Script:
        """Red without pairs of documents on both aspects; MRed with no grades for t'."""
        return forget(script, "before") if axiom.name == "Red" else _one_grade_each(script)

    def relate(self, axiom: PairAxiom, g: Relations, shape: Shape, i: int, j: int, t: int, u: int) -> None:
        """Grades for t' are 0."""
        for row in range(shape.ranked):
            g.zero((row, u))


def _one_grade_each(script: Script) -> Script:
    """Common documents above on t than on t', with nothing on t'."""
    segments = tuple(
        Many(({"t": "y", "u": "0"},), {"y": "positive"}, s.least) if isinstance(s, Many) else s for s in script.segments
    )
    return replace(script, segments=segments)


class NoOverlap(Assumption):
    """One aspect per document."""

    name = "no-overlap"
    words = "no document is relevant to two aspects"
    flags: ClassVar[Mapping[str, Any]] = {"overlap": False}

    def fits(self, occasion: Occasion) -> bool:
        """Where there are several aspects, and documents may be on several; d' of AspDiv has to be on all of them."""
        axiom = occasion.axiom
        return axiom.overlap and axiom.max_aspects != 1 and axiom.name != "AspDiv"

    def met(self, axiom: PairAxiom, d: Draft) -> Mask:
        """At most one grade per document."""
        return last_axis_all((d.grades > 0).sum(axis=2) <= 1)

    def script(self, axiom: PairAxiom, script: Script) -> Script:
        """MRed's documents have nothing on t'."""
        return _one_grade_each(script) if axiom.name == "MRed" else script


class TwoAspects(Assumption):
    """Two aspects, none besides those that are compared."""

    name = "two-aspects"
    words = "there are two aspects (m = 2)"
    flags: ClassVar[Mapping[str, Any]] = {"min_aspects": 2, "max_aspects": 2}

    def fits(self, occasion: Occasion) -> bool:
        """Where there may be more."""
        most = occasion.axiom.max_aspects
        return most is None or most > 2

    def met(self, axiom: PairAxiom, d: Draft) -> Mask:
        """m = 2."""
        return np.full(d.size, d.shape.aspects == 2)


class OneAspect(Assumption):
    """One aspect."""

    name = "one-aspect"
    words = "there is one aspect (m = 1)"
    flags: ClassVar[Mapping[str, Any]] = {"max_aspects": 1}

    def fits(self, occasion: Occasion) -> bool:
        """Where there may be one, and more."""
        return occasion.axiom.min_aspects == 1 and occasion.axiom.max_aspects != 1

    def met(self, axiom: PairAxiom, d: Draft) -> Mask:
        """m = 1."""
        return np.full(d.size, d.shape.aspects == 1)


class SameGrades(Assumption):
    """As much to find on t as on t'."""

    name = "same-grades"
    words = "the pool has the same grades for t as for t', in whatever order"

    def fits(self, occasion: Occasion) -> bool:
        """Where the axiom compares two aspects."""
        return "u" in occasion.axiom.choices

    def met(self, axiom: PairAxiom, d: Draft) -> Mask:
        """The two columns of grades, sorted, are one."""
        same: Mask = (np.sort(d.on(d.t), axis=1) == np.sort(d.on(d.u), axis=1)).all(axis=1)
        return same

    def repair(self, axiom: PairAxiom, d: Draft) -> None:
        """Documents in neither ranking, and half of those after the last position, get the grades that are missing."""
        free = np.ones((d.size, d.shape.documents), dtype=bool)
        free[:, d.n : d.n + len(axiom.incoming)] = False
        later = np.arange(d.n)[None, :] >= ((axiom.last_rank(d) + d.n) // 2)[:, None]
        free[:, : d.n] = later & ranks_of(axiom, "later", d)
        d.grades[:] = np.where(free[:, :, None], 0 * d.grades, d.grades)
        for row in range(d.shape.documents):
            on_t, on_u = (-np.sort(-d.on(aspect), axis=1) for aspect in (d.t, d.u))
            differ = on_t != on_u
            # At the first rank at which they differ, the larger grade is one that the other aspect has fewer of.
            at = differ.argmax(axis=1)
            a, b = on_t[d.rows, at], on_u[d.rows, at]
            lacks = np.where(a > b, d.u, d.t)
            given = free[:, row] & differ.any(axis=1)
            d.grades[d.rows, row, lacks] = np.where(given, np.maximum(a, b), d.grades[d.rows, row, lacks])


ASSUMPTIONS: dict[str, Assumption] = {
    assumption.name: assumption
    for assumption in (
        BelowOne(),
        Unseen(),
        Binary(),
        NothingRelevant(
            "nothing-before", "no document before the first position that the axiom speaks of is relevant", "before"
        ),
        NothingRelevant(
            "nothing-between", "no document between the two places that the axiom speaks of is relevant", "between"
        ),
        NothingRelevant(
            "nothing-later",
            "no document after the last position is relevant to the aspects that the axiom names",
            "later",
        ),
        AllRetrieved(),
        EqualWeights(),
        NoOverlap(),
        TwoAspects(),
        SameGrades(),
        NoDocument("first-rank", "the first position that the axiom speaks of is rank 1", "before"),
        NoDocument("neighbours", "the two places that the axiom speaks of are next to each other", "between"),
        NoDocument("no-later", "no document comes after the last position that the axiom speaks of", "later"),
        OneAspect(),
        Limit(),
    )
}
"""By name; what is implied comes before what implies it."""

_IMPLIED: dict[str, frozenset[str]] = {
    "limit": frozenset({"below-one"}),
    "first-rank": frozenset({"nothing-before"}),
    "neighbours": frozenset({"nothing-between"}),
    "no-later": frozenset({"nothing-later"}),
    "binary": frozenset({"unseen"}),
    "no-overlap": frozenset({"unseen"}),
    "one-aspect": frozenset({"equal-weights", "no-overlap"}),
}
"""What each implies besides itself, where both are offered.

``unseen`` is offered for Red and MRed: every document of MRed is more relevant to t than to t', so that with one grade,
or on one aspect only, it has nothing on t'. ``limit`` implies ``below-one`` in that an axiom that holds wherever
every grade is below 1 holds, for each pattern, for every small enough eps.
"""


def implies(stronger: str, weaker: str) -> bool:
    """Whether whoever meets the one assumption meets the other, on an axiom to which both can be added."""
    return stronger == weaker or weaker in _IMPLIED.get(stronger, ())


def weaker_or_equal(weaker: Iterable[str], stronger: Iterable[str]) -> bool:
    """Whether each assumption of one set is implied by some of the other."""
    given = tuple(stronger)
    return all(any(implies(s, w) for s in given) for w in weaker)


def offered(occasion: Occasion) -> tuple[Assumption, ...]:
    """The assumptions that can be added on an occasion, weaker ones first."""
    return tuple(assumption for assumption in ASSUMPTIONS.values() if assumption.fits(occasion))
