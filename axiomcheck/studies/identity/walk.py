"""Two folds side by side on one aspect, on symbols: an invariant of both states, and the quotient of the gains."""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd, lcm
from typing import Any

from flint import fmpq

from axiomcheck.core.errors import AxiomcheckError
from axiomcheck.metrics import Fold
from axiomcheck.numbers.polynomials import Range, Term, Terms, Variables, powers_of, sum_text
from axiomcheck.proof.find.setting import fold_step


class NoProofError(AxiomcheckError):
    """A premise of the induction is not met; the message says which."""


def need(condition: bool, otherwise: str) -> None:
    """Checks a premise.

    Raises:
        NoProofError: it is not met.

    """
    if not condition:
        raise NoProofError(otherwise)


def tidy(term: Term) -> Term:
    """The same function in lowest terms, with a denominator of whole coefficients without a common divisor."""
    term = term.lowest()
    numbers = term.denominator.coeffs()
    unit = fmpq(gcd(*(int(c.p) for c in numbers)), lcm(*(int(c.q) for c in numbers)))
    return Term(term.numerator / unit, term.denominator / unit, term.variables)


class Grades:
    """The kinds of documents that there are on one aspect."""

    def __init__(self, kind: str, small: bool, variables: Variables) -> None:
        self.small = small
        self.variables = variables
        self.fixed: Term | None = None
        if kind == "one" and not small:
            self.fixed = variables.constant(1)
        elif kind == "binary":
            self.fixed = variables.new("rc", Range.POSITIVE if small else Range.ABOVE_ZERO)
        self.name = {"one": "1", "binary": "rc"}.get(kind, "r")

    def kinds(self, name: str) -> list[tuple[str, Term]]:
        """Each kind of document, with its grade; makes a new variable where any grade may come."""
        some = self.fixed
        if some is None:
            some = self.variables.new(name, Range.POSITIVE if self.small else Range.ABOVE_ZERO)
        return [("grade 0", self.variables.constant(0)), (f"grade {self.name} > 0", some)]


Values = dict[str, Term]
"""Quantities: A0_0 is component 0 of metric A's state, its coefficient of eps^0."""

_WEAKER = {Range.UNIT: Range.NONNEGATIVE, Range.NONNEGATIVE: Range.ANY}


class Walk:
    """Both folds side by side on one aspect, on symbols.

    Args:
        fold_a, fold_b: the folds.
        grades: the kinds of documents.
        constants: how many variables are parameters.

    """

    def __init__(self, fold_a: Fold, fold_b: Fold, grades: Grades, constants: int) -> None:
        self.folds = {"A": fold_a, "B": fold_b}
        self.grades = grades
        self.variables = grades.variables
        self.small = grades.small
        self.constants = constants
        self.orders = (0, 1) if self.small else (0,)
        # The next order of a state is not followed: a number of which nothing is known stands for it in each step.
        count = {side: len(fold.start(Terms())) for side, fold in self.folds.items()}
        self.unknown = {
            f"{side}{c}": self.variables.new(f"?_{side}{c}", Range.ANY)
            for side in self.folds
            for c in range(count[side] if self.small else 0)
        }

    def start(self) -> Values:
        """Before rank 1."""
        zero = self.variables.constant(0)
        return {
            f"{side}{c}_{order}": zero + (value if order == 0 else 0)
            for side, fold in self.folds.items()
            for c, value in enumerate(fold.start(Terms()))
            for order in self.orders
        }

    def step(self, side: str, grade: Term, values: Values) -> tuple[dict[int, Term], dict[str, Term]]:
        """(gain by order of eps, quantities of the state after it); orders not followed are unknown numbers."""
        fold = self.folds[side]
        state = []
        for c in range(len(fold.start(Terms()))):
            parts = {order: values[f"{side}{c}_{order}"] for order in self.orders}
            state.append(parts | {len(self.orders): self.unknown[f"{side}{c}"]} if self.small else parts)
        gain, after = fold_step(fold, state, grade, self.small)
        blank = dict.fromkeys(self.orders, self.variables.constant(0))
        return blank | gain, {f"{side}{c}_{o}": t for c, part in enumerate(after) for o, t in (blank | part).items()}

    def both(self, grade: Term, values: Values) -> tuple[dict[str, dict[int, Term]], Values]:
        """As `step`, of both folds; the quantities that are followed only."""
        gains: dict[str, dict[int, Term]] = {}
        after: Values = {}
        for side in self.folds:
            gains[side], left = self.step(side, grade, values)
            after |= {name: term for name, term in left.items() if name in values}
        return gains, after

    def without_relevant(self) -> bool:
        """Whether a ranking without relevant documents earns nothing in either metric."""
        start = self.start()
        gains, after = self.both(self.variables.constant(0), start)
        earned = any(not t.numerator.is_zero() for side in gains.values() for t in side.values())
        return not earned and all(_equal(after[name], start[name]) for name in start)

    def guessed(self) -> dict[str, tuple[str, Any]]:
        """An invariant that the first three ranks suggest; it may be too strong."""
        mark = len(self.variables.names)
        seen = latest = [self.start()]
        for rank in range(3):
            kinds = self.grades.kinds(f"r{rank}")
            latest = [self.both(grade, values)[1] for values in latest for _, grade in kinds]
            seen = seen + latest
        bindings: dict[str, tuple[str, Any]] = {}
        for name in seen[0]:
            if all(_equal(v[name], seen[0][name]) for v in seen):
                bindings[name] = ("=", seen[0][name])
                continue
            free = [other for other, (kind, _) in bindings.items() if kind == "in"]
            twin = next((o for o in free if all(_equal(v[name], v[o]) for v in seen)), None)
            bindings[name] = ("in", Range.UNIT) if twin is None else ("same", twin)
        self.variables.forget(mark)
        return bindings

    def within(self, bindings: Mapping[str, tuple[str, Any]]) -> Values:
        """Quantities of which no more is known than the invariant."""
        values: Values = {}
        for name, (kind, what) in bindings.items():
            if kind == "in":
                values[name] = self.variables.new(f"s_{name}", what)
            else:
                values[name] = what if kind == "=" else values[what]
        return values

    def broken(self, bindings: Mapping[str, tuple[str, Any]], after: Values) -> str | None:
        """A quantity that is not as the invariant says."""
        for name, (kind, what) in bindings.items():
            if kind == "in":
                unit = what is Range.UNIT and not (1 - after[name]).at_least_zero()
                if unit or (what is not Range.ANY and not after[name].at_least_zero()):
                    return name
            elif not _equal(after[name], what if kind == "=" else after[what]):
                return name
        return None

    def invariant(self) -> dict[str, tuple[str, Any]]:
        """The guess, weakened until every kind of document keeps it."""
        bindings = self.guessed()
        while True:
            mark = len(self.variables.names)
            values = self.within(bindings)
            states = [self.both(grade, values)[1] for _, grade in self.grades.kinds("r")]
            # The start is checked each time: a weakened quantity may have been bound by it.
            weak = next((n for s in [self.start(), *states] if (n := self.broken(bindings, s)) is not None), None)
            self.variables.forget(mark)
            if weak is None:
                return bindings
            kind, what = bindings[weak]
            bindings[weak] = ("in", _WEAKER[what] if kind == "in" else Range.UNIT)
            for name, (kind, what) in bindings.items():
                # what a quantity was the same as must come first, and stays bound to a free one only
                if kind == "same" and bindings[what][0] != "in":
                    bindings[name] = ("in", Range.UNIT)

    def gains(self, steps: list[str]) -> tuple[Term, int | None, dict[str, tuple[str, str]]]:
        """(gain A / gain B, the order of eps up to which it is that, the invariant in words).

        Raises:
            NoProofError, Undecided: it is no constant, or cannot be shown to be one.

        """
        mark = len(self.variables.names)
        *_, (_, some) = self.grades.kinds("r")
        first, _ = self.both(some, self.start())
        order = next((o for o in self.orders if not first["B"][o].numerator.is_zero()), None)
        need(order is not None, "the first relevant document earns nothing in the second metric")
        assert order is not None
        factor = tidy(first["A"][order] / first["B"][order])
        used = {k for p in (factor.numerator, factor.denominator) for k, d in enumerate(p.degrees()) if d > 0}
        need(all(k < self.constants for k in used), "the first gains are not in one proportion")
        need(factor.sign() > 0, "the first gains are of different signs")
        need(first["B"][order].sign() > 0, "the first relevant document does not earn anything")
        self.variables.forget(mark)
        bindings = self.invariant()
        words = {name: _words(binding) for name, binding in bindings.items()}
        steps += [f"invariant: {name} {' '.join(word)}" for name, word in words.items()]
        values = self.within(bindings)
        for kind, grade in self.grades.kinds("r"):
            gains, after = self.both(grade, values)
            for o in self.orders:
                if o > order:
                    break
                left, right = gains["A"][o], gains["B"][o]
                need(_equal(left, factor * right), f"{kind}: the gains are not proportional")
                eps = f", eps^{o}" if self.small else ""
                steps.append(f"{kind}{eps}: A earns {shown(left)} = {shown(factor)} * {shown(right)}")
            if self.small:
                self._leads(kind, grade, gains, after, values, order)
        self.variables.forget(mark)
        return factor, order if self.small else None, words

    def _leads(
        self, kind: str, grade: Term, gains: dict[str, dict[int, Term]], after: Values, values: Values, order: int
    ) -> None:
        """That the coefficient of that order is the leading one unless the ranking has nothing relevant, and 0 then."""
        for side in self.folds:
            need(gains[side][order].at_least_zero(), f"{kind}: a gain may be negative")
            below = [o for o in gains[side] if o < order]
            need(all(gains[side][o].numerator.is_zero() for o in below), f"{kind}: a gain of lower order")
            if grade.numerator.is_zero():
                need(all(t.numerator.is_zero() for t in gains[side].values()), f"{kind}: earns something")
        if grade.numerator.is_zero():
            need(all(_equal(after[n], values[n]) for n in values), f"{kind}: changes a state")


def _equal(x: Term, y: Any) -> bool:
    return bool((x - y).numerator.is_zero())


def _words(binding: tuple[str, Any]) -> tuple[str, str]:
    kind, what = binding
    return kind, what.value if kind == "in" else what if kind == "same" else shown(what)


def shown(term: Term) -> str:
    """A function as text, constants first: 1 - p rather than -p + 1."""

    def polynomial(p: Any) -> str:
        terms = sorted(p.to_dict().items(), key=lambda item: (sum(item[0]), item[0]))
        return sum_text([(powers_of(exponents), c) for exponents, c in terms], term.variables.names)

    top, bottom = polynomial(term.numerator), polynomial(term.denominator)
    if bottom == "1":
        return top
    wrapped = [f"({t})" if " " in t or "*" in t or "/" in t else t for t in (top, bottom)]
    return "/".join(wrapped)
