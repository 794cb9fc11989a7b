"""How the grades of one draft are related: the premises of an axiom as data.

Every cell of a draft (document row, aspect; both counted from 0) is a grade of its own in [0, 1] unless a relation says
otherwise. What an axiom's class attributes say already (binary, no overlap, balanced weights) is not repeated.
"""

from __future__ import annotations

from typing import Any

Cell = tuple[int, int]
"""(document row, aspect), both from 0."""

Cells = tuple[Any, Any]
"""As a cell; one of the two may be a range, for as many cells. Of many drafts at once, a number may be one for each."""


class Relations:
    """Collects the relations that an axiom states on the drafts of one shape, positions and aspects.

    Attributes:
        facts: ``("above", a, b)``, ``("same", a, b)``, ``("zero", a)``, ``("one", a)``, ``("positive", a)`` on cells,
            ``("lighter", t, u)`` on the weights of two aspects, ``("more", t, u)`` on the numbers of ranked documents
            with a positive grade on two aspects; in the order stated.
        possible: False where no draft of this shape and these positions meets the premises.

    """

    def __init__(self) -> None:
        self.facts: list[tuple[Any, ...]] = []
        self.possible: Any = True

    def state(self, kind: str, *arguments: Any) -> None:
        """Takes one relation; a range in it is that of as many cells."""
        if not self.possible:  # there need be no such cells then
            return
        ranges = [len(x) for cell in arguments if isinstance(cell, tuple) for x in cell if isinstance(x, range)]
        for k in range(ranges[0]) if ranges else (None,):
            self.facts.append((kind, *(_kth(argument, k) for argument in arguments)))

    def require(self, condition: Any) -> None:
        """A condition on the positions or aspects themselves."""
        self.possible = self.possible & condition

    def above(self, higher: Cells, lower: Cells) -> None:
        """One grade is strictly above another."""
        self.state("above", higher, lower)

    def same(self, a: Cells, b: Cells) -> None:
        """Two grades are equal; where they are not, a is to become b."""
        self.state("same", a, b)

    def zero(self, a: Cells) -> None:
        """A grade is 0."""
        self.state("zero", a)

    def unseen(self, i: Any, t: Any) -> None:
        """The grades on aspect t of every document above position i are 0."""
        self.zero((range(i), t))

    def one(self, a: Cells) -> None:
        """A grade is 1, the largest there is."""
        self.state("one", a)

    def positive(self, a: Cells) -> None:
        """A grade is above 0."""
        self.state("positive", a)

    def lighter(self, t: Any, u: Any) -> None:
        """w(t) < w(u)."""
        self.state("lighter", t, u)

    def more(self, t: Any, u: Any) -> None:
        """More of the ranked documents have a positive grade on t than on u."""
        self.state("more", t, u)


def _kth(argument: Any, k: int | None) -> Any:
    if k is None or not isinstance(argument, tuple):
        return argument
    return tuple(x[k] if isinstance(x, range) else x for x in argument)
