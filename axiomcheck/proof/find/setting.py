"""What a proof by induction is about, and the symbols that its script turns into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from axiomcheck.axioms import PairAxiom
from axiomcheck.axioms.script import One, Row, Script
from axiomcheck.metrics import Fold, FoldMetric, Metric
from axiomcheck.metrics.parameters import Real
from axiomcheck.numbers.polynomials import Range, Term, Terms, Variables, by_order, one_entry
from axiomcheck.numbers.series import Series

Alternative = dict[str, str]
"""Name of a grade -> "0", "rc", "free", "positive" or "above"."""


@dataclass(frozen=True)
class Setting:
    """What is to be proved, and how.

    Args:
        axiom, metric: of which.
        small: whether r << 1 is assumed.
        binary: whether grades are 0 or rc.
        strict: whether the better ranking must win, or only not lose.
        mode: what is assumed of the discounts: ``constant`` (all 1), ``positive``, ``decreasing``, ``convex``
            (differences decrease too), or ``reciprocal`` (1 / rank).
        support: whether every grade that may be 0 is told apart into 0 and positive.
        symbolic: the metric's parameters that are symbols.

    """

    axiom: PairAxiom
    metric: FoldMetric
    small: bool
    binary: bool
    strict: bool
    mode: str
    support: bool
    symbolic: tuple[str, ...]

    @cached_property
    def script(self) -> Script:
        """The axiom's."""
        script = self.axiom.script()
        assert script is not None
        return script

    @property
    def state_orders(self) -> tuple[int, ...]:
        """The orders of eps that are followed in states."""
        return (0, 1) if self.small else (0,)

    @property
    def total_orders(self) -> tuple[int, ...]:
        """The orders of eps that are followed in differences of totals."""
        return (0, 1, 2) if self.small else (0,)


def fold_step(
    fold: Fold, state: Sequence[Mapping[int, Term]], grade: Term, small: bool
) -> tuple[dict[int, Term], list[dict[int, Term]]]:
    """(gain, state after it) of one document on one aspect, by order of eps.

    Args:
        fold: whose step it is.
        state: its components by order of eps (order 0 alone unless small).
        grade: of the document, eps times it if small.
        small: whether r << 1 is assumed.

    """
    ring = grade.variables

    def wrapped(parts: Mapping[int, Term]) -> Any:
        arrays = {order: one_entry(term) for order, term in parts.items()}
        return Series(arrays) if small else arrays[0]

    gain, after = fold.step(Terms(), tuple(map(wrapped, state)), wrapped({int(small): grade}))
    return by_order(gain, ring), [by_order(part, ring) for part in after]


def alternatives(grades: Mapping[str, str], setting: Setting) -> list[Alternative]:
    """Every way in which named grades can be zero, where that is told apart."""
    found: list[Alternative] = [{}]
    for name, relation in grades.items():
        found = [a | {name: kind} for a in found for kind in _kinds(relation, a, setting)]
    return found


def _kinds(relation: str, so_far: Alternative, setting: Setting) -> tuple[str, ...]:
    if relation.startswith("above "):
        if not setting.binary:
            return ("above",)
        return ("rc",) if so_far[relation.removeprefix("above ")] == "0" else ()
    if relation == "positive":
        return ("rc",) if setting.binary else ("positive",)
    if setting.binary:
        return ("0", "rc")
    return ("0", "positive") if setting.support else ("free",)


def rows_of(script: Script) -> Iterator[Row | None]:
    """Every document that a script speaks of."""
    for segment in script.segments:
        if isinstance(segment, One):
            yield segment.worse
            yield segment.better
        else:
            yield from segment.rows


def with_bases(names: set[str], grades: Mapping[str, str]) -> set[str]:
    """The names, and those that their relations speak of."""
    bases = {grades[n].removeprefix("above ") for n in names if n in grades and grades[n].startswith("above ")}
    return names | with_bases(bases, grades) if bases - names else names


def symbolic_parameters(metric: Metric) -> dict[str, Range]:
    """The real parameters that can be symbols over an open range that their value is in: (0, 1), or (0, oo)."""
    found: dict[str, Range] = {}
    for p in metric.declared:
        value = metric.values[p.name]
        if isinstance(p, Real) and p.low == 0 < value and (p.high is None or value < p.high == 1):
            found[p.name] = Range.POSITIVE if p.high is None else Range.OPEN
    return found


def parameter_symbols(metric: Metric, names: Sequence[str], variables: Variables) -> dict[str, Term]:
    """A variable for each of some parameters."""
    ranges = symbolic_parameters(metric)
    return {name: variables.new(name, range_) for name, range_ in ranges.items() if name in names}


def grade_values(
    grades: Mapping[str, str],
    alternative: Alternative,
    prefix: str,
    setting: Setting,
    variables: Variables,
    rc: Term | None,
) -> dict[str, Term]:
    """The values of named grades."""
    bases = {relation.removeprefix("above ") for relation in grades.values() if relation.startswith("above ")}
    found: dict[str, Term] = {}
    for name, relation in grades.items():
        kind = alternative[name]
        if kind == "0":
            found[name] = variables.constant(0)
        elif kind == "rc":
            assert rc is not None
            found[name] = rc
        elif kind == "above":
            base = found[relation.removeprefix("above ")]
            if setting.small:
                found[name] = base + variables.new(prefix + name, Range.POSITIVE)
            else:
                found[name] = base + (1 - base) * variables.new(prefix + name, Range.ABOVE_ZERO)
        elif setting.small:
            found[name] = variables.new(prefix + name, Range.NONNEGATIVE if kind == "free" else Range.POSITIVE)
        elif kind == "free":
            found[name] = variables.new(prefix + name, Range.BELOW_ONE if name in bases else Range.UNIT)
        else:
            found[name] = variables.new(prefix + name, Range.OPEN if name in bases else Range.ABOVE_ZERO)
    return found


def discount_values(setting: Setting, variables: Variables) -> dict[int, Term]:
    """The discounts of the ranks of `One` segments, as sums of steps that are > 0, from the last one up."""
    if setting.mode == "reciprocal":
        return {}
    ranks = [k for k, segment in enumerate(setting.script.segments) if isinstance(segment, One)]
    if setting.mode == "constant":
        return {k: variables.constant(1) for k in ranks}
    if setting.mode == "positive":
        return {k: variables.new(f"D{k}", Range.POSITIVE) for k in ranks}
    found = {ranks[-1]: variables.new(f"D{ranks[-1]}", Range.POSITIVE)}
    least = variables.constant(0)
    for upper, lower in reversed(list(pairwise(ranks))):
        step = least + variables.new(f"D{upper}_step", Range.POSITIVE)
        found[upper] = found[lower] + step
        # What lies between two ranks that are not neighbours may be more than any one step, so it bounds none.
        if setting.mode == "convex" and lower == upper + 1:
            least = step
    return found


def weight_values(setting: Setting, variables: Variables) -> dict[str, Term]:
    """What the aspects' totals are multiplied by: positive, and equal or ordered where the axiom says so."""
    metric, aspects = setting.metric, setting.script.aspects
    first = variables.new("W", Range.POSITIVE)
    if len(aspects) == 1:
        return {aspects[0]: first}
    t, u = aspects
    if metric.normalised:
        return {t: first, u: variables.new("W_u", Range.POSITIVE)}
    if not metric.weighted or setting.axiom.balanced:
        return {t: first, u: first}
    more = variables.new("W_step" if setting.axiom.weighted else "W_u", Range.POSITIVE)
    return {t: first, u: first + more if setting.axiom.weighted else more}
