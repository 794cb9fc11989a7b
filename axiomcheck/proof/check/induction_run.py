"""Run a fold on both rankings of an axiom's script at the same time, and derive every obligation of the proof.

The obligations follow from the script, the fold and the invariants alone (docs/lemmas/induction.md, "The invariant" and
"What is checked"). The prover uses the same run to search for invariants.

Quantities: ``w_ASPECT_COMPONENT_ORDER`` and ``b_...`` are the components of the fold's state in the worse and the
better ranking. ``d_ASPECT_ORDER`` is the total of the better ranking so far minus that of the worse. ORDER is the
exponent of eps if r << 1 is assumed, else 0. ``rank`` is the next rank; it occurs only if discounts are 1 / rank.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from axiomcheck.axioms import PairAxiom
from axiomcheck.axioms.asprel import AspectRelevance
from axiomcheck.axioms.script import Many, One, Row, Script
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import counted
from axiomcheck.metrics import Fold, FoldMetric
from axiomcheck.numbers.series import Series
from axiomcheck.proof.check.induction_bindings import BoundObligation, Invariant, Values, hypotheses, within
from axiomcheck.proof.check.polynomials import FREE
from axiomcheck.proof.check.quotients import Exact, Quotient, attempt, variable

Kinds = Mapping[str, str]
"""Name of a grade -> "0", "rc", "free", "positive" or "above"."""

_DIFFERENCE_ORDERS = 3
_SIDES = {"w": "worse", "b": "better"}


@dataclass(frozen=True)
class InductionSetting:
    """Claim about rankings of every length, for one combination of kinds of the script's grades.

    Args:
        axiom: Axiom of the claim.
        script: Script of the axiom.
        metric: Metric, with symbols for the symbolic parameters.
        small: True if r << 1 is assumed.
        binary: True if only binary instances are considered.
        strict: True if the better ranking must win.
        support: True if grades that may be 0 are split into zero and positive ones.
        discount: Assumption about the discounts; one of `axiomcheck.proof.check.fold_conditions.DISCOUNTS`.
        kinds: Kinds of the script's grades, by name.

    """

    axiom: PairAxiom
    script: Script
    metric: FoldMetric
    small: bool
    binary: bool
    strict: bool
    support: bool
    discount: str
    kinds: Kinds


@dataclass(frozen=True)
class RunState:
    """State after some ranks: the values of all quantities, and the cost that a shorter better ranking has saved."""

    values: Values
    saved: Quotient


Invariants = Callable[[int, list[RunState]], Invariant]
"""Callback that returns the invariant of a loop from the index of its segment and the states on entry."""


def combinations(grades: Mapping[str, str], binary: bool, support: bool, given: Kinds | None = None) -> list[Kinds]:
    """Return all combinations of grade kinds that the relations between the grades allow.

    Args:
        grades: Relations of grades, by name. A relation refers to earlier names, or to names in ``given``.
        binary: True if all grades are 0 or rc.
        support: True to give a grade that may be 0 the kinds ``0`` and ``positive``; False for the kind ``free``.
        given: Known kinds by name.

    Raises:
        InvalidInput: A relation is unknown.

    """
    found: list[dict[str, str]] = [{}]
    for name, relation in grades.items():
        if relation == "any":
            kinds = ["0", "rc"] if binary else ["0", "positive"] if support else ["free"]
        elif relation == "positive":
            kinds = ["rc"] if binary else ["positive"]
        elif relation.startswith("above "):
            kinds = ["rc"] if binary else ["above"]
        else:
            raise InvalidInput(f"script: grade {name} has the unknown relation {relation!r}")
        found = [
            {**kind, name: k} for kind in found for k in kinds if _possible(relation, k, {**(given or {}), **kind})
        ]
    return list(found)


def _possible(relation: str, kind: str, settled: Kinds) -> bool:
    """Return True if a relation allows a kind of grade. On binary instances, no grade is above rc."""
    return kind != "rc" or not relation.startswith("above ") or settled.get(relation.split()[1], "0") == "0"


def derive(run: InductionRun, invariant_of: Invariants) -> Iterator[BoundObligation]:
    """Run the whole script, and yield the obligations of the proof in the order of the script.

    Raises:
        InvalidInput: An invariant does not bind every quantity exactly once, or the fold cannot be run on symbols.

    """
    states = [run.start()]
    for k, segment in enumerate(run.script.segments):
        if isinstance(segment, One):
            states = [run.after_one(k, state) for state in states]
            continue
        invariant = invariant_of(k, states)
        names = [name for name, _ in invariant]
        if sorted(names) != sorted(run.quantities()):
            raise InvalidInput(
                f"invariants.{k}: binds {', '.join(names)}; expected each of {', '.join(run.quantities())} once"
            )
        following = []
        for state in states:
            old, cases = state.values, hypotheses(k, invariant, state.values)
            for where, after in run.on_entry(k, old):
                yield from within(where, invariant, after, old)
            for number, case in enumerate(cases):
                at = f"segment {k}, case {number}" if len(cases) > 1 else f"segment {k}"
                for where, after in run.after_many(k, at, case):
                    yield from within(where, invariant, after, old)
                if run.script.leaves_out:
                    yield from run.left_alone(at, case)
            following += [RunState(case, state.saved) for case in cases]
        states = following
    for state in states:
        yield from run.conclusion(state)


def step_of(
    what: str, fold: Fold, state: Sequence[Mapping[int, Quotient]], grade: Quotient, small: bool
) -> tuple[dict[int, Quotient], list[dict[int, Quotient]]]:
    """Return the gain of one document on one aspect and the state after it, as coefficients by order of eps.

    Args:
        what: Description of the step for messages.
        fold: Fold whose step is run.
        state: Components of the state by order of eps, from 0 on. The coefficient of the next order is unknown.
        grade: Grade of the document. It is multiplied by eps if ``small``.
        small: True if r << 1 is assumed.

    Raises:
        InvalidInput: The step cannot be run on symbols, or drops terms in eps.

    """
    before: list[Any] = [dict(parts) for parts in state]
    if small:
        before = [Series(parts | {len(parts): variable("unknown", FREE)}) for parts in before]
    else:
        before = [parts[0] for parts in before]
    gain, after = attempt(what, lambda: fold.step(Exact(), tuple(before), Series({1: grade}) if small else grade))
    if len(after) != len(state):
        raise InvalidInput(f"{what}: the returned state has {counted(len(after), 'part')}; expected {len(state)}")
    return _by_order(what, gain), [_by_order(what, part) for part in after]


def _by_order(what: str, value: Any) -> dict[int, Quotient]:
    if not isinstance(value, Series):
        return {0: attempt(what, Quotient.of, value)}
    if value.dropped:
        raise InvalidInput(f"{what}: the result lacks higher orders of eps, which the proof needs")
    return {o: attempt(what, Quotient.of, c) for o, c in value.terms.items()}


class InductionRun:
    """Symbolic run of a metric's fold on both rankings of a script.

    Raises:
        InvalidInput: The fold cannot be run on symbols, or the axiom needs grade 1 although grades are small.

    """

    def __init__(self, setting: InductionSetting) -> None:
        self.setting = setting
        self.script = setting.script
        self.a = Exact()
        self.fold = attempt("the fold", setting.metric.fold)
        self.cost = attempt("the cost", lambda: Quotient.of(setting.metric.cost()))
        self.components = len(attempt("the fold's start", lambda: self.fold.start(self.a)))
        self.orders = range(2) if setting.small else range(1)
        self.difference_orders = range(_DIFFERENCE_ORDERS) if setting.small else range(1)
        self.rc = self._rc()
        named = [self.script.grades, *(s.grades for s in self.script.segments if isinstance(s, Many))]
        self.above = {r.split()[1] for grades in named for r in grades.values() if r.startswith("above ")}
        self.grades: Values = {}
        self._settle(self.grades, self.script.grades, setting.kinds, "")
        self.discounts = self._discounts()
        self.weights = self._weights()

    def start(self) -> RunState:
        """Return the state before rank 1."""
        values = {name: Quotient.of(0) for name in self.quantities()}
        start = self.fold.start(self.a)
        for side in _SIDES:
            for t in self.script.aspects:
                for k, part in enumerate(start):
                    values[f"{side}_{t}_{k}_0"] = Quotient.of(part)
        if "rank" in values:
            values["rank"] = Quotient.of(1)
        return RunState(values, Quotient.of(0))

    def quantities(self) -> list[str]:
        """Return the names of all quantities; see the module docstring."""
        aspects = self.script.aspects
        names = [
            f"{s}_{t}_{k}_{o}" for s in _SIDES for t in aspects for k in range(self.components) for o in self.orders
        ]
        names += [f"d_{t}_{o}" for t in aspects for o in self.difference_orders]
        return names + ["rank"] * (self.setting.discount == "reciprocal")

    # Grades

    def _rc(self) -> Quotient:
        rows = [row for s in self.script.segments for row in (s.rows if isinstance(s, Many) else (s.worse, s.better))]
        if any(row is not None and "1" in row.values() for row in rows):
            if self.setting.small:
                raise InvalidInput("small: the axiom uses grade 1, which is not small")
            return Quotient.of(1)
        return variable("rc", "(0, oo)" if self.setting.small else "(0, 1]")

    def _settle(self, known: Values, grades: Mapping[str, str], kinds: Kinds, prefix: str) -> None:
        """Add the values of named grades to ``known``: 0, rc, or a term with a new variable, depending on the kind."""
        small = self.setting.small
        for name, relation in grades.items():
            if name not in kinds:
                continue
            kind, end = kinds[name], ")" if name in self.above else "]"
            if kind == "0":
                known[name] = Quotient.of(0)
            elif kind == "rc":
                known[name] = self.rc
            elif kind == "above":
                lower = known[relation.split()[1]]
                over = variable(prefix + name, "(0, oo)" if small else f"(0, 1{end}")
                known[name] = lower + over if small else lower + (1 - lower) * over
            else:
                start = "(" if kind == "positive" else "["
                known[name] = variable(prefix + name, f"{start}0, oo)" if small else f"{start}0, 1{end}")

    def _documents(self, segment: Many) -> Iterator[tuple[str, Row, Values]]:
        """Yield (description, row, values of named grades) for each kind of document that a loop allows."""
        for number, row in enumerate(segment.rows):
            wanted = set(row.values())
            for name in reversed(list(segment.grades)):
                if name in wanted and segment.grades[name].startswith("above "):
                    wanted.add(segment.grades[name].split()[1])
            names = {name: relation for name, relation in segment.grades.items() if name in wanted}
            for kinds in combinations(names, self.setting.binary, self.setting.support, self.setting.kinds):
                values = dict(self.grades)
                self._settle(values, names, kinds, "x_")
                named = "".join(f", {name} {kind}" for name, kind in kinds.items())
                yield f"document {number}{named}", row, values

    def _grade(self, text: str, values: Values) -> Quotient:
        if text in ("0", "1"):
            return Quotient.of(int(text))
        if text not in values:
            raise InvalidInput(f"script: {text!r} is neither 0, nor 1, nor the name of a grade")
        return values[text]

    # Discounts

    def _discounts(self) -> dict[int, Quotient]:
        """Map the index of each `One` segment to its discount. The result is empty if discounts are 1 / rank."""
        ranks = [k for k, s in enumerate(self.script.segments) if isinstance(s, One)]
        assumed = self.setting.discount
        if assumed == "reciprocal":
            return {}
        if assumed == "constant":
            return {k: Quotient.of(1) for k in ranks}
        if assumed == "positive":
            return {k: variable(f"D{k}", "(0, oo)") for k in ranks}
        found: dict[int, Quotient] = {}
        below: int | None = None
        least = Quotient.of(0)  # lower bound of the steps between neighbouring ranks higher up
        for k in reversed(ranks):
            if below is None:
                found[k] = variable(f"D{k}", "(0, oo)")
            else:
                step = least + variable(f"D{k}_step", "(0, oo)")
                found[k] = found[below] + step
                # A loop spans any number of ranks, so a bound on the sum of its steps does not bound a single step.
                if assumed == "convex" and below == k + 1:
                    least = step
            below = k
        return found

    def _discount(self, values: Values, segment: int | None) -> Quotient:
        if self.setting.discount == "reciprocal":
            return Quotient.of(1 / values["rank"])
        if segment is not None:
            return self.discounts[segment]
        return Quotient.of(1) if self.setting.discount == "constant" else variable("D", "(0, oo)")

    # One rank

    def _step(
        self, where: str, values: Values, side: str, aspect: str, grade: Quotient
    ) -> tuple[dict[int, Quotient], Values]:
        """Return the gain of a document by order of eps, and the components of the state after it."""
        state = [{o: values[f"{side}_{aspect}_{k}_{o}"] for o in self.orders} for k in range(self.components)]
        gain, after = step_of(f"{where}: the fold's step", self.fold, state, grade, self.setting.small)
        gains = {o: c for o, c in gain.items() if o in self.difference_orders}
        left: Values = {}
        for k, part in enumerate(after):
            left |= {f"{side}_{aspect}_{k}_{o}": part.get(o, Quotient.of(0)) for o in self.orders}
        return gains, left

    def _after(
        self,
        where: str,
        before: Values,
        rows: Mapping[str, Row | None],
        grades: Values,
        segment: int | None,
        only: Collection[tuple[str, str]] | None = None,
    ) -> tuple[Values, Quotient]:
        """Return the values after one rank, and the discount of the rank.

        Args:
            where: Position, for messages.
            before: Values before the rank.
            rows: Document at the rank, for each side.
            grades: Values of the named grades.
            segment: Index of the segment; None for a loop.
            only: Sides and aspects of the quantities to compute. Other quantities keep their values.

        """
        values = dict(before)
        discount = self._discount(before, segment)
        for aspect in self.script.aspects:
            for side, sign in (("w", -1), ("b", 1)):
                row = rows[side]
                if row is None or (only is not None and (side, aspect) not in only):
                    continue
                gains, left = self._step(where, before, side, aspect, self._grade(row[aspect], grades))
                values |= left
                for o, gain in gains.items():
                    values[f"d_{aspect}_{o}"] = values[f"d_{aspect}_{o}"] + discount * gain * sign
        if "rank" in values:
            values["rank"] = values["rank"] + 1
        return values, discount

    def after_one(self, k: int, state: RunState) -> RunState:
        """Return the state after a single rank of the script."""
        segment = self.script.segments[k]
        assert isinstance(segment, One)
        rows = {"w": segment.worse, "b": segment.better}
        values, discount = self._after(f"segment {k}", state.values, rows, self.grades, k)
        paid = (segment.worse is not None) - (segment.better is not None)
        return RunState(values, state.saved + self.cost * discount * paid)

    def after_many(
        self, k: int, where: str, before: Values, only: Collection[tuple[str, str]] | None = None
    ) -> Iterator[tuple[str, Values]]:
        """Yield (position for messages, values) after one more common document, for each kind of document in a loop.

        Args:
            k: Index of the loop's segment.
            where: Position, for messages.
            before: Values before the document.
            only: Sides and aspects of the quantities to compute. Other quantities keep their values.

        """
        segment = self.script.segments[k]
        assert isinstance(segment, Many)
        for what, row, grades in self._documents(segment):
            at = f"{where}, {what}"
            yield at, self._after(at, before, {"w": row, "b": row}, grades, None, only)[0]

    def on_entry(
        self, k: int, before: Values, only: Collection[tuple[str, str]] | None = None
    ) -> Iterator[tuple[str, Values]]:
        """Yield (position for messages, values) on entry to a loop, or after its first document if it must have one."""
        segment, where = self.script.segments[k], f"segment {k}, entry"
        assert isinstance(segment, Many)
        if segment.least > 1:
            raise InvalidInput(f"script: the minimum length of segment {k} is {segment.least}; expected 0 or 1")
        if segment.least:
            yield from self.after_many(k, where, before, only)
        else:
            yield where, before

    def left_alone(self, where: str, values: Values) -> Iterator[BoundObligation]:
        """Yield the obligations to prove that a document of grade 0 has gain 0 and keeps the state (Lemma 4)."""
        for aspect in self.script.aspects:
            for side in _SIDES:
                gains, left = self._step(where, values, side, aspect, self._grade("0", values))
                for o in sorted(gains):
                    yield BoundObligation(where, f"{side}_{aspect}: grade 0 earns 0 in eps^{o}", "=", gains[o])
                for name, after in left.items():
                    yield BoundObligation(where, f"grade 0 leaves {name}", "=", after - values[name])

    # The end

    def conclusion(self, state: RunState) -> Iterator[BoundObligation]:
        """Yield the obligations to prove that the better ranking wins (or does not lose) at the leading order of eps.

        Raises:
            InvalidInput: The axiom allows ties, but equal scores may differ in orders of eps that the run leaves out.

        """
        if self.setting.small and not self.setting.strict:
            raise InvalidInput("small: the axiom allows ties, but equal scores may differ in a higher order of eps")
        for order in self.difference_orders:
            difference = state.saved if order == 0 else Quotient.of(0)
            for aspect in self.script.aspects:
                difference = difference + self.weights[aspect] * state.values[f"d_{aspect}_{order}"]
            what = f"difference of the scores, eps^{order}" if self.setting.small else "difference of the scores"
            last = order == self.difference_orders[-1]
            if not difference.is_zero or (last and self.setting.strict):
                yield BoundObligation("end", what, ">" if self.setting.strict else ">=", difference)
                return
            yield BoundObligation("end", what, "=", difference)

    def _weights(self) -> Values:
        first = variable("W", "(0, oo)")
        if len(self.script.aspects) == 1:
            return {self.script.aspects[0]: first}
        t, u = self.script.aspects
        metric, axiom = self.setting.metric, self.setting.axiom
        if not metric.normalised:
            if axiom.balanced or not metric.weighted:
                return {t: first, u: first}
            if isinstance(axiom, AspectRelevance):
                return {t: first, u: first + variable("W_step", "(0, oo)")}
        return {t: first, u: variable("W_u", "(0, oo)")}
