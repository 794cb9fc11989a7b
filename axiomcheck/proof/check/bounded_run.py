"""Run a metric's own code on the symbols of one case, and derive the coefficients of the score difference.

The checker does this for the cases that a certificate lists, and the prover for the cases that it guesses. The lemmas
are in docs/lemmas/bounded.md.

The grades of a case are symbols that satisfy the axiom's relations and the decisions of the splits. Grades that are
known to be equal share one symbol. A grade that is known to be above another is written as the lower grade plus a
positive step. If the symbols allow more grades than the premises do, a proof for the symbols is still valid.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import gcd, lcm
from typing import Any

import numpy as np

from axiomcheck.axioms import Draft, PairAxiom, Shape
from axiomcheck.axioms.relations import Cell, Relations
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted, shown
from axiomcheck.core.typing import ExactNumbers
from axiomcheck.metrics import Metric
from axiomcheck.numbers.series import Series, Truncated, last_known
from axiomcheck.proof.check.bounded_symbols import Sortable, Symbolic, Unread, World, Zetas
from axiomcheck.proof.check.polynomials import Polynomial
from axiomcheck.proof.check.quotients import Quotient
from axiomcheck.sources.provenance import is_genuine

Decision = tuple[str, Cell, Cell | None]
"""Decision: ("=0" | ">0" | "=1" | "<1", cell, None) or ("<" | "=" | ">", cell, other cell)."""

SIDES = {"=0": ("=0", ">0"), "=1": ("=1", "<1"), "<=>": ("<", "=", ">")}
"""Kind of a split -> relation on each of its sides."""

_NUMBER = "([1-9][0-9]{0,3})"
_SPLIT = re.compile(rf"{_NUMBER}\.{_NUMBER}(=0|=1|<=>)(?:{_NUMBER}\.{_NUMBER})?")


def decisions_of(split: Decision) -> list[Decision]:
    """Return the decisions on all sides of a split, such as a < b, a = b and a > b.

    Args:
        split: ("=0" | "=1" | "<=>", cell, other cell or None).

    """
    kind, a, b = split
    return [(sign, a, b) for sign in SIDES[kind]]


def text_of(decision: Decision) -> str:
    """Write a decision or a split in the notation of certificates: ``"3.1=0"`` is about document 3 and aspect 1."""
    sign, a, b = decision
    return f"{a[0] + 1}.{a[1] + 1}{sign}" + ("" if b is None else f"{b[0] + 1}.{b[1] + 1}")


def read_split(text: str, shape: Shape, where: str) -> Decision:
    """Parse a split in the notation of certificates; see `text_of`.

    Raises:
        InvalidInput: The text is not a split, or refers to a document or an aspect that does not exist.

    """
    found = _SPLIT.fullmatch(text)
    if found is None or (found[4] is None) != (found[3] != "<=>"):
        raise InvalidInput(f"{where}: split is {shown(text)}; expected a form such as '1.1=0', '1.1=1' or '1.1<=>2.1'")
    cells = [(int(found[k]) - 1, int(found[k + 1]) - 1) for k in ((1, 4) if found[4] else (1,))]
    if not all(0 <= d < shape.documents and 0 <= t < shape.aspects for d, t in cells):
        raise InvalidInput(f"{where}: split {text!r} names a document or an aspect that does not exist")
    return found[3], cells[0], cells[1] if len(cells) > 1 else None


class SpaceSetting:
    """Sizes, positions and aspects shared by a set of instances, with the axiom's relations between their grades."""

    def __init__(self, axiom: PairAxiom, shape: Shape, chosen: tuple[int, ...], binary: bool, small: bool) -> None:
        self.axiom, self.shape, self.binary, self.small = axiom, shape, binary, small
        self.chosen = dict(zip("ijtu", chosen, strict=True))
        self.relations = Relations()
        axiom.relate(self.relations, shape, *chosen)
        self.text = f"n = {shape.ranked}, m = {shape.aspects}, {counted(shape.documents, 'document')}, " + ", ".join(
            f"{c} = {self.chosen[c] + 1}" for c in axiom.choices
        )

    def draft(self) -> Draft:
        """Return a draft of one instance with the shape and positions of the setting, in which every grade is 0."""
        columns = {c: np.array([k]) for c, k in self.chosen.items()}
        m = self.shape.aspects
        nothing = np.zeros((1, self.shape.documents, m))
        return Draft(self.shape, nothing, np.ones((1, m), dtype=np.int64), np.ones(1), **columns, binary=self.binary)

    def positions(self) -> dict[str, int]:
        """Return the positions and aspects that the axiom chooses, counted from 1."""
        return {choice: self.chosen[choice] + 1 for choice in self.axiom.choices}

    def key(self) -> tuple[Any, ...]:
        """Return a tuple of the shape and the positions, which identifies the setting in a scope."""
        s = self.shape
        return (s.documents, s.aspects, s.ranked, *sorted(self.positions().items()))


def settings_of(
    axiom: PairAxiom, ranked: int, aspects: int, extras: int, binary: bool, small: bool, cutoff: int | None
) -> Iterator[SpaceSetting]:
    """Yield the settings of a given shape that have instances and do not refer to ranks below the cutoff."""
    shape = Shape(ranked + len(axiom.incoming) + extras, aspects, ranked)
    sizes = {"i": ranked, "j": ranked, "t": aspects, "u": aspects}
    for chosen in product(*(range(sizes[c]) if c in axiom.choices else (0,) for c in "ijtu")):
        setting = SpaceSetting(axiom, shape, chosen, binary, small)
        if setting.relations.possible and (cutoff is None or axiom.last_rank(setting.draft())[0] <= cutoff):
            yield setting


class Space:
    """Set of all grades that satisfy the relations of a setting and the decisions made so far."""

    def __init__(self, setting: SpaceSetting, decisions: Sequence[Decision]) -> None:
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
            raise InvalidInput("certificate: equal grades have different symbols")  # pragma: no cover - a safeguard
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
        """Return True if the relations and decisions are known to contradict each other."""
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

    def _beneath(self, cell: Cell) -> list[Cell]:
        """Return the grades directly below a grade, one from each set of equal grades, except those known to be 0."""
        below = {b for a, b in self.over if a == cell and b not in self.known["zero"]}
        return sorted(b for b in below if not any((other, b) in self.over for other in below))

    def uncompared(self) -> tuple[Cell, Cell] | None:
        """Return two grades of unknown relative order that are both below a third grade, or None if there are none.

        Such a case must be split, because the third grade cannot be written as the larger of the two plus a step.
        """
        for c in sorted(set(self.leader.values()) - self.known["zero"] - self.known["one"]):
            if not self.setting.binary and len(beneath := self._beneath(c)) > 1:
                return beneath[0], beneath[1]
        return None

    def grades(self, world: World) -> ExactNumbers:
        """Return the grades as an array of quotients, shape (1, documents, m).

        Raises:
            InvalidInput: A grade is above two others whose relative order is undecided.

        """
        known, small, binary = self.known, self.setting.small, self.setting.binary
        value: dict[Cell, Quotient] = {}

        def variable(name: str, zero: bool, one: bool, *cells: Cell) -> Quotient:
            end = "oo)" if small else "1]" if one else "1)"
            return world.variable(name, f"{'[' if zero else '('}0, {end}", cells)

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
        if self.uncompared() is not None:
            a, b = (f"{d + 1}.{t + 1}" for d, t in self.uncompared() or ())
            raise InvalidInput(
                f"certificate: {self.setting.text}: a grade is above {a} and {b}, whose order is undecided"
            )
        beneath = {c: self._beneath(c) for c in leaders}
        while len(value) < len(leaders):
            # the first cell whose lower grades all have their values
            c = next(c for c in leaders if c not in value and all(b in value for b in beneath[c]))
            name, free = f"{c[0] + 1}.{c[1] + 1}", c not in known["below"]
            if beneath[c]:
                low, step = value[beneath[c][0]], variable(f"u{name}", False, free, c)
                value[c] = low + step if small else low + (1 - low) * step
            else:
                value[c] = variable(f"r{name}", c not in known["positive"], free, c)
        out = np.empty((1, self.setting.shape.documents, self.setting.shape.aspects), dtype=object)
        for c in self.cells:
            out[0][c] = value[self.leader[c]]
        return out

    def weights(self, world: World) -> ExactNumbers:
        """Return the weights as an array of quotients that sum to 1, shape (1, m).

        Raises:
            InvalidInput: The axiom names two aspects of lowest weight.

        """
        m = self.setting.shape.aspects
        lightest = {t for t, _ in self.lighter} or {0}
        if len(lightest) > 1:
            raise InvalidInput("certificate: the axiom names two aspects of lowest weight; expected one")
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


DISCOUNTS = ("decreasing", "convex", "own")
"""Assumptions about discounts that are neither constant nor geometric, weakest first. ``own`` means exact values."""


@dataclass(frozen=True)
class BoundedPlan:
    """Claim about a metric on instances up to some size, with the assumptions of the proof.

    Args:
        axiom: Axiom of the claim.
        metric: Metric with its own parameter values.
        small: True if r << 1 is assumed.
        binary: True if every grade is either 0 or a common value rc.
        parameters: Range of each parameter that becomes a symbol, by name.
        discount: One of `DISCOUNTS`.
        pool: True if the metric receives a pool. Without a pool, the number of unretrieved documents does not matter.

    """

    axiom: PairAxiom
    metric: Metric
    small: bool
    binary: bool
    parameters: Mapping[str, str]
    discount: str
    pool: bool

    @cached_property
    def own_code(self) -> bool:
        """True if external code computes the metric's scores."""
        return not is_genuine(self.metric)


class SymbolicCase:
    """Symbols for one case, and the metric's scores on them.

    Args:
        plan: Plan of the proof.
        space: Grades of the case.

    Attributes:
        world: Symbols created so far.
        by_order: Q(better) - Q(worse) by order of eps. If r << 1 is not assumed, the only order is 0.
        last: Highest known order; None if all are known.

    """

    def __init__(self, plan: BoundedPlan, space: Space) -> None:
        self.plan, self.space = plan, space
        self._begin(None, None)

    def _begin(self, earlier: World | None, zetas: list[tuple[int, Polynomial]] | None) -> None:
        """Create the symbols for a run. Those of an earlier run are reused."""
        self.world = World(earlier)
        self.parameters = {name: self.world.variable(name, range_) for name, range_ in self.plan.parameters.items()}
        self.zetas = Zetas(self.world, zetas)
        grades = self.space.grades(self.world).view(Sortable)
        grades.world = self.world
        self.grades: ExactNumbers = grades
        self.weights = self.space.weights(self.world)
        self.arithmetic = Symbolic(self.world, self.plan.discount, self.space.setting.shape.documents, self.zetas)
        self.by_order: dict[int, Quotient] = {}
        self.last: int | None = None

    def derive(self, keep: int | None = None) -> None:
        """Run the metric on both rankings, and set `by_order` and `last`.

        The metric is run again if two of its zeta values can share a variable.

        Args:
            keep: Highest order of eps to derive; None for all orders. If the difference is 0 up to this order, all
                orders are derived.

        Raises:
            SignUnknown: The metric's code makes a comparison that the symbols do not decide.
            PoolRead: The code reads the pool, although the plan provides none.
            InvalidInput: The code does not run on symbols.

        """
        with suppress(Truncated):
            self._score(keep)
        if not self.by_order or (keep is not None and self.leading()[1].is_zero):
            self._begin(None, None)
            self._score(None)
        if self.zetas.are_related():
            self._begin(self.world, self.zetas.values)
            self._score(None)

    def leading(self) -> tuple[int, Quotient]:
        """Return the lowest order of eps with a nonzero difference, and its coefficient; (0, 0) if there is none."""
        return next(((k, q) for k, q in self.by_order.items() if not q.is_zero), (0, Quotient.of(0)))

    def _score(self, keep: int | None) -> None:
        """Score both rankings, discarding orders of eps above ``keep``.

        Raises:
            Truncated: The score depends on the discarded orders.

        """
        plan = self.plan
        metric = plan.metric.at(self.parameters) if self.parameters else plan.metric

        def as_seen(x: Any) -> Any:
            return Series({1: x}, keep) if plan.small else x

        pool = as_seen(self.grades) if plan.pool else Unread()
        sides: list[dict[int, Quotient]] = []
        scores = []
        for rows in plan.axiom.rankings(self.space.setting.draft()):
            try:
                score = metric.score(self.arithmetic, as_seen(self.grades[:, rows[0]]), self.weights, pool)
            except InvalidInput:
                raise
            except Truncated as error:
                if keep is not None:
                    raise
                raise InvalidInput(f"certificate: {metric.name}: {error}") from None
            except Exception as error:
                raise InvalidInput(f"certificate: {metric.name} raised {type(error).__name__}: {error}") from error
            scores.append(score)
            terms = score.terms if isinstance(score, Series) else {0: score}
            if any(np.size(c) != 1 for c in terms.values()):
                raise InvalidInput("certificate: the metric returned several numbers for one ranking")
            if isinstance(score, Series) and score.dropped and not plan.axiom.strict:
                raise InvalidInput("certificate: scores that are equal in all known orders may differ in a higher one")
            try:
                sides.append({k: Quotient.of(np.asarray(c, dtype=object).reshape(-1)[0]) for k, c in terms.items()})
            except TypeError as error:
                raise InvalidInput(f"certificate: a score is not an exact number: {error}") from None
        worse, better = sides
        zero, self.last = Quotient.of(0), last_known(*scores)
        self.by_order = {
            k: better.get(k, zero) - worse.get(k, zero)
            for k in sorted({*worse, *better})
            if self.last is None or k <= self.last
        }


def written(case: SymbolicCase, order: int, numerator: Polynomial) -> dict[str, Any]:
    """Write a difference in the notation of certificates: variables, zeta values, order of eps and coefficients.

    The coefficients are integers without a common divisor, grouped by products of weights.
    """
    world, expanded = case.world, numerator.expanded()
    used, zetas = numerator.degrees(), case.zetas.written()
    scale = lcm(*(int(c.q) for c in expanded.values()))
    whole = {monomial: int(c.p) * scale // int(c.q) for monomial, c in expanded.items()}
    divisor = gcd(*whole.values())
    terms: dict[str, dict[str, str]] = {}
    for monomial in sorted(whole, key=world.monomial):
        weights = world.monomial(tuple(v for v in monomial if v.name.startswith("w")))
        rest = world.monomial(tuple(v for v in monomial if not v.name.startswith("w")))
        terms.setdefault(weights, {})[rest] = str(whole[monomial] // divisor)
    return {
        "variables": [[v.name, v.range] for v in world.variables if v in used],
        **({"zeta": zetas} if zetas else {}),
        "order": order,
        "terms": terms,
    }
