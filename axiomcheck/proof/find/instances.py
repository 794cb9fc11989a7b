"""Symbolic instances: a draft whose grades and weights are variables, with the premises built into the substitution.

A *setting* is a shape with positions. Its drafts are one region of grades, given by the relations that the axiom
states (`PairAxiom.relate`) and by decisions taken on the way (a grade is 0 or not, one grade is below, equal to or
above another). Cells known to be equal are one class; a class that is strictly above another is that one plus a
positive step. What is not decided yet is left free, also where the premises would say more (a binary grade, documents
on one aspect only): a proof on the larger region holds on the smaller one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.axioms.relations import Cell, Relations
from axiomcheck.core.typing import ExactNumbers
from axiomcheck.numbers.polynomials import Range, Term, Variables

Decision = tuple[str, Cell, Cell | None]
"""("=0" | ">0" | "=1" | "<1", cell, None) or ("<" | "=" | ">", cell, other cell)."""

Split = tuple[str, Cell, Cell | None]
"""("zero" | "one", cell, None) or ("compare", cell, other cell)."""

_BRANCHES = {"zero": ("=0", ">0"), "one": ("=1", "<1"), "compare": ("<", "=", ">")}


def branches(split: Split) -> list[Decision]:
    """The decisions that together cover a split."""
    kind, a, b = split
    return [(sign, a, b) for sign in _BRANCHES[kind]]


def text_of(split: Split) -> str:
    """A split as certificates write it, such as ``"3.1=0"`` (document 3, aspect 1) or ``"1.1<=>2.1"``."""
    kind, a, b = split
    name = f"{a[0] + 1}.{a[1] + 1}{ {'zero': '=0', 'one': '=1', 'compare': '<=>'}[kind] }"
    return name if b is None else f"{name}{b[0] + 1}.{b[1] + 1}"


@dataclass(frozen=True)
class InstanceSetting:
    """One shape with positions and aspects.

    Args:
        axiom: which one is asked.
        shape: the sizes.
        i, j: positions, from 0 (0 where the axiom has none).
        t, u: aspects, from 0.
        binary: whether grades are 0 or one rc.
        small: whether grades stand for eps * grade.

    """

    axiom: PairAxiom
    shape: Shape
    i: int
    j: int
    t: int
    u: int
    binary: bool
    small: bool

    def relations(self) -> Relations:
        """What the axiom states here."""
        g = Relations()
        self.axiom.relate(g, self.shape, self.i, self.j, self.t, self.u)
        return g

    def draft(self) -> Draft:
        """A draft with this shape and these positions (and no grades yet)."""
        m = self.shape.aspects
        column = {k: np.array([getattr(self, k)]) for k in ("i", "j", "t", "u")}
        grades = np.zeros((1, self.shape.documents, m))
        return Draft(self.shape, grades, np.ones((1, m), dtype=np.int64), np.ones(1), **column, binary=self.binary)

    def positions(self) -> dict[str, int]:
        """The declared choices, counted from 1."""
        return {choice: getattr(self, choice) + 1 for choice in self.axiom.choices}


def settings_of(
    axiom: PairAxiom, ranked: int, aspects: int, extras: int, binary: bool, small: bool, cutoff: int | None
) -> Iterator[InstanceSetting]:
    """Every setting of one shape that fits the cutoff and that some draft can have."""
    shape = Shape(ranked + len(axiom.incoming) + extras, aspects, ranked)
    if not axiom.admits(shape):
        return
    sizes = [{"i": ranked, "j": ranked, "t": aspects, "u": aspects}[c] if c in axiom.choices else 1 for c in "ijtu"]
    for i, j, t, u in product(*map(range, sizes)):
        setting = InstanceSetting(axiom, shape, i, j, t, u, binary, small)
        if setting.relations().possible and (cutoff is None or axiom.last_rank(setting.draft())[0] <= cutoff):
            yield setting


class GradeRegion:
    """The drafts of a setting that agree with some decisions.

    Args:
        setting: the shape and positions.
        decisions: taken one after another.

    Attributes:
        empty: whether the relations contradict each other, so that there is none.
        forced: a split without which the classes cannot be put on top of each other; None if they can.

    """

    def __init__(self, setting: InstanceSetting, decisions: tuple[Decision, ...]) -> None:
        self.setting = setting
        self.decisions = decisions
        shape = setting.shape
        self.cells: list[Cell] = list(product(range(shape.documents), range(shape.aspects)))
        self._parent: dict[Cell, Cell] = {c: c for c in self.cells}
        self._marks: dict[Cell, set[str]] = {c: set() for c in self.cells}
        self._above: list[tuple[Cell, Cell]] = []
        self._more: list[tuple[int, int]] = []
        self._lighter: list[tuple[int, int]] = []
        relations = setting.relations()
        for fact in relations.facts:
            self._state(fact)
        for decision in decisions:
            self._decide(decision)
        self._close()
        self.empty = not relations.possible or self._contradiction()
        self.forced = None if self.empty or setting.binary else self._two_one_known()

    # -------------------------------------------------------------------------------------------------- relations

    def root(self, cell: Cell) -> Cell:
        """The least cell of a cell's class."""
        while self._parent[cell] != cell:
            cell = self._parent[cell]
        return cell

    def marks(self, cell: Cell) -> set[str]:
        """What is known of a class: zero, one, positive, below (1)."""
        return self._marks[self.root(cell)]

    def _state(self, fact: tuple[Any, ...]) -> None:
        kind, *arguments = fact
        if kind == "above":
            self._above.append((arguments[0], arguments[1]))
        elif kind == "same":
            self._join(*arguments)
        elif kind == "more":
            self._more.append((arguments[0], arguments[1]))
        elif kind == "lighter":
            self._lighter.append((arguments[0], arguments[1]))
        else:
            self.marks(arguments[0]).add(kind)

    def _decide(self, decision: Decision) -> None:
        sign, a, b = decision
        if b is None:
            self.marks(a).add({"=0": "zero", ">0": "positive", "=1": "one", "<1": "below"}[sign])
        elif sign == "=":
            self._join(a, b)
        else:
            self._above.append((b, a) if sign == "<" else (a, b))

    def _join(self, a: Cell, b: Cell) -> None:
        first, second = sorted((self.root(a), self.root(b)))
        if first != second:
            self._parent[second] = first
            self._marks[first] |= self._marks.pop(second)

    def _close(self) -> None:
        binary, overlap = self.setting.binary, self.setting.axiom.overlap
        before = -1
        while before != (before := sum(map(len, self._marks.values()))):
            for high, low in self._above:
                self.marks(high).add("positive")
                self.marks(low).add("zero" if binary else "below")
            for c in self.cells:
                if "one" in self.marks(c):
                    self.marks(c).add("positive")
                if not overlap and "positive" in self.marks(c):
                    for aspect in range(self.setting.shape.aspects):
                        if aspect != c[1]:
                            self.marks((c[0], aspect)).add("zero")

    def _contradiction(self) -> bool:
        for known in self._marks.values():
            if {"zero", "positive"} <= known or {"one", "below"} <= known:
                return True
        if any(self.root(high) in self._lower(high) for high, _ in self._above):
            return True
        for t, u in self._more:
            ranked = range(self.setting.shape.ranked)
            most = sum("zero" not in self.marks((row, t)) for row in ranked)
            least = sum("positive" in self.marks((row, u)) for row in ranked)
            if most <= least:
                return True
        return False

    def _lower(self, cell: Cell) -> set[Cell]:
        """The classes below a cell's class, through any number of steps."""
        found: set[Cell] = set()
        todo = [self.root(cell)]
        while todo:
            high = todo.pop()
            for h, low in self._above:
                if self.root(h) == high and self.root(low) not in found:
                    found.add(self.root(low))
                    todo.append(self.root(low))
        return found

    def _covers(self, cell: Cell) -> list[Cell]:
        """The highest of the classes below a class, those that are 0 left out."""
        below = {c for c in self._lower(cell) if "zero" not in self.marks(c)}
        return sorted(c for c in below if not any(c in self._lower(other) for other in below))

    def _two_one_known(self) -> Split | None:
        for c in self.cells:
            if self.root(c) == c and not {"zero", "one"} & self.marks(c):
                covers = self._covers(c)
                if len(covers) > 1:
                    return ("compare", covers[0], covers[1])
        return None

    # --------------------------------------------------------------------------------------------------- variables

    def unknown(self, cell: Cell) -> bool:
        """Whether a grade may be 0 and may be not."""
        return not {"zero", "positive"} & self.marks(cell)

    def one_known(self, cell: Cell) -> bool:
        """Whether it is known if a grade is 1 or not."""
        return bool({"zero", "one", "below"} & self.marks(cell))

    def comparable(self, a: Cell, b: Cell) -> bool:
        """Whether it is known which of two grades is larger, or that they are equal."""
        a, b = self.root(a), self.root(b)
        known = [self.marks(c) & {"zero", "one"} for c in (a, b)]
        return a == b or all(known) or a in self._lower(b) or b in self._lower(a) or any("zero" in k for k in known)

    def grades(self, variables: Variables) -> tuple[ExactNumbers, dict[int, Cell]]:
        """Grades (documents, m) as terms, and the class of each variable by its index."""
        values: dict[Cell, Term] = {}
        owners: dict[int, Cell] = {}
        zero, one = variables.constant(0), variables.constant(1)
        if self.setting.binary:
            is_one = any("one" in known for known in self._marks.values())
            high = one if is_one else self._new(variables, owners, "rc", Range.ABOVE_ZERO, None)
        for c in self.cells:
            known = self.marks(c)
            if self.root(c) != c:
                continue
            if "zero" in known:
                values[c] = zero
            elif self.setting.binary and "positive" in known:
                values[c] = high
            elif "one" in known:
                values[c] = one
        todo = [c for c in self.cells if self.root(c) == c and c not in values]
        while todo:
            for c in todo:
                covers = self._covers(c)
                if all(low in values for low in covers):
                    values[c] = self._value(variables, owners, c, values[covers[0]] if covers else None)
                    todo.remove(c)
                    break
        m = self.setting.shape.aspects
        out = np.empty((self.setting.shape.documents, m), dtype=object)
        for c in self.cells:
            out[c] = values[self.root(c)]
        return out, owners

    def _value(self, variables: Variables, owners: dict[int, Cell], cell: Cell, low: Term | None) -> Term:
        known, name = self.marks(cell), f"{cell[0] + 1}.{cell[1] + 1}"
        below = "below" in known
        if low is None:
            if "positive" in known:
                range_ = Range.OPEN if below else Range.ABOVE_ZERO
            else:
                range_ = Range.BELOW_ONE if below else Range.UNIT
            return self._new(variables, owners, f"r{name}", range_, cell)
        step = self._new(variables, owners, f"u{name}", Range.OPEN if below else Range.ABOVE_ZERO, cell)
        total: Term = low + step if self.setting.small else low + (1 - low) * step
        return total

    def _new(self, variables: Variables, owners: dict[int, Cell], name: str, range_: Range, cell: Cell | None) -> Term:
        if self.setting.small:
            range_ = Range.NONNEGATIVE if range_.has_zero else Range.POSITIVE
        if cell is not None:
            owners[len(variables.names)] = cell
        return variables.new(name, range_)

    def weights(self, variables: Variables) -> ExactNumbers:
        """Weights (m,) that sum to 1: one aspect's is the unit, the others are multiples of it."""
        m = self.setting.shape.aspects
        shares = [variables.constant(1)] * m
        if not self.setting.axiom.balanced:
            base = self._lighter[0][0] if self._lighter else 0
            heavier = [u for _, u in self._lighter]
            if any(t != base for t, _ in self._lighter):
                raise NotImplementedError("two aspects that others are heavier than")
            for aspect in range(m):
                if aspect != base:
                    share = variables.new(f"w{aspect + 1}", Range.POSITIVE)
                    shares[aspect] = 1 + share if aspect in heavier else share
        total = sum(shares[1:], shares[0])
        return np.array([share / total for share in shares], dtype=object)
