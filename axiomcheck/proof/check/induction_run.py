"""The two rankings of an axiom's script run side by side, and every obligation that comes up on the way.

The second half of the induction checker: from the script, the fold and the certificate's invariants alone, everything
that has to hold for the proof is made anew (docs/lemmas/induction.md, "The invariant" and "What is checked").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from axiomcheck.axioms import PairAxiom
from axiomcheck.axioms.asprel import AspectRelevance
from axiomcheck.axioms.script import Many, One, Row, Script
from axiomcheck.core.counting import counted
from axiomcheck.core.errors import InvalidInput
from axiomcheck.metrics import FoldMetric
from axiomcheck.numbers.series import Series
from axiomcheck.proof.check.induction_bindings import BoundObligation, Invariant, Values, hypotheses, within
from axiomcheck.proof.check.polynomials import FREE
from axiomcheck.proof.check.quotients import Exact, Quotient, attempt, variable

Kinds = Mapping[str, str]
"""Name of a grade -> "0", "rc", "free", "positive" or "above"."""

_DIFFERENCE_ORDERS = 3
_SIDES = {"w": "worse", "b": "better"}


@dataclass(frozen=True)
class InductionProof:
    """What a certificate says it proves, and how, for one combination of kinds of the script's grades.

    Args:
        axiom: which one is asked.
        script: its script.
        metric: with symbols for the parameters that are symbols.
        small: whether r << 1 is assumed.
        binary: whether only binary instances are looked at.
        strict: whether the better ranking has to win.
        support: whether grades that may be 0 are 0 or positive.
        discount: what is assumed of the discounts.
        kinds: of the script's own grades.
        invariants: one for each `Many`.

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
    invariants: Mapping[int, Invariant]


def combinations(grades: Mapping[str, str], binary: bool, support: bool, given: Kinds | None = None) -> list[Kinds]:
    """Every combination of kinds that names with these relations can have.

    Args:
        grades: name -> relation; a relation names earlier ones, or one of ``given``.
        binary: whether names are 0 or rc.
        support: whether a graded name that may be 0 is 0 or positive, not any.
        given: kinds of names that are settled.

    Raises:
        InvalidInput: an unknown relation.

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
    """On binary instances nothing is above rc."""
    return kind != "rc" or not relation.startswith("above ") or settled.get(relation.split()[1], "0") == "0"


def run(proof: InductionProof) -> Iterator[BoundObligation]:
    """The obligations, in the order in which they come up.

    Raises:
        InvalidInput: the invariants do not bind every quantity, or the fold cannot be run on symbols.

    """
    yield from _Run(proof).obligations()


class _Run:
    def __init__(self, proof: InductionProof) -> None:
        self.proof = proof
        self.script = proof.script
        self.a = Exact()
        self.fold = attempt("the fold", proof.metric.fold)
        self.cost = attempt("the cost", lambda: Quotient.of(proof.metric.cost()))
        self.components = len(attempt("the fold's start", lambda: self.fold.start(self.a)))
        self.orders = range(2) if proof.small else range(1)
        self.difference_orders = range(_DIFFERENCE_ORDERS) if proof.small else range(1)
        self.rc = self._rc()
        self.above = {r.split()[1] for r in self._all_relations() if r.startswith("above ")}
        self.grades: Values = {}
        self._settle(self.grades, self.script.grades, proof.kinds, "")
        self.discounts = self._discounts()
        self.saved = Quotient.of(0)
        for k, segment in enumerate(self.script.segments):
            if isinstance(segment, One):
                continue
            names = [name for name, _ in proof.invariants[k]]
            if sorted(names) != sorted(self.quantities()):
                raise InvalidInput(
                    f"invariants.{k}: binds {', '.join(names)}; expected each of {', '.join(self.quantities())} once"
                )

    def obligations(self) -> Iterator[BoundObligation]:
        values = {name: Quotient.of(0) for name in self.quantities()}
        start = self.fold.start(self.a)
        for side in _SIDES:
            for t in self.script.aspects:
                for k, part in enumerate(start):
                    values[f"{side}_{t}_{k}_0"] = Quotient.of(part)
        if "rank" in values:
            values["rank"] = Quotient.of(1)
        yield from self._from(0, values, Quotient.of(0))

    def quantities(self) -> list[str]:
        aspects = self.script.aspects
        names = [
            f"{s}_{t}_{k}_{o}" for s in _SIDES for t in aspects for k in range(self.components) for o in self.orders
        ]
        names += [f"d_{t}_{o}" for t in aspects for o in self.difference_orders]
        return names + ["rank"] * (self.proof.discount == "reciprocal")

    # Grades

    def _all_relations(self) -> list[str]:
        loops = [s.grades for s in self.script.segments if isinstance(s, Many)]
        return [relation for grades in (self.script.grades, *loops) for relation in grades.values()]

    def _rc(self) -> Quotient:
        rows = [row for s in self.script.segments for row in (s.rows if isinstance(s, Many) else (s.worse, s.better))]
        if any(row is not None and "1" in row.values() for row in rows):
            if self.proof.small:
                raise InvalidInput("small: the axiom speaks of grade 1, which is not small")
            return Quotient.of(1)
        return variable("rc", "(0, oo)" if self.proof.small else "(0, 1]")

    def _settle(self, known: Values, grades: Mapping[str, str], kinds: Kinds, prefix: str) -> None:
        """Adds the values of names of these kinds to those that are known."""
        small = self.proof.small
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
        """Every kind of document of a loop: what it is called, its row, and the values of the names."""
        for number, row in enumerate(segment.rows):
            wanted = set(row.values())
            for name in reversed(list(segment.grades)):
                if name in wanted and segment.grades[name].startswith("above "):
                    wanted.add(segment.grades[name].split()[1])
            names = {name: relation for name, relation in segment.grades.items() if name in wanted}
            for kinds in combinations(names, self.proof.binary, self.proof.support, self.proof.kinds):
                values = dict(self.grades)
                self._settle(values, names, kinds, "x_")
                yield f"document {number} {dict(kinds)}", row, values

    def _grade(self, text: str, values: Values) -> Any:
        if text in ("0", "1"):
            grade = Quotient.of(int(text))
        elif text in values:
            grade = values[text]
        else:
            raise InvalidInput(f"script: {text!r} is no grade and no name of one")
        return Series({1: grade}) if self.proof.small else grade

    # Discounts

    def _discounts(self) -> dict[int, Quotient]:
        """Of the `One` ranks; none where they follow from the rank itself."""
        ranks = [k for k, s in enumerate(self.script.segments) if isinstance(s, One)]
        assumed = self.proof.discount
        if assumed == "reciprocal":
            return {}
        if assumed == "constant":
            return {k: Quotient.of(1) for k in ranks}
        if assumed == "positive":
            return {k: variable(f"D{k}", "(0, oo)") for k in ranks}
        found: dict[int, Quotient] = {}
        below: int | None = None
        least = Quotient.of(0)  # what the step between any two neighbouring ranks from here up is larger than
        for k in reversed(ranks):
            if below is None:
                found[k] = variable(f"D{k}", "(0, oo)")
            else:
                step = least + variable(f"D{k}_step", "(0, oo)")
                found[k] = found[below] + step
                # The steps over a loop add up to any number of single ones: larger than one of them is not than all.
                if assumed == "convex" and below == k + 1:
                    least = step
            below = k
        return found

    def _discount(self, values: Values, segment: int | None) -> Quotient:
        if self.proof.discount == "reciprocal":
            return Quotient.of(1 / values["rank"])
        if segment is not None:
            return self.discounts[segment]
        return Quotient.of(1) if self.proof.discount == "constant" else variable("D", "(0, oo)")

    # One rank

    def _step(
        self, where: str, values: Values, side: str, aspect: str, grade: Any
    ) -> tuple[dict[int, Quotient], Values]:
        """(gain by order of eps, as far as it is told; the parts of the state after it)."""
        state: list[Any] = []
        for k in range(self.components):
            parts: dict[int, Any] = {o: values[f"{side}_{aspect}_{k}_{o}"] for o in self.orders}
            if self.proof.small:
                parts[len(self.orders)] = variable("unknown", FREE)  # no more is known of a state, so nothing is
            state.append(Series(parts) if self.proof.small else parts[0])
        what = f"{where}: the fold's step"
        gain, after = attempt(what, lambda: self.fold.step(self.a, tuple(state), grade))
        if len(after) != self.components:
            raise InvalidInput(f"{what}: leaves {counted(len(after), 'part')} of a state of {self.components}")
        gains = {o: c for o, c in self._orders(what, gain).items() if o in self.difference_orders}
        left: Values = {}
        for k, part in enumerate(after):
            terms = self._orders(what, part)
            for o in self.orders:
                left[f"{side}_{aspect}_{k}_{o}"] = terms.get(o, Quotient.of(0))
        return gains, left

    def _orders(self, what: str, value: Any) -> dict[int, Quotient]:
        if not isinstance(value, Series):
            return {0: attempt(what, Quotient.of, value)}
        if value.dropped:
            raise InvalidInput(f"{what}: drops terms of eps")
        return {o: attempt(what, Quotient.of, c) for o, c in value.terms.items()}

    def _after(
        self, where: str, before: Values, rows: Mapping[str, Row | None], grades: Values, segment: int | None
    ) -> tuple[Values, Quotient]:
        """The values after one rank, and its discount."""
        values = dict(before)
        discount = self._discount(before, segment)
        for aspect in self.script.aspects:
            for side, sign in (("w", -1), ("b", 1)):
                row = rows[side]
                if row is None:
                    continue
                gains, left = self._step(where, before, side, aspect, self._grade(row[aspect], grades))
                values |= left
                for o, gain in gains.items():
                    values[f"d_{aspect}_{o}"] = values[f"d_{aspect}_{o}"] + discount * gain * sign
        if "rank" in values:
            values["rank"] = values["rank"] + 1
        return values, discount

    # Segments

    def _from(self, k: int, values: Values, saved: Quotient) -> Iterator[BoundObligation]:
        """Everything from segment k on."""
        if k == len(self.script.segments):
            yield from self._conclusion(values, saved)
            return
        segment = self.script.segments[k]
        if isinstance(segment, One):
            rows = {"w": segment.worse, "b": segment.better}
            values, discount = self._after(f"segment {k}", values, rows, self.grades, k)
            paid = (segment.worse is not None) - (segment.better is not None)
            yield from self._from(k + 1, values, saved + self.cost * discount * paid)
            return
        invariant = self.proof.invariants[k]
        cases = hypotheses(k, invariant, values)
        if segment.least > 1:
            raise InvalidInput(f"script: segment {k} has at least {counted(segment.least, 'rank')}; expected 0 or 1")
        if segment.least:
            for what, row, grades in self._documents(segment):
                where = f"segment {k}, entry, {what}"
                after, _ = self._after(where, values, {"w": row, "b": row}, grades, None)
                yield from within(where, invariant, after, values)
        else:
            yield from within(f"segment {k}, entry", invariant, values, values)
        for number, case in enumerate(cases):
            for what, row, grades in self._documents(segment):
                where = f"segment {k}, case {number}, {what}"
                after, _ = self._after(where, case, {"w": row, "b": row}, grades, None)
                yield from within(where, invariant, after, values)
            if self.script.leaves_out:
                yield from self._left_alone(f"segment {k}, case {number}", case)
        for case in cases:
            yield from self._from(k + 1, case, saved)

    def _left_alone(self, where: str, values: Values) -> Iterator[BoundObligation]:
        """Grade 0 earns 0 and leaves the state (Lemma 4)."""
        for aspect in self.script.aspects:
            for side in _SIDES:
                gains, left = self._step(where, values, side, aspect, self._grade("0", values))
                for o in sorted(gains):
                    yield BoundObligation(f"{where}, grade 0 earns 0 on {aspect}", "=", gains[o])
                for name, after in left.items():
                    yield BoundObligation(f"{where}, grade 0 leaves {name}", "=", after - values[name])

    # The end

    def _conclusion(self, values: Values, saved: Quotient) -> Iterator[BoundObligation]:
        weights = self._weights()
        for order in self.difference_orders:
            difference = saved if order == 0 else Quotient.of(0)
            for aspect in self.script.aspects:
                difference = difference + weights[aspect] * values[f"d_{aspect}_{order}"]
            last = order == self.difference_orders[-1]
            if not difference.is_zero or (last and self.proof.strict):
                yield BoundObligation(f"end, order {order}", ">" if self.proof.strict else ">=", difference)
                return
            yield BoundObligation(f"end, order {order}", "=", difference)

    def _weights(self) -> Values:
        first = variable("W", "(0, oo)")
        if len(self.script.aspects) == 1:
            return {self.script.aspects[0]: first}
        t, u = self.script.aspects
        metric, axiom = self.proof.metric, self.proof.axiom
        if not metric.normalised:
            if axiom.balanced or not metric.weighted:
                return {t: first, u: first}
            if isinstance(axiom, AspectRelevance):
                return {t: first, u: first + variable("W_step", "(0, oo)")}
        return {t: first, u: variable("W_u", "(0, oo)")}
