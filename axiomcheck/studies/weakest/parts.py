"""What an assumption is, and the parts of an axiom's rankings that assumptions speak of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.axioms.relations import Relations
from axiomcheck.axioms.script import Many, Script
from axiomcheck.core.typing import Mask

Place = Literal["before", "between", "later"]
"""The common documents before the first position, between two positions, and after the last one."""

_PLACES: dict[str, tuple[Place, ...]] = {
    "Pri": ("before", "between", "later"),
    "Deep": ("before", "between", "later"),
    "AspDiv": ("before", "later"),
    "AspRel": ("before", "later"),
}
"""Of the axioms that are known here: what the positions of another one are, its script alone does not tell."""

_UPPER = {"Pri": 1, "Deep": 2}
"""How many ranks the upper of two places takes that an axiom speaks of."""


@dataclass(frozen=True)
class Occasion:
    """What an axiom is asked of, as far as it matters to which assumptions make sense.

    Args:
        axiom: which one is asked.
        small: whether r << 1 is assumed already.
        binary: whether instances have one positive grade already.
        weights: whether the metric takes aspect weights.

    """

    axiom: PairAxiom
    small: bool
    binary: bool
    weights: bool


class Assumption:
    """A restriction of an axiom's instances.

    Attributes:
        name: as commands and reports call it.
        words: what it says, in words.
        flags: class attributes of the axiom that it changes.

    """

    name: str
    words: str
    flags: ClassVar[Mapping[str, Any]] = {}

    def fits(self, occasion: Occasion) -> bool:
        """Whether it can be added: it makes sense for the axiom, and is not among its premises already."""
        raise NotImplementedError

    def met(self, axiom: PairAxiom, d: Draft) -> Mask:
        """(B,) which drafts, all instances of the axiom, meet it."""
        raise NotImplementedError

    def repair(self, axiom: PairAxiom, d: Draft) -> None:
        """Changes drafts that do not meet it in place, towards meeting it."""

    def script(self, axiom: PairAxiom, script: Script) -> Script:
        """The axiom's script with the assumption; the same where a script cannot say it, which proves more."""
        return script

    def relate(self, axiom: PairAxiom, g: Relations, shape: Shape, i: int, j: int, t: int, u: int) -> None:
        """States what relations between grades can say of it; nothing where they cannot, which proves more."""


def named_aspects(axiom: PairAxiom, d: Draft) -> Mask:
    """(B, m): the aspects that an axiom names; all of them if it names none."""
    aspects = np.arange(d.shape.aspects)[None, :]
    if "t" not in axiom.choices:
        return np.ones((d.size, d.shape.aspects), dtype=bool)
    named: Mask = aspects == d.t[:, None]
    return named | (aspects == d.u[:, None]) if "u" in axiom.choices else named


def ranks_of(axiom: PairAxiom, place: Place, d: Draft) -> Mask:
    """(B, n): which ranks of d_1..d_n are at a place."""
    ranks = np.arange(d.n)[None, :]
    if place == "before":
        return ranks < d.i[:, None]
    if place == "later":
        return ranks >= axiom.last_rank(d)[:, None]
    return (ranks >= d.i[:, None] + _UPPER[axiom.name]) & (ranks < d.j[:, None])


def places(axiom: PairAxiom) -> tuple[Place, ...]:
    """Where an axiom has common documents."""
    return _PLACES.get(axiom.name, ())


def has_grades(axiom: PairAxiom, place: Place) -> bool:
    """Whether the common documents of an axiom at a place may be relevant to the aspects that it names."""
    script = axiom.script()
    assert script is not None
    rows = [row for _, segment in _many_at(script, place) for row in segment.rows]
    return any(grade != "0" for row in rows for grade in row.values())


def _many_at(script: Script, place: Place) -> list[tuple[int, Many]]:
    """The segments of any length at a place, with their numbers."""
    many = [(k, segment) for k, segment in enumerate(script.segments) if isinstance(segment, Many)]
    last = len(script.segments) - 1
    ranks = {"before": range(1), "between": range(1, last), "later": range(last, last + 1)}[place]
    return [(k, segment) for k, segment in many if k in ranks]


def zeroed(script: Script, place: Place) -> Script:
    """The script with documents without grades at a place."""
    segments = list(script.segments)
    for k, segment in _many_at(script, place):
        segments[k] = Many((dict.fromkeys(script.aspects, "0"),), least=segment.least)
    return replace(script, segments=tuple(segments))


def forget(script: Script, place: Place) -> Script:
    """The script with no document at a place."""
    gone = {k for k, _ in _many_at(script, place)}
    return replace(script, segments=tuple(s for k, s in enumerate(script.segments) if k not in gone))


def single(shape: Shape, i: int, j: int, t: int, u: int) -> Draft:
    """A draft with these positions and aspects and no grades."""
    at = [np.array([value]) for value in (i, j, t, u)]
    grades = np.zeros((1, shape.documents, shape.aspects))
    return Draft(shape, grades, np.ones((1, shape.aspects), dtype=np.int64), np.ones(1), at[0], at[1], at[2], at[3])
