"""Two rankings of any length run side by side through a metric's fold, on symbols.

Quantities: ``w_ASPECT_COMPONENT_ORDER`` and ``b_...`` are the parts of the fold's state in the worse and the better
ranking, ``d_ASPECT_ORDER`` is the total of the better ranking so far less that of the worse. ORDER is the power of eps
that a coefficient belongs to where r << 1 is assumed, else 0. ``rank`` is the next rank, where discounts are 1 / rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any

from axiomcheck.axioms.script import Many, One, Row
from axiomcheck.metrics import FoldMetric
from axiomcheck.numbers.polynomials import Range, Term, Terms, Undecided, Variables
from axiomcheck.proof.find.invariants import Binding
from axiomcheck.proof.find.obligations import Failed, Obligation, evaluate, obligations_of, shown
from axiomcheck.proof.find.setting import (
    Alternative,
    Setting,
    alternatives,
    discount_values,
    fold_step,
    grade_values,
    parameter_symbols,
    rows_of,
    weight_values,
    with_bases,
)

Values = dict[str, Term]


@dataclass(frozen=True)
class SymbolicRun:
    """Where the two rankings have got to.

    Args:
        setting, variables: of the proof.
        fold: at the parameters of the proof.
        cost: per document, before the discount.
        grades: the script's own.
        discounts: of the ranks of the script's `One` segments.
        weights: by aspect.
        values: of the quantities.
        saved: what the better ranking saves by being shorter, so far.

    """

    setting: Setting
    variables: Variables
    fold: Any
    cost: Any
    grades: Mapping[str, Term]
    discounts: Mapping[int, Term]
    weights: Mapping[str, Term]
    values: Values
    saved: Term
    rc: Term | None = field(default=None)

    @classmethod
    def begin(cls, setting: Setting, variables: Variables, alternative: Alternative) -> SymbolicRun:
        """Before rank 1."""
        new = variables.new
        metric = setting.metric.at(parameter_symbols(setting.metric, setting.symbolic, variables))
        assert isinstance(metric, FoldMetric)
        zero = variables.constant(0)
        values: Values = {"rank": variables.constant(1)} if setting.mode == "reciprocal" else {}
        fold = metric.fold()
        for aspect in setting.script.aspects:
            for component, start in enumerate(fold.start(Terms())):
                for run, order in product("wb", setting.state_orders):
                    values[f"{run}_{aspect}_{component}_{order}"] = zero + (0 if order else start)
            for order in setting.total_orders:
                values[f"d_{aspect}_{order}"] = zero
        rc = None
        if setting.binary:
            one = any("1" in (row or {}).values() for row in rows_of(setting.script))
            rc = variables.constant(1) if one else new("rc", Range.POSITIVE if setting.small else Range.ABOVE_ZERO)
        grades = grade_values(setting.script.grades, alternative, "", setting, variables, rc)
        discounts = discount_values(setting, variables)
        weights = weight_values(setting, variables)
        return cls(setting, variables, fold, metric.cost(), grades, discounts, weights, values, zero, rc)

    def quantities(self, reverse: bool = False) -> list[str]:
        """The names of the quantities, those that bindings of others refer to first.

        Args:
            reverse: whether the last component of a state comes first.

        """
        names = ["rank"] if self.setting.mode == "reciprocal" else []
        components = range(len(self.fold.start(Terms())))
        for run in "wb":
            for aspect in reversed(self.setting.script.aspects):
                for component in reversed(components) if reverse else components:
                    names += [f"{run}_{aspect}_{component}_{order}" for order in self.setting.state_orders]
        for aspect in self.setting.script.aspects:
            names += [f"d_{aspect}_{order}" for order in self.setting.total_orders]
        return names

    def through_one(self, index: int) -> SymbolicRun:
        """After a rank that the script speaks of."""
        segment = self.setting.script.segments[index]
        assert isinstance(segment, One)
        discount = self._discount(index)
        values = self._after(segment.worse, segment.better, self.grades, discount, self.values)
        saved = self.saved
        if segment.better is None:
            saved = saved + discount * self.cost
        return replace(self, values=values, saved=saved)

    def _discount(self, index: int) -> Term:
        return 1 / self.values["rank"] if self.setting.mode == "reciprocal" else self.discounts[index]

    def _after(
        self,
        worse: Row | None,
        better: Row | None,
        grades: Mapping[str, Term],
        discount: Term,
        values: Values,
        trial: bool = False,
    ) -> Values:
        """The values after one rank; on trial, without those that depend on what is not settled."""
        after = dict(values)
        for aspect in self.setting.script.aspects:
            for run, row, sign in (("w", worse, -1), ("b", better, 1)):
                if row is None:
                    continue
                try:
                    gain, state = self._step(run, aspect, self._grade(row[aspect], grades), values)
                except Undecided:
                    if not trial:
                        raise
                    lost = (f"{run}_{aspect}_", f"d_{aspect}_")
                    after = {name: value for name, value in after.items() if not name.startswith(lost)}
                    continue
                for order, amount in gain.items():
                    name = f"d_{aspect}_{order}"
                    if name in after:
                        after[name] = after[name] + discount * amount * sign
                after |= state
        if "rank" in values:
            after["rank"] = values["rank"] + 1
        return after

    def _grade(self, name: str, grades: Mapping[str, Term]) -> Any:
        return grades[name] if name in grades else self.variables.constant(int(name))

    def _step(self, run: str, aspect: str, grade: Term, values: Values) -> tuple[dict[int, Term], Values]:
        """(gain by order, state) of one document on one aspect."""
        state = []
        for component in range(len(self.fold.start(Terms()))):
            parts = {o: values[f"{run}_{aspect}_{component}_{o}"] for o in self.setting.state_orders}
            if self.setting.small:  # the next order is not followed: whatever depends on it must not matter
                parts[2] = self.variables.new("?", Range.ANY)
            state.append(parts)
        gain, after = fold_step(self.fold, state, grade, self.setting.small)
        zero = self.variables.constant(0)
        return gain, {
            f"{run}_{aspect}_{component}_{order}": part.get(order, zero)
            for component, part in enumerate(after)
            for order in self.setting.state_orders
        }

    def through_many(
        self, index: int, bindings: Sequence[tuple[str, Binding]], only: str | None = None
    ) -> tuple[list[SymbolicRun], list[Obligation]]:
        """After any number of common documents, of which an invariant is all that is known.

        Args:
            index: of the segment.
            bindings: the invariant, in order of quantities.
            only: the quantity whose obligations are wanted; the others are assumed.

        Returns:
            The runs that go on, one for each alternative of a split, and the obligations, verified.

        Raises:
            Failed, Undecided: an obligation does not hold.

        """
        segment = self.setting.script.segments[index]
        assert isinstance(segment, Many)
        old, where = self.values, f"segment {index}"
        obligations: list[Obligation] = []
        if segment.least:
            obligations += self._documents(f"{where}, entry", index, old, bindings, old, only)
        else:
            obligations += self._kept(f"{where}, entry", old, bindings, old, only)
        runs = [replace(self, values=values) for values in self._havoc(index, bindings, old)]
        for k, run in enumerate(runs):
            case = f", case {k}" if len(runs) > 1 else ""
            obligations += self._documents(f"{where}{case}", index, run.values, bindings, old, only)
            if self.setting.script.leaves_out and only is None:
                obligations += run._left_alone(f"{where}{case}")
        return runs, obligations

    def trial(self, index: int, bindings: Sequence[tuple[str, Binding]], only: str) -> None:
        """As `through_many`, on trial.

        Raises:
            Failed, Undecided: an obligation of that quantity does not hold.

        """
        mark = len(self.variables.names)
        try:
            self.through_many(index, bindings, only)
        finally:
            self.variables.forget(mark)

    def _documents(
        self,
        where: str,
        index: int,
        before: Values,
        bindings: Sequence[tuple[str, Binding]],
        old: Values,
        only: str | None,
    ) -> Iterator[Obligation]:
        """That one more common document, whichever it is, leaves values within the invariant."""
        segment = self.setting.script.segments[index]
        assert isinstance(segment, Many)
        for k, row in enumerate(segment.rows):
            used = with_bases(set(row.values()), segment.grades)
            own = {name: relation for name, relation in segment.grades.items() if name in used}
            for alternative in alternatives(own, self.setting):
                mark = len(self.variables.names)
                new = grade_values(own, alternative, "x_", self.setting, self.variables, self.rc)
                discount = 1 / before["rank"] if "rank" in before else self._inner_discount()
                after = self._after(row, row, {**self.grades, **new}, discount, before, trial=only is not None)
                kinds = "".join(f", {name} {kind}" for name, kind in alternative.items())
                yield from self._kept(f"{where}, document {k}{kinds}", after, bindings, old, only)
                self.variables.forget(mark)

    def _left_alone(self, where: str) -> Iterator[Obligation]:
        """That a document without grades earns nothing and changes no state."""
        for aspect in self.setting.script.aspects:
            for run in "wb":
                gain, after = self._step(run, aspect, self.variables.constant(0), self.values)
                for order, amount in gain.items():
                    if order in self.setting.total_orders:
                        yield shown(where, f"{run}_{aspect}: grade 0 earns 0 in eps^{order}", amount, "=")
                for name, value in after.items():
                    yield shown(where, f"grade 0 leaves {name}", value - self.values[name], "=")

    def _inner_discount(self) -> Term:
        if self.setting.mode == "constant":
            return self.variables.constant(1)
        return self.variables.new("D", Range.POSITIVE)

    def _havoc(self, index: int, bindings: Sequence[tuple[str, Binding]], old: Values) -> Iterator[Values]:
        """Values of which no more is known than the invariant."""
        partial: list[Values] = [{}]
        for name, binding in bindings:
            extended = []
            for k, values in enumerate(partial):
                fresh = f"h{index}_{name}" + (f"_{k}" if len(partial) > 1 else "")
                fresh_values = self._values_of(fresh, binding, old[name], _names(values, old))
                extended += [values | {name: value} for value in fresh_values]
            partial = extended
        yield from partial

    def _values_of(self, fresh: str, binding: Binding, old: Term, names: Mapping[str, Term]) -> list[Term]:
        new = self.variables.new
        kind, *rest = binding
        if kind == "same":
            return [old]
        if kind == "free":
            return [new(fresh, Range.ANY)]
        if kind == "split":
            level = Fraction(rest[0])
            below = new(f"{fresh}_below", Range.BELOW_ONE) * level
            return [below, new(f"{fresh}_over", Range.NONNEGATIVE) + level]
        base = evaluate(rest[-1], names)
        if kind == "=":
            return [base]
        if kind == "share":
            return [base * new(fresh, Range(rest[0]))]
        slack = new(fresh, Range.POSITIVE if kind in ("<", ">") else Range.NONNEGATIVE)
        return [base + slack if kind in (">", ">=") else base - slack]

    def _kept(
        self, where: str, values: Values, bindings: Sequence[tuple[str, Binding]], old: Values, only: str | None
    ) -> Iterator[Obligation]:
        """The obligations that values are within the invariant."""
        names = _names(values, old)
        for name, binding in bindings:
            if only is None or name == only:
                if name not in values:
                    raise Failed(f"{where}: {name} is not settled")
                for what, term, relation in obligations_of(name, values[name], binding, old[name], names):
                    yield shown(where, what, term, relation)

    def conclusion(self) -> list[Obligation]:
        """That the better ranking wins (or does not lose): by the leading order of eps.

        Raises:
            Failed: it does not follow.

        """
        relation = ">" if self.setting.strict else ">="
        found = []
        for order in self.setting.total_orders:
            total = self.saved if order == 0 else self.variables.constant(0)
            for aspect in self.setting.script.aspects:
                total = total + self.weights[aspect] * self.values[f"d_{aspect}_{order}"]
            what = f"difference of the scores, eps^{order}" if self.setting.small else "difference of the scores"
            if total.numerator.is_zero():
                found.append(shown("end", what, total, "="))
                continue
            if found and not self.setting.strict:
                raise Failed("a lower order ties")
            found.append(shown("end", what, total, relation))
            if self.setting.strict:
                return found
        if self.setting.strict:
            raise Failed("the scores tie in every order that is followed")
        return found


def _names(values: Values, old: Values) -> dict[str, Term]:
    return {**values, **{f"old_{name}": value for name, value in old.items()}}
