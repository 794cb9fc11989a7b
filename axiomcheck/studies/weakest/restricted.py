"""Axioms with added assumptions, which the search and the provers treat like any other axiom."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

import numpy as np

from axiomcheck.axioms import Axiom, Draft, PairAxiom, Shape
from axiomcheck.axioms.relations import Index, Relations
from axiomcheck.axioms.script import Script
from axiomcheck.core.typing import Integers, Mask
from axiomcheck.studies.weakest.assumptions import Assumption

_PLUS = " + "
_ATTRIBUTES = tuple(name for owner in (Axiom, PairAxiom) for name in owner.__annotations__)
_COLUMNS = ("grades", "weights", "top", "i", "j", "t", "u")


class Restricted(PairAxiom):
    """Axiom that is restricted to the instances that meet some assumptions.

    Args:
        base: Axiom without the assumptions.
        added: Assumptions, each of which must be offered for the axiom.

    """

    base: PairAxiom
    added: tuple[Assumption, ...]

    def __new__(cls, base: PairAxiom, added: Sequence[Assumption]) -> Restricted:
        """Create an object of a new subclass of the axiom's class, since other code inspects the class of an axiom."""
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

    @property
    def source(self) -> str:
        """Source of the base axiom."""
        return self.base.source

    @property
    def impossible(self) -> bool:
        """Return whether the assumptions exclude every possible number of aspects."""
        return self.max_aspects is not None and self.max_aspects < self.min_aspects

    def met(self, d: Draft) -> Mask:
        """Return a (B,) mask of the instances of the base axiom that meet every assumption."""
        ok = np.ones(d.size, dtype=bool)
        for assumption in self.added:
            ok &= assumption.met(self.base, d)
        return ok

    def holds(self, d: Draft) -> Mask:
        """Return a (B,) mask of the drafts that meet the premises of the base axiom and every assumption."""
        ok = self.base.premises(d)
        return ok & self.met(d) if ok.any() else ok

    def fix(self, d: Draft) -> None:
        """Apply the repair of the base axiom, and then the repair of each assumption that is not met."""
        self.base.fix(d)
        for _ in self.added[:2]:  # twice for several assumptions, since a repair may undo another
            for assumption in self.added:
                if not self._towards(assumption, d):
                    break

    def _towards(self, assumption: Assumption, d: Draft) -> bool:
        """Repair the instances that do not meet an assumption, and return False if there are no instances."""
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
        """Return the rankings of the base axiom."""
        return self.base.rankings(d)

    def last_rank(self, d: Draft) -> Integers:
        """Return the last ranks that the base axiom refers to."""
        return self.base.last_rank(d)

    def longest(self, max_rank: int) -> int:
        """Return the length of the longest ranking of the base axiom."""
        return self.base.longest(max_rank)

    def sentence(self, d: Draft) -> str:
        """Return the sentence of the base axiom about a draft."""
        return self.base.sentence(d)

    def script(self) -> Script | None:
        """Return the script of the base axiom with all assumptions that a script can express."""
        script = self.base.script()
        if script is None:
            return None
        # Assumptions about grades at a place come before those that leave the place empty.
        for assumption in self.added:
            script = assumption.script(self.base, script)
        return script

    def relate(self, g: Relations, shape: Shape, i: Index, j: Index, t: Index, u: Index) -> None:
        """Add the relations of the base axiom and of the assumptions."""
        self.base.relate(g, shape, i, j, t, u)
        for assumption in self.added:
            assumption.relate(self.base, g, shape, i, j, t, u)


def _both(name: str, one: Any, other: Any) -> Any:
    """Combine the values of an attribute that both an axiom and an assumption set."""
    if name == "min_aspects":
        return max(one, other)
    if name == "max_aspects":
        return other if one is None else min(one, other)
    return other
