"""An axiom with assumptions added to its premises, which search and provers take as they take any other."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

import numpy as np

from axiomcheck.axioms import Axiom, Draft, PairAxiom, Shape, about_pairs, find_axiom
from axiomcheck.axioms.relations import Index, Relations
from axiomcheck.axioms.script import Script
from axiomcheck.core.errors import InvalidInput, UnknownName
from axiomcheck.core.typing import Integers, Mask
from axiomcheck.studies.weakest.assumptions import ASSUMPTIONS, Assumption

_PLUS = " + "
_ATTRIBUTES = tuple(name for owner in (Axiom, PairAxiom) for name in owner.__annotations__)
_COLUMNS = ("grades", "weights", "top", "i", "j", "t", "u")


class Restricted(PairAxiom):
    """An axiom, asserted only of those of its instances that meet some assumptions.

    Args:
        base: the axiom.
        added: the assumptions, each offered for it.

    """

    base: PairAxiom
    added: tuple[Assumption, ...]

    def __new__(cls, base: PairAxiom, added: Sequence[Assumption]) -> Restricted:
        """A restriction of an axiom is one of its kind: checkers ask what kind of axiom a proof is about."""
        kind = type(base)
        return super().__new__(types.new_class(f"Restricted{kind.__name__}", (Restricted, kind)))

    def __init__(self, base: PairAxiom, added: Sequence[Assumption]) -> None:
        self.base, self.added = base, tuple(added)
        values = {name: getattr(base, name) for name in _ATTRIBUTES}
        for assumption in added:
            for name, value in assumption.flags.items():
                values[name] = _both(name, values[name], value)
        values["name"] = _PLUS.join([base.name, *(a.name for a in added)])
        vars(self).update(values, number=None)

    def __reduce__(self) -> tuple[Any, ...]:
        return Restricted, (self.base, self.added)

    @property
    def source(self) -> str:
        """Return that of the axiom."""
        return self.base.source

    @property
    def impossible(self) -> bool:
        """Return whether the assumptions leave no number of aspects."""
        return self.max_aspects is not None and self.max_aspects < self.min_aspects

    def met(self, d: Draft) -> Mask:
        """(B,) which of some instances of the axiom meet every assumption."""
        ok = np.ones(d.size, dtype=bool)
        for assumption in self.added:
            ok &= assumption.met(self.base, d)
        return ok

    def holds(self, d: Draft) -> Mask:
        """The axiom's own premises and the assumptions."""
        ok = self.base.premises(d)
        return ok & self.met(d) if ok.any() else ok

    def fix(self, d: Draft) -> None:
        """The axiom's own repair, and that of each assumption where it is not met."""
        self.base.fix(d)
        for _ in self.added[:2]:  # once more where there are several: moving one position can undo what another was
            for assumption in self.added:
                if not self._towards(assumption, d):
                    break

    def _towards(self, assumption: Assumption, d: Draft) -> bool:
        """Repairs the instances of the axiom that do not meet an assumption; whether there are instances."""
        rows = np.flatnonzero(self.base.premises(d))
        if not rows.size:
            return False
        part = d.pick(rows)
        unmet = ~assumption.met(self.base, part)
        if unmet.any():
            rows, part = rows[unmet], part.pick(unmet)
            assumption.repair(self.base, part)
            self.base.repair(part)
            for column in _COLUMNS:
                getattr(d, column)[rows] = getattr(part, column)
        return True

    def rankings(self, d: Draft) -> tuple[Integers, Integers]:
        """Those of the axiom."""
        return self.base.rankings(d)

    def last_rank(self, d: Draft) -> Integers:
        """Return that of the axiom."""
        return self.base.last_rank(d)

    def longest(self, max_rank: int) -> int:
        """Return that of the axiom."""
        return self.base.longest(max_rank)

    def sentence(self, d: Draft) -> str:
        """Return that of the axiom."""
        return self.base.sentence(d)

    def script(self) -> Script | None:
        """The axiom's script as far as it can say the assumptions."""
        script = self.base.script()
        if script is None:
            return None
        # Documents without grades at a place first: a place that is empty has none, whatever was said of them.
        for assumption in self.added:
            script = assumption.script(self.base, script)
        return script

    def relate(self, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """The axiom's relations and those of the assumptions."""
        self.base.relate(g, shape, i, j, t, u)
        for assumption in self.added:
            assumption.relate(self.base, g, shape, i, j, t, u)


def _both(name: str, one: Any, other: Any) -> Any:
    """The value of an attribute where two sides say something of it."""
    if name == "min_aspects":
        return max(one, other)
    if name == "max_aspects":
        return other if one is None else min(one, other)
    return other


def named_restriction(name: str) -> PairAxiom:
    """An axiom by the name that `Restricted` gives it, such as ``AspRel + limit``; without ``+``, as it is.

    Raises:
        InvalidInput: no such axiom on pairs, or an assumption twice.
        UnknownName: no such assumption.

    """
    first, *rest = name.split(_PLUS)
    base = find_axiom(first)
    if not about_pairs(base):
        raise InvalidInput(f"{first} is about long blocks; assumptions are added to axioms on pairs")
    for k, each in enumerate(rest):
        if each not in ASSUMPTIONS:
            raise UnknownName("assumption", each, list(ASSUMPTIONS))
        if each in rest[:k]:
            raise InvalidInput(f"{name}: {each} is there twice")
    return Restricted(base, [ASSUMPTIONS[each] for each in rest]) if rest else base
