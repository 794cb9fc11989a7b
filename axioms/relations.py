"""How the grades of one draft are related: the premises of a constraint as data, from which symbolic instances come.

Every cell of a draft (document row, aspect; both counted from 0) is a grade of its own in [0, 1] unless a relation says
otherwise. What a constraint's class attributes say already (binary, no overlap, balanced weights) is not repeated.
"""

from __future__ import annotations

from typing import Any

__all__ = ["Cell", "Relations"]

Cell = tuple[int, int]
"""(document row, aspect), both from 0."""


class Relations:
    """Collects the relations that a constraint states on the drafts of one shape, positions and aspects.

    Attributes:
        facts: ``("above", a, b)``, ``("same", a, b)``, ``("zero", a)``, ``("one", a)``, ``("positive", a)`` on cells,
            ``("lighter", t, u)`` on the weights of two aspects, ``("more", t, u)`` on the numbers of ranked documents
            with a positive grade on two aspects; in the order stated.
        possible: False where no draft of this shape and these positions meets the premises.

    """

    def __init__(self) -> None:
        self.facts: list[tuple[Any, ...]] = []
        self.possible = True

    def require(self, condition: bool) -> None:
        """A condition on the positions or aspects themselves."""
        self.possible = self.possible and condition

    def above(self, higher: Cell, lower: Cell) -> None:
        """One grade is strictly above another."""
        self.facts.append(("above", higher, lower))

    def same(self, a: Cell, b: Cell) -> None:
        """Two grades are equal."""
        self.facts.append(("same", a, b))

    def zero(self, a: Cell) -> None:
        """A grade is 0."""
        self.facts.append(("zero", a))

    def one(self, a: Cell) -> None:
        """A grade is 1, the largest there is."""
        self.facts.append(("one", a))

    def positive(self, a: Cell) -> None:
        """A grade is above 0."""
        self.facts.append(("positive", a))

    def lighter(self, t: int, u: int) -> None:
        """w(t) < w(u)."""
        self.facts.append(("lighter", t, u))

    def more(self, t: int, u: int) -> None:
        """More of the ranked documents have a positive grade on t than on u."""
        self.facts.append(("more", t, u))
