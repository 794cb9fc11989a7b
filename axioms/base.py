"""Base classes of axioms, whose premises are stated once for the search, for proofs and for Hypothesis strategies.

An instance of a pairwise axiom is made from a *draft*. A draft has n ranked documents, the incoming documents of the
axiom (x, x', d'), some extra judged documents, integer aspect weights, and up to two positions and two aspects. A
*free* draft has any values. The axiom's ``relate`` states relations between the grades, which have three uses:

- ``premises`` selects the drafts that meet the relations; every draft is checked, whatever its origin;
- ``repair`` changes a free draft into one that meets the relations, and leaves a draft that meets them unchanged;
- proofs use the relations for symbolic instances.

``rankings`` returns the two rankings of a draft.

The sampler draws free drafts at random and repairs them. The Hypothesis strategy draws one free draft and repairs it.
The enumerator generates all free drafts over a grid, without repair. All three use ``premises`` as a filter.
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
    """Base class of all axioms. `axiomcheck explain` prints its attributes.

    ``number`` is the axiom's number in the paper. Axioms from elsewhere have no number, and must define ``source``.
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
    """True if random instances are sampled, so that more instances give more evidence."""

    @property
    def source(self) -> str:
        """Citation of the publication that states the axiom."""
        return f"Amigo, Spina and Carrillo-de-Albornoz, SIGIR 2018, constraint {self.number}, equation {self.number}"

    def __repr__(self) -> str:
        return self.name


class PairAxiom(Axiom):
    """Base class of axioms that compare two rankings: all axioms except the threshold axioms.

    ``least`` and ``most`` are None, except in a `ScoreAxiom`, where they bound the score of a single ranking.
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
        """Return the worse and the better ranking of each draft: two arrays (B, length) of document rows."""

    def last_rank(self, d: Draft) -> Integers:
        """Return the last rank, counted from 1, at which the two rankings of each draft differ, as an array (B,)."""
        worse, better = self.rankings(d)
        if worse.shape != better.shape:
            return np.full(d.size, max(worse.shape[1], better.shape[1]))
        return np.asarray(worse.shape[1] - (worse != better)[:, ::-1].argmax(axis=1))

    @abstractmethod
    def sentence(self, d: Draft) -> str:
        """Explain what the axiom requires of one draft (B = 1), in terms of its documents, positions and grades."""

    def script(self) -> Script | None:
        """Return the `Script` that describes the two rankings for proofs for every length; None if there is none."""
        return None

    def relate(self, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """State the premises about grades by calling methods of ``g``. Class attributes state the other premises.

        Args:
            g: Collector of the relations, which must allow exactly the drafts that `premises` accepts. `repair` applies
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
        """Prepare a draft in place for `relate`. By default, sort the positions i and j if the axiom uses both."""
        if "j" in self.choices:
            d.i[:], d.j[:] = np.minimum(d.i, d.j), np.maximum(d.i, d.j)

    def fix(self, d: Draft) -> None:
        """Change drafts in place so that they usually meet the relations of this axiom."""
        self.arrange(d)
        self.relate(Repaired(d, self.overlap), d.shape, d.i, d.j, d.t, d.u)

    def holds(self, d: Draft) -> Mask:
        """Return a (B,) mask of the drafts that meet the relations of this axiom."""
        held = Held(d)
        self.relate(held, d.shape, d.i, d.j, d.t, d.u)
        return np.asarray(held.possible)

    def longest(self, max_rank: int) -> int:
        """Return the largest n for which neither ranking of an instance is longer than ``max_rank``."""
        return max_rank - 1 if self.appends else max_rank

    def repair(self, d: Draft) -> None:
        """Change drafts in place so that they usually meet all premises. Drafts that meet them stay unchanged."""
        if self.balanced:
            d.weights[:] = 1
        if d.binary or self.binary:
            d.grades[:] = (d.grades > 0) * d.top[:, None, None]
        if not self.overlap and d.shape.aspects > 1:
            keep = d.grades.argmax(axis=2)
            d.grades *= np.arange(d.shape.aspects) == keep[..., None]
        self.fix(d)

    def admits(self, shape: Shape) -> bool:
        """Return True if a shape has enough documents and ranks, and an allowed number of aspects, for the axiom."""
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
        """Check the premises that class attributes such as ``balanced`` state.

        Yield a pair for each premise: a description of its violation, and a (B,) mask of the drafts that meet it.
        """
        if self.balanced:
            yield "aspects of different weights", (d.weights == d.weights[:, :1]).all(axis=1)
        if not self.overlap:
            yield "a document on two aspects", last_axis_all((d.grades > 0).sum(axis=2) <= 1)
        if d.binary or self.binary:
            met = (d.top > 0) & last_axis_all((d.grades == 0) | (d.grades == d.top[:, None, None]))
            yield "several grades above 0", met

    def plain(self, d: Draft) -> tuple[Integers, Integers]:
        """Return two arrays (B, n) of the rows of d_1..d_n. Only the second one may be modified."""
        base = np.broadcast_to(np.arange(d.n), (d.size, d.n))
        return base, base.copy()

    def appended(self, d: Draft, k: int = 0) -> Integers:
        """Return the (B, n + 1) rows of d_1..d_n followed by the k-th incoming document, with k counted from 0."""
        return np.broadcast_to(np.array([*range(d.n), d.n + k]), (d.size, d.n + 1))

    def domain_of(self, domain: Domain) -> Domain:
        """Return the domain of grades to search: binary if the axiom is binary, else the requested one."""
        return Domain.BINARY if self.binary else domain
