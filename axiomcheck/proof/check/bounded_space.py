"""The checker's own reading of an axiom's relations: which grades are left by them and by a case's splits."""

from __future__ import annotations

from typing import Any

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.axioms.relations import Cell, Relations
from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.typing import ExactNumbers
from axiomcheck.proof.check.bounded_symbols import World
from axiomcheck.proof.check.quotients import Quotient


class SpaceSetting:
    """Sizes, positions and aspects, with what the axiom states of the grades there."""

    def __init__(self, axiom: PairAxiom, shape: Shape, chosen: tuple[int, ...], binary: bool, small: bool) -> None:
        self.axiom, self.shape, self.binary, self.small = axiom, shape, binary, small
        self.chosen = dict(zip("ijtu", chosen, strict=True))
        self.relations = Relations()
        axiom.relate(self.relations, shape, *chosen)
        self.text = f"n = {shape.ranked}, m = {shape.aspects}, {counted(shape.documents, 'document')}, " + ", ".join(
            f"{c} = {self.chosen[c] + 1}" for c in axiom.choices
        )

    def draft(self) -> Draft:
        """A draft of the setting, without grades."""
        columns = {c: np.array([k]) for c, k in self.chosen.items()}
        m = self.shape.aspects
        nothing = np.zeros((1, self.shape.documents, m))
        return Draft(self.shape, nothing, np.ones((1, m), dtype=np.int64), np.ones(1), **columns, binary=self.binary)

    def key(self) -> tuple[Any, ...]:
        """What cases of the setting are sorted by: shape and positions, counted from 1."""
        s = self.shape
        return (s.documents, s.aspects, s.ranked, *((c, self.chosen[c] + 1) for c in sorted(self.axiom.choices)))


class Space:
    """The grades that the relations and some decisions leave, worked out cell by cell."""

    def __init__(self, setting: SpaceSetting, decisions: list[tuple[str, Cell, Cell | None]]) -> None:
        self.setting = setting
        shape = setting.shape
        self.cells = [(d, t) for d in range(shape.documents) for t in range(shape.aspects)]
        self.known: dict[str, set[Cell]] = {"zero": set(), "positive": set(), "one": set(), "below": set()}
        equal: list[tuple[Cell, Cell]] = []
        self.over: set[tuple[Cell, Cell]] = set()
        self.more: list[tuple[int, int]] = []
        self.lighter: list[tuple[int, int]] = []
        for name, *arguments in setting.relations.facts:
            if name == "same":
                equal.append((arguments[0], arguments[1]))
            elif name == "above":
                self.over.add((arguments[0], arguments[1]))
            elif name in ("more", "lighter"):
                getattr(self, name).append(tuple(arguments))
            else:
                self.known[name].add(arguments[0])
        for sign, a, b in decisions:
            if b is None:
                self.known[{"=0": "zero", ">0": "positive", "=1": "one", "<1": "below"}[sign]].add(a)
            elif sign == "=":
                equal.append((a, b))
            else:
                self.over.add((a, b) if sign == ">" else (b, a))
        self.leader = {c: c for c in self.cells}
        for _ in self.cells if equal else ():
            for a, b in equal:
                self.leader[a] = self.leader[b] = min(self.leader[a], self.leader[b])
            self.leader = {c: self.leader[self.leader[c]] for c in self.cells}
        if any(self.leader[a] != self.leader[b] for a, b in equal):
            raise InvalidInput("certificate: equal grades did not come together")  # pragma: no cover - a safeguard
        self.over = {(self.leader[a], self.leader[b]) for a, b in self.over}
        for kind in self.known:
            self.known[kind] = {self.leader[c] for c in self.known[kind]}
        self._conclude()

    def _conclude(self) -> None:
        known, binary = self.known, self.setting.binary
        size = -1
        while size != (size := len(self.over) + sum(map(len, known.values()))):
            self.over |= {(a, d) for a, b in self.over for c, d in self.over if b == c}
            for high, low in self.over:
                known["positive"].add(high)
                known["zero" if binary else "below"].add(low)
            known["positive"] |= known["one"]
            if not self.setting.axiom.overlap:
                for d, t in self.cells:
                    if self.leader[d, t] in known["positive"]:
                        others = {self.leader[d, s] for s in range(self.setting.shape.aspects) if s != t}
                        known["zero"] |= others

    def is_empty(self) -> bool:
        """Whether no draft is left."""
        known = self.known
        if known["zero"] & known["positive"] or known["one"] & known["below"]:
            return True
        if any(a == b for a, b in self.over):
            return True
        ranked = range(self.setting.shape.ranked)
        return any(
            sum(self.leader[d, t] not in known["zero"] for d in ranked)
            <= sum(self.leader[d, u] in known["positive"] for d in ranked)
            for t, u in self.more
        )

    def grades(self, world: World) -> ExactNumbers:
        """(documents, m) quotients.

        Raises:
            InvalidInput: one grade is above two that are not compared.

        """
        known, small, binary = self.known, self.setting.small, self.setting.binary
        value: dict[Cell, Quotient] = {}

        def variable(name: str, zero: bool, one: bool) -> Quotient:
            return world.variable(name, f"{'[' if zero else '('}0, {'oo)' if small else '1]' if one else '1)'}")

        if binary:
            rc = Quotient.of(1) if known["one"] else variable("rc", False, True)
        leaders = sorted(set(self.leader.values()))
        for c in leaders:
            if c in known["zero"]:
                value[c] = Quotient.of(0)
            elif binary and c in known["positive"]:
                value[c] = rc
            elif c in known["one"]:
                value[c] = Quotient.of(1)
        beneath = {c: {b for a, b in self.over if a == c and b not in known["zero"]} for c in leaders}
        while len(value) < len(leaders):
            # the least cell of those all of whose lower grades are there already
            c = next(c for c in leaders if c not in value and beneath[c] <= set(value))
            name, free = f"{c[0] + 1}.{c[1] + 1}", c not in known["below"]
            highest = [b for b in beneath[c] if not any((other, b) in self.over for other in beneath[c])]
            if len(highest) > 1:
                raise InvalidInput(f"certificate: {self.setting.text}: two grades below {name} are not compared")
            if highest:
                low, step = value[highest[0]], variable(f"u{name}", False, free)
                value[c] = low + step if small else low + (1 - low) * step
            else:
                value[c] = variable(f"r{name}", c not in known["positive"], free)
        out = np.empty((1, self.setting.shape.documents, self.setting.shape.aspects), dtype=object)
        for c in self.cells:
            out[0][c] = value[self.leader[c]]
        return out

    def weights(self, world: World) -> ExactNumbers:
        """(m,) quotients that sum to 1."""
        m = self.setting.shape.aspects
        lightest = {t for t, _ in self.lighter} or {0}
        if len(lightest) > 1:
            raise InvalidInput("certificate: two aspects that others are heavier than")
        shares = [Quotient.of(1) for _ in range(m)]
        for t in range(m):
            if t not in lightest and not self.setting.axiom.balanced:
                shares[t] = world.variable(f"w{t + 1}", "(0, oo)")
                if any(u == t for _, u in self.lighter):
                    shares[t] = 1 + shares[t]
        total = shares[0]
        for share in shares[1:]:
            total = total + share
        out = np.empty((1, m), dtype=object)
        out[0, :] = [share / total for share in shares]
        return out
