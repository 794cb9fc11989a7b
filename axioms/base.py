"""Base classes of axioms. The sampler, enumerator, strategy and premises share one description.

A pairwise axiom describes its instances by a *draft*. A draft has n ranked documents, the incoming documents of the
axiom (x, x', d'), some extra judged documents, integer aspect weights, and up to two positions and two aspects. All of
these values can be chosen freely. The axiom's ``relate`` states the relations between the grades of an instance. These
relations have three uses:

- ``premises`` selects the drafts that meet the relations; every draft is checked, whatever its origin;
- ``repair`` changes a free draft into one that meets the relations, and leaves a draft that meets them unchanged;
- proofs use the relations for symbolic instances.

``rankings`` returns the two rankings of a draft.

The sampler draws free drafts at random and repairs them. The enumerator generates all free drafts over a grid, and
keeps the drafts that meet the premises. It needs no repair, since repair would leave these drafts unchanged. The
Hypothesis strategy draws one free draft and repairs it. All three use the same ``premises`` as a filter.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from axiomcheck.axioms.drafts import Draft, Shape, last_axis_all
from axiomcheck.axioms.relations import Held, Index, Relations, Repaired
from axiomcheck.axioms.script import Script
from axiomcheck.core.domain import Domain
from axiomcheck.core.typing import Integers, Mask


class Axiom(ABC):
    """Base class of all axioms, with the attributes that `axiomcheck explain` prints.

    ``number`` is the axiom's number in the paper. Other axioms have no number, and name their origin in ``source``.
    """

    kind: ClassVar[Literal["pairs", "blocks", "scores"]]
    name: ClassVar[str]
    number: ClassVar[int | None] = None
    title: ClassVar[str]
    group: ClassVar[Literal["relevance", "diversity"]]
    words: ClassVar[str]
    symbols: ClassVar[str]
    assumptions: ClassVar[tuple[str, ...]]
    reading: ClassVar[tuple[str, ...]]
    states_small: ClassVar[bool]
    can_be_small: ClassVar[bool] = True
    strict: ClassVar[bool] = True
    binary: ClassVar[bool] = False
    min_aspects: ClassVar[int] = 1
    max_aspects: ClassVar[int | None] = None
    drawn: ClassVar[bool] = True
    """True if random instances are sampled, so that more instances give more evidence. False if no sampling is
    needed."""

    @property
    def source(self) -> str:
        """Citation of the paper, with the section or number of the axiom."""
        return f"Amigo, Spina and Carrillo-de-Albornoz, SIGIR 2018, constraint {self.number}, equation {self.number}"

    def __repr__(self) -> str:
        return self.name


class PairAxiom(Axiom):
    """Base class of axioms that compare two rankings, that is, of all axioms except the two threshold axioms.

    ``least`` and ``most`` are None, except in a `ScoreAxiom`, where they are the bounds on the score of one ranking.
    """

    kind: ClassVar[Literal["pairs", "blocks", "scores"]] = "pairs"
    overlap: ClassVar[bool] = True
    balanced: ClassVar[bool] = False
    incoming: ClassVar[tuple[str, ...]] = ()
    choices: ClassVar[tuple[str, ...]] = ()
    min_ranked: ClassVar[int] = 1
    appends: ClassVar[bool] = False
    weighted: ClassVar[bool] = False
    most_drafts: ClassVar[int | None] = None
    least: ClassVar[Fraction | int | None] = None
    most: ClassVar[Fraction | int | None] = None

    @abstractmethod
    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        """Return the worse and the better ranking of every draft, as document rows in rank order, (B, length) each."""

    def last_rank(self, d: Draft) -> Integers:
        """Return the (B,) last ranks at which the two rankings differ, counted from 1."""
        worse, better = self.rankings(d)
        if worse.shape != better.shape:
            return np.full(d.size, max(worse.shape[1], better.shape[1]))
        return np.asarray(worse.shape[1] - (worse != better)[:, ::-1].argmax(axis=1))

    @abstractmethod
    def sentence(self, d: Draft) -> str:
        """Explain what the axiom requires of one draft (B = 1), in terms of its documents, positions and grades."""

    def script(self) -> Script | None:
        """Return the `Script` that proofs for every ranking length start from; None if the axiom has none."""
        return None

    def relate(self, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """State the premises about grades by calling methods on ``g``. Class attributes state the other premises.

        Args:
            g: Collector of the relations. They must allow exactly the drafts that `premises` accepts. Repair applies
                them in the order of the calls.
            shape: Sizes of the drafts. The rows of incoming documents begin at ``shape.ranked``.
            i: First position, counted from 0. For a batch of drafts it is an array (B,) with one position for each
                draft.
            j: Second position.
            t: Aspect t, counted from 0.
            u: Aspect t', counted from 0.

        Raises:
            NotImplementedError: The axiom defines no relations.

        """
        raise NotImplementedError(f"{self} states no relations between grades")

    def arrange(self, d: Draft) -> None:
        """Prepare a free draft for `fix` in place, for example by sorting its positions or exchanging its aspects."""
        if "j" in self.choices:
            d.i[:], d.j[:] = np.minimum(d.i, d.j), np.maximum(d.i, d.j)

    def fix(self, d: Draft) -> None:
        """Change the draft in place so that it usually meets the premises of this axiom."""
        self.arrange(d)
        self.relate(Repaired(d, self.overlap), d.shape, d.i, d.j, d.t, d.u)

    def holds(self, d: Draft) -> Mask:
        """Return a (B,) mask of the drafts that meet the relations of this axiom."""
        held = Held(d)
        self.relate(held, d.shape, d.i, d.j, d.t, d.u)
        return np.asarray(held.possible)

    def longest(self, max_rank: int) -> int:
        """Return the largest n for which both rankings of an instance can fit within ``max_rank`` ranks."""
        return max_rank - 1 if self.appends else max_rank

    def repair(self, d: Draft) -> None:
        """Repair free drafts in place so that they usually meet the premises; drafts that meet them stay unchanged."""
        if self.balanced:
            d.weights[:] = 1
        if d.binary or self.binary:
            d.grades[:] = (d.grades > 0) * d.top[:, None, None]
        if not self.overlap and d.shape.aspects > 1:
            keep = d.grades.argmax(axis=2)
            d.grades *= np.arange(d.shape.aspects) == keep[..., None]
        self.fix(d)

    def admits(self, shape: Shape) -> bool:
        """Return True if the axiom can have instances with these numbers of documents, aspects and ranks."""
        m = shape.aspects
        return (
            self.min_aspects <= m <= (self.max_aspects or m)
            and shape.ranked >= self.min_ranked
            and shape.documents >= shape.ranked + len(self.incoming)
        )

    def premises(self, d: Draft) -> Mask:
        """Return a (B,) mask of the drafts that meet every premise of the axiom."""
        if not self.admits(d.shape):
            return np.zeros(d.size, dtype=bool)
        ok = (d.weights > 0).all(axis=1) & last_axis_all((d.grades >= 0) & (d.grades <= 1))
        for _, met in self.stated(d):
            ok &= met
        for choice in ("i", "j"):
            if choice in self.choices:
                ok &= (getattr(d, choice) >= 0) & (getattr(d, choice) < d.n)
        if "u" in self.choices:
            ok &= d.t != d.u
        return ok & self.holds(d)

    def stated(self, d: Draft) -> Iterator[tuple[str, Mask]]:
        """Yield the premises that class attributes such as ``balanced`` state.

        Each premise is a pair: a description of its violation, and a (B,) mask of the drafts that meet it.
        """
        if self.balanced:
            yield "aspects of different weights", (d.weights == d.weights[:, :1]).all(axis=1)
        if not self.overlap:
            yield "a document on two aspects", last_axis_all((d.grades > 0).sum(axis=2) <= 1)
        if d.binary or self.binary:
            met = (d.top > 0) & last_axis_all((d.grades == 0) | (d.grades == d.top[:, None, None]))
            yield "several grades above 0", met

    def plain(self, d: Draft) -> tuple[Integers, Integers]:
        """Return two arrays (B, n) of the indices of d_1..d_n. The second is a copy that may be modified."""
        base = np.broadcast_to(np.arange(d.n), (d.size, d.n))
        return base, base.copy()

    def appended(self, d: Draft, k: int = 0) -> Integers:
        """Return the (B, n + 1) indices of d_1..d_n followed by the k-th incoming document, with k counted from 0."""
        return np.broadcast_to(np.array([*range(d.n), d.n + k]), (d.size, d.n + 1))

    def domain_of(self, domain: Domain) -> Domain:
        """Return the domain to search: binary for a binary axiom, else the requested domain."""
        return Domain.BINARY if self.binary else domain
