"""Run two folds on symbols at once, to find an invariant of their states and the quotient of the gains."""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd, lcm

from flint import fmpq

from axiomcheck.core.errors import AxiomcheckError
from axiomcheck.metrics import Fold
from axiomcheck.proof.check.induction_run import step_of
from axiomcheck.proof.check.polynomials import FREE, Variable, without_common_factor
from axiomcheck.proof.check.quotients import Exact, Quotient, SignUnknown, variable


class NoProofError(AxiomcheckError):
    """Raised when a premise of the induction is not met. The message names the premise."""


def need(condition: bool, otherwise: str) -> None:
    """Check a premise.

    Raises:
        NoProofError: The premise is not met.

    """
    if not condition:
        raise NoProofError(otherwise)


class Grades:
    """Kinds of documents on one aspect.

    Args:
        kind: ``graded`` or ``binary``, see `Scope`.
        small: Whether r << 1 is assumed.

    """

    def __init__(self, kind: str, small: bool) -> None:
        self.small = small
        self.range = "(0, oo)" if small else "(0, 1]"
        self.fixed = variable("rc", self.range) if kind == "binary" else None
        self.name = "rc" if kind == "binary" else "r"

    def kinds(self) -> list[tuple[str, Quotient]]:
        """Return each kind of document and its grade, which is a variable if the grade may have any value."""
        some = variable("r", self.range) if self.fixed is None else self.fixed
        return [("grade 0", Quotient.of(0)), (f"grade {self.name} > 0", some)]


Values = dict[str, Quotient]
"""Quantities by name: A0_0 is the coefficient of eps^0 of component 0 of metric A's state."""

Binding = tuple[str, Quotient | str]
"""Statement about a quantity: ("=", value), ("same", name of an equal quantity) or ("in", range)."""

_UNIT = "[0, 1]"
_WEAKER = {_UNIT: "[0, oo)", "[0, oo)": FREE}


class Walk:
    """Simultaneous run of two folds on symbols, for one aspect.

    Args:
        fold_a: Fold of metric A.
        fold_b: Fold of metric B.
        grades: Kinds of documents.
        parameters: Names of the variables that stand for parameters.

    """

    def __init__(self, fold_a: Fold, fold_b: Fold, grades: Grades, parameters: frozenset[Variable]) -> None:
        self.folds = {"A": fold_a, "B": fold_b}
        self.grades = grades
        self.small = grades.small
        self.parameters = parameters
        self.orders = (0, 1) if self.small else (0,)

    def start(self) -> Values:
        """Return the values of all quantities before rank 1."""
        return {
            f"{side}{c}_{order}": Quotient.of(value if order == 0 else 0)
            for side, fold in self.folds.items()
            for c, value in enumerate(fold.start(Exact()))
            for order in self.orders
        }

    def both(self, grade: Quotient, values: Values) -> tuple[dict[str, dict[int, Quotient]], Values]:
        """Return the gains of both metrics from one document by order of eps, and the quantities after the document."""
        gains: dict[str, dict[int, Quotient]] = {}
        after: Values = {}
        blank = dict.fromkeys(self.orders, Quotient.of(0))
        for side, fold in self.folds.items():
            count = len(fold.start(Exact()))
            state = [{order: values[f"{side}{c}_{order}"] for order in self.orders} for c in range(count)]
            gain, parts = step_of("the fold's step", fold, state, grade, self.small)
            gains[side] = blank | gain
            after |= {f"{side}{c}_{o}": (blank | part)[o] for c, part in enumerate(parts) for o in self.orders}
        return gains, after

    def guessed(self) -> dict[str, Binding]:
        """Return an invariant that holds at the first three ranks, and that later documents may violate."""
        seen = latest = [self.start()]
        for _ in range(3):
            kinds = self.grades.kinds()
            latest = [self.both(grade, values)[1] for values in latest for _, grade in kinds]
            seen = seen + latest
        bindings: dict[str, Binding] = {}
        for name in seen[0]:
            if all(equal(v[name], seen[0][name]) for v in seen):
                bindings[name] = ("=", seen[0][name])
                continue
            free = [other for other, (kind, _) in bindings.items() if kind == "in"]
            twin = next((o for o in free if all(equal(v[name], v[o]) for v in seen)), None)
            bindings[name] = ("in", _UNIT) if twin is None else ("same", twin)
        return bindings

    def within(self, bindings: Mapping[str, Binding]) -> Values:
        """Return symbols for quantities that satisfy the invariant and are otherwise arbitrary."""
        values: Values = {}
        for name, (kind, what) in bindings.items():
            if isinstance(what, Quotient):
                values[name] = what
            else:
                values[name] = variable(f"s_{name}", what) if kind == "in" else values[what]
        return values

    def broken(self, bindings: Mapping[str, Binding], after: Values) -> str | None:
        """Return the name of a quantity that violates the invariant, or None."""
        for name, (kind, what) in bindings.items():
            value = after[name]
            if kind == "in":
                if (what == _UNIT and not (1 - value).shown(">=")) or (what != FREE and not value.shown(">=")):
                    return name
            elif not equal(value, what if isinstance(what, Quotient) else after[what]):
                return name
        return None

    def invariant(self) -> dict[str, Binding]:
        """Return the guessed invariant, weakened until every kind of document preserves it."""
        bindings = self.guessed()
        while True:
            values = self.within(bindings)
            states = [self.both(grade, values)[1] for _, grade in self.grades.kinds()]
            # The start is checked each time, since other quantities may be bound to a weakened one.
            weak = next((n for s in [self.start(), *states] if (n := self.broken(bindings, s)) is not None), None)
            if weak is None:
                return bindings
            kind, what = bindings[weak]
            bindings[weak] = ("in", _WEAKER[str(what)] if kind == "in" else _UNIT)
            for name, (kind, what) in bindings.items():
                # a quantity stays bound only to a free one, which must come before it
                if kind == "same" and bindings[str(what)][0] != "in":
                    bindings[name] = ("in", _UNIT)

    def gains(self, steps: list[str]) -> tuple[Quotient, int | None, dict[str, str]]:
        """Return the quotient of the gains, the order of eps up to which it is proved, and the invariant in words.

        Args:
            steps: List to which the proved identities are appended, in words.

        Raises:
            NoProofError, SignUnknown: The quotient cannot be proved to be constant.

        """
        *_, (_, some) = self.grades.kinds()
        first, _ = self.both(some, self.start())
        order = next((o for o in self.orders if not first["B"][o].is_zero), None)
        need(order is not None, "the first relevant document earns nothing in the second metric")
        assert order is not None
        need(first["B"][order].shown(">"), "the first relevant document could not be shown to earn anything")
        factor = tidy(first["A"][order] / first["B"][order])
        used = {*factor.numerator.degrees(), *factor.denominator.degrees()}
        need(used <= self.parameters, "the first gains have no common ratio")
        need(factor.shown(">"), "the first gains have different signs")
        bindings = self.invariant()
        words = {name: _words(binding) for name, binding in bindings.items()}
        steps += [f"invariant: {name} {word}" for name, word in words.items()]
        values = self.within(bindings)
        for kind, grade in self.grades.kinds():
            gains, after = self.both(grade, values)
            for o in self.orders[: order + 1]:
                left, right = gains["A"][o], gains["B"][o]
                need(equal(left, factor * right), f"{kind}: the gains are not proportional")
                eps = f", eps^{o}" if self.small else ""
                steps.append(f"{kind}{eps}: A earns {text_of(left)} = {text_of(factor)} * {text_of(right)}")
            if self.small:
                self._leads(kind, grade, gains, after, values, order)
        return factor, order if self.small else None, words

    def _leads(
        self,
        kind: str,
        grade: Quotient,
        gains: dict[str, dict[int, Quotient]],
        after: Values,
        values: Values,
        order: int,
    ) -> None:
        """Check that gains of relevant documents have a given leading order, and that other documents earn nothing."""
        for side in self.folds:
            need(gains[side][order].shown(">="), f"{kind}: a gain may be negative")
            need(all(gain.is_zero for o, gain in gains[side].items() if o < order), f"{kind}: a gain has a lower order")
            if grade.is_zero:
                need(all(gain.is_zero for gain in gains[side].values()), f"{kind}: the document earns something")
        if grade.is_zero:
            need(all(equal(after[n], values[n]) for n in values), f"{kind}: the document changes the state")


def tidy(quotient: Quotient) -> Quotient:
    """Reduce a quotient to lowest terms. The denominator then has integer coefficients without a common divisor.

    Raises:
        SignUnknown: The reduced denominator cannot be proved to be always positive or always negative.

    """
    if quotient.is_zero or not quotient.denominator.degrees():
        return quotient
    above, below = without_common_factor(quotient.numerator, quotient.denominator)
    if not below.shown(">") and not below.shown("<"):
        raise SignUnknown("a denominator in lowest terms could not be shown to have one sign")
    numbers = below.terms.values()
    unit = fmpq(gcd(*(int(c.p) for c in numbers)), lcm(*(int(c.q) for c in numbers)))
    unit = unit if below.shown(">") else -unit
    return Quotient(above.times(1 / unit), below.times(1 / unit))


def text_of(quotient: Quotient) -> str:
    """Format a quotient as text, with constants first, such as 1 - p instead of -p + 1."""
    top, bottom = quotient.numerator.text(), quotient.denominator.text()
    if bottom == "1":
        return top
    wrapped = [f"({t})" if " " in t or "*" in t or "/" in t else t for t in (top, bottom)]
    return "/".join(wrapped)


def equal(x: Quotient, y: Quotient) -> bool:
    """Return whether two quotients are the same function."""
    return (x - y).is_zero


def _words(binding: Binding) -> str:
    kind, what = binding
    return f"{kind} {text_of(what) if isinstance(what, Quotient) else what}"
