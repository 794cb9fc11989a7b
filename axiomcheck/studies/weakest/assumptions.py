"""Define the assumptions that can be added to axioms, from weak to strong, and the implications between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.axioms.drafts import last_axis_all
from axiomcheck.axioms.relations import Held, Index, Relations, Repaired
from axiomcheck.axioms.script import Many, Script
from axiomcheck.core.typing import Mask

Place = Literal["before", "between", "later"]
"""Parts of a ranking that may contain documents shared by both rankings: before the first of the positions that an
axiom compares, between two positions, or after the last."""

_PLACES: dict[str, tuple[Place, ...]] = {
    "Pri": ("before", "between", "later"),
    "Deep": ("before", "between", "later"),
    "AspDiv": ("before", "later"),
    "AspRel": ("before", "later"),
}
"""Parts of a ranking with shared documents, by axiom. No assumption about a part is offered for other axioms."""

_UPPER = {"Pri": 1, "Deep": 2}
"""Number of ranks that the first of an axiom's two positions occupies."""


@dataclass(frozen=True)
class Occasion:
    """Axiom, regime, domain and metric for which assumptions are sought; see `Assumption`.

    Args:
        axiom: Axiom to which assumptions are added.
        small: Whether r << 1 is already assumed.
        binary: Whether instances already have only one positive grade.
        weights: Whether the metric uses aspect weights.

    """

    axiom: PairAxiom
    small: bool
    binary: bool
    weights: bool


@dataclass(frozen=True)
class Assumption:
    """Restriction on the instances of an axiom.

    As in axioms, the default `met` and `repair` follow from `relate` and the flags. An assumption that `relate` and
    the flags cannot fully express overrides `met` and `repair`.

    Args:
        name: Name in commands and reports.
        words: Meaning of the assumption in words.
        fits: Function that returns whether the assumption makes sense on an occasion and is not already a premise.
        flags: Values that the assumption gives to class attributes of the axiom, by attribute.
        implied: Names of the weaker assumptions that the assumption implies if both are offered.

    """

    name: str
    words: str
    fits: Callable[[Occasion], bool]
    flags: Mapping[str, Any] = field(default_factory=dict)
    implied: tuple[str, ...] = ()

    def relate(self, axiom: PairAxiom, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """Add the assumption as relations between grades.

        If relations cannot express the assumption, nothing is added, and a proof covers more instances.
        """

    def met(self, axiom: PairAxiom, d: Draft) -> Mask:
        """Return a (B,) mask of the drafts that meet the assumption. The drafts must be instances of the axiom."""
        held, flags, aspects = Held(d), self.flags, d.shape.aspects
        self.relate(axiom, held, d.shape, d.i, d.j, d.t, d.u)
        held.require(flags.get("min_aspects", aspects) <= aspects <= flags.get("max_aspects", aspects))
        if flags.get("balanced"):
            held.require(last_axis_all(d.weights == d.weights[:, :1]))
        if not flags.get("overlap", True):
            held.require(last_axis_all((d.grades > 0).sum(axis=2) <= 1))
        return np.asarray(held.possible)

    def repair(self, axiom: PairAxiom, d: Draft) -> None:
        """Change drafts in place to bring them closer to the assumption."""
        self.relate(axiom, Repaired(d, axiom.overlap), d.shape, d.i, d.j, d.t, d.u)

    def script(self, axiom: PairAxiom, script: Script) -> Script:
        """Return a script of the axiom with the assumption.

        If a script cannot express the assumption, the script is unchanged, and a proof covers more instances.
        """
        return script


class BelowOne(Assumption):
    """Assumption that no grade is 1, the grade at which a cascade user stops for certain."""

    def met(self, axiom: PairAxiom, d: Draft) -> Mask:
        """Return a mask of the drafts without a grade of 1."""
        return last_axis_all(d.grades < 1)

    def repair(self, axiom: PairAxiom, d: Draft) -> None:
        """Multiply every grade by 3/4, which preserves the order of the grades."""
        d.grades[:] = d.grades * 3 / 4
        if d.binary:
            d.top[:] = d.top * 3 / 4


class Binary(Assumption):
    """Assumption that all positive grades are equal."""

    def met(self, axiom: PairAxiom, d: Draft) -> Mask:
        """Return a mask of the drafts whose only grades are 0 and one positive grade."""
        peak = d.grades.reshape(d.size, -1).max(axis=1)
        return last_axis_all((d.grades == 0) | (d.grades == peak[:, None, None]))


@dataclass(frozen=True)
class AtPlace(Assumption):
    """Assumption about the documents that both rankings share in one part of the ranking.

    Args:
        place: Part of the ranking relative to the positions that the axiom compares.

    """

    place: Place = "before"

    def ranks(self, axiom: PairAxiom, d: Draft) -> Mask:
        """Return a (B, n) mask of the ranks of d_1..d_n that are in this part of the ranking."""
        ranks = np.arange(d.n)[None, :]
        if self.place == "before":
            return ranks < d.i[:, None]
        if self.place == "later":
            return ranks >= axiom.last_rank(d)[:, None]
        return (ranks >= d.i[:, None] + _UPPER[axiom.name]) & (ranks < d.j[:, None])


class NothingRelevant(AtPlace):
    """Assumption that shared documents in part of the ranking are not relevant to the aspects that the axiom names."""

    def relate(self, axiom: PairAxiom, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """Add relations stating that every grade in this part of the ranking is 0."""
        d = g.drafts(shape, i, j, t, u)
        g.blank(self.ranks(axiom, d)[:, :, None] & _named_aspects(axiom, d)[:, None, :])

    def script(self, axiom: PairAxiom, script: Script) -> Script:
        """Return the script with documents of grade 0 in this part of the ranking."""
        segments = list(script.segments)
        for k, segment in _many_at(script, self.place):
            segments[k] = Many((dict.fromkeys(script.aspects, "0"),), least=segment.least)
        return replace(script, segments=tuple(segments))


class NoDocument(AtPlace):
    """Assumption that a part of the ranking has no documents."""

    def relate(self, axiom: PairAxiom, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """Add the condition that no rank of d_1..d_n is in this part of the ranking."""
        g.require_each(~np.any(self.ranks(axiom, g.drafts(shape, i, j, t, u)), axis=1))

    def repair(self, axiom: PairAxiom, d: Draft) -> None:
        """Move the positions so that this part of the ranking is empty."""
        if self.place == "before":
            d.i[:] = 0
        elif self.place == "between":
            d.j[:] = np.minimum(d.j - self.ranks(axiom, d).sum(axis=1), d.n - 1)
        else:
            down = np.maximum(d.n - axiom.last_rank(d), 0)
            d.i[:], d.j[:] = (np.minimum(position + down, d.n - 1) for position in (d.i, d.j))

    def script(self, axiom: PairAxiom, script: Script) -> Script:
        """Return the script without the segment for this part of the ranking."""
        return _without(script, self.place)


class AllRetrieved(Assumption):
    """Assumption that the pool contains only the documents in the two rankings."""

    def relate(self, axiom: PairAxiom, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """Add the condition that the pool contains only the ranked and the incoming documents."""
        g.require(shape.documents == shape.ranked + len(axiom.incoming))


class Unseen(Assumption):
    """Assumption that no document of the ranking d, which both rankings share, is relevant to aspect t'."""

    def relate(self, axiom: PairAxiom, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """Add relations stating that every document of d has grade 0 for t'."""
        g.zero((range(shape.ranked), u))

    def script(self, axiom: PairAxiom, script: Script) -> Script:
        """Return the script without documents that are relevant to t'."""
        return _without(script, "before") if axiom.name == "Red" else _one_grade_each(script)


class NoOverlap(Assumption):
    """Assumption that every document is relevant to at most one aspect."""

    def script(self, axiom: PairAxiom, script: Script) -> Script:
        """Return MRed's script with grade 0 for t' in all shared documents, or another axiom's script unchanged."""
        return _one_grade_each(script) if axiom.name == "MRed" else script


def _named_aspects(axiom: PairAxiom, d: Draft) -> Mask:
    """Return a (B, m) mask of the aspects that an axiom names (t, or t and t'); all aspects if it names none."""
    aspects = np.arange(d.shape.aspects)[None, :]
    if "t" not in axiom.choices:
        return np.ones((d.size, d.shape.aspects), dtype=bool)
    named: Mask = aspects == d.t[:, None]
    return named | (aspects == d.u[:, None]) if "u" in axiom.choices else named


def _many_at(script: Script, place: Place) -> list[tuple[int, Many]]:
    """Return the segments of variable length in a part of the ranking, each with its index in the script."""
    last = len(script.segments) - 1
    numbers = {"before": range(1), "between": range(1, last), "later": range(last, last + 1)}[place]
    return [(k, each) for k in numbers if isinstance(each := script.segments[k], Many)]


def _without(script: Script, place: Place) -> Script:
    """Return a script without the segments of variable length in a part of the ranking."""
    gone = {k for k, _ in _many_at(script, place)}
    return replace(script, segments=tuple(s for k, s in enumerate(script.segments) if k not in gone))


def _one_grade_each(script: Script) -> Script:
    """Return MRed's script with grade 0 for t' in all shared documents, instead of any grade below that for t."""
    segments = tuple(
        Many(({"t": "y", "u": "0"},), {"y": "positive"}, s.least) if isinstance(s, Many) else s for s in script.segments
    )
    return replace(script, segments=segments)


def _may_be_small(occasion: Occasion) -> bool:
    """Return True if grades below 1 are possible, but not yet assumed."""
    return not occasion.small and occasion.axiom.can_be_small


def _shares(place: Place, occasion: Occasion) -> bool:
    """Return True if the axiom has shared documents in a part of the ranking."""
    return place in _PLACES.get(occasion.axiom.name, ())


def _shares_relevant(place: Place, occasion: Occasion) -> bool:
    """Return True if shared documents in a part of the ranking may be relevant to the aspects that the axiom names."""
    script = occasion.axiom.script()
    if script is None or not _shares(place, occasion):
        return False
    rows = [row for _, segment in _many_at(script, place) for row in segment.rows]
    return any(grade != "0" for row in rows for grade in row.values())


ASSUMPTIONS: dict[str, Assumption] = {
    assumption.name: assumption
    for assumption in (
        BelowOne("below-one", "every grade is below 1", _may_be_small),
        Unseen("unseen", "no document of d is relevant to t'", lambda occasion: occasion.axiom.name in ("Red", "MRed")),
        Binary(
            *("binary", "every grade is 0 or one rc", lambda occasion: not occasion.binary, {"binary": True}),
            implied=("unseen",),
        ),
        NothingRelevant(
            *("nothing-before", "no document before the axiom's first position is relevant"),
            partial(_shares_relevant, "before"),
        ),
        NothingRelevant(
            *("nothing-between", "no document between the axiom's two positions is relevant"),
            partial(_shares_relevant, "between"),
            place="between",
        ),
        NothingRelevant(
            *("nothing-later", "no document after the last position is relevant to the aspects that the axiom names"),
            partial(_shares_relevant, "later"),
            place="later",
        ),
        AllRetrieved("all-retrieved", "every judged document is in at least one ranking", lambda occasion: True),
        Assumption(
            "equal-weights",
            "all aspects have the same weight",
            lambda o: o.weights and not (o.axiom.balanced or o.axiom.weighted) and o.axiom.max_aspects != 1,
            {"balanced": True},
        ),
        NoOverlap(
            "no-overlap",
            "no document is relevant to two aspects",
            # AspDiv requires a document that is relevant to several aspects.
            lambda o: o.axiom.overlap and o.axiom.max_aspects != 1 and o.axiom.name != "AspDiv",
            {"overlap": False},
            implied=("unseen",),
        ),
        Assumption(
            "two-aspects",
            "there are two aspects (m = 2)",
            lambda occasion: occasion.axiom.max_aspects is None or occasion.axiom.max_aspects > 2,
            {"min_aspects": 2, "max_aspects": 2},
        ),
        NoDocument(
            *("first-rank", "the axiom's first position is rank 1", partial(_shares, "before")),
            implied=("nothing-before",),
        ),
        NoDocument(
            *("neighbours", "the axiom's two positions are next to each other", partial(_shares, "between")),
            implied=("nothing-between",),
            place="between",
        ),
        NoDocument(
            *("no-later", "no document comes after the axiom's last position", partial(_shares, "later")),
            implied=("nothing-later",),
            place="later",
        ),
        Assumption(
            "one-aspect",
            "there is one aspect (m = 1)",
            lambda occasion: occasion.axiom.min_aspects == 1 and occasion.axiom.max_aspects != 1,
            {"max_aspects": 1},
            implied=("equal-weights", "no-overlap"),
        ),
        Assumption(
            "limit",
            "r << 1: grades are eps times fixed numbers, for every small enough eps",
            _may_be_small,
            implied=("below-one",),
        ),
    )
}
"""Assumptions by name. A weaker assumption comes before the assumptions that imply it.

``unseen`` is offered for Red and MRed. Every document of MRed is more relevant to t than to t', so it has grade 0 for
t' if there is a single positive grade or no overlap. ``limit`` implies ``below-one`` in this sense: if an axiom holds
whenever every grade is below 1, it also holds for all grades eps * rho with a sufficiently small eps.
"""


def implies(stronger: str, weaker: str) -> bool:
    """Return True if every instance that meets the stronger assumption also meets the weaker one.

    Both assumptions must be offered for the axiom.
    """
    return stronger == weaker or weaker in ASSUMPTIONS[stronger].implied


def weaker_or_equal(weaker: Iterable[str], stronger: Iterable[str]) -> bool:
    """Return True if each assumption in the weaker set is implied by one in the stronger set."""
    given = tuple(stronger)
    return all(any(implies(s, w) for s in given) for w in weaker)


def offered(occasion: Occasion) -> tuple[Assumption, ...]:
    """Return the assumptions that can be added to an axiom for a metric, from weak to strong."""
    return tuple(assumption for assumption in ASSUMPTIONS.values() if assumption.fits(occasion))
