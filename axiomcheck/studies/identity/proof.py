"""Prove that the scores of two metrics are proportional, by induction over ranks on both folds at once.

For one aspect, an invariant relates the states of the two folds. It holds before rank 1, every further document
preserves it, and it implies that one gain is a constant times the other. Both folds are run on symbols to find it. If
discounts, scales, weights, normalisers and costs are also proportional, then the scores are proportional
(docs/how-to/identities.md). The proofs use the arithmetic of the certificate checker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import gcd, lcm
from typing import Any

from flint import fmpq

from axiomcheck.core.errors import AxiomcheckError
from axiomcheck.metrics import Fold, FoldMetric, Metric, SingleAspectMetric
from axiomcheck.metrics.adhoc import DiscountedGain
from axiomcheck.metrics.derived_fold import DerivedByIdeal
from axiomcheck.metrics.intent_aware import IntentAware
from axiomcheck.numbers.arithmetic import to_fmpq
from axiomcheck.numbers.discount import Constant, Discount, Geometric
from axiomcheck.proof.check.header import symbolic_parameters
from axiomcheck.proof.check.induction_run import step_of
from axiomcheck.proof.check.polynomials import FREE, Variable, without_common_factor
from axiomcheck.proof.check.quotients import Exact, Quotient, SignUnknown, attempt, variable


class NoProofError(AxiomcheckError):
    """Raised when a premise of the induction is not met. The message names the premise."""


def need(condition: bool, otherwise: str) -> None:
    """Check a premise of the proof. ``otherwise`` is the error message if the premise is false.

    Raises:
        NoProofError: The premise is not met.

    """
    if not condition:
        raise NoProofError(otherwise)


Values = dict[str, Quotient]
"""Quantities by name: A0_0 is the coefficient of eps^0 of component 0 of metric A's state."""

Binding = tuple[str, Quotient | str]
"""Statement about a quantity: ("=", value), ("same", name of an equal quantity) or ("in", range)."""

_UNIT = "[0, 1]"
_WEAKER = {_UNIT: "[0, oo)", "[0, oo)": FREE}


class Walk:
    """Run of both metrics' folds on the same symbolic documents, for one aspect.

    Args:
        fold_a: Fold of metric A.
        fold_b: Fold of metric B.
        kind: Kind of grades, ``graded`` or ``binary``; see `Scope`.
        small: Whether r << 1 is assumed.
        parameters: Variables that stand for parameters.

    """

    def __init__(self, fold_a: Fold, fold_b: Fold, kind: str, small: bool, parameters: frozenset[Variable]) -> None:
        self.folds, self.small, self.parameters = {"A": fold_a, "B": fold_b}, small, parameters
        self.orders = (0, 1) if small else (0,)
        self.range = "(0, oo)" if small else "(0, 1]"
        self.fixed = variable("rc", self.range) if kind == "binary" else None

    def kinds(self) -> list[tuple[str, Quotient]]:
        """Return (description, grade) for each kind of document on one aspect. A positive grade is a variable."""
        some = ("grade rc > 0", self.fixed) if self.fixed is not None else ("grade r > 0", variable("r", self.range))
        return [("grade 0", Quotient.of(0)), some]

    def start(self) -> Values:
        """Return the state components of both folds before rank 1."""
        return {
            f"{side}{c}_{order}": Quotient.of(value if order == 0 else 0)
            for side, fold in self.folds.items()
            for c, value in enumerate(fold.start(Exact()))
            for order in self.orders
        }

    def both(self, grade: Quotient, values: Values) -> tuple[dict[str, dict[int, Quotient]], Values]:
        """Run both folds on one document; return both gains by order of eps, and the state components afterwards."""
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
        """Guess an invariant: equations that hold after up to 3 documents, or the range [0, 1], for each component."""
        seen = latest = [self.start()]
        for _ in range(3):
            kinds = self.kinds()
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
        """Return symbolic state components that satisfy the invariant and are otherwise arbitrary."""
        values: Values = {}
        for name, (kind, what) in bindings.items():
            if isinstance(what, Quotient):
                values[name] = what
            else:
                values[name] = variable(f"s_{name}", what) if kind == "in" else values[what]
        return values

    def broken(self, bindings: Mapping[str, Binding], after: Values) -> str | None:
        """Return the name of a state component that is not shown to satisfy the invariant, or None."""
        for name, (kind, what) in bindings.items():
            value = after[name]
            if kind == "in":
                if (what == _UNIT and not (1 - value).shown(">=")) or (what != FREE and not value.shown(">=")):
                    return name
            elif not equal(value, what if isinstance(what, Quotient) else after[what]):
                return name
        return None

    def invariant(self) -> dict[str, Binding]:
        """Return the guessed invariant, weakened until it holds at the start and every document preserves it."""
        bindings = self.guessed()
        while True:
            values = self.within(bindings)
            states = [self.both(grade, values)[1] for _, grade in self.kinds()]
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
        """Prove that A's gain is a constant times B's.

        Args:
            steps: List that the proved identities are appended to, in words.

        Returns:
            The constant; the order of eps up to which this is proved, or None for all grades; the invariant in words.

        Raises:
            NoProofError, SignUnknown: The quotient cannot be proved to be constant.

        """
        *_, (_, some) = self.kinds()
        first, _ = self.both(some, self.start())
        order = next((o for o in self.orders if not first["B"][o].is_zero), None)
        need(order is not None, "the first relevant document earns nothing in the second metric")
        assert order is not None
        need(first["B"][order].shown(">"), "the first relevant document could not be shown to earn anything")
        factor = tidy(first["A"][order] / first["B"][order])
        used = {*factor.numerator.degrees(), *factor.denominator.degrees()}
        need(used <= self.parameters, "the ratio of the first document's gains is not constant")
        need(factor.shown(">"), "the first document's gains differ in sign")
        bindings = self.invariant()
        words = {name: _words(binding) for name, binding in bindings.items()}
        steps += [f"invariant: {name} {word}" for name, word in words.items()]
        values = self.within(bindings)
        for kind, grade in self.kinds():
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
        """Check that no gain is negative or of an order below ``order``, and that grade 0 earns and changes nothing."""
        for side in self.folds:
            need(gains[side][order].shown(">="), f"{kind}: a gain may be negative")
            need(all(gain.is_zero for o, gain in gains[side].items() if o < order), f"{kind}: a gain has a lower order")
            if grade.is_zero:
                need(all(gain.is_zero for gain in gains[side].values()), f"{kind}: the document earns something")
        if grade.is_zero:
            need(all(equal(after[n], values[n]) for n in values), f"{kind}: the document changes the state")


def tidy(quotient: Quotient) -> Quotient:
    """Reduce a quotient to lowest terms. The denominator then has integer coefficients with no common divisor.

    Raises:
        SignUnknown: The reduced denominator cannot be proved to have a constant sign.

    """
    if quotient.is_zero or not quotient.denominator.degrees():
        return quotient
    above, below = without_common_factor(quotient.numerator, quotient.denominator)
    if not below.shown(">") and not below.shown("<"):
        raise SignUnknown("the denominator of a reduced quotient could not be shown to have one sign")
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
    """Return True if two quotients are the same function."""
    return (x - y).is_zero


def _words(binding: Binding) -> str:
    kind, what = binding
    return f"{kind} {text_of(what) if isinstance(what, Quotient) else what}"


class Relation(StrEnum):
    """Relations between the scores of two metrics, strongest first."""

    EQUAL = "equal"
    PROPORTIONAL = "proportional"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Scope:
    """Topics for which a relation between two metrics is claimed.

    Args:
        one_aspect: Whether all topics have one aspect.
        grades: ``graded`` (any grade in [0, 1]) or ``binary`` (0, or one rc > 0 per topic).

    """

    one_aspect: bool = False
    grades: str = "graded"

    def text(self) -> str:
        """Return the scope in words."""
        aspects = "topics with one aspect" if self.one_aspect else "topics with any number of aspects"
        return aspects + (", grades 0 or one rc" if self.grades == "binary" else "")


@dataclass(frozen=True)
class IdentityProof:
    """Proof that the scores of two metrics are proportional on every topic in a scope, for rankings of any length.

    Args:
        scope: Topics that the proof covers.
        relation: ``equal`` or ``proportional``.
        leading: Order of eps up to which the relation is proved; None for a proof for all grades.
        factor: Factor in score A = factor * score B, as text in terms of the parameters.
        value: Factor at the metrics' own parameter values.
        parameters: Parameters for which the proof covers all values inside their ranges.
        invariant: Invariants of the folds' state components, in words; empty if both metrics have the same fold.
        steps: Proved identities, in words.

    """

    scope: Scope
    relation: Relation
    leading: int | None
    factor: str
    value: fmpq
    parameters: tuple[str, ...]
    invariant: Mapping[str, str]
    steps: tuple[str, ...]


def open_parameters(first: Metric, second: Metric) -> tuple[str, ...]:
    """Return the names of the real parameters with equal values in both metrics, which a proof can leave symbolic."""
    found: dict[str, set[Any]] = {}
    for metric in (first, second):
        symbolic = symbolic_parameters(metric)
        for name, value in metric.values.items():
            found.setdefault(name, set()).add(value if name in symbolic else None)
    return tuple(sorted(name for name, values in found.items() if len(values) == 1 and None not in values))


def fold_metric(metric: Metric, symbols: Mapping[str, Any]) -> FoldMetric:
    """Return a metric with symbols in place of some parameter values, after checking that it is a fold.

    Raises:
        NoProofError: The metric is not a fold, or it overrides how a fold computes scores.

    """
    if not isinstance(metric, FoldMetric):
        raise NoProofError(f"{metric} is not a fold over ranks")
    kernels = (FoldMetric.kernel, SingleAspectMetric.kernel)
    own = type(metric).kernel not in kernels or type(metric).score is not Metric.score
    need(not own, f"{metric} has its own kernel")
    need(type(metric.fold()).total is Fold.total, f"{metric} has a fold with its own method for totals")
    at = metric.at({name: symbol for name, symbol in symbols.items() if name in metric.values})
    assert isinstance(at, FoldMetric)
    return at


def _alike(x: Any, y: Any, leave_out: str = "") -> bool:
    """Return True if two objects have the same class and equal attributes, ignoring the attribute ``leave_out``."""
    mine, others = ({k: v for k, v in vars(o).items() if k != leave_out} for o in (x, y))
    return type(x) is type(y) and _equal_values(mine, others)


def _equal_values(mine: Mapping[str, Any], others: Mapping[str, Any]) -> bool:
    """Return True if two mappings have the same keys, and values that are shown to be equal."""
    try:
        return mine.keys() == others.keys() and all(bool(mine[k] == others[k]) for k in mine)
    except SignUnknown:
        return False


def proved(first: Metric, second: Metric, scope: Scope, leading: bool, symbolic: Sequence[str]) -> IdentityProof:
    """Prove that the scores of two metrics are proportional.

    Args:
        first: Metric A.
        second: Metric B.
        scope: Topics that the proof has to cover.
        leading: Whether the proof is about leading coefficients for r << 1 rather than about every grade.
        symbolic: Names of the parameters that become symbols.

    Raises:
        NoProofError, SignUnknown: A premise is not met or cannot be proved. The code of the metrics may also raise
            other errors when it runs on symbols.

    """
    ranges = symbolic_parameters(first) | symbolic_parameters(second)
    symbols = {name: variable(name, ranges[name]) for name in symbolic}
    a, b = (fold_metric(m, symbols) for m in (first, second))
    need(scope.one_aspect or a.pooling == b.pooling, "the grades of a document are pooled in different ways")
    need(scope.one_aspect or a.pooling == "no" or not (a.weighted or b.weighted), "pooled grades are weighted again")
    single = scope.one_aspect or a.pooling != "no"
    steps: list[str] = []
    fold_a, fold_b = a.fold(), b.fold()
    ranks = min((m.cutoff for m in (first, second) if m.cutoff is not None), default=None)
    discount = _discount_factor(fold_a.discount, fold_b.discount, ranks)
    steps.append(f"discounts: D_A(i) = {text_of(discount)} * D_B(i) at every rank i")
    parameters = frozenset(v for symbol in symbols.values() for v in symbol.numerator.degrees())
    grades = "graded" if a.pooling == "sum" and not scope.one_aspect else scope.grades  # sums over aspects are graded
    walk = Walk(fold_a, fold_b, grades, leading, parameters)
    gain, order, invariant = Quotient.of(1), None, dict[str, str]()
    if not leading and _alike(fold_a, fold_b, "discount"):
        steps.append("gains: both metrics have the same fold")
    else:
        gain, order, invariant = walk.gains(steps)
    factor = discount * gain
    _check_normalisers(a, b, leading, equal(factor, Quotient.of(1)), steps)
    whole = tidy(factor * _scale(a, b, scope, single, steps))
    cost_a, cost_b = (Quotient.of(m.cost()) for m in (a, b))
    if not (cost_a.is_zero and cost_b.is_zero):
        need(equal(cost_a * discount, whole * cost_b), "the costs and the gains have different ratios")
        steps.append("costs: they have the same ratio as the gains")
    relation = Relation.EQUAL if equal(whole, Quotient.of(1)) else Relation.PROPORTIONAL
    value, shown = _at(whole, first, second), (tuple(symbolic), invariant, tuple(steps))
    return IdentityProof(scope, relation, order, text_of(whole), value, *shown)


def _discount_factor(x: Discount, y: Discount, ranks: int | None) -> Quotient:
    """Return the constant d such that D_A(i) = d D_B(i) at every rank i up to ``ranks`` (None for every rank).

    Raises:
        NoProofError: The discounts could not be shown to be proportional, or one is 0 at every rank.

    """
    (ratio, scale), (other, other_scale) = _geometric(x), _geometric(y)
    same, scales = _alike(x, y), (1, 1)
    if ratio is not None and other is not None:
        same, scales = equal(ratio, other), (scale, other_scale)
    if not same and ranks is not None:
        both: list[tuple[Any, Any]] = [(x.rational(i), y.rational(i)) for i in range(1, ranks + 1)]
        scales = both[0]
        same = not any(None in pair for pair in both)
        same = same and all(equal(Quotient.of(u * scales[1]), Quotient.of(v * scales[0])) for u, v in both)
    need(same, "no known rule shows that the discounts are proportional")
    top, bottom = map(Quotient.of, scales)
    need(top.shown(">") and bottom.shown(">"), "a discount is 0 at every rank")
    return tidy(top / bottom)


def _geometric(discount: Discount) -> tuple[Quotient | None, Any]:
    """Return the ratio and scale of a geometric or constant discount, or None and 1 for any other discount."""
    if type(discount) is Constant:
        return Quotient.of(1), 1
    return (Quotient.of(discount.ratio), discount.scale) if type(discount) is Geometric else (None, 1)


def _check_normalisers(a: FoldMetric, b: FoldMetric, leading: bool, same_totals: bool, steps: list[str]) -> None:
    """Check that neither metric has a normaliser, or that both have the same one.

    Args:
        a: Metric A.
        b: Metric B.
        leading: Whether the proof is about leading coefficients.
        same_totals: Whether both folds have the same total on every ranking.
        steps: List that the proved identity is appended to, in words.

    Raises:
        NoProofError: The normalisers may differ.

    """
    if not a.normalised and not b.normalised:
        steps.append("normalisers: none")
        return
    if a.normalised and b.normalised:
        x, y = (_owner(m) for m in (a, b))
        alike = type(x) is type(y) and x.cutoff == y.cutoff and type(x) is not DerivedByIdeal
        if alike and _equal_values(x.values, y.values):
            steps.append("normalisers: both are the same function of the pool")
            return
        if x.cutoff == y.cutoff and same_totals and not leading and _is_ideal(x) and _is_ideal(y):
            steps.append(
                "normalisers: each is the fold's total on the ideal ranking, so they have the ratio of the totals"
            )
            return
    raise NoProofError("the normalisers could not be shown to be the same")


def _is_ideal(metric: FoldMetric) -> bool:
    """Return True if a metric is normalised by its fold's score for the ideal ranking: the pool by descending grade."""
    return type(metric) in (DiscountedGain, DerivedByIdeal)


def _owner(metric: FoldMetric) -> FoldMetric:
    """Return the base of an intent-aware metric that uses its base's normaliser; else the metric itself."""
    inherited = isinstance(metric, IntentAware) and type(metric).normaliser is IntentAware.normaliser
    return metric.base if isinstance(metric, IntentAware) and inherited else metric


def _scale(a: FoldMetric, b: FoldMetric, scope: Scope, single: bool, steps: list[str]) -> Quotient:
    """Return the ratio of the metrics' scales, after checking that it does not depend on the number of aspects."""

    def at(aspects: Any) -> Quotient:
        top, bottom = Quotient.of(a.scale(aspects)), Quotient.of(b.scale(aspects))
        need(top.shown(">") and bottom.shown(">"), "a scale is not positive")
        return tidy(top / bottom)

    if single:
        steps.append("weights: one number per document" if not scope.one_aspect else "weights: the only weight is 1")
        return at(1)
    need(a.weighted == b.weighted, "only one of the metrics weighs aspects")
    steps.append(f"weights: {'w(t) in both' if a.weighted else 'none in both'}")
    more = variable("more aspects", "[0, oo)")
    scale: Quotient = attempt("scale", at, more + 1)
    depends = {*scale.numerator.degrees(), *scale.denominator.degrees()} & {*more.numerator.degrees()}
    need(not depends, "the ratio of the scales depends on the number of aspects")
    return scale


def _at(factor: Quotient, first: Metric, second: Metric) -> fmpq:
    """Evaluate the factor between the scores at the metrics' own parameter values."""
    values = second.values | first.values
    used = {*factor.numerator.degrees(), *factor.denominator.degrees()}
    value: fmpq = factor.at({v: to_fmpq(values[v.name]) for v in used})
    return value
